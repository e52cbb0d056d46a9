import { aCi } from '../support/cis.ts';
import { anIncident } from '../support/incidents.ts';
import { inConsole } from './in-console.ts';

inConsole('configuration items and API keys in the console', (the) => {
  it('finds an item, shows what depends on it, and leads there from an incident', async () => {
    const agent = await the.api('agent');
    const host = (await aCi(agent, { name: 'host-1', class: 'host', status: 'down' })).body;
    await aCi(agent, { name: 'shop', class: 'service', relations: [{ type: 'runs_on', ci_id: host.id }] });
    const incident = (await anIncident(agent, { ci_id: host.id })).body;
    const { page, complaints } = await the.signedIn(`incidents/${incident.id}`, 'viewer');
    await page.getByRole('link', { name: host.id }).click();
    await page.getByRole('heading', { name: 'host-1' }).waitFor();
    await page.getByRole('link', { name: incident.id }).waitFor();
    await page.getByRole('link', { name: 'shop' }).click();
    await page.getByText('Nothing depends on it.').waitFor();
    await page.getByRole('link', { name: 'Configuration items' }).first().click();
    await page.getByLabel('Search configuration items').fill('host');
    await page.getByText('(1)').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('makes an API key, shows it once, and revokes it', async () => {
    const { page, complaints } = await the.signedIn('profile', 'itsm_manager');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('Import');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByTestId('api-key').innerText()).toMatch(/itsm_[\w-]+/);
    await page.reload();
    await page.getByRole('button', { name: 'Revoke Import' }).waitFor();
    expect(await page.getByTestId('api-key').count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke Import' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No keys yet.').waitFor();
    expect(complaints).toEqual([]);
  });
});
