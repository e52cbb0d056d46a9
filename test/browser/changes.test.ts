import type { Page } from 'playwright-core';
import type { Api } from '../support/incidents.ts';
import { inConsole, pickItem } from './in-console.ts';

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
    await page.getByText('Mon 2028-01-10 16:00 (21:00 UTC)').first().waitFor();
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
    await page.getByRole('img', { name: /^Approved, Mon 2028-01-10 16:00 \(21:00 UTC\).*conflicts$/ }).waitFor();
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
});
