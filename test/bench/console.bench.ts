// How much the console transfers and how soon the incident list can be used: on a slow connection and processor, and with
// few and many incidents.
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

interface Load {
  /** Until a record can be opened. */
  seconds: number;
  bytes: number;
  /** Until everything on the page works. */
  allSeconds: number;
  allBytes: number;
}

async function printSlowLoads(browser: Browser, service: Service): Promise<void> {
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext();
    const page = await openTab(context, service);
    const transferred = await throttle(await context.newCDPSession(page));
    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 1_000;
    await page.goto(`${service.baseUrl}/console/incidents`, { waitUntil: 'commit' });
    await clickRow(page);
    const interactive = { seconds: elapsed(), bytes: transferred() };
    // The filter loads after the records.
    await page.getByLabel('Filter incidents').waitFor();
    loads.push({ ...interactive, allSeconds: elapsed(), allBytes: transferred() });
    await context.close();
  }
  const smallest = (field: keyof Load) => Math.min(...loads.map((load) => load[field]));
  const kilobytes = (field: keyof Load) => `${Math.round(smallest(field) / 1_000)} KB`;
  console.log(
    `console: incident list interactive after ${smallest('seconds').toFixed(1)} s and ${kilobytes('bytes')}, ` +
      `all of the page after ${smallest('allSeconds').toFixed(1)} s and ${kilobytes('allBytes')}`,
  );
  console.log(`         (1.6 Mbit/s, ${slowdown}x CPU slowdown, best of ${rounds}; limits 4 s and 600 KB)`);
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

/** Visible, in place and not covered; the click itself would leave the page. */
async function clickRow(page: Page): Promise<void> {
  const link = page.locator('table a').filter({ hasText: /^INC/ }).first();
  await link.waitFor();
  await link.click({ trial: true });
}

/** Returns a function that reads how many bytes arrived. */
async function throttle(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return () => bytes;
}

async function storeTokens(service: Service): Promise<string> {
  const person = service.credentials.users.find(({ roles }) => roles.includes('itsm_agent'));
  if (!person) throw new Error('nobody is an agent');
  const tokens = await getTokens(service, person);
  return JSON.stringify({ ...tokens, renew_at: Date.now() + Number(tokens.expires_in) * 900 });
}
