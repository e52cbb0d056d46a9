import {
  keepPreviousData,
  type QueryKey,
  QueryObserver,
  type QueryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { formatTotal, type Page, type PageRequest } from './paging.ts';

export interface Loaded<T> {
  data: T | undefined;
  /** Why the latest attempt failed; earlier data stays. */
  problem: unknown;
  loading: boolean;
  /** Polling stopped until the user reloads. */
  paused: boolean;
  reload(): void;
}

export interface Polling {
  intervalMs: number;
  /** Failures double the interval up to this limit. */
  maxIntervalMs: number;
  /** An unattended page stops polling after this many requests. */
  maxPolls: number;
}

interface LoadOptions {
  /** Polls while the page is visible. */
  polling?: Polling | undefined;
  /** Shows the data of the previous key until that of the new key arrives. */
  keepPrevious?: boolean;
  /** Data that is not older needs no request. */
  keepMs?: number;
  enabled?: boolean;
}

/** Loads data of the service. Components that use the same key share one request. */
export function useLoad<T>(
  key: QueryKey,
  load: (signal: AbortSignal) => Promise<T>,
  { polling, keepPrevious = false, keepMs = 0, enabled = true }: LoadOptions = {},
): Loaded<T> {
  const count = useRef({ polls: 0, failures: 0 });
  const isPaused = () => polling !== undefined && count.current.polls >= polling.maxPolls;
  const request = {
    queryKey: key,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      count.current.polls += 1;
      try {
        const data = await load(signal);
        count.current.failures = 0;
        return data;
      } catch (error) {
        count.current.failures += 1;
        throw error;
      }
    },
  };
  const endEarlyRequest = useEarlyRequest(request, enabled);
  const query = useQuery({
    ...request,
    refetchOnMount: !endEarlyRequest.current,
    enabled,
    staleTime: keepMs,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: () => {
      if (!polling || isPaused()) return false;
      return Math.min(polling.intervalMs * 2 ** count.current.failures, polling.maxIntervalMs);
    },
    refetchOnWindowFocus: () => (polling && !isPaused() ? 'always' : false),
  });
  // The query has taken over.
  useEffect(() => endEarlyRequest.current?.(), [endEarlyRequest]);
  return {
    data: query.data as T | undefined,
    problem: query.error ?? undefined,
    loading: query.isFetching,
    paused: isPaused(),
    reload: () => {
      count.current.polls = 0;
      void query.refetch();
    },
  };
}

/** A page that is never shown does not need its data longer. */
const earlyMs = 5_000;

/** Starts the request when the component first renders; by itself, React Query waits until the browser has drawn the page. */
function useEarlyRequest(request: QueryOptions & { queryKey: QueryKey }, enabled: boolean) {
  const queries = useQueryClient();
  const end = useRef<() => void>(undefined);
  if (!end.current && enabled && !queries.getQueryState(request.queryKey)) {
    end.current = new QueryObserver(queries, request).subscribe(() => {});
    setTimeout(end.current, earlyMs);
  }
  return end;
}

export interface More<Item> extends Loaded<readonly Item[]> {
  hasMore: boolean;
  /** Across all pages, such as `10,000+`; undefined until the first page arrives. */
  total: string | undefined;
  loadMore(): void;
}

const pageSize = 25;
const maxPages = 20;
const refreshMs = 15_000;
const maxRefreshes = 240;

/** Loads a list from the top, one page at a time. It refreshes until the user asks for more. */
export function useMore<Item>(
  key: QueryKey,
  load: (page: PageRequest, signal: AbortSignal) => Promise<Page<Item>>,
): More<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      load({ limit: pageSize, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }, pages) => (pages.length < maxPages ? next_cursor : undefined),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.pages.length === 1 && dataUpdateCount < maxRefreshes && refreshMs,
  });
  const last = query.data?.pages.at(-1);
  return {
    data: query.data?.pages.flatMap(({ data }) => data),
    problem: query.error ?? undefined,
    loading: query.isFetching,
    paused: false,
    reload: () => void query.refetch(),
    hasMore: query.hasNextPage,
    total: last && formatTotal(last),
    loadMore: () => void query.fetchNextPage(),
  };
}
