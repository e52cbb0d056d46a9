import type { ReactNode } from 'react';
import type { Role } from '../../contract/roles.ts';
import { useHasRole } from '../base/caller.tsx';
import type { Page } from '../base/paging.ts';
import type { Loaded } from '../base/use-load.ts';
import { Box, Button, Stack } from '../ui/kit/index.ts';
import { type Filters, findView, type ListAddress, type ListSpec, type ListView } from './list-address.ts';
import type { RecordWords } from './record-words.ts';

// The parts around the rows of a list: header, views, sorting on small screens, and empty states.

export const listPolling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

export interface ListTexts {
  /** If it does not name the things. */
  title?: string;
  things: string;
  words: RecordWords;
  /** Frequent questions, by their filters. */
  views: readonly ListView[];
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

interface ListActionsProps extends CreateProps, Pick<ListTexts, 'actions'> {
  list: Pick<Loaded<Page<unknown>>, 'data' | 'loading' | 'paused' | 'reload'>;
  preview?: { isPreviewing: boolean; togglePreview(): void };
}

export function ListActions({ actions, list, preview, ...create }: ListActionsProps) {
  const refresh = list.paused
    ? 'Automatic refresh is paused'
    : `Refreshes every ${listPolling.intervalMs / 1000} seconds`;
  return (
    <>
      <span title={refresh}>
        <Button
          variant="icon"
          icon="refresh"
          ariaLabel="Refresh list"
          loading={list.loading && list.data !== undefined}
          onClick={list.reload}
        />
      </span>
      {preview && (
        <Button
          variant="icon"
          icon="panel"
          ariaLabel={preview.isPreviewing ? 'Hide preview' : 'Show preview'}
          onClick={preview.togglePreview}
        />
      )}
      {actions}
      <CreateButton {...create} variant="primary" />
    </>
  );
}

interface ViewsProps extends Pick<ListTexts, 'views'> {
  filters: Filters;
  onChange(view: ListView): void;
}

export function Views({ views, filters, onChange }: ViewsProps) {
  const current = findView(views, filters);
  return (
    <fieldset className="views" aria-label="Views">
      {views.map((view) => (
        <button key={view.id} type="button" aria-pressed={view === current} onClick={() => onChange(view)}>
          {view.text}
        </button>
      ))}
    </fieldset>
  );
}

interface SelectionBarProps {
  selected: number;
  max: number;
  onUpdate(): void;
  onClear(): void;
}

/** What to do with the selected records, at the bottom of the window. */
export function SelectionBar({ selected, max, onUpdate, onClear }: SelectionBarProps) {
  return (
    <section className="selection-bar" aria-label="Selection">
      <strong>{selected.toLocaleString('en')} selected</strong>
      <Button
        variant="primary"
        disabled={selected > max}
        disabledReason={selected > max ? `You can update up to ${max} at a time.` : undefined}
        onClick={onUpdate}
      >
        Update selected
      </Button>
      <Button variant="link" onClick={onClear}>
        Clear
      </Button>
    </section>
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
    <Button to={createTo} variant={variant}>
      {createText ?? `Create ${words.thing}`}
    </Button>
  );
}

interface EmptyProps extends CreateProps, Pick<ListTexts, 'things' | 'invitation'> {
  list: Pick<Loaded<Page<unknown>>, 'data'>;
  address: ListAddress;
  onShow(change: Partial<ListAddress>): void;
}

/** Why the list is empty, and what to do about it. */
export function Empty({ things, invitation, list, address, onShow, ...create }: EmptyProps) {
  if (!list.data) return <Box center>Could not load {things}.</Box>;
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
    <Box center padded="l">
      <Stack gap="s">
        <Box variant="strong">{title}</Box>
        <Box muted>{text}</Box>
        {children}
      </Stack>
    </Box>
  );
}
