import type { ItemStore } from '../../records/item-store.ts';
import { readBytes, readNumber, readString } from '../../records/items.ts';
import { recordSortKey, toExpiredItem, toFeedKeys, toItemKey, toTouchedFeedKey } from '../../records/record-item.ts';
import { writeWithRetry } from '../../records/write-items.ts';
import { embedderName } from '../embedding/model-files.ts';
import { unpackVector, type Vector } from '../embedding/vector.ts';
import { decodeLearned } from '../knowledge/learned-item.ts';

// | Access pattern              | Call               | Key                              |
// |-----------------------------|--------------------|----------------------------------|
// | what was learned of a record| GetItem            | pk = id, sk = chunk#<embedder>   |
// | all that was learned        | Query on feed      | feed_pk = chunk.<embedder>#<n>   |
// | a resolution to suggest     | TransactWriteItems | pk = id, sk = #                  |
// | who quotes an incident      | Query              | pk = id, sk = quoted#<incident>  |
// | progress of relearning      | GetItem            | pk = relearning#<embedder>       |
// | vectors of former embedders | Query              | pk = id, sk begins with chunk#   |
//
// The keys contain the name of the embedder, because vectors of different embedders cannot be compared.

export const learnedType = `chunk.${embedderName}`;

const quotePrefix = 'quoted#';
const quotesPerPage = 100;

const cursorPrefix = 'relearning#';
const cursorKey = `${cursorPrefix}${embedderName}`;
const cursorSortKey = 'cursor';

const sortKeyPrefix = 'chunk#';
const sortKey = `${sortKeyPrefix}${embedderName}`;

/** More than a record has in practice. The next pass would remove the rest. */
const maxEmbedders = 10;

export interface LearnedVersion {
  version: number;
  textHash: string;
  /** Encoded by `encodeLearned`. */
  listing: Uint8Array;
}

export interface SuggestedResolution {
  text: string;
  /** The quoted incident. */
  sourceId: string;
}

/** The progress of the pass; `feed` counts all shards of all types. */
export interface RelearningCursor {
  feed: number;
  key: string;
  isDone: boolean;
}

export interface LearnedStore {
  get(id: string): Promise<LearnedVersion | undefined>;
  /** Returns false when this or a later version is stored. */
  put(id: string, learnedVersion: LearnedVersion, at: string): Promise<boolean>;
  suggestResolution(id: string, suggestion: SuggestedResolution, at: string): Promise<boolean>;
  /** Removes every suggestion that quotes the incident. */
  withdrawSuggestions(sourceId: string, at: string): Promise<void>;
  /** Removes what former embedders learned of a record. */
  removeFormerVectors(id: string, nowMs: number): Promise<void>;
  readCursor(): Promise<RelearningCursor | undefined>;
  writeCursor(cursor: RelearningCursor): Promise<void>;
}

/** The vectors of whole records, without records that were not learned. */
export async function readVectors(
  store: Pick<ItemStore, 'getMany'>,
  ids: readonly string[],
): Promise<Map<string, Vector>> {
  const items = await store.getMany(
    ids.map((id) => toItemKey(id, sortKey)),
    ['pk', 'listing'],
  );
  const vectors = items.flatMap((item): [string, Vector][] => {
    const [whole] = decodeLearned(readBytes(item, 'listing'))?.units ?? [];
    return whole ? [[readString(item, 'pk'), unpackVector(whole.vector)]] : [];
  });
  return new Map(vectors);
}

export function createLearnedStore(store: Pick<ItemStore, 'get' | 'range' | 'transact'>): LearnedStore {
  return {
    async get(id) {
      const item = await store.get(id, sortKey);
      if (!item?.version) return undefined;
      return {
        version: readNumber(item, 'version'),
        textHash: readString(item, 'text_hash'),
        listing: readBytes(item, 'listing'),
      };
    },
    put(id, { version, textHash, listing }, at) {
      const { feed_pk, feed_sk } = toFeedKeys(learnedType, id, at);
      const put = {
        Item: {
          ...toItemKey(id, sortKey),
          // The filter of the stream.
          type: { S: 'learned' },
          version: { N: String(version) },
          text_hash: { S: textHash },
          listing: { B: listing },
          feed_pk: { S: feed_pk },
          feed_sk: { S: feed_sk },
        },
        ConditionExpression: 'attribute_not_exists(#version) OR #version < :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': { N: String(version) } },
      };
      return writeWithRetry(store, [{ name: 'learned', put }]);
    },
    // The suggestion is not part of the document and does not change the version, so it conflicts with no edit and emits
    // no event. The new feed key makes replicas read the record.
    suggestResolution(id, { text, sourceId }, at) {
      const update = {
        Key: toItemKey(id, recordSortKey),
        UpdateExpression: 'SET suggested_resolution = :text, feed_sk = :touched',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deleted)',
        ExpressionAttributeValues: { ':text': { S: text }, ':touched': { S: toTouchedFeedKey(id, at) } },
      };
      const quote = { Item: toItemKey(sourceId, `${quotePrefix}${id}`) };
      return writeWithRetry(store, [
        { name: 'suggestion', update },
        { name: 'quote', put: quote },
      ]);
    },
    async withdrawSuggestions(sourceId, at) {
      let after: string | undefined;
      do {
        const range = { pk: sourceId, prefix: quotePrefix, ...(after !== undefined && { after }) };
        const quotes = await store.range(range, quotesPerPage);
        const keys = quotes.map((quote) => readString(quote, 'sk'));
        for (const key of keys) await withdraw(store, key.slice(quotePrefix.length), sourceId, at);
        after = quotes.length < quotesPerPage ? undefined : keys.at(-1);
      } while (after !== undefined);
    },
    // An empty, expired item leaves the feed immediately; DynamoDB deletes it later. The progress of the former embedder is
    // removed first, so that it learns these records again after a rollback.
    async removeFormerVectors(id, nowMs) {
      const items = await store.range({ pk: id, prefix: sortKeyPrefix }, maxEmbedders);
      for (const item of items) {
        const former = readString(item, 'sk');
        if (former === sortKey || !item.version) continue;
        const progress = `${cursorPrefix}${former.slice(sortKeyPrefix.length)}`;
        for (const Item of [toExpiredItem(progress, cursorSortKey, nowMs), toExpiredItem(id, former, nowMs)]) {
          await writeWithRetry(store, [{ name: 'former', put: { Item } }]);
        }
      }
    },
    async readCursor() {
      const item = await store.get(cursorKey, cursorSortKey);
      return item?.cursor?.S === undefined ? undefined : JSON.parse(item.cursor.S);
    },
    async writeCursor(cursor) {
      const Item = { ...toItemKey(cursorKey, cursorSortKey), cursor: { S: JSON.stringify(cursor) } };
      await writeWithRetry(store, [{ name: 'cursor', put: { Item } }]);
    },
  };
}

/** Does nothing if the suggestion now quotes another incident. */
function withdraw(store: Pick<ItemStore, 'transact'>, id: string, sourceId: string, at: string): Promise<boolean> {
  const update = {
    Key: toItemKey(id, recordSortKey),
    UpdateExpression: 'SET feed_sk = :touched REMOVE suggested_resolution',
    ConditionExpression: 'contains(suggested_resolution, :source)',
    ExpressionAttributeValues: { ':source': { S: sourceId }, ':touched': { S: toTouchedFeedKey(id, at) } },
  };
  return writeWithRetry(store, [{ name: 'suggestion', update }]);
}
