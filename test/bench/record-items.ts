import type { RecordType, StoredRecord } from '../../lambdas/records/record.ts';
import { toFeedKeys } from '../../lambdas/records/record-item.ts';

export type BenchItem = Record<string, object>;

/** Converts records to the items that the service would write. */
export function* toItems<Document>(
  type: RecordType<Document>,
  records: Iterable<StoredRecord<Document>>,
): Iterable<BenchItem> {
  for (const record of records) {
    const { feed_pk, feed_sk } = toFeedKeys(type.name, record.id, record.updated_at);
    yield {
      pk: { S: record.id },
      sk: { S: '#' },
      type: { S: type.name },
      version: { N: String(record.version) },
      created_at: { S: record.created_at },
      updated_at: { S: record.updated_at },
      notes_count: { N: String(record.notes_count) },
      private_notes_count: { N: '0' },
      actor: { S: 'bench@example.com' },
      origin: { S: '{"kind":"api","id":null}' },
      document: { S: JSON.stringify(record.document) },
      listing: { B: Buffer.from(type.listing(record)).toString('base64') },
      feed_pk: { S: feed_pk },
      feed_sk: { S: feed_sk },
    };
  }
}
