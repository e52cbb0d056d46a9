import { workNoteOperations } from '../../contract/work-notes.ts';
import { createWorkNote } from '../incidents/create-work-note.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');

export const handler = route(
  workNoteOperations.createWorkNote,
  createWorkNote(itemStore(dynamodbClient(), RECORDS_TABLE)),
);
