import type { ItemStore } from './item-store.ts';
import { type Item, readString } from './items.ts';
import { fitRows, groupBySize, maxPageBytes, measureJson } from './page.ts';
import { countNeeded, type Range } from './read-items.ts';
import type { Author, Changes, HistoryEntry, RecordType, StoredRecord } from './record.ts';
import type { Write } from './write-items.ts';

// The history of a record. Its newest entries are stored in the record's own item, so most changes write one item instead
// of a transaction of two, at half the price per item. When they outgrow it, they move to an item of their own.

/** Larger entries would cost another write unit with every change of the record. */
const maxRecentBytes = 1_000;

const prefix = 'version#';

/** The sort key of an item with entries up to this version. Leading zeros keep numbers in order. */
export function toHistoryKey(version: number): string {
  return prefix + String(version).padStart(10, '0');
}

export const historyPrefix = prefix;

/** The first version changes all fields that the record has, so its changes are not stored while they can be derived. */
type RecentEntry = Omit<HistoryEntry, 'changes'> & { changes?: Changes };

export function createHistoryEntry(
  { version, updated_at }: StoredRecord<unknown>,
  { actor, origin }: Author,
  changes: Changes,
): HistoryEntry {
  return { version, at: updated_at, actor, origin, changes };
}

/** The recent history of a new record. */
export function formatFirstEntry(record: StoredRecord<unknown>, author: Author): string {
  const { changes, ...first } = createHistoryEntry(record, author, {});
  return JSON.stringify([first]);
}

/** Adds entries to the recent history, or moves all of them to an item. */
export function addToHistory<Document>(
  type: Pick<RecordType<Document>, 'changes'>,
  before: StoredRecord<Document>,
  added: readonly HistoryEntry[],
): { recent: string | undefined; writes: Write[] } {
  const recent = JSON.stringify([...parseRecent(before), ...added]);
  if (Buffer.byteLength(recent) <= maxRecentBytes) return { recent, writes: [] };
  return { recent: undefined, writes: buildHistoryWrites(before.id, [...listRecent(type, before), ...added]) };
}

/** DynamoDB takes 400 KB in an item. The largest texts need an item for each entry. */
const maxItemBytes = 50_000;

export function buildHistoryWrites(id: string, entries: readonly HistoryEntry[]): Write[] {
  return groupBySize(entries, maxItemBytes, measureJson).map((group) => buildHistoryWrite(id, group));
}

function buildHistoryWrite(id: string, entries: readonly HistoryEntry[]): Write {
  const put = {
    Item: {
      pk: { S: id },
      sk: { S: toHistoryKey(Math.max(...entries.map(({ version }) => version))) },
      entries: { S: JSON.stringify(entries) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'history', put };
}

/** The entries that the record's item holds. */
export function listRecent<Document>(
  type: Pick<RecordType<Document>, 'changes'>,
  record: StoredRecord<Document>,
): HistoryEntry[] {
  const [first, ...later] = parseRecent(record);
  if (!first) return [];
  return [{ ...first, changes: first.changes ?? deriveFirst(type, record, later) }, ...(later as HistoryEntry[])];
}

/** Reads the entries after a version, oldest first, as far as they fit into one response. */
export async function readHistory<Document>(
  store: Pick<ItemStore, 'range'>,
  type: Pick<RecordType<Document>, 'changes'>,
  record: StoredRecord<Document>,
  after: number,
  limit: number,
): Promise<{ entries: readonly HistoryEntry[]; hasMore: boolean }> {
  const isRequested = ({ version }: HistoryEntry) => version > after;
  const range: Range = {
    pk: record.id,
    prefix,
    after: toHistoryKey(after),
    maxBytes: maxPageBytes,
    size: (item) => toEntries(item).filter(isRequested).length,
  };
  const items = await store.range(range, limit + 1);
  const isComplete = countNeeded(items, limit + 1, range) === undefined;
  const stored = items.flatMap(toEntries);
  // Entries that moved to an item after the record was read are in both.
  const last = stored.at(-1)?.version ?? after;
  const recent = isComplete ? listRecent(type, record).filter(({ version }) => version > last) : [];
  const found = [...stored, ...recent].filter(isRequested);
  const entries = fitRows(found, limit, measureJson);
  return { entries, hasMore: entries.length < found.length };
}

/** Items of earlier releases hold one entry each. */
export function toEntries(item: Item): HistoryEntry[] {
  return item.entries ? JSON.parse(readString(item, 'entries')) : [JSON.parse(readString(item, 'entry'))];
}

/** Reverts the later changes from the fields that the record has now. */
function deriveFirst<Document>(
  type: Pick<RecordType<Document>, 'changes'>,
  { document }: StoredRecord<Document>,
  later: readonly RecentEntry[],
): Changes {
  const values = new Map(Object.entries(type.changes({} as Document, document)).map(([name, { to }]) => [name, to]));
  for (const { changes = {} } of later.toReversed()) {
    for (const [name, { from }] of Object.entries(changes)) values.set(name, from);
  }
  const isField = ([name, value]: [string, unknown]) => name !== 'deleted' && (value ?? null) !== null;
  return Object.fromEntries([...values].filter(isField).map(([name, to]) => [name, { from: null, to }]));
}

function parseRecent({ recent_history: recent }: StoredRecord<unknown>): RecentEntry[] {
  return recent === undefined ? [] : JSON.parse(recent);
}
