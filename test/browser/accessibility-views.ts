// The pages and dialogs of the console that axe checks.
import type { Page } from 'playwright-core';
import { creation, send } from '../support/inbound-webhooks.ts';
import { type Api, anIncident, type Fields } from '../support/incidents.ts';
import { listStates } from './accessibility-states.ts';
import { clickButton as click, toDialog as dialog, type View } from './accessibility-view.ts';
import type { Console } from './in-console.ts';

/** One of each kind, or all of them. */
export async function listViews(the: Console, all: boolean): Promise<View[]> {
  const manager = await the.api('manager');
  const { body: incident } = await anIncident(manager, { short_description: 'Badge reader', priority: 'P1' });
  const outbound = await create(manager, '/webhooks/outbound', {
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
    'report',
    'developer',
    'cis/new',
  ];
  const dialogs = [
    dialog(one, 'delete', choose('More actions', 'Delete…')),
    dialog('profile', 'create key', click('Create API key')),
    dialog('incidents', 'keyboard shortcuts', (page) => page.keyboard.press('?')),
    dialog(`webhooks/outbound/${outbound}`, 'delete', click('Delete')),
    dialog('jobs', 'go to', (page) => page.keyboard.press('Control+k')),
  ];
  const others = all ? await listOtherViews(the, manager, outbound) : [];
  return [...few.map(toPage), ...dialogs, ...others];
}

async function listOtherViews(the: Console, manager: Api, outbound: string): Promise<View[]> {
  const change = await create(manager, '/changes', { short_description: 'Replace the router', state: 'submitted' });
  const request = await create(manager, '/requests', { short_description: 'A monitor', item: 'monitor' });
  const ci = await create(manager, '/cmdb/cis', { name: 'router-1', class: 'network' });
  const article = await create(manager, '/knowledge/articles', { title: 'Reset', body: '# Reset\n\n`x`' });
  const inbound = await create(manager, '/webhooks/inbound', { ...creation, secret_enabled: false });
  const started = await create(manager, '/incidents', { short_description: 'Door is stuck' });
  await manager.patch(`/incidents/${started}`, { state: 'in_progress' });
  const proposal = await create(manager, '/proposals', {
    operation: 'updateIncident',
    record_id: started,
    body: { priority: 'P1' },
    evidence: 'The door of the server room.',
  });
  await create(manager, '/api-keys', { name: 'Nightly import', role: 'viewer' });
  const event = (await send(the.service, inbound, { alert: { name: 'Disk full' } })).body.event_id;
  const { body: job } = await manager.post('/incidents/bulk', {
    operation: 'update',
    ids: [started],
    fields: { priority: 'P4' },
  });
  const { body: ping } = await manager.post(`/webhooks/outbound/${outbound}/test`, {});
  const lists = { changes: change, requests: request, cis: ci, knowledge: article };
  const webhooks = { 'webhooks/inbound': inbound, 'webhooks/outbound': outbound };
  const paths = [
    ...['incidents/new', 'cis/import', 'jobs', 'notifications', 'profile', 'none'],
    ...['developer/api', 'developer/api/createIncident', 'developer/api/listIncidents'],
    ...Object.entries({ ...lists, ...webhooks }).flatMap(([list, id]) => {
      return [list, `${list}/new`, `${list}/${id}`, `${list}/${id}/edit`];
    }),
    ...['proposals', `proposals/${proposal}`],
    `jobs/${requireId(job.job_id)}`,
    `webhooks/inbound/${inbound}/events/${requireId(event)}`,
    `webhooks/outbound/${outbound}/deliveries/${requireId(ping.delivery_id ?? ping.id)}`,
  ];
  const tab = (path: string, name: string): View => ({
    name: `/${path} tab ${name}`,
    path,
    prepare: (page) => page.getByRole('tab', { name, exact: true }).click(),
  });
  return [
    ...paths.map(toPage),
    { ...toPage('incidents'), name: '/incidents with preview', prepare: (page) => page.keyboard.press('v') },
    ...['Test', 'Received events', 'Rejected calls'].map((name) => tab(`webhooks/inbound/${inbound}`, name)),
    tab(`webhooks/outbound/${outbound}`, 'Deliveries'),
    ...listOtherDialogs({ change, request, ci, article, inbound, outbound, started }),
    await conflictDialog(manager),
    ...(await listStates(manager)),
  ];
}

function listOtherDialogs(ids: Readonly<Record<string, string>>): View[] {
  const deliveries = async (page: Page) => {
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await click('Retry failed')(page);
  };
  const selected = async (page: Page) => {
    await page.getByRole('link', { name: 'Badge reader' }).first().waitFor();
    await page.getByRole('checkbox').last().check({ force: true });
    await click('Update selected')(page);
  };
  return [
    dialog(`incidents/${ids.started}`, 'resolve', click('Resolve')),
    dialog('incidents/board', 'resolve', choose(`Move ${ids.started}`, 'Move to Resolved')),
    dialog('incidents', 'update selected', selected),
    dialog('incidents', 'save view', choose('Saved views', 'Save this view…')),
    { ...dialog('incidents', 'preferences', click('Preferences')), isWide: true as const },
    dialog('profile', 'revoke key', click('Revoke Nightly import')),
    dialog('profile', 'add contact method', click('Add contact method')),
    ...['Approve', 'Reject', 'Cancel', 'Delete'].map((name) => dialog(`changes/${ids.change}`, name, click(name))),
    ...['Approve', 'Reject', 'Cancel', 'Delete'].map((name) => dialog(`requests/${ids.request}`, name, click(name))),
    dialog(`cis/${ids.ci}`, 'delete', click('Delete')),
    dialog(`knowledge/${ids.article}`, 'delete', click('Delete')),
    dialog(`webhooks/inbound/${ids.inbound}`, 'delete', click('Delete')),
    dialog(`webhooks/outbound/${ids.outbound}`, 'retry failed', deliveries),
  ];
}

/** Somebody else changes the incident between opening its page and saving. */
async function conflictDialog(manager: Api): Promise<View> {
  const id = await create(manager, '/incidents', { short_description: 'Two people work on this' });
  let changes = 0;
  return dialog(`incidents/${id}`, 'conflict', async (page) => {
    await page.getByRole('button', { name: 'Start work' }).waitFor();
    changes += 1;
    await manager.patch(`/incidents/${id}`, { short_description: `Changed ${changes} times` });
    await click('Start work')(page);
  });
}

async function create(api: Api, path: string, fields: Fields): Promise<string> {
  const { status, body } = await api.post(path, fields);
  expect(status).toBe(201);
  return requireId(body.id);
}

function requireId(id: unknown): string {
  expect(id).toEqual(expect.any(String));
  return String(id);
}

const toPage = (path: string): View => ({ name: `/${path}`, path });

const choose = (menu: string, item: string) => async (page: Page) => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
