import type { DynamoDBRecord } from 'aws-lambda';
import type { AttachedFile, AttachedFileCreation } from '../../contract/attachments.ts';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import { hasRole } from '../../contract/roles.ts';
import type { NoteAttachment, Visibility } from '../../contract/work-notes.ts';
import type { Caller } from '../platform/caller.ts';
import { dayMs, toIso } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import type { ItemStore } from './item-store.ts';
import { type Item, readString } from './items.ts';
import { toItemKey } from './record-item.ts';
import type { Write } from './write-items.ts';

// Uploaded files of notes. A file belongs to the record that its uploader named, and to the first note that refers to it.
//
// | Access pattern        | Call                       | Key                             |
// |-----------------------|----------------------------|---------------------------------|
// | a file by id          | GetItem                    | pk = id, sk = attachment        |
// | add files to a note   | TransactWriteItems, Update | the same                        |
// | files without a note  | TTL and the stream         | the same                        |

const sortKey = 'attachment';

/** An upload that is not complete by then has failed. The bucket deletes its bytes at the same age. */
const pendingMs = dayMs;

/** A file that no note has by then is deleted. */
const unusedMs = 7 * dayMs;

type Fields = Omit<AttachedFile, 'state' | 'note_id'>;

export interface StoredAttachment extends AttachedFile {
  /** The visibility and the author of the note that has the file. */
  note: { visibility: Visibility; author: string } | undefined;
}

export async function findAttachment(
  store: Pick<ItemStore, 'get'>,
  id: string,
  nowMs: number,
): Promise<StoredAttachment | undefined> {
  const item = await store.get(id, sortKey);
  const expiresAt = item?.expires_at?.N;
  // DynamoDB deletes expired items some time later.
  return item && (expiresAt === undefined || Number(expiresAt) * 1_000 > nowMs) ? toAttachment(item) : undefined;
}

function toAttachment(item: Item): StoredAttachment {
  const fields: Fields = JSON.parse(readString(item, 'document'));
  const visibility = item.visibility?.S as Visibility | undefined;
  return {
    ...fields,
    state: readString(item, 'state') as AttachedFile['state'],
    note_id: item.note_id?.S ?? null,
    note: visibility && { visibility, author: readString(item, 'author') },
  };
}

export function newAttachment(creation: AttachedFileCreation, createdBy: string, nowMs: number): AttachedFile {
  const created = { created_by: createdBy, created_at: toIso(nowMs) };
  return { id: newId('attachment'), ...creation, ...created, state: 'pending', note_id: null };
}

export function buildAttachmentInsert({ state, note_id: _, ...fields }: AttachedFile, nowMs: number): Write {
  const put = {
    Item: {
      ...toItemKey(fields.id, sortKey),
      type: { S: 'attachment' },
      record_id: { S: fields.record_id },
      state: { S: state },
      document: { S: JSON.stringify(fields satisfies Fields) },
      expires_at: toExpiry(nowMs + pendingMs),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'attachment', put };
}

/** Fails when the file was deleted in the meantime. */
export function buildAttachmentCompletion(id: string, nowMs: number): Write {
  const values = { ':expiry': toExpiry(nowMs + unusedMs) };
  const expression = 'SET #state = :available, expires_at = :expiry';
  return buildAttachmentUpdate(id, expression, 'attribute_exists(document)', values);
}

/** DynamoDB deletes the item when it is due, and the stream of writes then leads to the deletion of the file. */
function toExpiry(ms: number) {
  return { N: String(Math.ceil(ms / 1_000)) };
}

/** The file whose item expired. Items of files that a person deleted have no type. */
export function findUnusedFile({ eventName, dynamodb }: DynamoDBRecord): string[] {
  const item = dynamodb?.OldImage;
  return eventName === 'REMOVE' && item?.type?.S === 'attachment' && item.pk?.S ? [item.pk.S] : [];
}

/** Leaves an empty item that DynamoDB deletes soon, because functions may not delete items. */
export function buildAttachmentDeletion(id: string, nowMs: number): Write {
  const put = { Item: { ...toItemKey(id, sortKey), expires_at: { N: String(Math.floor(nowMs / 1_000)) } } };
  return { name: 'attachment', put };
}

/** The writes that add files to a note. They fail unless each is an available file of the record that no note has. */
export function buildAttachmentLinks(
  ids: readonly string[],
  recordId: string,
  note: { id: string; visibility: Visibility; author: string },
): Write[] {
  const unused = '#state = :available AND record_id = :record AND attribute_not_exists(note_id)';
  return ids.map((id) =>
    buildAttachmentUpdate(
      id,
      'SET note_id = :note, visibility = :visibility, author = :author REMOVE expires_at',
      unused,
      {
        ':record': { S: recordId },
        ':note': { S: note.id },
        ':visibility': { S: note.visibility },
        ':author': { S: note.author },
      },
    ),
  );
}

function buildAttachmentUpdate(id: string, expression: string, condition: string, values: Item): Write {
  const update = {
    Key: toItemKey(id, sortKey),
    UpdateExpression: expression,
    ConditionExpression: condition,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':available': { S: 'available' }, ...values },
  };
  return { name: 'attachment_ids', update };
}

/** What a note shows of an uploaded file. */
export function toNoteAttachment(
  { id, filename, content_type, size_bytes }: Omit<Fields, 'record_id'>,
  origin: string,
): NoteAttachment {
  const url = `${origin}/${stageName}${apiPrefixes[0]}/attachments/${id}`;
  return { id, filename, content_type, size_bytes, url };
}

/** Like its note; before there is one, only the uploader and managers can see a file. */
export function canSeeAttachment({ note, created_by }: StoredAttachment, { roles, email }: Caller): boolean {
  if (hasRole(roles, 'itsm_manager')) return true;
  if (!note) return created_by === email;
  return note.visibility !== 'private' || note.author === email;
}
