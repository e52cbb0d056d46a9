import pMap from 'p-map';
import type { routes } from '../../contract/routes.ts';
import { endedStates, type SlaKind } from '../../contract/states.ts';
import type { FeedEntry, FeedStore } from '../lists/feed-store.ts';
import { decodeListing, type ListingSpec } from '../lists/listing.ts';
import { parseFeedId, parseFeedTime } from '../lists/live-replica.ts';
import { type Clock, toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { Item } from '../records/items.ts';
import { toItemKey } from '../records/record-item.ts';
import { writeWithRetry } from '../records/write-items.ts';
import type { SlaMinutes } from '../sla/level-set.ts';
import { buildLevelWrites, type Levels, readLevels } from '../sla/level-store.ts';
import { toIsoOrNull } from '../sla/sla.ts';
import { addCounts, none, type SweepResult, type Visit } from './sweep.ts';

// Breach times and due keys are stored with a record, under the policies of that time. After a change of a policy, a calendar
// or the default targets, one pass over the feeds visits all open records. Each sweep continues where the last one stopped.
// The pass then follows the feeds for another hour: functions cache policies for some seconds, and functions of the
// previous release do not know the new default targets.
//
// | Access pattern       | Call               | Key                              |
// |----------------------|--------------------|----------------------------------|
// | progress of the pass | GetItem            | pk = sla-policy, sk = progress   |

interface Progress {
  policy: SlaMinutes;
  revision?: number;
  startedAtMs: number;
  /** When every open record had been visited. */
  finishedAtMs?: number;
  counts: SweepResult;
  /** The last key that was read in each shard of the feeds. */
  keys: Partial<Record<SlaKind, string[]>>;
  /** Records that could not be written; each run tries them again. */
  failed: string[];
  isDone: boolean;
}

interface RecalculationTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  feeds: Readonly<Record<SlaKind, { feed: FeedStore; listing: ListingSpec }>>;
  levels: Levels;
  minutes: SlaMinutes;
  clock: Clock;
}

export function createRecalculation(tools: RecalculationTools): (visit: Visit) => Promise<SweepResult> {
  return async (visit) => {
    const progress = await readProgress(tools);
    if (progress.isDone) return none;
    // Records must get the revision of this pass, not one that is cached.
    await tools.levels.refresh();
    return continuePass(progress, tools, visit);
  };
}

/** A third of the function's timeout. */
const maxRunMs = 10_000;
const followMs = 60 * 60_000;
/** Entries can appear before the last key that was read: clocks differ, and the index lags. */
const overlapMs = 120_000;
const concurrency = 8;
/** More are not worth a retry: something else is wrong, and the alarm is raised. */
const maxFailed = 1_000;

async function continuePass(progress: Progress, tools: RecalculationTools, visit: Visit): Promise<SweepResult> {
  const { store, feeds, clock } = tools;
  let counts = none;
  const endMs = clock.now() + maxRunMs;
  const visitAll = async (ids: readonly string[]) => {
    const results = await pMap(ids, async (id) => ({ id, result: await visit(id) }), { concurrency });
    counts = results.reduce((sum, { result }) => addCounts(sum, result), counts);
    progress.failed.push(...results.filter(({ result }) => result.failed > 0).map(({ id }) => id));
  };
  const save = () => {
    // Records that are visited later are new or changed, so they do not count.
    if (progress.finishedAtMs === undefined) progress.counts = addCounts(progress.counts, counts);
    return writeProgress(store, progress);
  };
  await visitAll(progress.failed.splice(0, maxFailed));
  for (const [kind, { feed, listing }] of Object.entries(feeds) as [SlaKind, RecalculationTools['feeds'][SlaKind]][]) {
    const keys = progress.keys[kind] ?? Array.from({ length: feed.shards }, () => '');
    progress.keys[kind] = keys;
    for (const [shard, key] of keys.entries()) {
      const start = key === '' ? '' : toIso(parseFeedTime(key) - overlapMs);
      for await (const entries of feed.pages(shard, start)) {
        await visitAll(entries.filter((entry) => isOpen(kind, listing, entry)).map((entry) => parseFeedId(entry.key)));
        keys[shard] = entries.at(-1)?.key ?? key;
        if (clock.now() <= endMs) continue;
        await save();
        return counts;
      }
    }
  }
  await save();
  const isDone = clock.now() >= progress.startedAtMs + followMs;
  if (progress.finishedAtMs === undefined || isDone) {
    progress.finishedAtMs ??= clock.now();
    progress.isDone = isDone;
    await writeProgress(store, progress);
  }
  return counts;
}

function isOpen(kind: SlaKind, spec: ListingSpec, { listing }: FeedEntry): boolean {
  const { deleted, enums } = decodeListing(spec, listing);
  const state = spec.enums.state?.[(enums[Object.keys(spec.enums).indexOf('state')] ?? 0) - 1];
  return !deleted && state !== undefined && !endedStates[kind].includes(state);
}

const progressKey = { pk: 'sla-policy', sk: 'progress' };

async function findProgress(store: Pick<ItemStore, 'get'>): Promise<Progress | undefined> {
  const item = await store.get(progressKey.pk, progressKey.sk);
  return item?.progress?.S === undefined ? undefined : JSON.parse(item.progress.S);
}

/** A pass for other policies or default targets starts from the beginning. */
async function readProgress({ store, minutes, clock }: RecalculationTools): Promise<Progress> {
  const stored = await findProgress(store);
  const revision = await publishMinutes(store, minutes, stored?.policy ?? minutes);
  if (stored?.revision === revision) return stored;
  const startedAtMs = clock.now();
  const pass = { policy: minutes, revision, startedAtMs, counts: none, keys: {}, failed: [], isDone: false };
  if (stored || revision > 0) return pass;
  // In a new service, no other targets were ever in force.
  const done = { ...pass, finishedAtMs: startedAtMs, isDone: true };
  await writeProgress(store, done);
  return done;
}

/** Changed default targets of a deployment are a revision, too. Returns the current one. */
async function publishMinutes(store: RecalculationTools['store'], minutes: SlaMinutes, known: SlaMinutes) {
  const set = await readLevels(store, known);
  if (JSON.stringify(set.minutes) === JSON.stringify(minutes)) return set.revision;
  await writeWithRetry(store, buildLevelWrites(set, { ...set, minutes }));
  return (await readLevels(store, minutes)).revision;
}

async function writeProgress(store: Pick<ItemStore, 'transact'>, progress: Progress): Promise<void> {
  const text = JSON.stringify({ ...progress, failed: [...new Set(progress.failed)].slice(0, maxFailed) });
  const Item: Item = { ...toItemKey(progressKey.pk, progressKey.sk), progress: { S: text } };
  await writeWithRetry(store, [{ name: 'progress', put: { Item } }]);
}

export function getSlaRecalculation(
  store: Pick<ItemStore, 'get'>,
  minutes: SlaMinutes,
): UseCase<typeof routes.getSlaRecalculation> {
  return async () => {
    const [{ revision }, stored] = await Promise.all([readLevels(store, minutes), findProgress(store)]);
    const progress = stored?.revision === revision ? stored : undefined;
    const { checked, changed } = progress?.counts ?? none;
    return {
      status: 200,
      body: {
        revision,
        status: progress ? (progress.finishedAtMs === undefined ? 'running' : 'completed') : 'pending',
        started_at: toIsoOrNull(progress?.startedAtMs),
        finished_at: toIsoOrNull(progress?.finishedAtMs),
        checked,
        changed,
        failed: progress?.failed.length ?? 0,
      },
    };
  };
}
