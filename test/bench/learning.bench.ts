import { setTimeout as pause } from 'node:timers/promises';
import { type DynamoDBClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { learnedType } from '../../lambdas/ai/learning/learned-store.ts';
import { feedShards, toFeedPartition } from '../../lambdas/records/record-item.ts';
import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { startService } from '../support/service.ts';
import { createTableClient, findRecordsTable } from '../support/tables.ts';
import { createTokens } from './callers.ts';
import { measureCpuMs } from './every-operation.ts';
import { load, type Shot } from './load.ts';
import { createIncidents } from './many-incidents.ts';

const defaultCount = 10_000;
/** 650 characters. */
const descriptionWords = 80;
const callers = 30;
const concurrency = 4;
const maxWaitMs = 600_000;

/** Rounds of a small import. Requests are measured before, while it is learned, and after: other programs disturb all alike. */
const rounds = 11;
const roundSize = 300;
const roundSeconds = 1.5;

/** Learning of imported incidents: how long it takes, and how much slower requests are meanwhile. */
export async function benchLearning(count = defaultCount): Promise<void> {
  await ensureLocalBuild();
  const service = await startService();
  const client = createTableClient(service);
  try {
    const table = await findRecordsTable(client);
    const tokens = await createTokens(service, callers, 'itsm_agent');
    const bodies = [...createIncidents(count + rounds * roundSize, descriptionWords)].map(
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
    const post = (index: number) => {
      const body = bodies.pop();
      if (body === undefined) throw new Error('more requests than bodies');
      return shot('/incidents', index, { method: 'POST', body, onBody: (text) => ids.push(JSON.parse(text).id) });
    };
    const create = async (requests: number, concurrency: number) => {
      const { statuses } = await load(post, { concurrency, requests });
      if (statuses[201] !== requests) throw new Error(`not all incidents were created: ${JSON.stringify(statuses)}`);
    };
    const measureGets = async () => (await load(get, { concurrency, seconds: roundSeconds })).p50Ms;
    const waitForLearned = () => waitUntil(async () => (await countLearned(client, table)) >= ids.length);

    const startedAtMs = performance.now();
    await create(count, 16);
    const imported = {
      atMs: performance.now(),
      cpuMs: measureCpuMs(service),
      learned: await countLearned(client, table),
    };
    await waitForLearned();
    const toSeconds = (endMs: number) => ((endMs - startedAtMs) / 1_000).toFixed(0);
    const eachMs = (measureCpuMs(service) - imported.cpuMs) / Math.max(1, count - imported.learned);
    console.log(`${count} incidents: imported in ${toSeconds(imported.atMs)} s, ${imported.learned} learned by then`);
    console.log(`all learned ${toSeconds(performance.now())} s after the start of the import (goal: 120 s for 10,000)`);
    console.log(`processor time of the server per learned incident: ${eachMs.toFixed(1)} ms`);

    const ratios: number[] = [];
    let beforeMs = await measureGets();
    for (let round = 0; round < rounds; round++) {
      await create(roundSize, concurrency);
      const learnedBefore = await countLearned(client, table);
      const duringMs = await measureGets();
      const learned = await countLearned(client, table);
      await waitForLearned();
      const afterMs = await measureGets();
      const isValid = learned < ids.length;
      if (isValid) ratios.push((2 * duringMs) / (beforeMs + afterMs));
      console.log(
        `get an incident, p50: ${beforeMs.toFixed(2)} ms before, ${duringMs.toFixed(2)} ms while ${learned - learnedBefore} were learned, ` +
          `${afterMs.toFixed(2)} ms after${isValid ? '' : ' (not counted: learning ended early)'}`,
      );
      beforeMs = afterMs;
    }
    ratios.sort((a, b) => a - b);
    const slower = 100 * ((ratios[Math.floor(ratios.length / 2)] ?? 1) - 1);
    console.log(
      `requests are ${slower.toFixed(0)} % slower while learning, median of ${ratios.length} rounds (goal: 10 %)`,
    );
  } finally {
    client.destroy();
    await service.stop();
  }
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + maxWaitMs;
  while (performance.now() < endMs) {
    if (await isDone()) return;
    await pause(2_000);
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
