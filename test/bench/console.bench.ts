// How much the console transfers and how soon the incident list can be used, on a slow connection and processor.
import type { CDPSession } from 'playwright-core';
import { ensureLocalBuild } from '../../bin/local-build.ts';
import { findChromium, launchChromium } from '../browser/chromium.ts';
import { getApi } from '../support/incidents.ts';
import { getTokens } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

/** A slow mobile connection, as in Lighthouse's "Slow 4G", and a processor at a quarter of its speed. */
const network = { offline: false, latency: 0, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
const slowdown = 4;
const rounds = 3;
const records = 60;

export async function benchConsole(): Promise<void> {
  const executable = findChromium();
  if (!executable) return console.log('console: no Chromium was found');
  await ensureLocalBuild();
  const service = await startService();
  const browser = await launchChromium(executable);
  try {
    const agent = await getApi(service, 'agent');
    for (let index = 0; index < records; index += 1) {
      await agent.post('/incidents', { short_description: `Incident ${index} of the bench` });
    }
    const results: Result[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.addInitScript(`sessionStorage["console.tokens"] ??= ${JSON.stringify(await storeTokens(service))};
        localStorage["console.tokens"] ??= sessionStorage["console.tokens"];`);
      const session = await context.newCDPSession(page);
      const transferred = await throttle(session);
      const startedAt = performance.now();
      await page.goto(`${service.baseUrl}/console/incidents`, { waitUntil: 'commit' });
      const link = page.getByRole('link', { name: /^INC/ }).first();
      await link.waitFor();
      await link.click({ trial: true });
      results.push({ seconds: (performance.now() - startedAt) / 1_000, bytes: transferred() });
      await context.close();
    }
    const [best] = results.sort((a, b) => a.seconds - b.seconds);
    const kilobytes = Math.round((best?.bytes ?? 0) / 1_000);
    console.log(
      `console: first load ${kilobytes} KB transferred, incident list interactive after ${best?.seconds.toFixed(1)} s`,
    );
    console.log(`         (1.6 Mbit/s, ${slowdown}x CPU slowdown, best of ${rounds}; limits 600 KB and 4 s)`);
  } finally {
    await browser.close();
    await service.stop();
  }
}

interface Result {
  seconds: number;
  bytes: number;
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
