import { aCi } from '../../support/cis.ts';
import { anIncident } from '../../support/incidents.ts';
import { inConsole, pickItem } from '../in-console.ts';

inConsole('configuration items and API keys in the console', (the) => {
  it('finds an item, shows its dependents, and links it from an incident', async () => {
    const agent = await the.api('agent');
    const host = (await aCi(agent, { name: 'host-1', class: 'host', status: 'down' })).body;
    await aCi(agent, { name: 'shop', class: 'service', relations: [{ type: 'runs_on', ci_id: host.id }] });
    const incident = (await anIncident(agent, { ci_id: host.id })).body;
    const { page, complaints } = await the.signedIn(`incidents/${incident.id}`, 'viewer');
    await page.getByRole('link', { name: 'host-1' }).click();
    await page.getByRole('heading', { name: 'host-1' }).waitFor();
    await page.getByRole('link', { name: incident.id }).waitFor();
    const graph = page.getByRole('region', { name: 'Impact graph' });
    await graph.getByText('1', { exact: true }).waitFor();
    await page.getByText('1 item depends on host-1 directly or indirectly.').waitFor();
    await page.getByRole('button', { name: 'Collapse host-1' }).click();
    await graph.getByRole('link', { name: /shop/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Expand host-1' }).click();
    await graph.getByRole('link', { name: /shop/ }).click();
    await page.getByText('No dependent items.').waitFor();
    await page.getByText('Runs on').getByRole('link', { name: 'host-1' }).waitFor();
    await page.getByRole('link', { name: 'Configuration items' }).first().click();
    await page.getByLabel('Filter configuration items').fill('host');
    await page.keyboard.press('Enter');
    await page.getByText('(1)').first().waitFor();
    expect(await page.getByRole('link', { name: 'Add item' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('adds an item that depends on another, changes it, and adds several at once', async () => {
    const agent = await the.api('agent');
    const base = (await aCi(agent, { name: 'cluster-7', class: 'cluster' })).body;
    const { page, complaints } = await the.signedIn('cis', 'itsm_manager');
    await page.getByRole('link', { name: 'Add item' }).click();
    await page.getByLabel('Name').fill('orders-db');
    await page.getByRole('button', { name: 'Add item' }).click();
    await page.getByText('Must not be empty.', { exact: true }).waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    await page.getByLabel('Class').fill('database');
    await page.getByRole('button', { name: 'Add relation' }).click();
    await pickItem(page, 'Configuration item', 'cluster', /cluster-7/);
    await page.getByLabel('Attributes').fill('{"version": 17, "nodes": 3}');
    await page.getByRole('button', { name: 'Add item' }).click();
    await page.getByRole('heading', { name: 'orders-db' }).waitFor();
    await page.getByText('Depends on').getByRole('link', { name: 'cluster-7' }).waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Attributes').fill('{"version": 18}');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'orders-db' }).waitFor();
    const { body: found } = await agent.get('/cmdb/cis?name=orders-db');
    const relations = [{ type: 'depends_on', ci_id: base.id }];
    expect(found.data).toMatchObject([{ attributes: { version: 18 }, relations }]);
    expect(Object.keys(found.data[0].attributes)).toEqual(['version']);

    await the.signedIn('cis/import', 'itsm_manager');
    await page.getByLabel('Items').fill('Name,Class,Status\norders-db,database,degraded\n"a, b",server,broken');
    await page.getByRole('button', { name: 'Import items' }).click();
    await page.getByText('Completed with errors').first().waitFor();
    await page.getByRole('link', { name: found.data[0].id }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('picks the item with the exact name first and never the typed text by accident', async () => {
    const agent = await the.api('agent');
    await aCi(agent, { name: 'vpn-gateway-2', class: 'gateway' });
    const exact = (await aCi(agent, { name: 'vpn', class: 'service' })).body;
    await aCi(agent, { name: 'vpn-gateway-1', class: 'gateway' });
    const { page } = await the.signedIn('incidents/new', 'itsm_agent');
    await page.getByRole('button', { name: 'Related records and resolution' }).click();
    await page.getByRole('button', { name: 'Configuration item' }).click();
    await page.getByLabel('Find Configuration item').fill('vpn');
    const options = page.getByRole('option');
    await options.filter({ hasText: 'Use “vpn”' }).waitFor();
    await options.filter({ hasText: exact.id }).waitFor();
    expect(await options.first().innerText()).toContain(exact.id);
    expect(await options.last().innerText()).toBe('Use “vpn”');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Configuration item.*vpn/ }).waitFor();
    await page.getByRole('button', { name: /Configuration item.*vpn/ }).click();
    await options.filter({ hasText: 'vpn-gateway-2' }).waitFor();
  });

  it('creates an API key, shows it once, and revokes it', async () => {
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
    await page.getByText('No API keys.').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('shows the audit log to a super_admin, by type', async () => {
    const { page, complaints } = await the.signedIn('audit', 'super_admin');
    const log = page.getByRole('table', { name: 'Audit log' });
    await log
      .getByRole('row', { name: /Signed in/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: /Filter entries/ }).click();
    await page.getByRole('option', { name: 'Added to group' }).click();
    const added = log.getByRole('row', { name: /Added to group.*group: super_admin/ });
    await log
      .getByRole('row', { name: /Signed in/ })
      .first()
      .waitFor({ state: 'detached' });
    await added.first().waitFor();
    expect(await added.first().innerText()).toContain(the.person('super_admin').email);
    expect(complaints).toEqual([]);
  });
});
