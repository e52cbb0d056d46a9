import type { Browser } from 'playwright-core';
import { aCi } from '../support/cis.ts';
import { anIncident, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';
import { findChromium, launchChromium, reportMissingChromium } from './chromium.ts';
import { personWith, signIn, visit } from './console-visit.ts';

const executable = findChromium();

describe('configuration items and API keys in the console', () => {
  if (executable) inBrowser(executable);
  else it('are not tested without a browser', () => reportMissingChromium());
});

function inBrowser(executablePath: string) {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium(executablePath)]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('finds an item, shows what depends on it, and leads there from an incident', async () => {
    const agent = await apiOf(service, 'agent');
    const host = (await aCi(agent, { name: 'host-1', class: 'host', status: 'down' })).body;
    await aCi(agent, { name: 'shop', class: 'service', relations: [{ type: 'runs_on', ci_id: host.id }] });
    const incident = (await anIncident(agent, { ci_id: host.id })).body;
    const { page, complaints } = await visit(browser, service, `incidents/${incident.id}`);
    await signIn(page, personWith(service, 'viewer'));
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
    const { page, complaints } = await visit(browser, service, 'profile');
    await signIn(page, personWith(service, 'itsm_manager'));
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
}
