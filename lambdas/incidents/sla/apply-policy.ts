import pMap from 'p-map';
import { openIncidentStates } from '../../../contract/states.ts';
import type { FeedEntry, FeedStore } from '../../lists/feed-store.ts';
import { decodeListing } from '../../lists/listing.ts';
import { parseFeedId, parseFeedTime } from '../../lists/live-replica.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import { type Item, type ItemStore, writeWithRetry } from '../../records/item-store.ts';
import { toItemKey } from '../../records/record-item.ts';
import { incidentListing } from '../incident.ts';
import type { SlaPolicy } from './sla.ts';
import { addCounts, none, type SweepResult } from './sla-operations.ts';

// Breach times and due keys are stored with an incident, under the SLA minutes of that time. After the minutes changed,
// one pass over the feed visits all open incidents. Each sweep continues where the last one stopped. The pass follows the
// feed for another hour, because during a deployment functions of the previous release still use the previous minutes.
//
// | Access pattern       | Call               | Key                              |
// |----------------------|--------------------|----------------------------------|
// | progress of the pass | GetItem            | pk = sla-policy, sk = progress   |

interface Progress {
  policy: SlaPolicy;
  startedAtMs: number;
  /** The last key that was read in each shard of the feed. */
  keys: string[];
  /** Incidents that could not be written; each run tries them again. */
  failed: string[];
  isDone: boolean;
}

interface PolicyTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  feed: FeedStore;
  policy: SlaPolicy;
  clock: Clock;
}

export type ApplyPolicy = (mark: (id: string) => Promise<SweepResult>) => Promise<SweepResult>;

export function createPolicyPass(tools: PolicyTools): ApplyPolicy {
  return async (mark) => {
    const progress = await readProgress(tools);
    return progress.isDone ? none : continuePass(progress, tools, mark);
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

async function continuePass(
  progress: Progress,
  { store, feed, clock }: PolicyTools,
  mark: (id: string) => Promise<SweepResult>,
): Promise<SweepResult> {
  let counts = none;
  const endMs = clock.now() + maxRunMs;
  const visit = async (ids: readonly string[]) => {
    const results = await pMap(ids, async (id) => ({ id, result: await mark(id) }), { concurrency });
    counts = results.reduce((sum, { result }) => addCounts(sum, result), counts);
    progress.failed.push(...results.filter(({ result }) => result.failed > 0).map(({ id }) => id));
  };
  await visit(progress.failed.splice(0, maxFailed));
  for (const [shard, key] of progress.keys.entries()) {
    const start = key === '' ? '' : toIso(parseFeedTime(key) - overlapMs);
    for await (const entries of feed.pages(shard, start)) {
      await visit(entries.filter(isOpenIncident).map((entry) => parseFeedId(entry.key)));
      progress.keys[shard] = entries.at(-1)?.key ?? key;
      if (clock.now() <= endMs) continue;
      await writeProgress(store, progress);
      return counts;
    }
  }
  progress.isDone = clock.now() >= progress.startedAtMs + followMs;
  await writeProgress(store, progress);
  return counts;
}

const stateColumn = Object.keys(incidentListing.enums).indexOf('state');

function isOpenIncident({ listing }: FeedEntry): boolean {
  const { deleted, enums } = decodeListing(incidentListing, listing);
  const state = incidentListing.enums.state?.[(enums[stateColumn] ?? 0) - 1];
  return !deleted && openIncidentStates.some((open) => open === state);
}

const progressKey = { pk: 'sla-policy', sk: 'progress' };

/** A pass for other minutes starts from the beginning. */
async function readProgress({ store, feed, policy, clock }: PolicyTools): Promise<Progress> {
  const item = await store.get(progressKey.pk, progressKey.sk);
  const stored: Progress | undefined = item?.progress?.S === undefined ? undefined : JSON.parse(item.progress.S);
  if (stored && JSON.stringify(stored.policy) === JSON.stringify(policy)) return stored;
  const keys = Array.from({ length: feed.shards }, () => '');
  return { policy, startedAtMs: clock.now(), keys, failed: [], isDone: false };
}

async function writeProgress(store: Pick<ItemStore, 'transact'>, progress: Progress): Promise<void> {
  const text = JSON.stringify({ ...progress, failed: [...new Set(progress.failed)].slice(0, maxFailed) });
  const Item: Item = { ...toItemKey(progressKey.pk, progressKey.sk), progress: { S: text } };
  await writeWithRetry(store, [{ name: 'progress', put: { Item } }]);
}
