import type { Page } from 'playwright-core';
import { advanceUntil } from '../../support/assistant.ts';
import { becomes } from '../../support/becomes.ts';
import { type Api, anIncident } from '../../support/incidents.ts';
import { inConsole } from '../in-console.ts';

inConsole('questions in the console', (the) => {
  /** Each description is new, because answers are cached. */
  async function isLearned(api: Api, text: string, id: string): Promise<void> {
    await advanceUntil(
      the.service,
      (look) => api.post('/ai/exemplars', { description: `${text} ${look}`, include_open: true }),
      ({ body }) => JSON.stringify(body).includes(id),
    );
  }

  it('are answered from cited articles and linked records', async () => {
    const manager = await the.api('manager');
    const { body: article } = await manager.post('/knowledge/articles', {
      title: 'Error codes of the VPN client',
      body: '## Error 809\n\nError 809 means that a firewall drops UDP 500 and 4500. Use another network.',
      state: 'published',
    });
    const { body: incident } = await anIncident(manager, { short_description: 'Core switch is down', priority: 'P1' });
    await anIncident(manager, { short_description: 'Core router is down', priority: 'P1' });
    await anIncident(manager, { short_description: 'Mouse is slow', priority: 'P4' });
    const question = 'What does error 809 of the VPN client mean?';
    await advanceUntil(
      the.service,
      (look) => manager.post('/ai/ask', { question: `${question} ${look}` }),
      ({ body }) => body.citations?.length > 0,
    );
    const { page, complaints } = await the.signedIn('ask', 'viewer');
    await page.getByLabel('Question').fill(question);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('firewall drops UDP 500').first().waitFor();
    expect(await page.getByRole('link', { name: article.title }).getAttribute('href')).toContain(article.id);
    await page
      .getByText(/Answer found|Closest match/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: `Open here: ${article.title}` }).click();
    const panel = page.getByRole('region', { name: article.title });
    await panel.getByText('Use another network.').waitFor();
    await panel.getByRole('button', { name: /close/i }).click();
    await panel.waitFor({ state: 'hidden' });
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/ask.png` });
    await page.getByLabel('Question').fill('Who is the king of Spain?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('Not found', { exact: true }).waitFor();
    await picture(page, 'ask-unsure');
    await page.getByLabel('Question').fill('Which P1 incidents are new?');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: incident.id }).first().waitFor();
    await page.waitForURL(/conversation=/);
    await page.getByRole('link', { name: 'Open all 2 in the list' }).waitFor();
    await page.getByLabel('Question').fill('Incidents by priority');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'incidents by priority' }).waitFor();
    await page.getByRole('button', { name: 'New question' }).click();
    await page.getByRole('link', { name: incident.id }).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('conversation');
    await expectNoStaleConversation(page);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/query.png` });
    expect(complaints).toEqual([]);
  });

  it('suggests the fields of a new incident from similar ones', async () => {
    const agent = await the.api('agent');
    const fields = { short_description: 'Printer jams on every page', category: 'hardware', priority: 'P4' };
    const { body } = await anIncident(agent, fields);
    await agent.patch(`/incidents/${body.id}`, { state: 'in_progress' });
    await agent.patch(`/incidents/${body.id}`, { state: 'resolved', resolution: 'Replaced the rollers.' });
    await isLearned(agent, 'Printer jams', body.id);
    const { page, complaints } = await the.signedIn('incidents/new', 'itsm_agent');
    const similar = await holdResponses(page, /\/ai\/exemplars|\/knowledge\/articles\?/);
    await page.getByLabel('Short description').fill('The printer jams on each page');
    await page.getByRole('button', { name: 'Suggest fields' }).click();
    await page.getByText('similar incidents were P4').waitFor();
    const category = page.getByLabel('Category', { exact: true });
    expect(await category.inputValue()).toBe('');
    const suggestions = page.getByRole('list', { name: 'Suggestions' });
    await suggestions.getByText(/^Category: hardware · \d+%$/).waitFor();
    await category.fill('paper');
    await suggestions.getByText(/^Category/).waitFor({ state: 'detached' });
    await similar.held;
    await page.getByRole('button', { name: 'Apply Priority P4' }).hover();
    await page.mouse.down();
    // Similar incidents and articles that appeared now would move the button away from the pointer.
    await similar.release();
    await page.mouse.up();
    await page.getByRole('button', { name: /P4 – Low/ }).waitFor();
    await page.getByRole('list', { name: 'Similar incidents' }).waitFor();
    expect(await category.inputValue()).toBe('paper');
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/suggest.png`, fullPage: true });
    expect(complaints).toEqual([]);
  });

  it('shows duplicates and articles for a new incident, people to mention, and a suggested resolution', async () => {
    const manager = await the.api('manager');
    const short_description = 'Turnstile at the north gate rejects all badges';
    const { body: past } = await anIncident(manager, { short_description });
    await manager.patch(`/incidents/${past.id}`, { state: 'in_progress' });
    await manager.patch(`/incidents/${past.id}`, { state: 'resolved', resolution: 'Replaced the badge reader.' });
    // What the suggestions are learned from is cached for two seconds.
    await the.service.advance('3s');
    const { id } = (await anIncident(manager, { short_description })).body;
    const hasSuggestion = async () => (await manager.get(`/incidents/${id}`)).body.ai_suggested_resolution !== null;
    await becomes(hasSuggestion, true);
    const article = {
      title: 'Reset a turnstile',
      body: 'The turnstile rejects badges: press reset.',
      state: 'published',
    };
    await manager.post('/knowledge/articles', article);
    await isLearned(manager, 'Turnstile rejects all badges', id);
    const { page, complaints } = await the.signedIn('incidents/new', 'itsm_agent');
    await page.getByLabel('Short description').fill('Turnstile rejects badges at the north gate');
    await page.getByRole('list', { name: 'Similar incidents' }).getByText(id).waitFor();
    const articles = page.getByRole('list', { name: 'Articles that may help' });
    await articles.getByText('Reset a turnstile').waitFor();
    await page.getByLabel('Short description').fill('People cannot get in');
    await articles.waitFor({ state: 'detached' });
    const story = 'This morning nobody could enter the building through the north gate. The turnstile rejects every';
    await page
      .getByLabel('Description', { exact: true })
      .fill(`${story} one of the badges, and the guard lets people in.`);
    await articles.getByText('Reset a turnstile').waitFor();

    const { email } = the.person('itsm_manager');
    await the.signedIn(`incidents/${id}`, 'itsm_agent');
    const note = page.getByLabel('Add work note', { exact: true }).last();
    await note.pressSequentially(`Ask @${email.slice(0, 3)}`);
    await page.getByRole('button', { name: `Mention ${email}` }).waitFor();
    await page.keyboard.press('Enter');
    expect(await note.inputValue()).toBe(`Ask @${email} `);

    await page.getByRole('button', { name: 'Start work' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const question = page.getByRole('dialog', { name: 'Resolve incident' });
    await question.getByRole('button', { name: 'Use this resolution' }).click();
    const resolution = await question.getByLabel('Resolution', { exact: true }).inputValue();
    expect(resolution).toContain('Replaced the badge reader.');
    expect(complaints).toEqual([]);
  });

  it('analyses an incident by keyboard, with links to similar ones, also on a phone', async () => {
    const agent = await the.api('agent');
    const description = 'Since this morning, because the rollers are worn. Is a spare kit in the store?';
    const { body } = await anIncident(agent, { short_description: 'Printer jams on every page again', description });
    const { page, complaints } = await the.signedIn(`incidents/${body.id}`, 'viewer');
    const analyse = page.getByRole('button', { name: 'Analyze' });
    await analyse.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Open questions' }).waitFor();
    await page.getByRole('button', { name: 'Root cause' }).focus();
    await page.keyboard.press('Enter');
    await analyse.click();
    await page.getByRole('heading', { name: 'Similar past incidents' }).waitFor();
    await page
      .getByText(/[Cc]onfidence[: (]+\d+%/)
      .first()
      .waitFor();
    await page.getByText(/local\.extractive-v1, \d+ tokens, \d+ ms/).waitFor();
    await picture(page, 'analysis');
    await page.setViewportSize({ width: 320, height: 700 });
    await analyse.scrollIntoViewIfNeeded();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await picture(page, 'analysis-320');
    expect(complaints).toEqual([]);
  });
});

/** An answer that arrives after "New question" does not bring its conversation back. */
async function expectNoStaleConversation(page: Page): Promise<void> {
  const sent: object[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/ai/query', async (route) => {
    sent.push(route.request().postDataJSON());
    if (sent.length === 2) await held;
    // The browser has given up on the held request.
    await route.continue().catch(() => undefined);
  });
  const ask = async (question: string) => {
    await page.getByLabel('Question').fill(question);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
  };
  await ask('How many incidents are new?');
  await page.waitForURL(/conversation=/);
  await page.waitForFunction('document.querySelector("textarea").value === ""');
  const asked = page.waitForRequest('**/ai/query');
  await ask('And how many are P1?');
  await asked;
  await page.getByRole('button', { name: 'New question' }).click();
  release();
  await ask('How many changes are there?');
  await page.getByRole('heading', { name: 'How many changes are there?' }).waitFor();
  expect(await page.getByRole('heading', { name: 'And how many are P1?' }).count()).toBe(0);
  expect(sent.map((body) => 'conversation_id' in body)).toEqual([false, true, false]);
}

/** Holds such responses back until `release`, which resolves once the page can have drawn the first one. */
async function holdResponses(page: Page, url: RegExp) {
  let send = () => {};
  const sending = new Promise<void>((resolve) => {
    send = resolve;
  });
  let hold = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  await page.route(url, async (route) => {
    const response = await route.fetch();
    hold();
    await sending;
    await route.fulfill({ response });
  });
  const release = async () => {
    const received = page.waitForResponse(url);
    send();
    await (await received).finished();
    const frames = 'for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)';
    await page.evaluate(`(async () => { ${frames} })()`);
  };
  return { held, release };
}

async function picture(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
}
