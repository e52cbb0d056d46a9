import type { CursorSeal } from './cursor.ts';
import type { Item } from './item-store.ts';

/** One item more than the page holds was read: if it is there, the next page starts after the last one shown. */
export function nextPage(
  items: readonly Item[],
  limit: number,
  seal: CursorSeal,
  list: string,
): { next_cursor?: string } {
  return items.length > limit ? { next_cursor: seal.seal(list, items[limit - 1]!.sk!.S!) } : {};
}
