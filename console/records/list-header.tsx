import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { Role } from '../../contract/roles.ts';
import { useHasRole } from '../base/caller.tsx';
import type { Page } from '../base/paging.ts';
import type { Loaded } from '../base/use-load.ts';
import { PageButton } from '../ui/links.tsx';
import { useNarrowScreen } from '../ui/screen.ts';
import { type Filters, findView, type ListAddress, type ListSpec } from './list-address.ts';
import type { RecordWords } from './record-words.ts';

// The parts around the rows of a list: header, views, sorting on small screens, and empty states.

export const listPolling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

export interface ListTexts {
  title: string;
  things: string;
  words: RecordWords;
  /** Frequent questions, by their filters. */
  views: readonly { id: string; text: string; filters: Filters }[];
  /** Absent if only programs create them. */
  createTo?: string;
  /** The role that may create, if not that of agents. */
  createRole?: Role;
  /** The text of the button, if not "Create …". */
  createText?: string;
  actions?: ReactNode;
  invitation: string;
}

type CreateProps = Pick<ListTexts, 'words' | 'createTo' | 'createRole' | 'createText'>;

interface ListHeaderProps extends CreateProps, Pick<ListTexts, 'title' | 'actions'> {
  list: Loaded<Page<unknown>>;
  bulk?: { max: number };
  selected: number;
  onUpdate(): void;
  preview?: { isPreviewing: boolean; togglePreview(): void };
}

export function ListHeader(props: ListHeaderProps) {
  const { title, actions, list, bulk, selected, onUpdate, preview, ...create } = props;
  const canWrite = useHasRole('itsm_agent');
  const canCreate = useHasRole(create.createRole ?? 'itsm_agent') && create.createTo !== undefined;
  const narrow = useNarrowScreen();
  const total = list.data?.total.toLocaleString('en');
  const keys = narrow
    ? ''
    : ` Shortcuts: / to search${canCreate ? `, n to create` : ''}${preview ? ', ? for help' : ''}.`;
  const description = list.paused
    ? 'Automatic refresh is paused. Refresh to resume.'
    : `Refreshes every ${listPolling.intervalMs / 1000} seconds.${keys}`;
  return (
    <Header
      variant="awsui-h1-sticky"
      {...(total === undefined ? {} : { counter: selected > 0 ? `(${selected}/${total})` : `(${total})` })}
      description={description}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            iconName="refresh"
            ariaLabel="Refresh list"
            loading={list.loading && list.data !== undefined}
            onClick={list.reload}
          />
          {preview && (
            <Button
              iconName="view-vertical"
              ariaLabel={preview.isPreviewing ? 'Hide preview' : 'Show preview'}
              onClick={preview.togglePreview}
            />
          )}
          {bulk && canWrite && (
            <Button
              disabled={selected === 0 || selected > bulk.max}
              {...(selected > bulk.max ? { disabledReason: `You can update up to ${bulk.max} at a time.` } : {})}
              onClick={onUpdate}
            >
              Update selected
            </Button>
          )}
          {actions}
          <CreateButton {...create} variant="primary" />
        </SpaceBetween>
      }
    >
      {title}
    </Header>
  );
}

interface ViewsProps extends Pick<ListTexts, 'views'> {
  filters: Filters;
  onChange(filters: Filters): void;
}

export function Views({ views, filters, onChange }: ViewsProps) {
  const current = findView(views, filters);
  return (
    <fieldset className="views" aria-label="Views">
      {views.map((view) => (
        <button key={view.id} type="button" aria-pressed={view === current} onClick={() => onChange(view.filters)}>
          {view.text}
        </button>
      ))}
    </fieldset>
  );
}

interface SortingProps {
  spec: ListSpec;
  address: ListAddress;
  onChange(change: Pick<ListAddress, 'sort' | 'order'>): void;
}

/** Cards have no column headers to sort by. */
export function Sorting({ spec, address, onChange }: SortingProps) {
  return (
    <label className="sorting">
      Sort by{' '}
      <select
        value={`${address.sort} ${address.order}`}
        onChange={({ target }) => {
          const [sort = '', order] = target.value.split(' ');
          onChange({ sort, order: order === 'asc' ? 'asc' : 'desc' });
        }}
      >
        {Object.entries(spec.sorts).map(([sort, names]) =>
          (['desc', 'asc'] as const).map((order) => (
            <option key={sort + order} value={`${sort} ${order}`}>
              {names[order]}
            </option>
          )),
        )}
      </select>
    </label>
  );
}

function CreateButton(props: CreateProps & { variant: 'primary' | 'normal' }) {
  const { words, createTo, createRole = 'itsm_agent', createText, variant } = props;
  const canCreate = useHasRole(createRole);
  if (!canCreate || createTo === undefined) return null;
  return (
    <PageButton to={createTo} variant={variant}>
      {createText ?? `Create ${words.thing}`}
    </PageButton>
  );
}

interface EmptyProps extends CreateProps, Pick<ListTexts, 'things' | 'invitation'> {
  list: Loaded<Page<unknown>>;
  address: ListAddress;
  onShow(change: Partial<ListAddress>): void;
}

/** Why the list is empty, and what to do about it. */
export function Empty({ things, invitation, list, address, onShow, ...create }: EmptyProps) {
  if (!list.data) return <Box textAlign="center">Could not load {things}.</Box>;
  if (list.data.total > 0) {
    return (
      <Message title="Page not found" text="The list has fewer pages now.">
        <Button onClick={() => onShow({ page: 1 })}>Go to first page</Button>
      </Message>
    );
  }
  if (Object.keys(address.filters).length > 0) {
    return (
      <Message title="No matches" text={`No ${things} match the filters.`}>
        <Button onClick={() => onShow({ filters: {} })}>Clear filters</Button>
      </Message>
    );
  }
  return (
    <Message title={`No ${things}`} text={invitation}>
      <CreateButton {...create} variant="normal" />
    </Message>
  );
}

function Message({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Box textAlign="center" padding={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <Box variant="strong">{title}</Box>
        <Box color="text-body-secondary">{text}</Box>
        {children}
      </SpaceBetween>
    </Box>
  );
}
