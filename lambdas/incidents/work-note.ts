import type { WorkNote, WorkNoteCreation } from '../../contract/work-notes.ts';
import { newId } from '../platform/ids.ts';
import type { Item, Write } from '../records/item-store.ts';
import { keyOf } from '../records/record-item.ts';

// Notes are items of their incident's partition, in the order in which they were written.

export const notePrefix = 'note#';

export function newWorkNote(incidentId: string, creation: WorkNoteCreation, author: string, nowMs: number): WorkNote {
  return {
    id: newId('note'),
    incident_id: incidentId,
    author,
    created_at: new Date(nowMs).toISOString(),
    ...creation,
  };
}

/** Author and visibility are attributes, too, because what a caller may see is decided while reading. */
export function noteWrite(note: WorkNote): Write {
  const put = {
    Item: {
      ...keyOf(note.incident_id, `${notePrefix}${note.created_at}#${note.id}`),
      type: { S: 'note' },
      author: { S: note.author },
      visibility: { S: note.visibility },
      document: { S: JSON.stringify(note) },
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  return { name: 'note', put };
}

export function toWorkNote(item: Item): WorkNote {
  return JSON.parse(item.document!.S!);
}
