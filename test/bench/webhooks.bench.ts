// Deliveries per second from the commit to the receiver, compared with a loop that only signs and sends the same bytes.
import { type ChildProcess, fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../tools/build/local-build.ts';
import { getApi } from '../support/incidents.ts';
import type { Bench } from './bench-ground.ts';
import { createTokens } from './callers.ts';
import { load } from './load.ts';
import { printTable } from './report.ts';
import { measureUsagePerRequest, resetUsage } from './usage.ts';

const callers = 30;
const concurrency = 16;
/** Webhooks and incidents per run. With more webhooks, commits are a smaller part of the work. */
const runs = [
  { webhooks: 1, incidents: 1_500 },
  { webhooks: 5, incidents: 1_500 },
  { webhooks: 20, incidents: 500 },
];
const bareRequests = 20_000;
const timeoutMs = 120_000;

interface BareReceiver {
  url: string;
  process: ChildProcess;
}

export async function benchWebhooks({ service }: Bench): Promise<void> {
  const receiver = await startReceiver();
  try {
    const bare = await bareLoop(receiver);
    const tokens = await createTokens(service, callers, 'itsm_agent');
    const rows = [];
    const manager = await getApi(service, 'manager');
    let there = 0;
    for (const { webhooks, incidents } of runs) {
      for (; there < webhooks; there++) {
        const settings = { name: 'bench', url: receiver.url, events: ['incident.created'], sign_payloads: true };
        const { status } = await manager.post('/webhooks/outbound', settings);
        if (status !== 201) throw new Error(`a webhook was not created: ${status}`);
      }
      await measure(service.baseUrl, tokens, receiver, webhooks, incidents / 10);
      await resetUsage(service);
      const figures = await measure(service.baseUrl, tokens, receiver, webhooks, incidents);
      rows.push({
        what: `${webhooks} webhook${webhooks === 1 ? '' : 's'}`,
        'commits per second': figures.commitsPerSecond.toFixed(0),
        'deliveries per second': figures.perSecond.toFixed(0),
        'of bare': `${((100 * figures.perSecond) / bare).toFixed(1)} %`,
      });
      console.log(`\n${webhooks} webhooks\n${await measureUsagePerRequest(service, incidents * webhooks)}`);
    }
    const nothing = { 'commits per second': '-', 'of bare': '100 %' };
    rows.push({ what: 'bare signed POST loop', ...nothing, 'deliveries per second': bare.toFixed(0) });
    printTable(`Webhooks: ${concurrency} commits at once, from commit to receiver`, rows);
  } finally {
    receiver.process.disconnect();
  }
}

/** Measures until the last delivery has arrived. */
async function measure(
  baseUrl: string,
  tokens: readonly string[],
  receiver: BareReceiver,
  webhooks: number,
  count: number,
) {
  const before = await getCount(receiver);
  const startMs = Date.now();
  const { perSecond: commitsPerSecond } = await measureCommits(baseUrl, tokens, count);
  const { lastMs } = await waitForArrivals(receiver, before.count + count * webhooks);
  return { commitsPerSecond, perSecond: (count * webhooks * 1_000) / (lastMs - startMs) };
}

function measureCommits(baseUrl: string, tokens: readonly string[], requests: number) {
  const body = JSON.stringify({ short_description: 'Mail is not delivered to external addresses', priority: 'P2' });
  return load(
    (index) => ({
      url: `${baseUrl}/prod/api/v1/incidents`,
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
      body,
    }),
    { concurrency, requests },
  );
}

async function bareLoop(receiver: BareReceiver): Promise<number> {
  const body = JSON.stringify({
    event: 'incident.created',
    timestamp: '2026-03-01T10:12:45.318Z',
    service_instance: 'local',
    data: {
      id: 'INC7Q2M4KX',
      short_description: 'Mail is not delivered to external addresses',
      priority: 'P2',
      state: 'new',
      url: 'http://localhost:3000/prod/api/v1/incidents/INC7Q2M4KX',
    },
  });
  const sign = () => ({
    'content-type': 'application/json',
    'x-service-signature': createHmac('sha256', 'secret').update(body).digest('hex'),
  });
  const createShot = () => ({ url: receiver.url, method: 'POST', headers: sign(), body });
  await load(createShot, { concurrency, requests: bareRequests / 10 });
  return (await load(createShot, { concurrency, requests: bareRequests })).perSecond;
}

async function waitForArrivals(receiver: BareReceiver, count: number) {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const seen = await getCount(receiver);
    if (seen.count >= count) return seen;
    await pause(20);
  }
  throw new Error(`${(await getCount(receiver)).count} of ${count} deliveries arrived`);
}

async function getCount(receiver: BareReceiver): Promise<{ count: number; lastMs: number }> {
  return (await (await fetch(receiver.url)).json()) as { count: number; lastMs: number };
}

function startReceiver(): Promise<BareReceiver> {
  const child = fork(`${root}/test/bench/bare-receiver.ts`, { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ url: `http://127.0.0.1:${port}/`, process: child }));
    child.once('exit', (code) => reject(new Error(`the receiver ended with ${code}`)));
  });
}
