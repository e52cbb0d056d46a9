import type { ItemStore } from './item-store.ts';
import { type Item, measureItem, readString } from './items.ts';
import { type CursorSeal, fitRows, maxPageBytes } from './page.ts';
import { countNeeded, type Range } from './read-items.ts';

// A log is a list that only grows and expires: deliveries, received events, jobs, audit entries, notes. A page of it examines a
// bounded number of entries, so it costs the same however long the log is (docs/decisions/0008-pages.md).

export interface Log {
  /** The identity of the list, which its cursors are bound to. */
  list: string;
  /** Groups of ranges in the same order. Groups are read one after another; the ranges of a group are merged. */
  groups: readonly (readonly Range[])[];
  /** Smaller entries to count instead. */
  counted?: readonly Range[];
  /** The total if it is stored; undefined if entries must be counted. */
  findTotal?(): Promise<number | undefined>;
}

export interface LogPage {
  items: readonly Item[];
  rest: { next_cursor?: string; total: number; total_is_exact: boolean };
}

export async function readLogPage(
  store: Pick<ItemStore, 'slice'>,
  seal: CursorSeal,
  { list, groups, counted = groups.flat(), findTotal }: Log,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<LogPage> {
  const after = cursor === undefined ? undefined : removePrefix(seal.open(list, cursor), groups.flat());
  const { rows, stoppedAt } = await readLog(store, groups, { limit: limit + 1, after });
  const fitting = fitRows(rows, limit, ({ item }) => measureItem(item));
  const position = fitting.length < rows.length ? fitting.at(-1)?.position : stoppedAt;
  const isWhole = after === undefined && position === undefined;
  const total = isWhole ? rows.length : await findTotal?.();
  const count = total === undefined ? await countLog(store, counted) : { total, total_is_exact: true };
  return {
    items: fitting.map(({ item }) => item),
    rest: { ...(position !== undefined && { next_cursor: seal.seal(list, position) }), ...count },
  };
}

/** Cursors of earlier releases contain the whole sort key. */
function removePrefix(position: string, ranges: readonly Range[]): string {
  const old = ranges.find(({ prefix }) => position.startsWith(prefix));
  return position.slice(old?.prefix.length ?? 0);
}

/** The sort key after the prefix of its range, so that positions in ranges with different prefixes compare. */
interface Row {
  position: string;
  item: Item;
}

interface Budget {
  examined: number;
  queries: number;
}

const maxLogBudget: Budget = { examined: 10_000, queries: 128 };

interface LogReading {
  limit: number;
  after?: string | undefined;
  maxBytes?: number;
  budget?: Budget;
}

/**
 * Reads rows in order until `limit` rows or the size of a page is reached. `stoppedAt` is the position up to which all
 * matching rows are returned; undefined at the end of the log.
 */
export async function readLog(
  store: Pick<ItemStore, 'slice'>,
  groups: Log['groups'],
  { limit, after, maxBytes = maxPageBytes, budget = maxLogBudget }: LogReading,
): Promise<{ rows: Row[]; stoppedAt?: string }> {
  const remaining = { ...budget };
  const rows: Row[] = [];
  for (const group of groups) {
    const found = await mergeRanges(store, group, { limit: limit - rows.length, after, maxBytes, remaining });
    rows.push(...found.rows);
    if (found.stoppedAt !== undefined) return { rows, stoppedAt: found.stoppedAt };
  }
  return { rows };
}

interface Source {
  range: Range;
  rows: Row[];
  /** How far the range was read; undefined at its end. */
  readTo: string | undefined;
  isDone: boolean;
}

async function mergeRanges(
  store: Pick<ItemStore, 'slice'>,
  ranges: readonly Range[],
  {
    limit,
    after,
    maxBytes,
    remaining,
  }: { limit: number; after: string | undefined; maxBytes: number; remaining: Budget },
): Promise<{ rows: Row[]; stoppedAt?: string }> {
  const sources = ranges.map((range): Source => ({ range, rows: [], readTo: after, isDone: false }));
  const direction = ranges[0]?.order ? -1 : 1;
  const compare = (a: string, b: string) => (a < b ? -direction : Number(a > b) * direction);
  // Shards are filled evenly, so a little more than an equal share of each usually suffices.
  let step = ranges.length === 1 ? limit : Math.ceil((1.3 * limit) / ranges.length) + 4;
  for (;;) {
    const open = sources.filter(({ isDone }) => !isDone);
    await Promise.all(open.map((source) => advance(store, source, step, remaining)));
    const ends = open.flatMap(({ readTo, isDone }) => (isDone || readTo === undefined ? [] : [readTo])).sort(compare);
    const [stoppedAt] = ends;
    const rows = sources
      .flatMap((source) => source.rows)
      .filter(({ position }) => stoppedAt === undefined || compare(position, stoppedAt) <= 0)
      .sort((a, b) => compare(a.position, b.position))
      // An entry can appear in two ranges of an index while it moves.
      .filter(({ position }, place, all) => position !== all[place - 1]?.position);
    if (stoppedAt === undefined) return { rows };
    const isFull = countNeeded(toItems(rows), limit, { maxBytes }) !== undefined;
    if (isFull || remaining.examined <= 0 || remaining.queries <= 0) return { rows, stoppedAt };
    step = Math.min(2 * step, maxStep);
  }
}

const maxStep = 2_000;

const toItems = (rows: readonly Row[]) => rows.map(({ item }) => item);

async function advance(
  store: Pick<ItemStore, 'slice'>,
  source: Source,
  step: number,
  remaining: Budget,
): Promise<void> {
  const { range, readTo } = source;
  const { prefix, index } = range;
  const rest = readTo === undefined ? range : { ...range, after: prefix + readTo };
  const { items, examined, last } = await store.slice(rest, step);
  remaining.examined -= examined;
  remaining.queries -= 1;
  const sortKey = index === undefined ? 'sk' : `${index}_sk`;
  source.rows.push(...items.map((item) => ({ position: readString(item, sortKey).slice(prefix.length), item })));
  source.readTo = last?.slice(prefix.length);
  source.isDone = last === undefined;
}

/** Counts up to 10,000 entries. A total that is not exact is a lower bound. */
async function countLog(
  store: Pick<ItemStore, 'slice'>,
  ranges: readonly Range[],
): Promise<{ total: number; total_is_exact: boolean }> {
  const remaining = { ...maxLogBudget };
  let total = 0;
  let open = [...ranges];
  while (open.length > 0 && remaining.examined > 0 && remaining.queries > 0) {
    const limit = Math.ceil(remaining.examined / open.length);
    const slices = await Promise.all(open.map((range) => store.slice(range, limit, 'COUNT')));
    for (const { count, examined } of slices) {
      total += count;
      remaining.examined -= examined;
      remaining.queries -= 1;
    }
    open = open.flatMap((range, index) => {
      const after = slices[index]?.last;
      return after === undefined ? [] : [{ ...range, after }];
    });
  }
  return open.length === 0
    ? { total, total_is_exact: true }
    : { total: Math.min(total, maxLogBudget.examined), total_is_exact: false };
}
