import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { notFound } from '../records/find-record.ts';
import { repeatable } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { noteCount } from '../records/record-item.ts';
import { writeOnce } from '../records/write-once.ts';
import { newWorkNote, noteWrite } from './work-note.ts';

/** The note and its count are one transaction, whose condition is also the check that the incident exists. */
export function createWorkNote(store: Pick<ItemStore, 'transact'>): UseCase<typeof routes.createWorkNote> {
  return ({ params: { id }, body, headers }, { caller, clock }) => {
    const nowMs = clock.now();
    return writeOnce(store, repeatable('createWorkNote', caller, headers, { id, body }), nowMs, () => {
      const note = newWorkNote(id, body, caller.email, nowMs);
      const count = noteCount(id, { notes: 1, private: note.visibility === 'private' ? 1 : 0 }, nowMs);
      const refused = (by: string) => {
        if (by === 'record') throw notFound(id);
      };
      return { writes: [count, noteWrite(note)], answer: { status: 201 as const, body: note }, refused };
    });
  };
}
