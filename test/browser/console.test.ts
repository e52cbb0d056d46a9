import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { becomes } from '../support/becomes.ts';
import { requestToken } from '../support/http.ts';
import { creation } from '../support/inbound-webhooks.ts';
import { anIncident } from '../support/incidents.ts';
import { consoleConfig, createPerson } from '../support/people.ts';
import { checkAccessibility } from './accessibility.ts';
import { inConsole, signIn } from './in-console.ts';

inConsole('console', (the) => {
  it('shows queues of work by role, with countdown, full lists and charts', async () => {
    const agent = await the.api('agent');
    const email = the.person('itsm_manager').email;
    const fields = { short_description: 'Core router is down', priority: 'P1', assigned_to: email };
    const { body } = await anIncident(agent, fields);
    await anIncident(agent, { short_description: 'Nobody has this', priority: 'P4' });
    await agent.post('/changes', { short_description: 'Replace the router', state: 'submitted' });
    await the.service.advance('3h30m', ['sweep-sla']);
    const { page, complaints } = await the.signedIn();
    const queue = (name: string) => page.locator('.queue').filter({ has: page.getByRole('link', { name }) });
    await queue('Core router is down').first().waitFor();
    await page
      .locator('.countdown')
      .getByText(/^\d\d:\d\d$/)
      .waitFor();
    await queue('Nobody has this').waitFor();
    await queue('Replace the router').waitFor();
    await page
      .getByRole('img', { name: 'Open incidents by priority and state' })
      .or(page.getByLabel('Open incidents by priority and state'))
      .first()
      .waitFor();
    await page.getByText('Nobody has asked for an AI answer in the last 14 days.').waitFor();
    expect(await page.getByText('No incident was resolved in the last 30 days.').count()).toBe(2);
    expect(await page.getByLabel('Mean time to resolve per day, in hours').count()).toBe(0);
    const viewing = await the.api('viewer');
    for (const isHit of [false, true])
      expect((await viewing.post('/ai/analyze', { record_id: body.id })).body.cache_hit).toBe(isHit);
    await page.getByRole('link', { name: /^View all.*Due within an hour/ }).click();
    await page.getByRole('heading', { name: 'Incidents (1)' }).waitFor();
    await page.getByRole('link', { name: body.id }).waitFor();
    await page.goBack();
    await page.getByText('50% of 2 in the last 14 days').waitFor();
    await page.getByLabel('AI answers per day, from the cache and new').first().waitFor();
    expect(complaints).toEqual([]);
    const viewer = await the.signedIn('', 'viewer');
    await viewer.page.getByRole('heading', { name: 'SLA breached' }).waitFor();
    expect(await viewer.page.getByText('Awaiting my approval').count()).toBe(0);
    expect(await viewer.page.getByText('AI answers from the cache').count()).toBe(0);
    expect(viewer.complaints).toEqual([]);
  });

  it('signs in with the hosted login, returns to the page, and signs all tabs in and out', async () => {
    const { page, complaints } = await the.visit('no/such/page');
    await signIn(page, the.person('itsm_manager'));
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(page.url()).toBe(`${the.service.baseUrl}/console/no/such/page`);
    await page.getByRole('link', { name: 'Go to overview' }).click();
    await page.getByRole('heading', { name: 'SLA breached' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(complaints).toEqual([]);

    const { refresh_token } = JSON.parse(String(await page.evaluate('localStorage["console.tokens"]')));
    const other = await page.context().newPage();
    const visited = listVisits(other);
    await other.goto(`${the.service.baseUrl}/console/profile`);
    await other.getByRole('button', { name: 'Account' }).waitFor();
    expect(visited).toEqual([`${the.service.baseUrl}/console/profile`]);
    // A made-up code in a link does not sign the person out.
    await other.goto(`${the.service.baseUrl}/console/?code=x&state=x`);
    await other.getByRole('heading', { name: 'SLA breached' }).waitFor();
    expect(other.url()).toBe(`${the.service.baseUrl}/console/`);
    await page.getByRole('button', { name: 'Account' }).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.evaluate('localStorage["console.tokens"]')).toBeUndefined();
    const { client_id } = await consoleConfig(the.service);
    const refreshed = await requestToken(the.service, { grant_type: 'refresh_token', client_id, refresh_token });
    expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('shows health, person, roles and limits, and copies a curl line that works when pasted', async () => {
    const { page, complaints } = await the.signedIn();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'Developer' }).click();
    await page.getByText('Operational').waitFor();
    const account = page.getByRole('button', { name: `Account: ${the.person('itsm_manager').email}` });
    await account.waitFor();
    await page.getByRole('main').getByText('Manager', { exact: true }).waitFor();
    await page.getByText('100 requests per second').waitFor();
    await page.getByText(/^\d+ of 100 requests$/).waitFor();
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Copy curl command' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const line = String(await page.evaluate('navigator.clipboard.readText()'));
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(stdout).toMatch(/^HTTP\/1.1 200/);
    expect(stdout).toContain(the.person('itsm_manager').email);
    expect(await page.getByTestId('curl').textContent()).not.toContain(line.split(' ')[5]);
  });

  it('describes every operation, sends one as the signed-in person, and moves the clock on one machine', async () => {
    const { page, complaints } = await the.signedIn('developer/api');
    await page.getByLabel('Filter operations').fill('create incident');
    await page.getByRole('link', { name: 'Create incident', exact: true }).click();
    await page.getByRole('table', { name: 'Request body' }).getByText('short_description').waitFor();
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.fill('{"priority": ');
    await page.getByRole('button', { name: 'Send POST request' }).click();
    await page.getByText(/^The body is not JSON/).waitFor();
    await body.fill('{"short_description": "It\'s sent from the reference"}');
    await page.getByText("It'\\''s sent from the reference").waitFor();
    await page.getByRole('button', { name: 'Send POST request' }).click();
    await page.getByText(/^201 in \d+ ms$/).waitFor();
    await page.getByRole('region', { name: 'Response' }).getByText(the.person('itsm_manager').email).waitFor();

    await page.getByRole('link', { name: 'Developer' }).click();
    await page.getByText(`baseUrl: '${the.service.baseUrl}'`).waitFor();
    const readOffsetMs = async () => {
      const clock = (await (await fetch(`${the.service.baseUrl}/_local/clock`)).json()) as { offset_ms: number };
      return clock.offset_ms;
    };
    const before = await readOffsetMs();
    // Without the schedules on the way, which take seconds.
    await page.route('**/_local/clock', (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), schedules: [] }) }),
    );
    await page.getByRole('button', { name: 'Fast-forward 5 minutes' }).click();
    await page.getByText('The clock is 5 minutes ahead of where it was.').first().waitFor();
    expect(await readOffsetMs()).toBeGreaterThan(before + 200_000);
    await page.getByText(/^The clock of this service is .* ahead\. Receivers/).waitFor();
    await page.reload();
    await page.getByText(/^The clock of this service is .* ahead\. Receivers/).waitFor();
    expect(complaints).toEqual([]);
  });

  it('continues after the token has expired, and asks to sign in again when the session cannot be renewed', async () => {
    const { page } = await the.signedIn('developer', 'viewer', {});
    await page.getByText('Operational').waitFor();
    const tokenBefore = await page.evaluate('JSON.parse(localStorage["console.tokens"]).access_token');
    await the.service.advance('61m', []);
    await page.getByRole('link', { name: 'Bulk jobs' }).click();
    await page.getByRole('heading', { name: 'Bulk jobs (0)' }).waitFor();
    const tokenAfter = await page.evaluate('JSON.parse(localStorage["console.tokens"]).access_token');
    expect(tokenAfter).not.toBe(tokenBefore);
    await page.evaluate(`
      const tokens = JSON.parse(localStorage["console.tokens"]);
      localStorage["console.tokens"] = JSON.stringify({ ...tokens, access_token: 'x', refresh_token: 'y' })`);
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('localStorage["console.tokens"]')).toBeUndefined();
  });

  it('rejects a sign-in that this tab did not start', async () => {
    const { page } = await the.visit('?code=stolen&state=foreign');
    await page.getByText('Could not sign in').waitFor();
    expect(page.url()).toBe(`${the.service.baseUrl}/console/`);
  });

  it('finds pages, people and records with Ctrl+K, acts on the record of the page, and skips to the content', async () => {
    const manager = await the.api('manager');
    const { body: incident } = await manager.post('/incidents', { short_description: 'Turnstile counts twice' });
    const { page, complaints } = await the.signedIn('profile', 'itsm_agent');
    await page.getByRole('button', { name: 'Account' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('[aria-label="Search everything"]:focus').waitFor();
    await page.keyboard.type('turnstile');
    await page.getByRole('option', { name: /Turnstile counts twice/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Turnstile counts twice' }).waitFor();
    await page.getByRole('button', { name: 'Start work' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('start work');
    await page.getByRole('option', { name: 'Start work This record' }).click();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('viewer@');
    await page.getByRole('option', { name: /^viewer@.* Person$/ }).waitFor();
    await page.getByRole('combobox', { name: 'Search everything' }).fill(incident.id.toLowerCase());
    await page.getByRole('option', { name: `Open ${incident.id}` }).waitFor();
    await page.getByRole('combobox', { name: 'Search everything' }).fill('create change');
    await page.getByRole('option', { name: 'Create change' }).click();
    await page.getByRole('heading', { name: 'Create change' }).waitFor();
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    expect(complaints).toEqual([]);
  });

  it('shows the audit log to administrators', async () => {
    const { page, complaints } = await the.signedIn('audit', 'super_admin');
    const entries = page.getByRole('table', { name: 'Audit log' });
    await entries
      .getByRole('row', { name: /Signed in/ })
      .first()
      .waitFor();
    await page.getByLabel('Actor').fill('nobody@example.com');
    await entries.getByText('No entries.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('explains what is missing to a person without a role, with the request id', async () => {
    const newcomer = await createPerson(the.service, 'newcomer@example.com');
    const { page } = await the.signedIn('', newcomer, {});
    await page.getByText('Permission denied').waitFor();
    await page.getByRole('button', { name: 'Copy request ID' }).waitFor();
  });

  it('reports that the service is not reachable, and recovers', async () => {
    const { page } = await the.signedIn('developer', 'viewer');
    await page.getByText('Operational').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Refresh service health' }).click();
    await page.getByText('The service is not reachable').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Operational').waitFor();
  });

  it('stores the theme and applies it before the first frame', async () => {
    const { page } = await the.signedIn('profile', 'viewer');
    await page.addInitScript(`
      const look = () => {
        if (document.body) window.firstFrame = document.documentElement.dataset.theme;
        else requestAnimationFrame(look);
      };
      look()`);
    await page.getByRole('button', { name: 'Use dark theme' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Use light theme' }).waitFor();
    expect(await page.evaluate('window.firstFrame')).toBe('dark');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe('rgb(255, 255, 255)');
  });

  it('polls the health only while the page is visible, and renews the session in the background', async () => {
    const { page } = await the.signedIn('profile', 'viewer', {});
    await page.clock.install();
    await page.getByRole('link', { name: 'Developer' }).click();
    await page.getByText('Operational').waitFor();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/health')) requests += 1;
    });
    await setVisibility(page, 'hidden');
    await page.clock.fastForward(60_000);
    expect(requests).toBe(0);
    const answer = page.waitForResponse((response) => response.url().endsWith('/health'));
    await setVisibility(page, 'visible');
    await answer;
    await page.getByText('Operational').waitFor();
    const second = page.waitForResponse((response) => response.url().endsWith('/health'));
    await page.clock.fastForward(10_500);
    await second;
    expect(requests).toBe(2);

    const readToken = () => page.evaluate<string>('JSON.parse(localStorage["console.tokens"]).access_token');
    const token = await readToken();
    const visited = listVisits(page);
    // The session plans its renewal again, now by the clock of the test.
    await page.evaluate(`dispatchEvent(new StorageEvent('storage', { key: 'console.tokens' }))`);
    await page.clock.fastForward('01:00:00');
    await becomes(async () => (await readToken()) !== token, true);
    await page.getByText('Operational').waitFor();
    expect(visited).toEqual([]);
  });

  it('links the titles in every list to their records', async () => {
    const manager = await the.api('manager');
    const { page } = await the.signedIn('none');
    const ci = (await manager.post('/cmdb/cis', { name: 'linked-host', class: 'host' })).body.id;
    const incident = (await anIncident(manager, { short_description: 'Linked incident', ci_id: ci })).body.id;
    // Earlier tests moved the clock of the service, perhaps past midnight: the change is planned for both days.
    const { now } = (await (await fetch(`${the.service.baseUrl}/_local/clock`)).json()) as { now: string };
    const planned_start = new Date().toISOString();
    const planned_end = new Date(Date.parse(now) + 3_600_000).toISOString();
    const change = { short_description: 'Linked change', planned_start, planned_end };
    const hook = { name: 'Linked hook', url: 'https://example.com/hook', events: ['incident.created'] };
    const create = async (path: string, fields: object) => (await manager.post(path, fields)).body.id;
    const changeId = await create('/changes', change);
    const lists: [list: string, path: string, title: string][] = [
      ['incidents', `incidents/${incident}`, 'Linked incident'],
      ['incidents/board', `incidents/${incident}`, 'Linked incident'],
      [`cis/${ci}`, `incidents/${incident}`, 'Linked incident'],
      ['changes', `changes/${changeId}`, change.short_description],
      ['changes/calendar', `changes/${changeId}`, change.short_description],
      [
        'requests',
        `requests/${await create('/requests', { short_description: 'A linked desk', item: 'desk' })}`,
        'A linked desk',
      ],
      ['cis', `cis/${ci}`, 'linked-host'],
      [
        'knowledge',
        `knowledge/${await create('/knowledge/articles', { title: 'Linked text', body: 'x' })}`,
        'Linked text',
      ],
      ['webhooks/inbound', `webhooks/inbound/${await create('/webhooks/inbound', creation)}`, creation.name],
      ['webhooks/outbound', `webhooks/outbound/${await create('/webhooks/outbound', hook)}`, hook.name],
    ];
    for (const [list, path, title] of lists) {
      await the.move({ page, complaints: [] }, list);
      await page.locator(`main a[href="/console/${path}"]`, { hasText: title }).first().waitFor();
    }
  });

  it('has no serious findings of axe, wide and narrow, light and dark', async () => {
    expect(await checkAccessibility(the)).toEqual([]);
  });

  it('fits a screen of 320 pixels and can be used with the keyboard', async () => {
    const { page } = await the.signedIn('developer', 'viewer');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByText('Operational').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label") ?? ""');
    const atAccount = async () => String(await focused()).startsWith('Account:');
    await page.locator('.skip-link').focus();
    for (let presses = 0; presses < 10 && !(await atAccount()); presses += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('[role=menuitem]:focus', { hasText: 'Profile and API keys' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=menuitem]:focus', { hasText: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    expect(await atAccount()).toBe(true);
  });
});

/** The addresses that the tab opens from now on. */
function listVisits(page: Page): string[] {
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(frame.url()));
  return visited;
}

async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${state === 'hidden'} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}
