import { setTimeout as pause } from 'node:timers/promises';
import { type DynamoDBClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { ensureLocalBuild } from '../../bin/local-build.ts';
import { learnedType } from '../../lambdas/ai/learning/learned-store.ts';
import { feedShards, toFeedPartition } from '../../lambdas/records/record-item.ts';
import { startService } from '../support/service.ts';
import { recordsTable, tableClient } from '../support/tables.ts';
import { manyTokens } from './callers.ts';
import { cpuMs } from './every-operation.ts';
import { load, type Shot } from './load.ts';
import { manyIncidents } from './many-incidents.ts';

const defaultCount = 10_000;
const callers = 30;
const concurrency = 4;
const maxWaitMs = 600_000;

/** Rounds of a small import: requests are measured while it is learned and afterwards, under the same load of the machine. */
const rounds = 5;
const roundSize = 400;
const roundSeconds = 2;

/** Learning of imported incidents: how long it takes, and how much slower requests are meanwhile. */
export async function benchLearning(count = defaultCount): Promise<void> {
  await ensureLocalBuild();
  const service = await startService();
  const client = tableClient(service);
  try {
    const table = await recordsTable(client);
    const tokens = await manyTokens(service, callers, 'itsm_agent');
    const bodies = [...manyIncidents(count + rounds * roundSize)].map(
      ({ document: { short_description, description, priority } }) =>
        JSON.stringify({ short_description, description, priority }),
    );
    const ids: string[] = [];
    const shot = (path: string, index: number, more: Partial<Shot> = {}): Shot => ({
      url: `${service.baseUrl}/prod/api/v1${path}`,
      headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
      ...more,
    });
    const get = (index: number) => shot(`/incidents/${ids[(index * 31) % ids.length]}`, index);
    const onBody = (text: string) => ids.push(JSON.parse(text).id);
    const post = (index: number) => shot('/incidents', index, { method: 'POST', body: bodies.pop() ?? '', onBody });
    const waitForLearned = () => waitUntil(async () => (await countLearned(client, table)) >= ids.length);

    const startedAtMs = performance.now();
    await load(post, { concurrency: 16, requests: count });
    const imported = { atMs: performance.now(), cpuMs: cpuMs(service), learned: await countLearned(client, table) };
    await waitForLearned();
    const toSeconds = (endMs: number) => ((endMs - startedAtMs) / 1_000).toFixed(0);
    const eachMs = (cpuMs(service) - imported.cpuMs) / Math.max(1, count - imported.learned);
    console.log(`${count} incidents: imported in ${toSeconds(imported.atMs)} s, ${imported.learned} learned by then`);
    console.log(`all learned ${toSeconds(performance.now())} s after the start of the import (goal: 120 s for 10,000)`);
    console.log(`processor time of the server per learned incident: ${eachMs.toFixed(1)} ms`);

    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await load(post, { concurrency, requests: roundSize });
      const during = await load(get, { concurrency, seconds: roundSeconds });
      await waitForLearned();
      const after = await load(get, { concurrency, seconds: roundSeconds });
      ratios.push(during.p50Ms / after.p50Ms);
      console.log(
        `get an incident, p50: ${during.p50Ms.toFixed(2)} ms while learning, ${after.p50Ms.toFixed(2)} ms after it`,
      );
    }
    ratios.sort((a, b) => a - b);
    const slower = 100 * ((ratios[Math.floor(rounds / 2)] ?? 1) - 1);
    console.log(`requests are ${slower.toFixed(0)} % slower while learning, median of ${rounds} rounds (goal: 10 %)`);
  } finally {
    client.destroy();
    await service.stop();
  }
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + maxWaitMs;
  while (performance.now() < endMs) {
    if (await isDone()) return;
    await pause(1_000);
  }
  throw new Error(`not all incidents were learned within ${maxWaitMs} ms`);
}

async function countLearned(client: DynamoDBClient, TableName: string): Promise<number> {
  let count = 0;
  for (let shard = 0; shard < feedShards; shard++) {
    const query: QueryCommandInput = {
      TableName,
      IndexName: 'feed',
      Select: 'COUNT',
      KeyConditionExpression: 'feed_pk = :shard',
      ExpressionAttributeValues: { ':shard': { S: toFeedPartition(learnedType, shard) } },
    };
    for await (const page of paginateQuery({ client }, query)) count += page.Count ?? 0;
  }
  return count;
}
