// How much each page of the console transfers and how soon it can be used, on a slow connection and processor; and how soon the
// incident list shows few and many incidents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { ensureLocalBuild, stackName } from '../../tools/build/local-build.ts';
import { findChromium, launchChromium } from '../browser/chromium.ts';
import { getApi } from '../support/incidents.ts';
import { getTokens } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { benchIncidentType, createIncidents } from './many-incidents.ts';
import { toItems } from './record-items.ts';
import { seed } from './seed.ts';

/** A slow mobile connection, as in Lighthouse's "Slow 4G", and a processor at a quarter of its speed. */
const network = { offline: false, latency: 0, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
const slowdown = 4;
const rounds = 3;
const visits = 7;
const maxRequests = 60;
const few = 300;
const many = 100_000;

export async function benchConsole(): Promise<void> {
  const executable = findChromium();
  if (!executable) return console.log('console: no Chromium was found');
  await ensureLocalBuild();
  const browser = await launchChromium(executable);
  try {
    await withIncidents(few, async (service) => {
      await printSlowLoads(browser, service);
      await printVisits(browser, service, few);
      await printRefresh(browser, service);
    });
    await withIncidents(many, (service) => printVisits(browser, service, many));
  } finally {
    await browser.close();
  }
}

async function withIncidents(count: number, work: (service: Service) => Promise<void>): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'console-'));
  try {
    await seed(dataFolder, stackName, toItems(benchIncidentType, createIncidents(count)));
    const service = await startService({ dataFolder });
    try {
      await waitForLists(service);
      await work(service);
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** A new instance loads all incidents first. */
async function waitForLists(service: Service): Promise<void> {
  const agent = await getApi(service, 'agent');
  for (let request = 0; request < maxRequests; request += 1) {
    if ((await agent.get('/incidents')).status === 200) return;
    await pause(500);
  }
  throw new Error('the service lists no incidents');
}

/** The limits of docs/decisions/0081-component-kit.md. */
const limits = { kilobytes: 160, requests: 15, seconds: 2 };

interface Load {
  /** Until nothing is a placeholder and a click on the page arrives. */
  seconds: number;
  /** Of scripts and styles. */
  bytes: number;
  /** For scripts and styles. */
  requests: number;
}

async function printSlowLoads(browser: Browser, service: Service): Promise<void> {
  const agent = await getApi(service, 'agent');
  const [incident] = (await agent.get('/incidents?limit=1')).body.data;
  const pages = `/ /incidents /incidents/${incident.id} /incidents/board /incidents/new /changes /changes/calendar /requests /cis /knowledge
    /on-call /proposals /ask /jobs /notifications /webhooks/inbound /webhooks/outbound/new /developer /developer/api /profile`;
  for (const path of pages.split(/\s+/)) {
    const loads: Load[] = [];
    for (let round = 0; round < rounds; round += 1) loads.push(await loadSlowly(browser, service, path));
    const smallest = (field: keyof Load) => Math.min(...loads.map((load) => load[field]));
    const [kilobytes, requests, seconds] = [smallest('bytes') / 1_000, smallest('requests'), smallest('seconds')];
    const isWithin = kilobytes <= limits.kilobytes && requests <= limits.requests && seconds <= limits.seconds;
    console.log(
      `console: ${path.padEnd(24)} ${seconds.toFixed(1)} s, ${kilobytes.toFixed(0)} KB in ${requests} files${isWithin ? '' : ' (over the limit)'}`,
    );
  }
  const { kilobytes, requests, seconds } = limits;
  console.log(
    `         (1.6 Mbit/s, ${slowdown}x CPU slowdown, best of ${rounds}; limits ${seconds} s and ${kilobytes} KB of script and styles in ${requests} files)`,
  );
}

async function loadSlowly(browser: Browser, service: Service, path: string): Promise<Load> {
  const context = await browser.newContext();
  const page = await openTab(context, service);
  const transferred = await throttle(await context.newCDPSession(page));
  const startedAt = performance.now();
  await page.goto(`${service.baseUrl}/console${path}`, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).first().click({ trial: true });
  const seconds = (performance.now() - startedAt) / 1_000;
  await page.waitForLoadState('networkidle');
  const load = { seconds, ...transferred() };
  await context.close();
  return load;
}

/** Without throttling and with a warm cache, so that the service's share of the time shows. */
async function printVisits(browser: Browser, service: Service, count: number): Promise<void> {
  const context = await browser.newContext();
  const page = await openTab(context, service);
  const times: number[] = [];
  const requests: number[] = [];
  for (let visit = 0; visit <= visits; visit += 1) {
    const startedAt = performance.now();
    await page.goto(`${service.baseUrl}/console/incidents`, { waitUntil: 'commit' });
    await page.locator('table a').first().waitFor();
    // The first visit fills the cache.
    if (visit > 0) times.push(performance.now() - startedAt);
    await page.waitForLoadState('networkidle');
    requests.push(await timeListRequest(page));
  }
  await context.close();
  const [best = 0] = times.sort((a, b) => a - b);
  console.log(
    `console: with ${count.toLocaleString('en')} incidents, rows after ${best.toFixed(0)} ms at best, ` +
      `${toMedian(times).toFixed(0)} ms in the median of ${visits} visits (warm cache, not throttled), ` +
      `${toMedian(requests).toFixed(0)} ms of it for the request of the list`,
  );
}

/** What a refresh of the list costs the browser, on a processor of full speed. */
async function printRefresh(browser: Browser, service: Service): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await openTab(context, service);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const readTaskMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  await page.goto(`${service.baseUrl}/console/incidents`);
  const refresh = page.getByRole('button', { name: 'Refresh list' });
  const times: number[] = [];
  for (let round = 0; round < visits; round += 1) {
    await page.waitForLoadState('networkidle');
    const before = await readTaskMs();
    const loaded = page.waitForResponse(/\/v1\/incidents\?/);
    await refresh.dispatchEvent('click');
    await loaded;
    await page.waitForLoadState('networkidle');
    times.push((await readTaskMs()) - before);
  }
  await context.close();
  console.log(
    `console: a refresh of the list takes ${toMedian(times).toFixed(0)} ms of the main thread in the median of ${visits} (limit 50 ms)`,
  );
}

function toMedian(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function timeListRequest(page: Page): Promise<number> {
  const requests = await page.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name }) => /\/v1\/incidents\?/.test(name)),
  );
  return requests[0]?.duration ?? Number.NaN;
}

async function openTab(context: BrowserContext, service: Service): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(`localStorage["console.tokens"] ??= ${JSON.stringify(await storeTokens(service))}`);
  return page;
}

/** Returns a function that reads how many scripts and styles arrived. */
async function throttle(session: CDPSession): Promise<() => Pick<Load, 'bytes' | 'requests'>> {
  const files = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' || type === 'Stylesheet') files.set(requestId, -response.encodedDataLength);
  });
  // Without the headers, which HTTP/2 compresses.
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const headers = files.get(requestId);
    if (headers !== undefined) files.set(requestId, headers + encodedDataLength);
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return () => ({ bytes: [...files.values()].reduce((sum, size) => sum + size, 0), requests: files.size });
}

async function storeTokens(service: Service): Promise<string> {
  const person = service.credentials.users.find(({ roles }) => roles.includes('itsm_agent'));
  if (!person) throw new Error('nobody is an agent');
  const tokens = await getTokens(service, person);
  return JSON.stringify({ ...tokens, renew_at: Date.now() + Number(tokens.expires_in) * 900 });
}
