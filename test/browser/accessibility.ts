// Runs axe on pages and dialogs of the console. All of them, on wide and narrow screens and in both themes, take minutes
// (`npm run accessibility`), so `npm test` checks one of each kind in a combination that changes from page to page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { creation } from '../support/inbound-webhooks.ts';
import { type Api, anIncident } from '../support/incidents.ts';
import type { Console, Visit } from './in-console.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const checksAll = process.env.ACCESSIBILITY === 'all';

interface View {
  path: string;
  /** Opens a dialog. */
  open?: (page: Page) => Promise<void>;
}

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** Returns the serious and critical findings. */
export async function checkAccessibility(the: Console): Promise<string[]> {
  const views = await listViews(await the.api('manager'));
  const onWide = await the.signedIn('none', 'super_admin', { viewport: wide });
  const onPhone = await the.signedIn('none', 'super_admin', { viewport: phone });
  const variants = [
    { tab: onWide, theme: 'light' },
    { tab: onPhone, theme: 'dark' },
    { tab: onWide, theme: 'dark' },
    { tab: onPhone, theme: 'light' },
  ] as const;
  const findings: string[] = [];
  for (const [index, view] of views.entries()) {
    for (const { tab, theme } of variants.filter((_, place) => checksAll || place === index % variants.length)) {
      await show(the, tab, view);
      const screen = `${tab === onWide ? wide.width : phone.width} ${theme}`;
      for (const finding of await listFindings(tab.page, theme)) findings.push(`/${view.path} ${screen}: ${finding}`);
    }
  }
  return [...findings, ...onWide.complaints, ...onPhone.complaints];
}

async function listViews(manager: Api): Promise<View[]> {
  const { body: incident } = await anIncident(manager, { short_description: 'Badge reader', priority: 'P1' });
  const { body: outbound } = await manager.post('/webhooks/outbound', {
    name: 'Chat',
    url: 'https://example.com/hook',
    events: ['incident.created'],
  });
  const one = `incidents/${incident.id}`;
  const few = [
    '',
    'incidents',
    one,
    `${one}/edit`,
    'incidents/board',
    'changes/calendar',
    'ask',
    'developer',
    'cis/new',
  ];
  const dialogs: View[] = [
    { path: one, open: choose('More actions', 'Delete…') },
    { path: 'profile', open: click('Create API key') },
    { path: 'incidents', open: (page) => page.keyboard.press('?') },
    { path: `webhooks/outbound/${outbound.id}`, open: click('Delete') },
    { path: 'jobs', open: (page) => page.keyboard.press('Control+k') },
  ];
  const paths = checksAll ? [...few, ...(await listOtherPaths(manager, outbound.id))] : few;
  return [...paths.map((path) => ({ path })), ...dialogs];
}

async function listOtherPaths(manager: Api, outboundId: string): Promise<string[]> {
  const create = async (path: string, fields: object) => (await manager.post(path, fields)).body.id;
  const records = {
    changes: await create('/changes', { short_description: 'Replace the router' }),
    requests: await create('/requests', { short_description: 'A monitor', item: 'monitor' }),
    cis: await create('/cmdb/cis', { name: 'router-1', class: 'network' }),
    knowledge: await create('/knowledge/articles', { title: 'Reset', body: '# Reset\n\n`x`' }),
    'webhooks/inbound': await create('/webhooks/inbound', creation),
    'webhooks/outbound': outboundId,
  };
  return [
    ...['incidents/new', 'cis/import', 'jobs', 'notifications', 'profile', 'none'],
    ...['developer/api', 'developer/api/createIncident', 'developer/api/listIncidents'],
    ...Object.entries(records).flatMap(([list, id]) => [list, `${list}/new`, `${list}/${id}`, `${list}/${id}/edit`]),
  ];
}

const choose = (menu: string, item: string) => async (page: Page) => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

const click = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

async function show(the: Console, tab: Visit, { path, open }: View): Promise<void> {
  const { page } = await the.move(tab, path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  if (!open) return;
  await open(page);
  await page.getByRole('dialog').last().waitFor();
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/** Cloudscape's navigation has an attribute that its role does not allow; screen readers ignore it. */
const isKnown = ({ html }: { html: string }) => /^<nav [^>]*aria-orientation/.test(html);

async function listFindings(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(`document.body.classList.toggle('awsui-dark-mode', ${theme === 'dark'})`);
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe);
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes })))`,
  );
  return (found as Violation[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.filter((node) => !isKnown(node)).map(({ html }) => `${id} ${html.slice(0, 200)}`),
    );
}
