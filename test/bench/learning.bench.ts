import { setTimeout as pause } from 'node:timers/promises';
import { type DynamoDBClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { ensureLocalBuild } from '../../bin/local-build.ts';
import { learnedType } from '../../lambdas/ai/learning/learned-store.ts';
import { feedShards, toFeedPartition } from '../../lambdas/records/record-item.ts';
import { startService } from '../support/service.ts';
import { recordsTable, tableClient } from '../support/tables.ts';
import { manyTokens } from './callers.ts';
import { cpuMs } from './every-operation.ts';
import { type Load, load, type Shot } from './load.ts';
import { manyIncidents } from './many-incidents.ts';

const defaultCount = 10_000;
const callers = 30;
const concurrency = 4;
const seconds = 5;
const maxWaitMs = 600_000;

/** Learning of imported incidents: how long it takes, and how much slower requests are meanwhile. */
export async function benchLearning(count = defaultCount): Promise<void> {
  await ensureLocalBuild();
  const service = await startService();
  try {
    const tokens = await manyTokens(service, callers, 'itsm_agent');
    const bodies = [...manyIncidents(count)].map(({ document: { short_description, description, priority } }) =>
      JSON.stringify({ short_description, description, priority }),
    );
    const ids: string[] = [];
    const client = tableClient(service);
    const table = await recordsTable(client);
    const countLearned = () => countLearnedRecords(client, table);
    const shot = (path: string, index: number, more: Partial<Shot> = {}): Shot => ({
      url: `${service.baseUrl}/prod/api/v1${path}`,
      headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
      ...more,
    });
    const get = (index: number) => shot(`/incidents/${ids[(index * 31) % ids.length]}`, index);
    const onBody = (text: string) => ids.push(JSON.parse(text).id);
    const startedAtMs = performance.now();
    await load((index) => shot('/incidents', index, { method: 'POST', body: bodies[index] ?? '', onBody }), {
      concurrency: 16,
      requests: count,
    });
    const importSeconds = (performance.now() - startedAtMs) / 1_000;
    await load(get, { concurrency, requests: 1_000 });
    const before = await countLearned();
    const during = await load(get, { concurrency, seconds });
    const isDuring = (await countLearned()) < count;
    const measured = { learned: await countLearned(), cpuMs: cpuMs(service) };
    await waitForLearned(countLearned, count);
    const learnSeconds = (performance.now() - startedAtMs) / 1_000;
    const eachMs = (cpuMs(service) - measured.cpuMs) / Math.max(1, count - measured.learned);
    const after = await load(get, { concurrency, seconds });
    console.log(`${count} incidents: imported in ${importSeconds.toFixed(0)} s, of them ${before} learned meanwhile`);
    console.log(`all learned ${learnSeconds.toFixed(0)} s after the start of the import (goal: 120 s for 10,000)`);
    console.log(`processor time of the server per learned incident: ${eachMs.toFixed(1)} ms (goal: 24 ms)`);
    if (isDuring) report(during, after);
    else console.log('learning was over before requests could be measured: use more incidents');
  } finally {
    await service.stop();
  }
}

function report(during: Load, after: Load): void {
  const slower = (100 * (during.p50Ms / after.p50Ms - 1)).toFixed(0);
  console.log(
    `get an incident, p50: ${during.p50Ms.toFixed(2)} ms while learning, ${after.p50Ms.toFixed(2)} ms after it`,
  );
  console.log(`requests are ${slower} % slower while learning (goal: 10 %)`);
}

async function waitForLearned(countLearned: () => Promise<number>, count: number): Promise<void> {
  const endMs = performance.now() + maxWaitMs;
  while (performance.now() < endMs) {
    if ((await countLearned()) >= count) return;
    await pause(1_000);
  }
  throw new Error(`not all incidents were learned within ${maxWaitMs} ms`);
}

async function countLearnedRecords(client: DynamoDBClient, TableName: string): Promise<number> {
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
