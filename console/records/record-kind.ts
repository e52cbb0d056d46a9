import type { ServiceClient } from '../../client/index.ts';
import type { FieldSection, FieldSpec } from './record-draft.ts';
import type { RecordWords } from './record-words.ts';
import type { RecordResponse } from './use-record.ts';

/** In the names of the operations, such as `getChange`. */
export type KindName = 'Change' | 'Request' | 'Problem' | 'Ci' | 'Article';

/** What the pages of a kind of record have in common. */
export interface RecordKind {
  name: KindName;
  listTo: string;
  words: RecordWords;
  sections: readonly FieldSection[];
  fields: readonly FieldSpec[];
}

export function createKind(
  name: KindName,
  listTo: string,
  words: RecordWords,
  sections: readonly FieldSection[],
): RecordKind {
  return { name, listTo, words, sections, fields: sections.flatMap(({ fields }) => fields) };
}

interface Operation<Shown> {
  (...given: unknown[]): Promise<never>;
  withResponse(...given: unknown[]): Promise<RecordResponse<Shown>>;
}

type Verb = 'get' | 'create' | 'update' | 'delete' | 'approve' | 'reject';

/** Things that are listed together and have only a form. */
export type NamedKindName = 'EscalationPolicy' | 'Schedule' | 'SlaCalendar' | 'SlaPolicy';

type Operations<Shown> = Record<
  `${Verb}${KindName | NamedKindName}` | `list${KindName}${'History' | 'Notes'}` | `create${KindName}Note`,
  Operation<Shown>
>;

/** The operations of the client, all of which have the same form for each kind. */
export function toOperations<Shown>(client: ServiceClient): Operations<Shown> {
  return client as unknown as Operations<Shown>;
}
