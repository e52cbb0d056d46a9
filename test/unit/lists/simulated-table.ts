// An in-memory table of incidents with its feed, and a brute-force implementation of lists.
import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import type { FeedEntry, FeedStore } from '../../../lambdas/lists/feed-store.ts';
import type { ListQuery } from '../../../lambdas/lists/list-engine.ts';
import { encodeListing, parseRecordNumber } from '../../../lambdas/lists/listing.ts';
import { splitWords } from '../../../lambdas/lists/words.ts';
import { feedShards, toFeedKeys, toFeedPartition } from '../../../lambdas/records/record-item.ts';

export interface SimulatedIncident {
  id: string;
  created_at: string;
  updated_at: string;
  deleted: boolean;
  priority: string;
  state: string;
  assignment_group: string | null;
  assigned_to: string | null;
  category: string | null;
  short_description: string;
  description: string | null;
}

export class SimulatedTable {
  readonly records = new Map<string, SimulatedIncident>();
  nowMs = Date.UTC(2026, 2, 1);
  /** Entries per page of the feed. */
  pageSize = 1_000;
  /** Reads of a shard that fail before one succeeds. */
  failures = 0;
  reads = 0;
  /** Called before each page is read, to simulate concurrent writes. */
  meanwhile: () => void = () => {};

  put(incident: Omit<SimulatedIncident, 'updated_at' | 'created_at'> & { created_at?: string }): SimulatedIncident {
    const before = this.records.get(incident.id);
    const updated_at = new Date(Math.max(this.nowMs, before ? Date.parse(before.updated_at) + 1 : 0)).toISOString();
    const record = { ...incident, created_at: before?.created_at ?? incident.created_at ?? updated_at, updated_at };
    this.records.set(record.id, record);
    return record;
  }

  readonly feed: FeedStore = {
    shards: feedShards,
    pages: (shard, behind) => this.pages(shard, behind),
  };

  /** The ids that a list must return, in order. */
  find(query: ListQuery): string[] {
    const matching = [...this.records.values()].filter((record) => matches(record, query));
    const sign = query.order === 'asc' ? 1 : -1;
    return matching
      .sort((a, b) => sign * (compare(sortValue(a, query.sort), sortValue(b, query.sort)) || compare(a.id, b.id)))
      .map(({ id }) => id);
  }

  private async *pages(shard: number, behind: string) {
    let after = behind;
    for (;;) {
      this.reads++;
      await Promise.resolve();
      this.meanwhile();
      if (this.failures > 0) {
        this.failures--;
        throw new Error('the feed cannot be read');
      }
      const page = this.entries(shard)
        .filter(({ key }) => key > after)
        .slice(0, this.pageSize);
      yield page;
      if (page.length < this.pageSize) return;
      after = page.at(-1)!.key;
    }
  }

  private entries(shard: number): FeedEntry[] {
    const { type } = incidentListing;
    return [...this.records.values()]
      .map((record) => ({ record, keys: toFeedKeys(type, record.id, record.updated_at) }))
      .filter(({ keys }) => keys.feed_pk === toFeedPartition(type, shard))
      .map(({ record, keys }) => ({ key: keys.feed_sk, listing: encodeListing(incidentListing, { ...record }) }))
      .sort((a, b) => compare(a.key, b.key));
  }
}

export const everything: ListQuery = {
  enums: {},
  strings: {},
  times: {},
  text: undefined,
  sort: 'created_at',
  order: 'desc',
};

/** The sort position of a record in a list. */
export function getPosition(record: SimulatedIncident, sort: string) {
  const value =
    sort === 'priority' ? Number(record.priority[1]) : Date.parse(record[sort as 'created_at' | 'updated_at']);
  return { value, number: parseRecordNumber(record.id, incidentListing.idPrefix)! };
}

function matches(record: SimulatedIncident, { enums, strings, times, text }: ListQuery): boolean {
  const fields = record as unknown as Record<string, string>;
  if (record.deleted) return false;
  if (Object.entries(enums).some(([name, values]) => !values.includes(fields[name]!))) return false;
  if (Object.entries(strings).some(([name, value]) => fields[name] !== value)) return false;
  for (const [name, range] of Object.entries(times)) {
    const { afterMs, beforeMs } = range ?? {};
    const time = Date.parse(fields[name]!);
    if ((afterMs !== undefined && time <= afterMs) || (beforeMs !== undefined && time >= beforeMs)) return false;
  }
  const { id, short_description, description, category } = record;
  const own = splitWords([id, short_description, description ?? '', category ?? '']);
  return [...splitWords([text ?? ''])].every((word) => own.has(word));
}

function sortValue(record: SimulatedIncident, sort: string): string {
  return record[sort as 'priority' | 'created_at' | 'updated_at'];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
