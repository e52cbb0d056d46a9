import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { Origin } from '../records/record.ts';
import { recordSortKey } from '../records/record-item.ts';

/** A new version of a record, as the stream of the table tells of it. */
export interface RecordChange {
  /** The kind of record. */
  type: string;
  id: string;
  version: number;
  /** When the version was made. */
  at: string;
  origin: ToldOrigin;
  /** Null when the version is the first. */
  before: RecordImage | null;
  after: RecordImage;
}

/** Where a change came from, as far as those have to know who might have made it themselves. */
export interface ToldOrigin extends Origin {
  client?: string;
}

export interface RecordImage {
  document: unknown;
  deleted: boolean;
}

/**
 * The change that an entry of the stream tells of, if it is one: notes, history and stored answers are in the same
 * stream, and counting a note touches a record without making a version.
 */
export function recordChange({ dynamodb }: DynamoDBRecord): RecordChange | undefined {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  if (Keys?.sk?.S !== recordSortKey || NewImage?.version?.N === undefined) return undefined;
  if (NewImage.document?.S === undefined || NewImage.version.N === OldImage?.version?.N) return undefined;
  return {
    type: NewImage.type!.S!,
    id: Keys.pk!.S!,
    version: Number(NewImage.version.N),
    at: NewImage.updated_at!.S!,
    origin: JSON.parse(NewImage.origin!.S!),
    before: OldImage?.document?.S === undefined ? null : imageOf(OldImage),
    after: imageOf(NewImage),
  };
}

function imageOf(item: Record<string, AttributeValue>): RecordImage {
  return { document: JSON.parse(item.document!.S!), deleted: item.deleted?.BOOL === true };
}
