import type { Role } from '../../../contract/roles.ts';
import type { ItemStore } from '../../../lambdas/records/item-store.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import { listNotes, newNote, toNoteWrite } from '../../../lambdas/records/notes.ts';
import { createHmacCursorSeal } from '../../../lambdas/records/page.ts';

const hidden = newNote('INC0000001', { body: 'x', visibility: 'private', attachments: [] }, 'boss@example.com', 0);

const { Item: hiddenItem } = (toNoteWrite(hidden) as unknown as { put: { Item: Item } }).put;

/** An incident with this many notes of another person, all of them private. */
async function measurePage(notes: number, role: Role) {
  let examined = 0;
  const store = {
    get: async () => ({
      pk: { S: 'INC0000001' },
      sk: { S: '#' },
      document: { S: '{}' },
      version: { N: '1' },
      created_at: { S: hidden.created_at },
      updated_at: { S: hidden.created_at },
      notes_count: { N: String(notes) },
      private_notes_count: { N: String(notes) },
    }),
    slice: async ({ after = 'note#000000', filter }, limit) => {
      const first = Number(after.slice('note#'.length));
      const last = Math.min(first + limit, notes);
      examined += last - first;
      const keys = Array.from({ length: last - first }, (_, place) => String(first + place + 1).padStart(6, '0'));
      const items = keys.map((key) => ({ ...hiddenItem, sk: { S: `note#${key}` } }));
      const passed = filter ? [] : items;
      return {
        items: passed,
        count: passed.length,
        examined: last - first,
        last: last < notes ? `note#${keys.at(-1)}` : undefined,
      };
    },
  } as Pick<ItemStore, 'get' | 'slice'>;
  const caller = { roles: [role], email: 'ada@example.com' };
  const input = { params: { id: 'INC0000001' }, query: { limit: 25 } };
  const list = listNotes(store, createHmacCursorSeal('key'));
  const { total, total_is_exact } = (await list(input as never, { caller } as never)).body;
  return { examined, total, total_is_exact };
}

describe('listNotes', () => {
  it('examines at most 20,000 notes of others, however many there are', async () => {
    expect(await measurePage(5_000, 'itsm_agent')).toEqual({ examined: 5_000, total: 0, total_is_exact: true });
    const { examined, ...rest } = await measurePage(100_000, 'itsm_agent');
    expect(examined).toBeLessThan(22_000);
    expect(rest).toEqual({ total: 0, total_is_exact: false });
  });

  it('takes the total from the incident if the caller sees all notes', async () => {
    const page = await measurePage(100_000, 'itsm_manager');
    expect(page).toEqual({ examined: 26, total: 100_000, total_is_exact: true });
  });
});
