import { attachmentOperations } from '../../contract/attachments.ts';
import { route } from '../platform/http/route.ts';
import { createRecordStore } from '../records/wiring.ts';
import * as operations from './attachment-operations.ts';
import { createFiles } from './file-store.ts';

export const createAttachment = () =>
  route(attachmentOperations.createAttachment, operations.createAttachment(createRecordStore(), createFiles()));

export const completeAttachment = () =>
  route(attachmentOperations.completeAttachment, operations.completeAttachment(createRecordStore(), createFiles()));

export const getAttachment = () =>
  route(attachmentOperations.getAttachment, operations.getAttachment(createRecordStore(), createFiles()));

export const deleteAttachment = () =>
  route(attachmentOperations.deleteAttachment, operations.deleteAttachment(createRecordStore(), createFiles()));
