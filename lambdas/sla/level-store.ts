import * as z from 'zod';
import { priorities } from '../../contract/states.ts';
import { type Clock, clock as systemClock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from '../records/item-store.ts';
import { readString } from '../records/items.ts';
import { toItemKey } from '../records/record-item.ts';
import { createRecordStore } from '../records/wiring.ts';
import type { Write } from '../records/write-items.ts';
import type { LevelSet, SlaMinutes } from './level-set.ts';

// | Access pattern             | Call                        | Key                                            |
// |----------------------------|-----------------------------|------------------------------------------------|
// | the current set            | GetItem, TransactWriteItems | pk = service-levels, sk = #                    |
// | the set of a record        | GetItem                     | pk = service-levels, sk = revision#<ten digits>|

const partition = 'service-levels';

const toSortKey = (revision: number) => `revision#${String(revision).padStart(10, '0')}`;

/** The sets that rules need. They are loaded first, so that the rules are plain functions. */
export interface Levels {
  /** Loads the current set, which may be a few seconds old, and that of a record. */
  load(revision?: number): Promise<void>;
  /** Loads the current set from the table. */
  refresh(): Promise<void>;
  current(): LevelSet;
  get(revision: number | undefined): LevelSet;
}

const ttlMs = 5_000;

/** Sets never change; more than these are not in use at the same time. */
const maxSets = 100;

export function createLevels(store: Pick<ItemStore, 'get'>, minutes: SlaMinutes, clock: Clock): Levels {
  const known = new Map<number, LevelSet>();
  let current: LevelSet | undefined;
  let loadedMs = 0;
  const refresh = async () => {
    const startedMs = clock.now();
    const loaded = await readLevels(store, minutes);
    // An unchanged set keeps its prepared calendars.
    if (current?.revision !== loaded.revision || loaded.revision === 0) current = loaded;
    loadedMs = startedMs;
    return current;
  };
  return {
    async load(revision = 0) {
      const isFresh = Math.abs(clock.now() - loadedMs) < ttlMs;
      const set = isFresh && current ? current : await refresh();
      if (known.has(revision)) return;
      if (known.size >= maxSets) known.clear();
      known.set(revision, await readRevision(store, revision, set));
    },
    async refresh() {
      await refresh();
    },
    current: () => requireValue(current),
    get: (revision = 0) => (revision === current?.revision ? current : requireValue(known.get(revision))),
  };
}

/** A set that never changes. */
export function toLevels(minutes: SlaMinutes, policies: Partial<LevelSet> = {}): Levels {
  const set: LevelSet = { revision: 0, minutes, policies: [], calendars: [], ...policies };
  return { load: async () => {}, refresh: async () => {}, current: () => set, get: () => set };
}

/** From the function's environment. */
export function loadLevels(store = createRecordStore()): Levels {
  return createLevels(store, loadSlaMinutes(), systemClock);
}

export async function readLevels(store: Pick<ItemStore, 'get'>, minutes: SlaMinutes): Promise<LevelSet> {
  const item = await store.get(partition, '#');
  return item ? JSON.parse(readString(item, 'document')) : { revision: 0, minutes, policies: [], calendars: [] };
}

async function readRevision(store: Pick<ItemStore, 'get'>, revision: number, current: LevelSet): Promise<LevelSet> {
  if (revision === current.revision) return current;
  const item = await store.get(partition, toSortKey(revision));
  if (!item) throw new Error(`revision ${revision} of the service levels is missing`);
  return JSON.parse(readString(item, 'document'));
}

/** DynamoDB takes 400 KB. */
const maxBytes = 300_000;

/** The write named `levels` fails when somebody else has changed a policy or a calendar. */
export function buildLevelWrites(before: LevelSet, after: Omit<LevelSet, 'revision'>): Write[] {
  const set: LevelSet = { ...after, revision: before.revision + 1 };
  const document = JSON.stringify(set);
  if (Buffer.byteLength(document) > maxBytes)
    throw new ServiceError('limit_reached', 'The policies and calendars are too large. Remove old holidays.');
  const toPut = (sk: string, text: string) => ({ Item: { ...toItemKey(partition, sk), document: { S: text } } });
  const condition =
    before.revision === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'revision = :before',
          ExpressionAttributeValues: { ':before': { N: `${before.revision}` } },
        };
  const current = toPut('#', document);
  return [
    { name: 'levels', put: { Item: { ...current.Item, revision: { N: `${set.revision}` } }, ...condition } },
    { name: 'revision', put: toPut(toSortKey(set.revision), document) },
    ...(before.revision === 0 ? [{ name: 'first revision', put: toPut(toSortKey(0), JSON.stringify(before)) }] : []),
  ];
}

const slaMinutes = z.record(z.enum(priorities), z.int().positive().max(525_600));

/** A missing priority fails the cold start. */
export function parseSlaMinutes(json: string): SlaMinutes {
  return slaMinutes.parse(JSON.parse(json));
}

export function loadSlaMinutes(): SlaMinutes {
  const { SLA_MINUTES } = env('SLA_MINUTES');
  return parseSlaMinutes(SLA_MINUTES);
}
