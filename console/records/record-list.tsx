import './record-list.css';
import type { CollectionPreferencesProps } from '@cloudscape-design/components/collection-preferences';
import Pagination from '@cloudscape-design/components/pagination';
import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useHasRole } from '../base/caller.tsx';
import { loadWholePage, type Page } from '../base/paging.ts';
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
  type ListAddress,
  type ListSpec,
  parseAddress,
  toListRequest,
} from './list-address.ts';
import { Empty, ListHeader, type ListTexts, listPolling, Sorting, Views } from './list-header.tsx';
import { RecordCards, type RecordColumn, RecordTable, type RowsProps } from './record-table.tsx';
import { type TriageOptions, useScrollPosition, useSelection, useTriage } from './triage.ts';
import { useListPreferences } from './use-list-preferences.ts';

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
  /** A record on small screens and in lists without columns, if not its first columns. */
  card?(item: Item): ReactNode;
}

/** The list of a kind of record. The address says what it shows. */
export function RecordList<Item extends { id: string }>(props: RecordListProps<Item>) {
  const { things, spec, columns, bulk, title, createTo } = props;
  const canWrite = useHasRole('itsm_agent');
  const canCreate = useHasRole(props.createRole ?? 'itsm_agent');
  const narrow = useNarrowScreen() || columns.length === 0;
  const filter = useRef<PropertyFilterProps.Ref>(null);
  const { preferences, change } = useListPreferences(things, columns);
  const { address, query, show, list } = useRecordList(props, preferences.pageSize);
  const [selectedIds, select] = useSelection(`${things}?${query}`);
  const [updating, setUpdating] = useState(false);
  const isUpdated = useRef(false);
  useShortcuts({
    '/': () => filter.current?.focus(),
    ...(canCreate && createTo ? { n: () => navigate(createTo) } : {}),
  });
  const isLoaded = useLatch(list.data !== undefined || list.problem !== undefined);
  const items = list.data?.data ?? [];
  const total = list.data?.total;
  const selected = items.filter(({ id }) => selectedIds.includes(id));
  const triage = useTriage(props.triage, {
    items,
    canWrite,
    toggleSelection: (id) =>
      select(selectedIds.includes(id) ? selectedIds.filter((other) => other !== id) : [...selectedIds, id]),
  });
  useScrollPosition(`${things}?${query}`, list.data !== undefined);
  const wide = columns.filter((column) => column.wide).map(({ id }) => id);
  const rows: RowsProps<Item> = {
    title,
    things,
    columns: preferences.contentDisplay
      .filter(({ id, visible }) => visible && !(triage.isPreviewing && wide.includes(id)))
      .flatMap(({ id }) => columns.find((column) => column.id === id) ?? []),
    items: list.data?.data ?? (list.problem === undefined ? undefined : []),
    empty: <Empty {...props} list={list} address={address} onShow={show} />,
    selection: bulk && canWrite ? { ids: selected.map(({ id }) => id), onChange: select } : undefined,
  };
  return (
    <div className="record-list">
      <ListHeader
        {...props}
        list={list}
        selected={selected.length}
        onUpdate={() => setUpdating(true)}
        {...(props.triage && !narrow ? { preview: triage } : {})}
      />
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      <div className="list-line">
        <Views {...props} filters={address.filters} onChange={(filters) => show({ filters })} />
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
            suggestions={props.suggestions ?? listValues(items, spec.texts)}
            countText={total === undefined ? '' : formatCount(total, 'match', 'matches')}
            onChange={(filters: Filters) => show({ filters })}
          />
        ) : (
          <div className="filter-space" />
        )}
      </Suspense>
      <div className="list-line list-pages">
        {narrow && <Sorting spec={spec} address={address} onChange={show} />}
        <Pagination
          currentPageIndex={address.page}
          pagesCount={Math.max(address.page, Math.ceil((total ?? 0) / address.limit), 1)}
          ariaLabels={{
            paginationLabel: `Pages: ${things}`,
            previousPageLabel: 'Previous page',
            nextPageLabel: 'Next page',
            pageLabel: (page) => `Page ${page}`,
          }}
          onChange={({ detail }) => show({ page: detail.currentPageIndex })}
        />
        {isLoaded && columns.length > 0 && (
          <Suspense>
            <ListSettings
              things={things}
              columns={columns}
              preferences={preferences}
              limit={address.limit}
              onChange={(part: CollectionPreferencesProps.Preferences) => {
                change(part);
                if (part.pageSize !== undefined && part.pageSize !== address.limit) show({ limit: part.pageSize });
              }}
            />
          </Suspense>
        )}
      </div>
      {narrow ? (
        <RecordCards {...rows} columns={columns} card={props.card} />
      ) : (
        <RecordTable
          {...rows}
          sorting={address}
          isCompact={preferences.contentDensity === 'compact'}
          wrapLines={preferences.wrapLines}
          onSort={(sort) => {
            const wasAscending = sort === address.sort ? address.order === 'asc' : spec.sorts[sort]?.first !== 'asc';
            show({ sort, order: wasAscending ? 'desc' : 'asc' });
          }}
          onRowClick={({ id }) => triage.setCurrent(id)}
        />
      )}
      <Suspense>{triage.help && <TriageHelp {...triage.help} />}</Suspense>
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
            list.reload();
          }}
        />
      )}
    </div>
  );
}

function useRecordList<Item>({ things, spec, load }: RecordListProps<Item>, preferredLimit: number) {
  const address = parseAddress(useQueryString(), spec, preferredLimit);
  const query = formatAddress(address, spec);
  const list = useLoad(
    [things, query],
    (signal) => loadWholePage(toListRequest(address, serverNow()), (request) => load(request, signal)),
    { polling: listPolling },
  );
  const show = (change: Partial<ListAddress>) => changeQuery(formatAddress({ ...address, page: 1, ...change }, spec));
  return { address, query, show, list };
}

function listValues(items: readonly object[], fields: readonly string[]) {
  const pairs = items.flatMap((item) =>
    fields.map((propertyKey) => ({
      propertyKey,
      value: Object.entries(item).find(([key]) => key === propertyKey)?.[1],
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
