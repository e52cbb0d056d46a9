import Cards, { type CardsProps } from '@cloudscape-design/components/cards';
import Pagination from '@cloudscape-design/components/pagination';
import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useHasRole } from '../base/caller.tsx';
import { loadWholePage, type Page } from '../base/paging.ts';
import { changeQuery, navigate, useQueryString } from '../base/router.ts';
import { serverNow } from '../base/server-clock.ts';
import { useLoad } from '../base/use-load.ts';
import { formatCount } from '../ui/count.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { useNarrowScreen, useShortcuts } from '../ui/screen.ts';
import { formatAddress, type ListAddress, type ListSpec, parseAddress, toListRequest } from './list-address.ts';
import { Empty, ListHeader, type ListTexts, listPolling, Sorting, Views } from './list-header.tsx';
import { ListSettings, useListPreferences } from './list-preferences.tsx';
import { RecordFilter } from './record-filter.tsx';
import { type SavedView, SavedViews } from './saved-views.tsx';
import { type TriageOptions, useScrollPosition, useSelection, useTriage } from './triage.tsx';

export interface RecordColumn<Item> extends TableProps.ColumnDefinition<Item> {
  id: string;
  header: string;
  /** Left out on small screens and beside the preview, which takes a third of the width. */
  wide?: true;
  /** Hidden until the user shows it. */
  hidden?: true;
}

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
  /** A record on small screens, if not its first columns. */
  card?: CardsProps.CardDefinition<Item>;
}

/** The list of a kind of record. The address says what it shows. */
export function RecordList<Item extends { id: string }>(props: RecordListProps<Item>) {
  const { things, spec, columns, bulk, title } = props;
  const canWrite = useHasRole('itsm_agent');
  const canCreate = useHasRole(props.createRole ?? 'itsm_agent');
  const narrow = useNarrowScreen();
  const filter = useRef<PropertyFilterProps.Ref>(null);
  const { preferences, change } = useListPreferences(things, columns);
  const { address, query, show, list } = useRecordList(props, preferences.pageSize);
  const [selectedIds, select] = useSelection(`${things}?${query}`);
  const [updating, setUpdating] = useState(false);
  useShortcuts({ '/': () => filter.current?.focus(), ...(canCreate ? { n: () => navigate(props.createTo) } : {}) });
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
  const shared = {
    variant: 'full-page' as const,
    stickyHeader: true,
    items,
    trackBy: 'id',
    loading: !list.data && list.problem === undefined,
    loadingText: `Loading ${things}`,
    ...(bulk && canWrite ? { selectionType: 'multi' as const, selectedItems: selected } : {}),
    onSelectionChange: ({ detail }: { detail: { selectedItems: readonly Item[] } }) =>
      select(detail.selectedItems.map(({ id }) => id)),
    firstIndex: (address.page - 1) * address.limit + 1,
    ...(total === undefined ? {} : { totalItemsCount: total }),
    header: (
      <ListHeader
        {...props}
        list={list}
        selected={selected.length}
        onUpdate={() => setUpdating(true)}
        {...(props.triage && !narrow ? { preview: triage } : {})}
      />
    ),
    filter: (
      <SpaceBetween size="s">
        <SpaceBetween direction="horizontal" size="s" alignItems="end">
          <Views {...props} filters={address.filters} onChange={(filters) => show({ filters })} />
          {props.savedViews && (
            <SavedViews list={props.savedViews} query={formatAddress({ ...address, page: 1 }, spec)} />
          )}
        </SpaceBetween>
        <RecordFilter
          ref={filter}
          things={things}
          words={props.words}
          spec={spec}
          filters={address.filters}
          suggestions={props.suggestions ?? listValues(items, spec.texts)}
          countText={total === undefined ? '' : formatCount(total, 'match', 'matches')}
          showDates={isLoaded}
          onChange={(filters) => show({ filters })}
        />
        {narrow && <Sorting spec={spec} address={address} onChange={show} />}
      </SpaceBetween>
    ),
    pagination: (
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
    ),
    preferences: isLoaded && (
      <ListSettings
        things={things}
        columns={columns}
        preferences={preferences}
        limit={address.limit}
        onChange={(part) => {
          change(part);
          if (part.pageSize !== undefined && part.pageSize !== address.limit) show({ limit: part.pageSize });
        }}
      />
    ),
    empty: <Empty {...props} list={list} address={address} onShow={show} />,
  };
  const labels = {
    selectionGroupLabel: `Selected ${things}`,
    allItemsSelectionLabel: () => 'Select all on this page',
    itemSelectionLabel: (_: unknown, { id }: Item) => `Select ${id}`,
  };
  return (
    <SpaceBetween size="m">
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      {narrow ? (
        <Cards
          {...shared}
          cardsPerRow={[{ cards: 1 }]}
          cardDefinition={props.card ?? toCard(columns)}
          ariaLabels={{ ...labels, cardsLabel: title }}
        />
      ) : (
        <Table
          {...shared}
          columnDefinitions={columns}
          columnDisplay={
            triage.isPreviewing ? leaveOutWide(columns, preferences.contentDisplay) : preferences.contentDisplay
          }
          contentDensity={preferences.contentDensity}
          wrapLines={preferences.wrapLines}
          skeleton={{ totalRows: 8 }}
          sortingColumn={{ sortingField: address.sort }}
          sortingDescending={address.order === 'desc'}
          onSortingChange={({ detail }) => {
            const sort = detail.sortingColumn.sortingField ?? '';
            const descending = sort === address.sort ? detail.isDescending : spec.sorts[sort]?.first !== 'asc';
            show({ sort, order: descending ? 'desc' : 'asc' });
          }}
          ariaLabels={{ ...labels, tableLabel: title }}
          onRowClick={({ detail }) => triage.setCurrent(detail.item.id)}
        />
      )}
      {triage.help}
      {bulk && updating && <bulk.Modal items={selected} onClose={() => setUpdating(false)} onFinished={list.reload} />}
    </SpaceBetween>
  );
}

function leaveOutWide<Item>(
  columns: readonly RecordColumn<Item>[],
  display: readonly TableProps.ColumnDisplayProperties[],
) {
  const wide = columns.filter((column) => column.wide).map(({ id }) => id);
  return display.filter(({ id }) => !wide.includes(id));
}

/** On small screens each record is a card with its first columns. */
function toCard<Item>(columns: readonly RecordColumn<Item>[]): CardsProps.CardDefinition<Item> {
  const [first, ...rest] = columns.filter(({ wide }) => !wide);
  return { header: (item) => first?.cell(item), sections: rest.map(({ id, cell }) => ({ id, content: cell })) };
}

/** The query of a list at an address. */
export function createListQuery<Item>(
  { things, spec, load }: Pick<RecordListProps<Item>, 'things' | 'spec' | 'load'>,
  queryString: string,
  preferredLimit?: number,
) {
  const address = parseAddress(queryString, spec, preferredLimit);
  return {
    address,
    queryKey: [things, formatAddress(address, spec)],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      loadWholePage(toListRequest(address, serverNow()), (request) => load(request, signal)),
  };
}

function useRecordList<Item>(props: RecordListProps<Item>, preferredLimit: number) {
  const { address, queryKey, queryFn } = createListQuery(props, useQueryString(), preferredLimit);
  const list = useLoad(queryKey, (signal) => queryFn({ signal }), { polling: listPolling });
  const show = (change: Partial<ListAddress>) =>
    changeQuery(formatAddress({ ...address, page: 1, ...change }, props.spec));
  return { address, query: queryKey[1], show, list };
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
    if (condition) setLatched(true);
  }, [condition]);
  return latched;
}
