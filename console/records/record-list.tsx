import { Pagination } from '../ui/kit/index.ts';
import './record-list.css';
import { type ComponentType, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useHasRole } from '../base/caller.tsx';
import { formatTotal, loadWholePage, type Page } from '../base/paging.ts';
import type { SavedView } from '../base/preferences.ts';
import { changeQuery, navigate, useQueryString } from '../base/router.ts';
import { serverNow } from '../base/server-clock.ts';
import { useLoad } from '../base/use-load.ts';
import { formatCount } from '../ui/count.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { useNarrowScreen, useShortcuts } from '../ui/screen.ts';
import {
  type Filters,
  formatAddress,
  getFirstOrder,
  type ListAddress,
  type ListSpec,
  pageSize,
  parseAddress,
  toAddress,
  toListRequest,
} from './list-address.ts';
import { Empty, ListActions, type ListTexts, listPolling, SelectionBar, Sorting, Views } from './list-header.tsx';
import {
  RecordCards,
  type RecordColumn,
  RecordTable,
  type RowsProps,
  rowHeight,
  toEditId,
  useRangeSelection,
} from './record-table.tsx';
import { type TriageOptions, useScrolledRow, useSelection, useTriage } from './triage.ts';
import { useShownColumns } from './use-list-preferences.ts';

const loadTools = () => import('./list-tools.ts');
const ListSettings = lazyPage(loadTools, 'ListSettings');
const RecordFilter = lazyPage(loadTools, 'RecordFilter');
const SavedViews = lazyPage(loadTools, 'SavedViews');
const TriageHelp = lazyPage(loadTools, 'TriageHelp');

export interface ListRequest {
  sort: string;
  order: 'asc' | 'desc';
  page?: number;
  cursor?: string;
  limit: number;
  [filter: string]: unknown;
}

export interface BulkModalProps<Item> {
  items: readonly Item[];
  onClose(): void;
  onFinished(): void;
}

export interface EditorProps<Item> {
  item: Item;
  field: string;
  onClose(): void;
}

interface RecordListProps<Item> extends ListTexts {
  spec: ListSpec;
  columns: readonly RecordColumn<Item>[];
  load(request: ListRequest, signal: AbortSignal): Promise<Page<Item>>;
  /** Values to suggest in the filter, if not those on the page. */
  suggestions?: readonly { propertyKey: string; value: string }[];
  /** Lets the user select records and update them together. */
  bulk?: { max: number; Modal: ComponentType<BulkModalProps<Item>> };
  /** Lets the user save views of the list. */
  savedViews?: SavedView['list'];
  /** Keys and a preview for working through the list. */
  triage?: TriageOptions<Item>;
  /** Changes a field of a record, at the button of its row. */
  Editor?: ComponentType<EditorProps<Item>>;
  /** A record on small screens and in lists without columns, if not its first columns. */
  card?(item: Item): ReactNode;
}

/** The list of a kind of record. The address says what it shows. */
export function RecordList<Item extends { id: string }>(props: RecordListProps<Item>) {
  const { things, spec, columns, bulk, createTo, Editor } = props;
  const title = props.title ?? things.charAt(0).toUpperCase() + things.slice(1);
  const canWrite = useHasRole('itsm_agent');
  const canCreate = useHasRole(props.createRole ?? 'itsm_agent');
  const narrow = useNarrowScreen() || columns.length === 0;
  const filter = useRef<HTMLInputElement>(null);
  const { shown, change } = useShownColumns(things, columns);
  const { address, query, show, list, items, start, firstVisible, frame } = useRecordList(props, !narrow);
  const [selected, select] = useSelection<Item>(`${things}?${query}`);
  const [editing, setEditing] = useState<{ item: Item; field: string }>();
  const [updating, setUpdating] = useState(false);
  const isUpdated = useRef(false);
  useShortcuts({
    '/': () => filter.current?.focus(),
    ...(canCreate && createTo ? { n: () => navigate(createTo) } : {}),
  });
  const isLoaded = useLatch(list.data !== undefined || list.problem !== undefined);
  const total = list.data?.total;
  const selection = bulk && canWrite ? { items: selected, onChange: select } : undefined;
  const selectRange = useRangeSelection(items ?? [], selection);
  const edit = (item: Item, field: string) => setEditing({ item, field });
  const triage = useTriage(props.triage, {
    items: items ?? [],
    firstVisible,
    canWrite,
    select: (id, isRange) => selectRange(id, isRange || !selected.some((one) => one.id === id), isRange),
    editKeys: Object.fromEntries(Editor ? columns.flatMap(({ editKey, id }) => (editKey ? [[editKey, id]] : [])) : []),
    edit,
  });
  const { isPreviewing } = triage;
  const shownColumns = useMemo(
    () =>
      shown
        .flatMap(({ id, visible }) => columns.find((column) => visible && column.id === id) ?? [])
        .filter(({ wide }) => !(isPreviewing && wide)),
    [shown, columns, isPreviewing],
  );
  const rows: RowsProps<Item> = {
    title,
    things,
    columns: shownColumns,
    items,
    empty: <Empty {...props} list={list} address={address} onShow={show} />,
    selection,
  };
  return (
    <div className="record-list">
      <div className="list-bar">
        <h1>
          {title}{' '}
          {list.data && (
            <span className="ui-counter">
              ({selected.length > 0 && `${selected.length}/`}
              {formatTotal(list.data)})
            </span>
          )}
        </h1>
        <div className="list-views">
          <Views {...props} filters={address.filters} onChange={(view) => show(toAddress(view, spec))} />
          {props.savedViews && isLoaded && (
            <Suspense>
              <SavedViews list={props.savedViews} query={formatAddress({ ...address, page: 1 }, spec)} />
            </Suspense>
          )}
        </div>
        <Suspense fallback={<div className="filter-space" />}>
          {isLoaded ? (
            <RecordFilter
              ref={filter}
              things={things}
              words={props.words}
              spec={spec}
              filters={address.filters}
              suggestions={props.suggestions ?? listValues(items ?? [], spec.texts)}
              countText={total === undefined ? '' : formatCount(total, 'match', 'matches')}
              onChange={(filters: Filters) => show({ filters })}
            />
          ) : (
            <div className="filter-space" />
          )}
        </Suspense>
        {isLoaded && columns.length > 0 && !narrow && (
          <Suspense>
            <ListSettings columns={columns} shown={shown} onChange={change} />
          </Suspense>
        )}
        {narrow && <Sorting spec={spec} address={address} onChange={show} />}
        <ListActions {...props} list={list} {...(props.triage && !narrow ? { preview: triage } : {})} />
      </div>
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      {narrow ? (
        <>
          <RecordCards {...rows} columns={columns} card={props.card} />
          {(total ?? 0) > pageSize && (
            <Pagination
              page={address.page}
              pages={Math.ceil((total ?? 0) / pageSize)}
              label={`Pages: ${things}`}
              onChange={(page) => show({ page })}
            />
          )}
        </>
      ) : (
        <RecordTable
          {...rows}
          start={start}
          total={total ?? 0}
          frame={frame}
          sorting={address}
          onSort={(sort) => {
            const first = getFirstOrder(sort, spec);
            const isFirst = sort === address.sort && address.order === first;
            show({ sort, order: isFirst === (first === 'asc') ? 'desc' : 'asc' });
          }}
          currentId={triage.currentId}
          onRowClick={({ id }) => triage.setCurrent(id)}
          onEdit={Editor && canWrite ? edit : undefined}
        />
      )}
      <Suspense>
        {triage.help && <TriageHelp {...triage.help} />}
        {Editor && editing && (
          <Editor key={toEditId(editing.item.id, editing.field)} {...editing} onClose={() => setEditing(undefined)} />
        )}
      </Suspense>
      {bulk && selected.length > 0 && (
        <SelectionBar
          selected={selected.length}
          max={bulk.max}
          onUpdate={() => setUpdating(true)}
          onClear={() => select([])}
        />
      )}
      {bulk && updating && (
        <bulk.Modal
          items={selected}
          onClose={() => {
            setUpdating(false);
            if (isUpdated.current) select([]);
            isUpdated.current = false;
          }}
          onFinished={() => {
            isUpdated.current = true;
            select([]);
            list.reload();
          }}
        />
      )}
    </div>
  );
}

/** Rows that exist above and below the visible ones. */
const spareRows = 10;

/** The visible part of a list: at most two of its pages. The address follows the user who scrolls. */
function useRecordList<Item>({ things, spec, load }: RecordListProps<Item>, isWindowed: boolean) {
  const address = parseAddress(useQueryString(), spec);
  const query = formatAddress({ ...address, page: 1 }, spec);
  const key = `${things}?${query}`;
  const known = useRef<{ key: string; total?: number }>({ key });
  if (known.current.key !== key) known.current = { key };
  const { frame, first } = useScrolledRow(key, address.page, known.current.total !== undefined, isWindowed);
  const total = known.current.total ?? Number.POSITIVE_INFINITY;
  const top = Math.min(isWindowed ? first : (address.page - 1) * pageSize, Math.max(0, total - 1));
  const visible = isWindowed ? Math.ceil(window.innerHeight / rowHeight) + spareRows : pageSize;
  const start = isWindowed ? Math.max(0, top - spareRows) : top;
  const [firstPage, lastPage] = [start, Math.max(0, Math.min(top + visible, total) - 1)].map(
    (row) => Math.floor(row / pageSize) + 1,
  );
  const useOnePage = (page = 1, enabled = true) =>
    useLoad(
      [things, query, page],
      (signal) => loadWholePage(toListRequest({ ...address, page }, serverNow()), (request) => load(request, signal)),
      { polling: listPolling, enabled },
    );
  const upper = useOnePage(firstPage);
  const lower = useOnePage(lastPage, known.current.total !== undefined && lastPage !== firstPage);
  const latest = upper.data ?? lower.data;
  if (latest) known.current.total = latest.total;
  const pageOfTop = Math.floor(top / pageSize) + 1;
  useEffect(() => {
    if (isWindowed && latest && parseAddress(window.location.search, spec).page !== pageOfTop)
      changeQuery(formatAddress({ ...parseAddress(window.location.search, spec), page: pageOfTop }, spec), 'same');
  }, [isWindowed, latest, pageOfTop, spec]);
  const pages = new Map([
    [lastPage, lower.data],
    [firstPage, upper.data],
  ]);
  const rows = latest && Math.min(latest.total, top + visible) - start;
  const items =
    rows === undefined
      ? upper.problem === undefined
        ? undefined
        : []
      : Array.from({ length: Math.max(0, rows) }, (_, place) => {
          const row = start + place;
          return pages.get(Math.floor(row / pageSize) + 1)?.data[row % pageSize];
        });
  const show = (change: Partial<ListAddress>) => {
    changeQuery(formatAddress({ ...address, page: 1, ...change }, spec));
    window.scrollTo(0, 0);
  };
  const reload = () => {
    upper.reload();
    if (lastPage !== firstPage) lower.reload();
  };
  return {
    address,
    query,
    show,
    list: { ...upper, data: latest, reload },
    items,
    start,
    firstVisible: top - start,
    frame,
  };
}

function listValues(items: readonly (object | undefined)[], fields: readonly string[]) {
  const pairs = items.flatMap((item) =>
    fields.map((propertyKey) => ({
      propertyKey,
      value: Object.entries(item ?? {}).find(([key]) => key === propertyKey)?.[1],
    })),
  );
  const texts = pairs.filter((pair): pair is { propertyKey: string; value: string } => typeof pair.value === 'string');
  return [...new Map(texts.map((pair) => [JSON.stringify(pair), pair])).values()];
}

/** True once the condition was true and the page is on the screen. */
function useLatch(condition: boolean): boolean {
  const [latched, setLatched] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const frame = requestAnimationFrame(() => setTimeout(() => setLatched(true)));
    return () => cancelAnimationFrame(frame);
  }, [condition]);
  return latched;
}
