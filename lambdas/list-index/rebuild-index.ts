import type { SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import type { TaskReports } from '../jobs/job-machine.ts';
import type { FeedEntry, FeedStore } from '../lists/feed-store.ts';
import { createIndex, type IndexKind, writeDocuments } from '../lists/search-documents.ts';
import { verifySearch } from '../lists/search-index.ts';
import type { SearchClient } from '../platform/clients/opensearch.ts';
import { type Clock, toIso } from '../platform/clock.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { backoff, retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import { indexKinds } from './index-kinds.ts';

// The steps of the state machine that rebuilds indexes (lib/reindex-definition.ts). Lists use the old index until the alias
// moves to the new one. The index `feed` holds the last version of every record, and its shards are the segments that are
// copied in parallel. The stream writes to the alias, so the changes since the last copy are copied again before and after
// the switch. Every step can be repeated: the name of the new index is part of its message, and documents have versions.

const copy = z.object({
  /** Ends the name of the new index. */
  build: z.int().positive(),
  type: z.string(),
  shard: z.int().min(0),
  /** Copies the changes after this time. */
  since_ms: z.number(),
});
const copies = z.array(copy);
const token = z.string();

const message = z.discriminatedUnion('step', [
  z.object({ step: z.literal('create'), token, build: copy.shape.build, types: z.array(z.string()) }),
  z.object({
    step: z.literal('copy'),
    token,
    copy,
    /** Of a copy that continues: when it began, and its last entry. */
    started_ms: z.number().optional(),
    after: z.string().optional(),
  }),
  z.object({ step: z.literal('switch'), token, copies }),
  z.object({ step: z.literal('finish'), token, copies }),
]);

type Message = z.output<typeof message>;
type Copy = z.output<typeof copy>;

export interface RebuildTools {
  /** Undefined when the service searches in memory. */
  client: SearchClient | undefined;
  createFeed(type: string): FeedStore;
  reports: TaskReports;
  /** Sends the rest of a long copy to the queue. */
  sendLater(message: Message): Promise<void>;
  clock: Clock;
  log: Log;
}

/** A failed step is reported, and the state machine repeats it. */
export function createIndexRebuilder(tools: RebuildTools): (event: SQSEvent) => Promise<void> {
  return async ({ Records }) => {
    for (const { body } of Records) {
      const received = message.parse(JSON.parse(body));
      try {
        const output = await runStep(received, tools);
        if (output !== undefined) await tools.reports.succeed(received.token, output);
      } catch (error) {
        tools.log('error', 'a step of a rebuild failed', { step: received.step, ...toErrorFields(error) });
        await tools.reports.fail(received.token, error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
}

/** Returns the output of the task; undefined while a later message continues it. */
async function runStep(received: Message, tools: RebuildTools): Promise<unknown> {
  const { client } = tools;
  if (!client) throw new ServiceError('unavailable', 'SEARCH_ENDPOINT is not set, so there are no indexes to rebuild.');
  if (received.step === 'create') return createIndexes(received, client, tools);
  if (received.step === 'copy') return runCopy(received, client, tools);
  return received.step === 'switch' ? switchAliases(received.copies, client) : finish(received.copies, client);
}

const toIndex = (client: SearchClient, { type, build }: Pick<Copy, 'type' | 'build'>) =>
  `${client.toIndexName(type)}-${build}`;

const findKind = (type: string): IndexKind =>
  requireValue(
    indexKinds.find((kind) => kind.type === type),
    `an index of ${type}`,
  );

/** Also deletes what a failed rebuild left. */
async function createIndexes(
  { build, types }: Extract<Message, { step: 'create' }>,
  client: SearchClient,
  { createFeed }: RebuildTools,
): Promise<{ copies: Copy[] }> {
  await verifySearch(client, []);
  const created: Copy[] = [];
  for (const kind of types.map(findKind)) {
    const index = toIndex(client, { type: kind.type, build });
    const alias = client.toIndexName(kind.type);
    const used = await listUsed(client, alias);
    const existing = await client.request('GET', `/${alias}-*`, undefined, { accept: [404] });
    const left = Object.keys(existing).filter(
      (name) => parseBuild(name, alias) < build - maxRebuildMs && !used.includes(name),
    );
    for (const name of left) await client.request('DELETE', `/${name}`, undefined, { accept: [404] });
    await createIndex(client, index, kind);
    const { shards } = createFeed(kind.feed);
    created.push(...Array.from({ length: shards }, (_, shard) => ({ build, type: kind.type, shard, since_ms: 0 })));
  }
  return { copies: created };
}

/** An older index may belong to a rebuild that still runs. */
const maxRebuildMs = 4 * 24 * 60 * 60_000;

/** NaN for an index of another kind, whose name may begin with the same words. */
function parseBuild(name: string, alias: string): number {
  const ending = name.slice(alias.length);
  return /^-\d+$/.test(ending) ? Number(ending.slice(1)) : Number.NaN;
}

/** Whether a rebuild that started later has ended, so that this one has nothing left to do. */
async function isSuperseded(client: SearchClient, { type, build }: Copy): Promise<boolean> {
  const alias = client.toIndexName(type);
  return (await listUsed(client, alias)).some((name) => parseBuild(name, alias) > build);
}

const entriesPerRequest = 1_000;

/** Longer than the index `feed` lags behind the table, and than clocks differ. */
const overlapMs = 120_000;

/** Less than the timeout of the function, which also has to end its last request. */
const maxRunMs = 60_000;

/** Returns the copy of the changes since it began. */
async function runCopy(
  received: Extract<Message, { step: 'copy' }>,
  client: SearchClient,
  { createFeed, sendLater, clock }: RebuildTools,
): Promise<Copy | undefined> {
  const { type, shard, since_ms } = received.copy;
  if (await isSuperseded(client, received.copy)) return received.copy;
  const kind = findKind(type);
  const index = toIndex(client, received.copy);
  const endMs = clock.now() + maxRunMs;
  const { started_ms = clock.now(), after = since_ms > 0 ? toIso(since_ms) : '' } = received;
  for await (const entries of createFeed(kind.feed).pages(shard, after)) {
    for (let first = 0; first < entries.length; first += entriesPerRequest) {
      const some = entries.slice(first, first + entriesPerRequest);
      await write(client, kind, index, some);
      if (clock.now() <= endMs) continue;
      await sendLater({ ...received, started_ms, after: requireValue(some.at(-1)).key });
      return undefined;
    }
  }
  return { ...received.copy, since_ms: started_ms - overlapMs };
}

/** Writes what the engine rejects again, until it accepts everything. */
async function write(
  client: SearchClient,
  kind: IndexKind,
  index: string,
  entries: readonly FeedEntry[],
): Promise<void> {
  let left = entries.map((entry) => kind.toWrite(entry));
  let reason = '';
  const attempt = async () => {
    const rejected = await writeDocuments(client, left, () => index);
    left = rejected.map((each) => each.write);
    reason = rejected[0]?.reason ?? '';
    return left.length === 0 ? true : undefined;
  };
  const exhausted = () => new Error(`${left.length} records were not written to ${index}: ${reason}`);
  await retry(attempt, { maxAttempts: 10, wait: (number) => backoff(number + 4), exhausted });
}

/** Of each kind. */
function listBuilds(copied: readonly Copy[]): Copy[] {
  return [...new Map(copied.map((each) => [each.type, each])).values()];
}

async function listUsed(client: SearchClient, alias: string): Promise<string[]> {
  const found = await client.request('GET', `/_alias/${alias}`, undefined, { accept: [404] });
  return found.error === undefined ? Object.keys(found) : [];
}

const refreshTimeoutMs = 60_000;

async function switchAliases(copied: readonly Copy[], client: SearchClient): Promise<{ copies: readonly Copy[] }> {
  const actions: object[] = [];
  for (const build of listBuilds(copied)) {
    if (await isSuperseded(client, build)) continue;
    const alias = client.toIndexName(build.type);
    const index = toIndex(client, build);
    const { schema } = findKind(build.type);
    // If somebody deletes the new index, a write creates one with any mapping.
    await verifySearch(client, [{ type: `${build.type}-${build.build}`, schema }]);
    await client.request('POST', `/${index}/_refresh`, undefined, { timeoutMs: refreshTimeoutMs });
    const former = (await listUsed(client, alias)).filter((name) => name !== index);
    actions.push(...former.map((name) => ({ remove: { index: name, alias } })), { add: { index, alias } });
  }
  if (actions.length > 0) await client.request('POST', '/_aliases', { actions });
  return { copies: copied };
}

/** Deletes the former indexes and counts the documents of the new ones. */
async function finish(copied: readonly Copy[], client: SearchClient): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const build of listBuilds(copied)) {
    const alias = client.toIndexName(build.type);
    const existing = await client.request('GET', `/${alias}-*`, undefined, { accept: [404] });
    const used = await listUsed(client, alias);
    const former = Object.keys(existing).filter(
      (name) => parseBuild(name, alias) <= build.build && !used.includes(name),
    );
    for (const name of former) await client.request('DELETE', `/${name}`, undefined, { accept: [404] });
    await client.request('POST', `/${alias}/_refresh`, undefined, { timeoutMs: refreshTimeoutMs });
    counts[alias] = (await client.request('GET', `/${alias}/_count`)).count;
  }
  return counts;
}
