import type { Page } from 'playwright-core';
import { becomes } from '../../support/becomes.ts';
import { type Api, anIncident } from '../../support/incidents.ts';
import { inConsole, pickItem } from '../in-console.ts';

const newYork = { timezoneId: 'America/New_York' };

async function fillTime(page: Page, label: string, day: string, time: string): Promise<void> {
  await page.getByLabel(`${label} date`).fill(day);
  await page.getByLabel(`${label} time`).fill(time);
}

inConsole('changes and requests in the console', (the) => {
  let agent: Api;
  beforeAll(async () => {
    agent = await the.api('agent');
  });

  it('are created by an agent and approved by a manager, who sees conflicts', async () => {
    const planned = {
      planned_start: '2028-01-10T20:00:00Z',
      planned_end: '2028-01-10T22:00:00Z',
      ci_ids: ['CI0000042'],
    };
    const other = { short_description: 'Restart the gateway', ...planned };
    await agent.post('/changes', other);
    const asking = await the.signedIn('changes/new', 'itsm_agent');
    await asking.page.getByLabel('Short description').fill('Renew the certificate');
    await pickItem(asking.page, 'Configuration items', 'SRV1');
    await asking.page.getByRole('button', { name: 'Submit change' }).click();
    await asking.page.getByText('Must be CI followed by seven digits.', { exact: true }).waitFor();
    await asking.page.getByRole('button', { name: 'Remove SRV1' }).click();
    await pickItem(asking.page, 'Configuration items', 'CI0000042');
    await fillTime(asking.page, 'Planned start', '2028-01-10', '21:00');
    await fillTime(asking.page, 'Planned end', '2028-01-10', '23:30');
    await asking.page.getByText('Restart the gateway (submitted) also affects').waitFor();
    await asking.page.getByRole('button', { name: 'Plans' }).click();
    await asking.page.getByRole('textbox', { name: 'Back-out plan' }).fill('Restore the old file.');
    await asking.page.getByRole('button', { name: 'Submit change' }).click();
    await asking.page.getByRole('heading', { name: 'Renew the certificate' }).waitFor();
    await asking.page.getByText('Restore the old file.').first().waitFor();
    await asking.page.setViewportSize({ width: 320, height: 640 });
    expect(await asking.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await asking.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const id = new URL(asking.page.url()).pathname.split('/').at(-1)!;

    const deciding = await the.signedIn('changes?state=submitted', 'itsm_manager', newYork);
    const { page, complaints } = deciding;
    await page.getByRole('link', { name: id }).click();
    await page.getByText('Mon, Jan 10, 2028, 16:00 EST').first().waitFor();
    await page.getByText('1 conflict').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    const question = page.getByRole('dialog', { name: 'Approve change' });
    await question.getByText('Restart the gateway (submitted) also affects').waitFor();
    await question.getByLabel('Note for the requester').fill('Go ahead.');
    await question.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Start work' }).waitFor();
    await page.getByText('Decision note', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('Approved fields cannot be changed.').waitFor();
    expect(await page.getByLabel('Planned start date').count()).toBe(0);

    await the.move(deciding, 'changes/calendar?from=2028-01-10&days=7');
    await page.getByRole('img', { name: /^Approved, Mon, Jan 10, 2028, 16:00 EST.*conflicts$/ }).waitFor();
    expect(await page.getByText('Tue', { exact: true }).count()).toBe(1);
    await page.getByRole('table', { name: 'Conflicts' }).getByText('CI0000042').waitFor();
    expect(complaints).toEqual([]);
  });

  it('lets an agent approve a proposal, and shows it in the history of the record', async () => {
    const { body: incident } = await agent.post('/incidents', { short_description: 'VPN drops in Lisbon' });
    const update = { operation: 'updateIncident', record_id: incident.id, body: { priority: 'P1' } };
    const program = await the.api('viewer');
    await program.post('/proposals', { ...update, evidence: 'Three sites report it.' });
    const { page, complaints } = await the.signedIn('proposals', 'itsm_agent');
    await page.getByText(`Update incident ${incident.id}`).waitFor();
    await page.getByRole('link', { name: /^PRP/ }).click();
    await page.getByRole('paragraph').filter({ hasText: 'Three sites report it.' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Applied').first().waitFor();
    expect((await agent.get(`/incidents/${incident.id}`)).body.priority).toBe('P1');
    await page.getByRole('link', { name: incident.id }).first().click();
    await page.getByRole('link', { name: 'Proposal', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('lets a viewer request an item of the catalog', async () => {
    const { page, complaints } = await the.signedIn('requests', 'viewer');
    await page.getByRole('link', { name: 'Create request' }).first().click();
    await page.getByLabel('Short description').fill('A screen for my desk');
    await page.getByLabel('Item').fill('monit');
    await page.getByRole('option', { name: /^monitor/ }).click();
    await page.getByText('A 27-inch monitor with cable.').first().waitFor();
    await page.getByRole('button', { name: 'Submit request' }).click();
    await page.getByRole('heading', { name: 'A screen for my desk' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel request' }).count()).toBe(0);
    await the.signedIn('requests', 'viewer');
    await page.getByRole('button', { name: 'Requested by me' }).click();
    await page.getByText('A screen for my desk').waitFor();
    expect(complaints).toEqual([]);
  });

  it('lets a person create a request, and rejects the approval of their own', async () => {
    const { page, complaints } = await the.signedIn('requests/new', 'itsm_manager');
    await page.getByLabel('Short description').fill('A laptop for a new colleague');
    await page.getByLabel('Quantity').fill('2');
    await page.getByLabel('Requested for').fill('nobody@example.org');
    await page.getByRole('button', { name: 'Submit request' }).click();
    await page.getByText('Nobody with this address is in the directory.').waitFor();
    await page.getByLabel('Requested for').fill(the.person('itsm_agent').email);
    await page.getByRole('button', { name: 'Submit request' }).click();
    await page.getByRole('heading', { name: 'A laptop for a new colleague' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel request' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel request' }).click();
    await page.getByText('Cancelled').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('start at the portal for viewers, who report problems and follow what they asked for', async () => {
    const { page, complaints } = await the.signedIn('', 'viewer');
    await page.getByRole('link', { name: /^Request: laptop/ }).click();
    expect(await page.getByLabel('Short description').inputValue()).toBe('Request: laptop');
    await page.getByRole('button', { name: 'Submit request' }).click();
    await page.getByLabel('Add note', { exact: true }).last().fill('It is for @agent@example.com.');
    await page.getByRole('button', { name: 'Add note', exact: true }).click();
    await page.getByRole('list', { name: 'Activity' }).getByText('@Agent').waitFor();
    await the.move({ page, complaints }, '');
    await page.getByRole('link', { name: 'Report a problem' }).first().click();
    await page.getByLabel('Short description').fill('The projector stays dark');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByRole('heading', { name: 'The projector stays dark' }).waitFor();
    await page.getByLabel('Add work note', { exact: true }).last().waitFor();
    await the.move({ page, complaints }, '');
    await page.getByRole('link', { name: 'The projector stays dark' }).waitFor();
    await page.getByRole('link', { name: 'Request: laptop' }).first().waitFor();
    const other = await agent.post('/requests', { short_description: 'Of somebody else' });
    await the.move({ page, complaints }, `requests/${other.body.id}`);
    await page.getByRole('list', { name: 'Activity' }).waitFor();
    expect(await page.getByLabel('Add note', { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('have problems behind them: created from incidents, with a workaround, and resolved with them', async () => {
    const short_description = 'Conveyor stops after ten minutes';
    const first = (await anIncident(agent, { short_description, priority: 'P2' })).body.id;
    const second = (await anIncident(agent, { short_description: 'Conveyor stops again' })).body.id;
    const { page, complaints } = await the.signedIn(`incidents/${first}`, 'itsm_agent');
    await page.getByRole('link', { name: 'Create problem' }).click();
    await page.getByText('1 incident will belong to this problem.').waitFor();
    await the.move({ page, complaints }, `problems/new?incidents=${first},${second}`);
    await page.getByText('2 incidents will belong to this problem.').waitFor();
    const title = page.getByLabel('Short description');
    expect(await title.inputValue()).toBe(short_description);
    await title.fill('');
    await page.getByRole('button', { name: 'Create problem' }).click();
    await page.getByText('Is required.', { exact: true }).waitFor();
    await title.fill('The motor of the conveyor overheats');
    await page.getByRole('button', { name: 'Create problem' }).click();
    await page.getByRole('heading', { name: 'The motor of the conveyor overheats' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const countIncidents = async () => (await agent.get(`/problems/${id}/incidents`)).body.total;
    await becomes(countIncidents, 2);
    const workaround = 'Let the motor cool for an hour.';
    await agent.patch(`/problems/${id}`, { known_error: true, workaround });
    const { body: similar } = await anIncident(agent, { short_description });
    const findKnown = async () => (await agent.get(`/incidents/${similar.id}/known-errors`)).body.known_errors.length;
    await becomes(findKnown, 1);
    await the.move({ page, complaints }, `incidents/${similar.id}`);
    await page.getByText(workaround).waitFor();
    for (const state of ['assessed', 'root_cause_known', 'fix_in_progress', 'resolved'])
      expect((await agent.patch(`/problems/${id}`, { state, root_cause: 'Worn bearings' })).status).toBe(200);
    await the.move({ page, complaints }, `problems/${id}`);
    await page.getByText('2 incidents of this problem are still open.').waitFor();
    await page.getByRole('button', { name: 'Resolve these 2' }).click();
    const listStates = () =>
      Promise.all([first, second].map(async (each) => (await agent.get(`/incidents/${each}`)).body.state));
    await becomes(listStates, ['resolved', 'resolved']);
    expect(complaints).toEqual([]);
  });
});
