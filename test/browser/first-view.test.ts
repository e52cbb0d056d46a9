import type { Page } from 'playwright-core';
import { anIncident, type Fields } from '../support/incidents.ts';
import { listFindings } from './accessibility.ts';
import { inConsole } from './in-console.ts';

// Each test starts at a file of the console, so that the application has loaded nothing before.
inConsole('the first view', (the) => {
  const create = async (fields: Fields): Promise<{ id: string }> =>
    (await anIncident(await the.api('manager'), fields)).body;

  it('shows the incidents as the application does, and repeats early input there', async () => {
    const { id } = await create({ short_description: '<b>Early</b> bird', assigned_to: 'anna.berg@example.com' });
    const { page, complaints } = await the.signedIn('config.json', 'itsm_manager', {});
    await page.addInitScript(() => {
      const timers = Object.assign(globalThis, { expireAll: () => {} });
      AbortSignal.timeout = () => {
        const controller = new AbortController();
        const expireOthers = timers.expireAll;
        timers.expireAll = () => {
          expireOthers();
          controller.abort(new DOMException('signal timed out', 'TimeoutError'));
        };
        return controller.signal;
      };
    });
    const listed: string[] = [];
    page.on('request', (request) => {
      if (/\/v1\/(?:incidents|me)(?:\?|$)/.test(request.url())) listed.push(new URL(request.url()).pathname);
    });
    const release = await holdApplication(page);
    await page.goto(`${the.service.baseUrl}/console/incidents`, { waitUntil: 'commit' });
    const row = page.getByRole('row', { name: id });
    const readRow = async () => ({
      words: (await row.innerText()).replace(/\d+ (?:d|h|min)|just now|ago/g, '').split(/\s+/),
      place: (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 },
    });
    await page.locator('#first-view').getByRole('link', { name: '<b>Early</b> bird' }).waitFor();
    const early = await readRow();
    expect([...(await listFindings(page, 'dark')), ...(await listFindings(page, 'light'))]).toEqual([]);
    await page.getByRole('checkbox', { name: `Select ${id}` }).click({ force: true });
    await page.getByLabel('Filter incidents').fill('bird');
    // The application may arrive after the requests of the first view have timed out.
    await page.evaluate('expireAll()');
    release();
    await page.locator('#first-view').waitFor({ state: 'detached' });
    await page.getByRole('option', { name: /bird/ }).first().waitFor();
    expect(await page.getByRole('checkbox', { name: `Select ${id}` }).isChecked()).toBe(true);
    const late = await readRow();
    expect(late.words).toEqual(early.words);
    // Rounding and the frame of a selected row may move it by a pixel.
    const moves = (['x', 'y', 'width', 'height'] as const).map((side) => late.place[side] - early.place[side]);
    expect(Math.max(...moves.map(Math.abs))).toBeLessThanOrEqual(2);
    expect(listed.sort()).toEqual(['/prod/api/v1/incidents', '/prod/api/v1/me']);
    expect(complaints).toEqual([]);
  });

  it('opens an incident, also before the application has loaded', async () => {
    const { id } = await create({ short_description: 'Opened early' });
    const { page } = await the.signedIn('config.json', 'itsm_manager', {});
    const release = await holdApplication(page);
    await page.goto(`${the.service.baseUrl}/console/incidents`, { waitUntil: 'commit' });
    await page.locator('#first-view').getByRole('link', { name: 'Opened early' }).click();
    release();
    await page.getByRole('heading', { name: 'Opened early' }).waitFor();
    expect(page.url()).toBe(`${the.service.baseUrl}/console/incidents/${id}`);
    await page.goBack();
    await page.getByRole('link', { name: id }).waitFor();
  });

  it('does not cover the application when its records arrive later', async () => {
    const { id } = await create({ short_description: 'Arrived late' });
    const { page } = await the.signedIn('config.json', 'itsm_manager', {});
    await page.addInitScript(`
      const { json } = Response.prototype;
      let isFirst = true;
      Response.prototype.json = async function () {
        if (!isFirst || !this.url.includes('/incidents?')) return json.call(this);
        isFirst = false;
        while (window.firstView) await new Promise((resolve) => setTimeout(resolve, 20));
        setTimeout(() => document.body.classList.add('late-records-read'));
        return json.call(this);
      };`);
    await page.goto(`${the.service.baseUrl}/console/incidents`);
    await page.locator('body.late-records-read').waitFor();
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('heading', { name: 'Arrived late' }).waitFor();
  });
});

/** Returns a function that lets the application load. */
async function holdApplication(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/main-\w+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
