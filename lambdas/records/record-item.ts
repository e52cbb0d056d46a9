import { LRUCache } from 'lru-cache';
import { toIso } from '../platform/clock.ts';
import { newId, toShard } from '../platform/ids.ts';
import { addToHistory, buildHistoryWrites, createHistoryEntry, formatFirstEntry, listRecent } from './history.ts';
import { type Item, readString } from './items.ts';
import type { Author, HistoryEntry, RecordType, StoredRecord } from './record.ts';
import { completeDocument } from './stored-document.ts';
import type { Write } from './write-items.ts';

// Converts records to DynamoDB items and back. The document is one JSON string, because the SDK is slow at
// unmarshalling nested maps and no DynamoDB expression needs its fields.

export const recordSortKey = '#';

/** Stored with every record, so that a later release can recognize a format that its fields do not reveal. */
const schemaVersion = 1;

export function toRecord<Document>(item: Item): StoredRecord<Document> {
  return {
    id: readString(item, 'pk'),
    version: Number(item.version?.N),
    created_at: readString(item, 'created_at'),
    updated_at: readString(item, 'updated_at'),
    deleted: item.deleted?.BOOL === true,
    notes_count: Number(item.notes_count?.N ?? 0),
    private_notes_count: Number(item.private_notes_count?.N ?? 0),
    ...(item.suggested_resolution?.S !== undefined && { suggested_resolution: item.suggested_resolution.S }),
    ...(item.recent?.S !== undefined && { recent_history: item.recent.S }),
    document: readDocument(item) as Document,
  };
}

/** The document in the current format, whichever release stored it. */
export function readDocument(item: Readonly<Record<string, { S?: string | undefined }>>): unknown {
  const text = item.document?.S;
  if (text === undefined) throw new Error('an item has no string document');
  return completeDocument(item.type?.S ?? '', JSON.parse(text));
}

/** Writes the first version of a record. Fails when the id is taken, even by a deleted record. */
export function buildInsert<Document>(
  type: RecordType<Document>,
  record: StoredRecord<Document>,
  author: Author,
  added: Item = {},
): Write[] {
  const put = {
    Item: { ...toRecordItem(type, record, author), ...added, recent: { S: formatFirstEntry(record, author) } },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return [{ name: 'record', put }];
}

/**
 * Writes a record with a past: its version and its times are given. The feed has the time of the write, because replicas
 * read it in that order.
 */
export function buildPastInsert<Document>(
  type: RecordType<Document>,
  record: StoredRecord<Document>,
  author: Author,
  entry: HistoryEntry,
  nowMs: number,
  added: Item = {},
): Write[] {
  const put = {
    Item: {
      ...toRecordItem(type, record, author),
      ...added,
      feed_sk: { S: `${toIso(nowMs)}#${record.id}` },
      recent: { S: JSON.stringify([entry]) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return [{ name: 'record', put }];
}

/** Replaces a record as a whole. Unlike an update, it can also restore a deleted record. Fails when it has changed. */
export function buildReplacement<Document>(
  type: RecordType<Document>,
  before: StoredRecord<Document> | undefined,
  record: StoredRecord<Document>,
  author: Author,
): Write[] {
  const put = {
    Item: toRecordItem(type, record, author),
    ConditionExpression: before ? '#version = :before' : 'attribute_not_exists(pk)',
    ...(before && {
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':before': { N: String(before.version) } },
    }),
  };
  const changes = type.changes(before?.document ?? ({} as Document), record.document);
  const isDeleted = before !== undefined && before.deleted !== record.deleted;
  const deletion = isDeleted ? { deleted: { from: before.deleted, to: record.deleted } } : {};
  const entry = createHistoryEntry(record, author, { ...changes, ...deletion });
  const history = buildHistoryWrites(record.id, [...(before ? listRecent(type, before) : []), entry]);
  return [{ name: 'record', put }, ...history];
}

function toRecordItem<Document>(type: RecordType<Document>, record: StoredRecord<Document>, author: Author): Item {
  const { suggested_resolution: suggestion } = record;
  return {
    ...toItemKey(record.id, recordSortKey),
    created_at: { S: record.created_at },
    notes_count: { N: String(record.notes_count) },
    private_notes_count: { N: String(record.private_notes_count) },
    ...(suggestion !== undefined && { suggested_resolution: { S: suggestion } }),
    ...toVersionAttributes(type, record, author).attributes,
  };
}

/**
 * Writes the next version of a record, and the intermediate versions if there are any. Fails if the stored version has
 * changed or the record was deleted.
 */
export function buildUpdate<Document>(
  type: RecordType<Document>,
  versions: readonly [StoredRecord<Document>, ...StoredRecord<Document>[], StoredRecord<Document>],
  author: Author,
  followUp?: Item,
): Write[] {
  const [before, ...next] = versions;
  const after = next.at(-1) ?? before;
  const through = next.slice(0, -1);
  const deletion = after.deleted ? { deleted: { from: false, to: true } } : {};
  const entries = next.map((record, index) => {
    const changes = type.changes((next[index - 1] ?? before).document, record.document);
    return createHistoryEntry(record, author, record === after ? { ...changes, ...deletion } : changes);
  });
  const { recent, writes } = addToHistory(type, before, entries);
  const { attributes, removed } = toVersionAttributes(type, after, author);
  const set = (name: string, text: string | undefined) => {
    if (text === undefined) removed.push(name);
    else attributes[name] = { S: text };
  };
  set('recent', recent);
  // Events are derived from the stream, which shows only the first and the last version of a transaction.
  const passed = through.map(({ version, document }) => ({ version, document }));
  set('through', passed.length === 0 ? undefined : JSON.stringify(passed));
  set('follow_up', followUp && JSON.stringify(followUp));
  const update = {
    Key: toItemKey(before.id, recordSortKey),
    ...buildAssignments(Object.keys(attributes), removed),
    ConditionExpression: '#version = :before AND attribute_not_exists(deleted)',
    ExpressionAttributeValues: {
      ...toPlaceholders(Object.values(attributes)),
      ':before': { N: String(before.version) },
      ':notes': { N: String(after.notes_count - before.notes_count) },
      ':private': { N: String(after.private_notes_count - before.private_notes_count) },
    },
  };
  return [{ name: 'record', update }, ...writes];
}

type Assignments = { UpdateExpression: string; ExpressionAttributeNames: Record<string, string> };

/** Most versions of a record type have the same attributes, so their expressions are cached. */
const cachedAssignments = new LRUCache<string, Assignments>({ max: 100 });

function buildAssignments(names: readonly string[], removed: readonly string[]): Assignments {
  const key = `${names} ${removed}`;
  const cached = cachedAssignments.get(key);
  if (cached) return cached;
  const remove = removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : '';
  const assignments = {
    UpdateExpression:
      `SET ${names.map((_, index) => `#${index} = :${index}`).join(', ')}${remove} ` +
      'ADD notes_count :notes, private_notes_count :private',
    ExpressionAttributeNames: {
      ...Object.fromEntries(names.map((name, index) => [`#${index}`, name])),
      '#version': 'version',
    },
  };
  cachedAssignments.set(key, assignments);
  return assignments;
}

function toPlaceholders(values: readonly Item[string][]): Item {
  const result: Item = {};
  for (const [index, value] of values.entries()) result[`:${index}`] = value;
  return result;
}

/**
 * Adds to the note counts without a new version. Fails when the record is deleted or no longer has the given version.
 * Moves the record in its feed, so that replicas read the new count.
 */
export function buildNoteCountUpdate(
  id: string,
  added: { notes: number; private: number },
  nowMs: number,
  version?: number,
): Write {
  const sameVersion = version === undefined ? '' : ' AND #version = :version';
  const update = {
    Key: toItemKey(id, recordSortKey),
    UpdateExpression: 'SET feed_sk = :touched ADD notes_count :notes, private_notes_count :private',
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(deleted)${sameVersion}`,
    ...(version !== undefined && { ExpressionAttributeNames: { '#version': 'version' } }),
    ExpressionAttributeValues: {
      ':touched': { S: toTouchedFeedKey(id, toIso(nowMs)) },
      ':notes': { N: String(added.notes) },
      ':private': { N: String(added.private) },
      ...(version !== undefined && { ':version': { N: String(version) } }),
    },
  };
  return { name: 'record', update };
}

/** An empty item that DynamoDB deletes soon. It would never delete one that expired more than five years ago. */
export function toExpiredItem(pk: string, sk: string, nowMs: number) {
  return { ...toItemKey(pk, sk), expires_at: { N: String(Math.floor(nowMs / 1_000)) } };
}

export function toItemKey(pk: string, sk: string): Item {
  return { pk: { S: pk }, sk: { S: sk } };
}

/** The attributes that change with every version, and the index keys that the record does not have. */
function toVersionAttributes<Document>(
  type: RecordType<Document>,
  record: StoredRecord<Document>,
  author: Author,
): { attributes: Item; removed: string[] } {
  const attributes: Item = {
    type: { S: type.name },
    schema: { N: String(schemaVersion) },
    version: { N: String(record.version) },
    updated_at: { S: record.updated_at },
    actor: { S: author.actor },
    source_ip: { S: author.sourceIp ?? 'internal' },
    origin: { S: JSON.stringify({ ...author.origin, client: author.client }) },
    document: { S: JSON.stringify(record.document) },
    listing: { B: type.listing(record) },
  };
  if (record.deleted) attributes.deleted = { BOOL: true };
  const removed: string[] = [];
  const keys: Record<string, string | null> = {
    ...toFeedKeys(type.name, record.id, record.updated_at),
    ...type.indexKeys(record),
  };
  for (const [name, key] of Object.entries(keys)) {
    if (key === null) removed.push(name);
    else attributes[name] = { S: key };
  }
  return { attributes, removed };
}

// The index `feed` contains every record of a type in the order of the last change. The partition depends only on the id,
// so a record's latest entry replaces the previous one.

export const feedIndex = 'feed';

export const feedShards = 4;

export function toFeedPartition(type: string, shard: number): string {
  return `${type}#${shard}`;
}

export function toFeedKeys(type: string, id: string, updatedAt: string): { feed_pk: string; feed_sk: string } {
  return { feed_pk: toFeedPartition(type, toShard(id, feedShards)), feed_sk: `${updatedAt}#${id}` };
}

/** The feed key after a write without a new version, such as a note count. The random suffix makes it unique. */
export function toTouchedFeedKey(id: string, at: string): string {
  return `${at}#${id}#${newId('note')}`;
}
