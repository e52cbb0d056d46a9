// Takes the pictures of the README and of the documentation on a service with demo data: `npm run screenshots`. All of
// them go to dist/screenshots; those that the README shows also go to docs/images, as does a sheet per page with both
// themes and both widths, which docs/console.md shows.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { ensureLocalBuild, root } from '../../tools/build/local-build.ts';
import { type Api, getApi } from '../support/incidents.ts';
import { getTokens } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { findChromium, launchChromium } from './chromium.ts';

const variants = [
  { name: 'light', options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } },
  { name: 'dark', options: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } },
  { name: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
  { name: 'phone-dark', options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } },
] as const;

/** Pictures in docs/images, by their names there. */
const published: Readonly<Record<string, string>> = {
  'incidents-light': 'incidents',
  'overview-dark': 'overview',
  'reference-phone': 'reference',
};

interface Picture {
  name: string;
  path: string;
  prepare?(page: Page): Promise<void>;
}

const timeoutMs = 60_000;
/** A busy machine needs minutes for the demo's deliveries. */
const maxAttempts = 600;
const output = join(root, 'dist/screenshots');

const executable = findChromium();
if (!executable) throw new Error('The screenshots need Chromium; CHROME_PATH can name one.');
await ensureLocalBuild();
mkdirSync(output, { recursive: true });
const service = await startService({ args: [] });
const browser = await launchChromium(executable);
try {
  await takePictures(service, browser);
} finally {
  await browser.close();
  await service.stop();
}

async function takePictures(running: Service, chromium: Browser): Promise<void> {
  const pictures = await listPictures(await getApi(running, 'manager'));
  const person = running.credentials.users.find(({ roles }) => roles.includes('itsm_manager'));
  if (!person) throw new Error('nobody is a manager');
  const tokens = await getTokens(running, person);
  const stored = JSON.stringify({ ...tokens, renew_at: Date.now() + Number(tokens.expires_in) * 900 });
  for (const variant of variants) {
    const context = await chromium.newContext({ ...variant.options, reducedMotion: 'reduce' });
    context.setDefaultTimeout(timeoutMs);
    const page = await context.newPage();
    await page.addInitScript(`localStorage["console.tokens"] ??= ${JSON.stringify(stored)}`);
    for (const { name, path, prepare } of pictures) {
      await page.goto(`${running.baseUrl}/console/${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      await prepare?.(page);
      await page.waitForLoadState('networkidle');
      if (variant.options.viewport.width > 700) await page.getByRole('heading', { name: 'Team views' }).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      const file = `${name}-${variant.name}`;
      await page.screenshot({ path: join(output, `${file}.png`) });
      const shown = published[file];
      if (shown) copyFileSync(join(output, `${file}.png`), join(root, `docs/images/${shown}.png`));
      console.log(file);
    }
    await context.close();
  }
  const sheets = await chromium.newPage({ viewport: { width: 1_290, height: 320 } });
  for (const { name } of pictures) await drawSheet(sheets, name);
}

/** The four pictures of a page beside each other, a third of their size. */
async function drawSheet(page: Page, name: string): Promise<void> {
  const images = variants.map((variant) => {
    const png = readFileSync(join(output, `${name}-${variant.name}.png`)).toString('base64');
    return `<img src="data:image/png;base64,${png}" height="300">`;
  });
  await page.setContent(`<body style="display:flex;gap:10px;margin:10px;background:#888">${images.join('')}</body>`);
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
  await page.screenshot({ path: join(root, `docs/images/console-${name}.jpg`), type: 'jpeg', quality: 75 });
}

async function listPictures(manager: Api): Promise<Picture[]> {
  const findId = async (path: string): Promise<string> => {
    // The demo's deliveries arrive after the start.
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const [first] = (await manager.get(path)).body.data;
      if (first) return first.id;
      await pause(500);
    }
    throw new Error(`${path} has no records`);
  };
  const incident = await findId('/incidents?state=in_progress&sort=priority&order=asc&limit=1');
  const item = await findId('/cmdb/cis?name=erp-db');
  const webhook = await findId('/webhooks/outbound?limit=1');
  const delivery = await findId(`/webhooks/outbound/${webhook}/deliveries?limit=1`);
  return [
    { name: 'overview', path: '' },
    { name: 'incidents', path: 'incidents', prepare: openPreview },
    { name: 'incident', path: `incidents/${incident}` },
    { name: 'board', path: 'incidents/board' },
    { name: 'calendar', path: 'changes/calendar' },
    { name: 'impact', path: `cis/${item}` },
    { name: 'delivery', path: `webhooks/outbound/${webhook}/deliveries/${delivery}` },
    { name: 'ask', path: 'ask', prepare: askQuestion },
    { name: 'create', path: 'incidents/new' },
    { name: 'on-call', path: 'on-call' },
    { name: 'profile', path: 'profile' },
    { name: 'reference', path: 'developer/api/createIncident' },
  ];
}

/** On a phone the preview would cover the list. */
async function openPreview(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 700) return;
  await page.getByRole('link', { name: /^INC/ }).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('v');
  await page.getByRole('link', { name: 'Open incident' }).waitFor();
}

async function askQuestion(page: Page): Promise<void> {
  await page.getByLabel('Question').fill('How do I reset my VPN token?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page
    .getByText(/Answer found|Closest match|Not found/)
    .first()
    .waitFor();
}
