import { useCallback, useState } from 'react';
import { type Loaded, useLoad } from '../../../use-load.ts';

interface Page<Item> {
  data: readonly Item[];
  next_cursor?: string | undefined;
  total: number;
}

export interface More<Item> extends Loaded<readonly Item[]> {
  hasMore: boolean;
  /** Of all pages together; undefined until it is known. */
  total: number | undefined;
  loadMore(): void;
}

/** A list that is read from the top, one page at a time; reading it again starts with as many pages. */
export function useMore<Item>(
  load: (page: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>,
): More<Item> {
  const [pages, setPages] = useState(1);
  const [hasMore, setHasMore] = useState(false);
  const [total, setTotal] = useState<number>();
  const loadPages = useCallback(
    async (signal: AbortSignal) => {
      const items: Item[] = [];
      let cursor: string | undefined;
      for (let read = 0; read < pages; read += 1) {
        const page = await load({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }, signal);
        items.push(...page.data);
        cursor = page.next_cursor;
        setTotal(page.total);
        if (cursor === undefined) break;
      }
      setHasMore(cursor !== undefined);
      return items;
    },
    [load, pages],
  );
  const loaded = useLoad(loadPages);
  return { ...loaded, hasMore, total, loadMore: () => setPages((before) => Math.min(before + 1, mostPages)) };
}

const pageSize = 25;
const mostPages = 20;
