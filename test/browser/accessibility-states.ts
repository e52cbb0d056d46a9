// States of pages that axe checks only in the full run: dialogs of each state, open menus and lists, and answers.
import type { Page } from 'playwright-core';
import { becomes } from '../support/becomes.ts';
import { type Api, anIncident } from '../support/incidents.ts';
import { clickButton, toDialog, type View } from './accessibility-view.ts';

export async function listStates(manager: Api): Promise<View[]> {
  return [...(await listStateDialogs(manager)), ...listOpenMenus(), ...(await listAnswers(manager))];
}

/** The question behind each change of state that needs a confirmation. */
async function listStateDialogs(manager: Api): Promise<View[]> {
  const reach = async (...states: string[]) => {
    const { body } = await anIncident(manager, { short_description: `Reaches ${states.join(', ')}` });
    for (const state of states) await manager.patch(`/incidents/${body.id}`, { state, resolution: 'Replaced it.' });
    return `incidents/${body.id}`;
  };
  const [fresh, started, resolved] = [
    await reach(),
    await reach('in_progress'),
    await reach('in_progress', 'resolved'),
  ];
  return [
    toDialog(fresh, 'cancel', clickButton('Cancel incident')),
    toDialog(started, 'put on hold', clickButton('Put on hold')),
    toDialog(resolved, 'close', clickButton(/^Close$/)),
    toDialog(resolved, 'reopen', clickButton('Reopen')),
  ];
}

/** Lists and menus that lie over the page while they are open. */
function listOpenMenus(): View[] {
  const menu = (path: string, name: string, prepare: (page: Page) => Promise<void>): View => ({
    name: `/${path} open ${name}`,
    path,
    prepare,
  });
  const choices = (page: Page) => page.getByRole('option').first().waitFor();
  const items = (page: Page) => page.getByRole('menuitem').first().waitFor();
  const open = (name: string | RegExp, shown: (page: Page) => Promise<void>) => async (page: Page) => {
    await clickButton(name)(page);
    await shown(page);
  };
  const typeInto = (label: string, text: string) => async (page: Page) => {
    await page.getByLabel(label).fill(text);
    await choices(page);
  };
  return [
    menu('incidents/new', 'select', open(/^Priority/, choices)),
    menu('incidents/new', 'suggestions', typeInto('Assigned to', 'a')),
    menu('incidents', 'filter', typeInto('Filter incidents', 'Prio')),
    menu(
      'incidents',
      'creation dates',
      open(/creation date/i, (page) => page.getByRole('dialog').waitFor()),
    ),
    menu('incidents', 'saved views', open('Saved views', items)),
    menu('incidents/board', 'card', open(/^Move INC/, items)),
    menu('webhooks/outbound/new', 'events', open('Choose events', choices)),
    menu('profile', 'account', open(/^Account/, items)),
    menu(
      'profile',
      'notifications',
      open(/^Notifications/, (page) => page.getByRole('link', { name: 'All notifications' }).waitFor()),
    ),
    toDialog('jobs', 'go to with results', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search everything' }).fill('reaches');
      await page
        .getByRole('option', { name: /^Reaches/ })
        .first()
        .waitFor();
    }),
  ];
}

/** Answers with a table, a cited article beside the chat, and records. */
async function listAnswers(manager: Api): Promise<View[]> {
  const title = 'Numbers of the VPN client';
  const table = '| Number | Meaning |\n|---|---|\n| 619 | The port closed |\n| 691 | The password is wrong |';
  const body = `Error 691 of the VPN client means that the password is wrong.\n\n${table}`;
  await manager.post('/knowledge/articles', { title, body, state: 'published' });
  const question = 'What does error 691 of the VPN client mean?';
  let attempts = 0;
  const isFound = async () => {
    attempts += 1;
    const { body: answer } = await manager.post('/ai/ask', { question: `${question} ${attempts}` });
    return (answer.citations ?? []).length > 0;
  };
  await becomes(isFound, true);
  const ask = async (page: Page, text: string, answer: string | RegExp) => {
    await page.getByLabel('Question').fill(text);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText(answer).first().waitFor();
  };
  const cite = async (page: Page) => {
    await ask(page, question, /Answer found|Closest match/);
    await page.getByRole('button', { name: `Open here: ${title}` }).click();
    await page.getByRole('region', { name: title }).getByRole('table').waitFor();
  };
  return [
    { name: '/ask with cited article', path: 'ask', prepare: cite },
    { name: '/ask not found', path: 'ask', prepare: (page) => ask(page, 'Who is the king of Spain?', 'Not found') },
    {
      name: '/ask with records',
      path: 'ask',
      prepare: (page) => ask(page, 'How many incidents by state?', 'How this was answered'),
    },
  ];
}
