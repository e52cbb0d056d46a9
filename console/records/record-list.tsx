import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Cards, { type CardsProps } from '@cloudscape-design/components/cards';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type ReactNode, useCallback, useRef } from 'react';
import { PageButton } from '../components/page-button.tsx';
import { ProblemView } from '../components/problem-view.tsx';
import { changeQuery, currentQuery, navigate } from '../location.ts';
import { loadWholePage } from '../pages-of.ts';
import { usePolling } from '../use-load.ts';
import { useMay } from '../use-may.ts';
import { useNarrowScreen } from '../use-media.ts';
import { useShortcuts } from '../use-shortcuts.ts';
import { useStore } from '../use-store.ts';
import { addressFrom, type ListAddress, type ListSpec, queryFor } from './list-address.ts';
import { RecordFilter } from './record-filter.tsx';
import type { RecordWords } from './record-words.ts';

export interface RecordColumn<Item> extends TableProps.ColumnDefinition<Item> {
  id: string;
  /** Left out on small screens. */
  wide?: true;
}

export interface ListRequest {
  sort: string;
  order: 'asc' | 'desc';
  page?: number;
  cursor?: string;
  limit: number;
  [filter: string]: unknown;
}

interface RecordListProps<Item> {
  title: string;
  things: string;
  words: RecordWords;
  spec: ListSpec;
  columns: readonly RecordColumn<Item>[];
  load(
    request: ListRequest,
    signal: AbortSignal,
  ): Promise<{ data: readonly Item[]; next_cursor?: string | undefined; total: number }>;
  /** Questions that are asked again and again, by their filters. */
  views: readonly { id: string; text: string; filters: Readonly<Record<string, string>> }[];
  createTo: string;
  /** What the button there says, if not that it creates one. */
  createText?: string;
  actions?: ReactNode;
  invitation: string;
}

const pageSize = 25;
const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

/** The list of a kind of record; what it shows is the address. */
export function RecordList<Item extends { id: string }>(props: RecordListProps<Item>) {
  const { things, spec, words, columns } = props;
  const mayWrite = useMay('itsm_agent');
  const narrow = useNarrowScreen();
  const filter = useRef<PropertyFilterProps.Ref>(null);
  const { address, query, show, list, items } = useRecordList(props);
  useShortcuts({ '/': () => filter.current?.focus(), ...(mayWrite ? { n: () => navigate(props.createTo) } : {}) });
  const total = list.data?.total;
  const shared = {
    variant: 'full-page' as const,
    stickyHeader: true,
    items,
    trackBy: 'id',
    loading: list.data?.query !== query && list.problem === undefined,
    loadingText: `Loading ${things}`,
    header: <ListHeader {...props} total={total} busy={list.loading && !!list.data} onReload={list.reload} />,
    filter: (
      <SpaceBetween size="s">
        <Views {...props} address={address} onChange={(filters) => show({ filters })} />
        <RecordFilter
          ref={filter}
          things={things}
          words={words}
          spec={spec}
          filters={address.filters}
          seen={seenIn(items, spec.texts)}
          countText={countText(total)}
          onChange={(filters) => show({ filters })}
        />
      </SpaceBetween>
    ),
    pagination: (
      <Pagination
        currentPageIndex={address.page}
        pagesCount={Math.max(address.page, Math.ceil((total ?? 0) / pageSize), 1)}
        ariaLabels={{ paginationLabel: `Pages: ${things}`, pageLabel: (page) => `Page ${page}` }}
        onChange={({ detail }) => show({ page: detail.currentPageIndex })}
      />
    ),
    empty: (
      <Empty {...props} isFiltered={Object.keys(address.filters).length > 0} onClear={() => show({ filters: {} })} />
    ),
  };
  return (
    <SpaceBetween size="m">
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      {narrow ? (
        <Cards {...shared} cardDefinition={cardOf(columns)} ariaLabels={{ ...cardLabels, cardsLabel: props.title }} />
      ) : (
        <Table
          {...shared}
          wrapLines
          columnDefinitions={columns}
          skeleton={{ totalRows: 8 }}
          sortingColumn={{ sortingField: address.sort }}
          sortingDescending={address.order === 'desc'}
          onSortingChange={({ detail }) => {
            const sort = detail.sortingColumn.sortingField!;
            const descending = sort === address.sort ? detail.isDescending : true;
            show({ sort, order: descending ? 'desc' : 'asc' });
          }}
          ariaLabels={{ tableLabel: props.title }}
        />
      )}
    </SpaceBetween>
  );
}

/** On small screens each record is a card, with what its first columns say. */
function cardOf<Item>(columns: readonly RecordColumn<Item>[]): CardsProps.CardDefinition<Item> {
  const [first, ...rest] = columns.filter(({ wide }) => !wide);
  return { header: first!.cell, sections: rest.map(({ id, cell }) => ({ id, content: cell })) };
}

const cardLabels = { itemSelectionLabel: () => '', selectionGroupLabel: '' };

function useRecordList<Item>({ spec, load }: RecordListProps<Item>) {
  const address = addressFrom(useStore(currentQuery), spec);
  const query = queryFor(address, spec);
  const read = useCallback(
    async (signal: AbortSignal) => {
      const { filters, ...rest } = addressFrom(query, spec);
      const request = { ...filters, ...rest, limit: pageSize };
      return { query, ...(await loadWholePage(request, (some) => load(some, signal))) };
    },
    [query, spec, load],
  );
  const list = usePolling(read, polling);
  const show = (change: Partial<ListAddress>) => changeQuery(queryFor({ ...address, page: 1, ...change }, spec));
  return { address, query, show, list, items: list.data?.query === query ? list.data.data : [] };
}

interface ListHeaderProps extends Pick<RecordListProps<never>, 'title' | 'actions' | keyof CreateButtonProps> {
  total: number | undefined;
  busy: boolean;
  onReload(): void;
}

function ListHeader({ title, actions, total, busy, onReload, ...create }: ListHeaderProps) {
  return (
    <Header
      variant="awsui-h1-sticky"
      {...(total === undefined ? {} : { counter: `(${total.toLocaleString('en')})` })}
      description={`Refreshes every ${polling.intervalMs / 1000} seconds.`}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button iconName="refresh" ariaLabel="Refresh list" loading={busy} onClick={onReload} />
          {actions}
          <CreateButton {...create} variant="primary" />
        </SpaceBetween>
      }
    >
      {title}
    </Header>
  );
}

interface ViewsProps extends Pick<RecordListProps<never>, 'views' | 'spec'> {
  address: ListAddress;
  onChange(filters: Readonly<Record<string, string>>): void;
}

function Views({ views, spec, address, onChange }: ViewsProps) {
  const same = (filters: ListAddress['filters']) => queryFor({ ...address, filters }, spec);
  return (
    <SegmentedControl
      label="Views"
      selectedId={views.find(({ filters }) => same(filters) === same(address.filters))?.id ?? null}
      options={views.map(({ id, text }) => ({ id, text }))}
      onChange={({ detail }) => onChange(views.find(({ id }) => id === detail.selectedId)!.filters)}
    />
  );
}

type CreateButtonProps = Pick<RecordListProps<never>, 'words' | 'createTo' | 'createText'>;

function CreateButton({ words, createTo, createText, variant }: CreateButtonProps & { variant: 'primary' | 'normal' }) {
  const mayWrite = useMay('itsm_agent');
  if (!mayWrite) return null;
  return (
    <PageButton to={createTo} variant={variant}>
      {createText ?? `Create ${words.thing}`}
    </PageButton>
  );
}

interface EmptyProps extends Pick<RecordListProps<never>, 'things' | 'invitation' | keyof CreateButtonProps> {
  isFiltered: boolean;
  onClear(): void;
}

function Empty({ things, invitation, isFiltered, onClear, ...create }: EmptyProps) {
  return (
    <Box textAlign="center" padding={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <Box variant="strong">{isFiltered ? 'No matches' : `No ${things}`}</Box>
        <Box color="text-body-secondary">{isFiltered ? `No ${things} match the filters.` : invitation}</Box>
        {isFiltered ? <Button onClick={onClear}>Clear filters</Button> : <CreateButton {...create} variant="normal" />}
      </SpaceBetween>
    </Box>
  );
}

function seenIn(items: readonly object[], texts: readonly string[]) {
  const found = new Set<string>();
  for (const item of items as readonly Readonly<Record<string, unknown>>[]) {
    for (const key of texts) if (typeof item[key] === 'string') found.add(JSON.stringify([key, item[key]]));
  }
  return [...found].map((pair) => {
    const [propertyKey, value] = JSON.parse(pair) as [string, string];
    return { propertyKey, value };
  });
}

function countText(total: number | undefined): string {
  if (total === undefined) return '';
  return total === 1 ? '1 match' : `${total.toLocaleString('en')} matches`;
}
