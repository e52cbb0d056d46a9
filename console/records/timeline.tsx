import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '../base/api.ts';
import { collectPages, type Page, type PageRequest } from '../base/paging.ts';
import { useLoad } from '../base/use-load.ts';
import { Box, SegmentedControl, Stack } from '../ui/kit/index.ts';
import { Panel } from '../ui/layouts.tsx';
import { FactsSkeleton } from '../ui/panels.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { Ago } from '../ui/text.tsx';
import { type HistoryEntry, HistoryItem } from './history-item.tsx';
import { loadItemNames } from './item-names.ts';
import { type NewNote, Note, NoteForm, type RecordNote } from './notes.tsx';
import type { HistoryWords } from './record-words.ts';

const kindNames = { note: 'Notes', change: 'Changes', notification: 'Notifications', delivery: 'Deliveries' } as const;

type Kind = keyof typeof kindNames;

export interface TimelineEntry {
  key: string;
  at: string;
  kind: Kind;
  content: ReactNode;
}

type Options = { signal: AbortSignal };

interface TimelineProps {
  id: string;
  /** Changes when there is more to show. */
  timelineKey: QueryKey;
  words: HistoryWords;
  history(page: PageRequest, options: Options): Promise<Page<HistoryEntry>>;
  /** Absent for records without notes. */
  notes?:
    | {
        list(page: PageRequest, options: Options): Promise<Page<RecordNote>>;
        /** Absent if the user may not add notes. */
        add?: ((note: NewNote) => Promise<unknown>) | undefined;
        label?: string;
        onAdded(): void;
      }
    | undefined;
  /** What else happened; it appears when it arrives. */
  others?(options: Options): Promise<TimelineEntry[]>;
  /** Fields of changes that are entries of their own, with their texts. */
  marks?: Readonly<Record<string, string>>;
}

/** Notes, changes and what else happened to a record in one list, newest first. */
export function Timeline({ id, timelineKey, words, history, notes, others, marks = {} }: TimelineProps) {
  const { client } = useApi();
  const [shown, setShown] = useState<string>('all');
  const { data, problem, reload } = useLoad(
    [...timelineKey, 'timeline'],
    async (signal) => {
      const [changes, noted] = await Promise.all([
        collectPages((page) => history(page, { signal })),
        notes && collectPages((page) => notes.list(page, { signal })),
      ]);
      const names = await loadItemNames(client, changes.items, signal);
      const hidden = changes.total - changes.items.length;
      return { hidden, entries: [...changes.items.flatMap(toChanges(names)), ...(noted?.items ?? []).map(toNote)] };
    },
    { keepPrevious: true },
  );
  const more = useLoad(
    [...timelineKey, 'timeline', 'others'],
    (signal) => others?.({ signal }) ?? Promise.resolve([]),
    {
      keepPrevious: true,
      enabled: others !== undefined,
    },
  );
  const toChanges = (names: ReadonlyMap<string, string>) => (entry: HistoryEntry) =>
    listChanges(entry, { words, names, marks });
  const all = [...(data?.entries ?? []), ...(more.data ?? [])].sort((a, b) => (a.at < b.at ? 1 : -1));
  const entries = all.filter(({ kind }) => shown === 'all' || kind === shown);
  const kinds = (Object.keys(kindNames) as Kind[]).flatMap((kind) => {
    const count = all.filter((entry) => entry.kind === kind).length;
    return count === 0 ? [] : [{ id: kind, text: `${kindNames[kind]} (${count})` }];
  });
  const add = notes?.add;
  return (
    <Panel title="Activity">
      <Stack>
        {add && (
          <NoteForm
            id={id}
            label={notes.label ?? 'Add note'}
            thing={words.thing}
            add={add}
            onAdded={() => {
              reload();
              notes.onAdded();
            }}
          />
        )}
        {kinds.length > 1 && (
          <SegmentedControl
            label="Activity filter"
            selectedId={shown}
            options={[{ id: 'all', text: 'All' }, ...kinds]}
            onChange={setShown}
          />
        )}
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {!data && problem === undefined && <FactsSkeleton facts={3} label="Loading activity" />}
        {data && entries.length === 0 && <Box muted>Nothing to show.</Box>}
        {entries.length > 0 && (
          <ol className="entries" aria-label="Activity">
            {entries.map(({ key, content }) => (
              <li key={key}>{content}</li>
            ))}
          </ol>
        )}
        {data && data.hidden > 0 && (
          <Box muted>{data.hidden} more changes are not shown. Use the API to get all changes.</Box>
        )}
      </Stack>
    </Panel>
  );
}

const toNote = (note: RecordNote): TimelineEntry => ({
  key: note.id,
  at: note.created_at,
  kind: 'note',
  content: <Note note={note} />,
});

/** An entry of one line. */
export function toLine(key: string, at: string, kind: Kind, text: ReactNode): TimelineEntry {
  const content = (
    <div className="entry-head">
      <span>{text}</span>
      <Box variant="span" muted>
        <Ago at={at} />
      </Box>
    </div>
  );
  return { key, at, kind, content };
}

interface ChangeWords {
  words: HistoryWords;
  names: ReadonlyMap<string, string>;
  marks: Readonly<Record<string, string>>;
}

/** A change of the record, and the marks that were set with it, at their own times. */
function listChanges(entry: HistoryEntry, { words, names, marks }: ChangeWords): TimelineEntry[] {
  const { version, at } = entry;
  const marked = Object.keys(marks).filter((name) => typeof entry.changes[name]?.to === 'string');
  const changes = Object.fromEntries(Object.entries(entry.changes).filter(([name]) => !marked.includes(name)));
  const entries = marked.map((name) =>
    toLine(`${name} ${version}`, String(entry.changes[name]?.to), 'change', marks[name]),
  );
  if (marked.length > 0 && Object.keys(changes).length === 0) return entries;
  const content = <HistoryItem entry={{ ...entry, changes }} words={words} names={names} />;
  return [...entries, { key: `change ${version}`, at, kind: 'change', content }];
}
