import type { routes } from '../../../contract/routes.ts';
import type { OnCallPerson, ShiftView } from '../../../contract/schedules.ts';
import type { FeedStore } from '../../lists/feed-store.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { dayMs, toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { findRecord } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { StoredRecord } from '../../records/record.ts';
import type { ScheduleDocument } from './schedule.ts';
import { computeShifts, type Shift } from './shifts.ts';

export function getShifts(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getShifts> {
  return async ({ params: { id }, query: { from, to } }) => {
    const { document } = await findRecord<ScheduleDocument>(store, id);
    const shifts = computeShifts(document, Date.parse(from), Date.parse(to));
    return { status: 200, body: { shifts: shifts.map(toShiftView) } };
  };
}

function toShiftView({ startMs, endMs, person, source }: Shift): ShiftView {
  return {
    starts_at: toIso(startMs),
    ends_at: toIso(endMs),
    person,
    source: source.kind,
    layer: source.kind === 'layer' ? source.number : null,
    override_id: source.kind === 'override' ? source.id : null,
  };
}

const maxSchedules = 200;

/** How far ahead the next hand-off is searched. */
const horizonMs = 14 * dayMs;

/** Reads the feed for the ids only: the replica of a list would be far more code than a few schedules need. */
export function getOnCall(feed: FeedStore, read: ReadRecords): UseCase<typeof routes.getOnCall> {
  return async ({ query: { at } }, { clock }) => {
    const atMs = at === undefined ? clock.now() : Date.parse(at);
    const records = (await read<ScheduleDocument>(await listIds(feed))).map(({ record }) => record);
    const listed = records.sort((a, b) => a.document.name.localeCompare(b.document.name)).slice(0, maxSchedules);
    const data = listed.map((record) => toOnCall(record, atMs));
    return { status: 200, body: { at: toIso(atMs), data, truncated: records.length > maxSchedules } };
  };
}

async function listIds(feed: FeedStore): Promise<string[]> {
  const ids = new Set<string>();
  for (let shard = 0; shard < feed.shards; shard++) {
    for await (const entries of feed.pages(shard, '')) for (const { key } of entries) ids.add(key.split('#')[1] ?? '');
  }
  return [...ids];
}

function toOnCall({ id, document }: StoredRecord<ScheduleDocument>, atMs: number): OnCallPerson {
  const [now, ...later] = computeShifts(document, atMs, atMs + horizonMs);
  // Shifts of one person from different layers are no hand-off.
  const next = later.find(({ person }) => person !== now?.person);
  return {
    schedule_id: id,
    schedule_name: document.name,
    time_zone: document.time_zone,
    person: now?.person ?? null,
    until: next ? toIso(next.startMs) : null,
    next_person: next?.person ?? null,
  };
}
