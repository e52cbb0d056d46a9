import type { recordKinds } from '../../contract/ai-schemas.ts';
import type { ReadRecord, ReadRecords } from '../lists/record-store.ts';
import { notFound } from '../records/change-record.ts';
import { fieldLines, type Passage } from './prompts/passage.ts';

export type RecordKind = (typeof recordKinds)[number];

const idForms: Readonly<Record<RecordKind, RegExp>> = { incident: /^INC\w{7}$/, change: /^CHG\w{7}$/ };

export interface ContextRecord extends Pick<ReadRecord<Readonly<Record<string, unknown>>>, 'record'> {
  passage: Passage;
}

/** A record that somebody names, as a prompt shows it; not found when there is none of that kind. */
export async function contextRecord(kind: RecordKind, id: string, read: ReadRecords): Promise<ContextRecord> {
  const [found] = idForms[kind].test(id) ? await read<Readonly<Record<string, unknown>>>([id]) : [];
  if (!found) throw notFound(id);
  const { sla: _, ai_suggested_resolution: __, ...fields } = found.record.document;
  return { record: found.record, passage: { source: id, kind, text: fieldLines(fields) } };
}

/** What the record says happened. */
export function getText({ record }: ContextRecord): string {
  const { short_description, description } = record.document;
  return [short_description, description].filter((part) => typeof part === 'string').join('\n');
}

/** Differs whenever something of the record differs that a prompt shows. */
export function getState({ record }: ContextRecord): string {
  return `${record.version}-${record.notes_count}`;
}
