import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { type Item, readString } from './items.ts';
import type { Origin } from './record.ts';
import { readDocument, recordSortKey } from './record-item.ts';
import { completeDocument } from './stored-document.ts';

/** A new version of a record, from the table's stream. */
export interface RecordChange {
  /** The record type. */
  type: string;
  id: string;
  version: number;
  /** When the version was written. */
  at: string;
  /** The email address or the system component that wrote the version. */
  actor: string;
  origin: ChangeOrigin;
  /** Null for the first version. */
  before: RecordImage | null;
  after: RecordImage;
  /** Whether the creation requested a notification of the stakeholders. */
  notifiesStakeholders?: boolean;
  /** Whether the record was imported from the past: it emits no events, and nobody is notified. */
  isSilent?: boolean;
}

/** Attributes of a new record's item. The notification itself is derived from the stream. */
export const stakeholderRequest = { notify: { BOOL: true } };

/** An attribute of imported records and notes. Later changes of the record are not silent. */
export const silentImport = { silent: { BOOL: true } };

/** The origin of a change. Consumers use it to recognize their own changes. */
export interface ChangeOrigin extends Origin {
  client?: string;
}

export interface RecordImage {
  document: unknown;
  deleted: boolean;
  /** Fields of the record that are not part of its document. */
  computed?: Readonly<Record<string, unknown>> | undefined;
}

/** The changes of a stream entry, one per version. A transaction can write several versions of one record. */
export function toRecordChanges(entry: DynamoDBRecord): RecordChange[] {
  const change = toRecordChange(entry);
  if (!change) return [];
  const through = entry.dynamodb?.NewImage?.through?.S;
  if (through === undefined) return [change];
  const passed: { version: number; document: unknown }[] = JSON.parse(through);
  const { computed } = change.after;
  const steps = passed.map(({ version, document: stored }) => {
    const document = completeDocument(change.type, stored);
    return { version, after: { document, deleted: false, computed } };
  });
  let { before } = change;
  return [...steps, change].map(({ version, after }) => {
    const step = { ...change, version, before, after };
    before = after;
    return step;
  });
}

/**
 * The change of a stream entry from its first to its last version. Undefined for notes, history and stored responses,
 * which share the stream, and for note counts, which do not create a version.
 */
export function toRecordChange({ dynamodb }: DynamoDBRecord): RecordChange | undefined {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  if (Keys?.sk?.S !== recordSortKey || NewImage?.version?.N === undefined) return undefined;
  if (NewImage.document?.S === undefined || NewImage.version.N === OldImage?.version?.N) return undefined;
  return {
    type: readString(NewImage, 'type'),
    id: readString(Keys, 'pk'),
    version: Number(NewImage.version.N),
    at: readString(NewImage, 'updated_at'),
    actor: NewImage.actor?.S ?? '',
    origin: JSON.parse(readString(NewImage, 'origin')),
    before: OldImage?.document?.S === undefined ? null : toImage(OldImage),
    after: toImage(NewImage),
    notifiesStakeholders: OldImage === undefined && NewImage.notify?.BOOL === true,
    isSilent: OldImage === undefined && NewImage.silent?.BOOL === true,
  };
}

/** The item that a change was to write after itself. */
export function findFollowUp(entry: DynamoDBRecord): Item | undefined {
  const text = toRecordChange(entry) && entry.dynamodb?.NewImage?.follow_up?.S;
  return text === undefined ? undefined : JSON.parse(text);
}

function toImage(item: Record<string, AttributeValue>): RecordImage {
  const computed = {
    work_notes_count: Number(item.notes_count?.N ?? 0),
    ai_suggested_resolution: item.suggested_resolution?.S ?? null,
    created_at: item.created_at?.S,
  };
  return { document: readDocument(item), deleted: item.deleted?.BOOL === true, computed };
}
