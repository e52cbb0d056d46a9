import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { invalidField, ServiceError } from '../platform/service-error.ts';
import {
  buildAttachmentCompletion,
  buildAttachmentDeletion,
  buildAttachmentInsert,
  canSeeAttachment,
  findAttachment,
  newAttachment,
  type StoredAttachment,
} from '../records/attachment-items.ts';
import { notFound } from '../records/change-record.ts';
import { toIdempotentRequest, writeOnce } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { ownersOnly } from '../records/notes.ts';
import { buildReferenceChecks } from '../records/references.ts';
import { writeWithRetry } from '../records/write-items.ts';
import { matchesType } from './file-content.ts';
import type { FileStore } from './file-store.ts';

const uploadSeconds = 15 * 60;
const downloadSeconds = 5 * 60;

export function createAttachment(
  store: Pick<ItemStore, 'get' | 'transact'>,
  files: Pick<FileStore, 'presignUpload'>,
): UseCase<typeof routes.createAttachment> {
  const assertMayAdd = ownersOnly(store);
  return async ({ body, headers }, { caller, clock }) => {
    await assertMayAdd(body.record_id, caller);
    const nowMs = clock.now();
    return writeOnce(store, toIdempotentRequest('createAttachment', caller, headers, body), nowMs, async () => {
      const file = newAttachment(body, caller.email, nowMs);
      const upload = {
        method: 'PUT' as const,
        url: await files.presignUpload(file, uploadSeconds),
        headers: { 'Content-Type': file.content_type },
        expires_at: toIso(nowMs + uploadSeconds * 1_000),
      };
      const { record_id } = file;
      return {
        writes: [buildAttachmentInsert(file, nowMs), ...buildReferenceChecks({ record_id })],
        response: { status: 201 as const, body: { ...file, upload } },
        onConditionFailed: () => {},
      };
    });
  };
}

/** Safe to repeat: each step leads to the same result, and the item is written after the file. */
export function completeAttachment(
  store: Pick<ItemStore, 'get' | 'transact'>,
  files: Pick<FileStore, 'readUpload' | 'publish' | 'deleteUpload' | 'deleteFile'>,
): UseCase<typeof routes.completeAttachment> {
  return async ({ params: { id } }, { caller, clock }) => {
    const { note: _, ...file } = await requireAttachment(store, id, clock.now());
    if (file.created_by !== caller.email) throw notFound(id);
    if (file.state === 'available') return { status: 200, body: file };
    const bytes = await files.readUpload(id);
    if (!bytes) throw new ServiceError('invalid_transition', 'The file has not been uploaded yet.');
    if (bytes.byteLength !== file.size_bytes || !matchesType(bytes, file.content_type)) {
      await files.deleteUpload(id);
      throw invalidField('content_type', `is ${file.content_type}, but the content of the file is not`);
    }
    await files.publish(file, bytes);
    const isWritten = await writeWithRetry(store, [buildAttachmentCompletion(id, clock.now())]);
    if (!isWritten) {
      await files.deleteFile(id);
      throw notFound(id);
    }
    await files.deleteUpload(id);
    return { status: 200, body: { ...file, state: 'available' } };
  };
}

export function getAttachment(
  store: Pick<ItemStore, 'get'>,
  files: Pick<FileStore, 'presignDownload'>,
): UseCase<typeof routes.getAttachment> {
  return async ({ params: { id } }, { caller, clock }) => {
    const found = await requireAttachment(store, id, clock.now());
    if (!canSeeAttachment(found, caller)) throw notFound(id);
    const { note: _, ...file } = found;
    const download_url = file.state === 'available' ? await files.presignDownload(id, downloadSeconds) : null;
    return { status: 200, body: { ...file, download_url } };
  };
}

/** Deletes the file first: if the second step fails, the request can be repeated. */
export function deleteAttachment(
  store: Pick<ItemStore, 'get' | 'transact'>,
  files: Pick<FileStore, 'deleteFile' | 'deleteUpload'>,
): UseCase<typeof routes.deleteAttachment> {
  return async ({ params: { id } }, { caller, clock }) => {
    const found = await requireAttachment(store, id, clock.now());
    if (!canSeeAttachment(found, caller)) throw notFound(id);
    if (found.note && !hasRole(caller.roles, 'itsm_manager')) {
      throw new ServiceError('forbidden', 'Only managers can delete a file of a note.');
    }
    await files.deleteFile(id);
    await files.deleteUpload(id);
    await writeWithRetry(store, [buildAttachmentDeletion(id, clock.now())]);
    return { status: 204 };
  };
}

async function requireAttachment(store: Pick<ItemStore, 'get'>, id: string, nowMs: number): Promise<StoredAttachment> {
  const found = await findAttachment(store, id, nowMs);
  if (!found) throw notFound(id);
  return found;
}
