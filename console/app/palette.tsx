import './palette.css';
import { useEffect, useState } from 'react';
import type { ServiceClient } from '../../client/index.ts';
import { useApi } from '../base/api.ts';
import { useHasRole } from '../base/caller.tsx';
import { toViewPath, usePreferences, useSharedViews } from '../base/preferences.ts';
import { navigate } from '../base/router.ts';
import { useStore } from '../base/store.ts';
import { useLoad } from '../base/use-load.ts';
import { Box, Modal, Stack } from '../ui/kit/index.ts';
import { pageActions } from '../ui/page-actions.ts';
import { toRecordPath } from '../ui/record-path.ts';
import { useOfferedPages } from './offered-pages.ts';
import { pages } from './pages.ts';
import { toggleTheme } from './theme.ts';

interface Entry {
  /** What the entry is, such as "Incident". */
  kind: string;
  text: string;
  to?: string;
  run?(): void;
}

const pauseMs = 200;
const maxPerKind = 5;

/** Finds records by id or words, people, pages, views, settings and actions. Opened with Ctrl+K or Command+K. */
export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { entries, isSearching } = useEntries(text.trim());
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run?.();
    if (entry.to !== undefined) navigate(entry.to);
  };
  const move = (step: number) => setActive((before) => (before + step + entries.length) % Math.max(1, entries.length));
  const shown = Math.min(active, entries.length - 1);
  useEffect(() => {
    document.getElementById(`palette-${shown}`)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <Modal title="Go to" onDismiss={onClose}>
      <Stack gap="s">
        <input
          type="text"
          className="ui-input"
          role="combobox"
          aria-label="Search everything"
          aria-expanded="true"
          aria-controls="palette-results"
          aria-activedescendant={shown >= 0 ? `palette-${shown}` : undefined}
          placeholder="ID, words, page or action"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step) {
              event.preventDefault();
              move(step);
            }
            if (event.key === 'Enter') open(entries[shown]);
          }}
        />
        <div id="palette-results" role="listbox" aria-label="Results" className="palette">
          {entries.map((entry, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of the list.
            // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus.
            <div
              key={`${entry.kind} ${entry.to} ${entry.text}`}
              id={`palette-${place}`}
              role="option"
              aria-selected={place === shown}
              className="palette-entry"
              onClick={() => open(entry)}
            >
              <span className="wrapping">{entry.text}</span>
              <Box variant="span" muted small>
                {entry.kind}
              </Box>
            </div>
          ))}
        </div>
        {entries.length === 0 && <Box muted>{isSearching ? 'Searching…' : 'Nothing found.'}</Box>}
      </Stack>
    </Modal>
  );
}

function useEntries(text: string): { entries: Entry[]; isSearching: boolean } {
  const { client } = useApi();
  const [words, setWords] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setWords(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const found = useLoad(['palette', words], (signal) => findRecords(client, words, signal), {
    enabled: words.length > 1,
    keepPrevious: true,
  });
  const id = text.toUpperCase();
  const path = toRecordPath(id);
  const people = usePeople(words);
  const byName = useNamed().filter((entry) => entry.text.toLowerCase().includes(text.toLowerCase()));
  const entries = [
    ...(path ? [{ kind: 'Record', text: `Open ${id}`, to: path }] : []),
    ...(text === '' ? [] : byName),
    ...(text.length > 1 ? [...(found.data ?? []), ...people] : []),
    ...(text === '' ? byName : []),
  ];
  return { entries, isSearching: words !== text || found.loading };
}

/** What the user can do with the record of the page, forms, pages, saved views and settings. */
function useNamed(): Entry[] {
  const canWrite = useHasRole('itsm_agent');
  const current = useStore(pageActions).map(({ text, run }) => ({ kind: 'This record', text, run }));
  const go = useOfferedPages().map(({ title, path }) => ({ kind: 'Page', text: title, to: path }));
  const forms = canWrite ? ['/incidents/new', '/changes/new', '/requests/new'] : ['/report', '/requests/new'];
  const create = forms.flatMap((path) => {
    const page = pages.find((one) => one.path === path);
    return page ? [{ kind: 'Action', text: page.title, to: path }] : [];
  });
  const views = [...(usePreferences().data?.views ?? []), ...(useSharedViews().data?.views ?? [])];
  const saved = views.map((view) => ({ kind: 'View', text: view.name, to: toViewPath(view) }));
  return [...current, ...create, ...go, ...saved, ...settings];
}

const settings: readonly Entry[] = [
  { kind: 'Setting', text: 'Switch between light and dark theme', run: toggleTheme },
  { kind: 'Setting', text: 'Contact methods and notification rules', to: '/profile' },
  { kind: 'Setting', text: 'API keys', to: '/profile' },
  { kind: 'Setting', text: 'Time zone', to: '/profile' },
  { kind: 'Setting', text: 'Followed groups', to: '/notifications' },
];

/** People lead to their incidents. Viewers may not list them. */
function usePeople(q: string): Entry[] {
  const { client } = useApi();
  const canList = useHasRole('itsm_agent');
  const { data } = useLoad(
    ['palette', 'people', q],
    (signal) => client.listPeople({ q, limit: maxPerKind }, { signal, retries: 0 }),
    { enabled: canList && q.length > 1, keepPrevious: true },
  );
  return (data?.data ?? []).map(({ email }) => ({
    kind: 'Person',
    text: email,
    to: `/incidents?assigned_to=${encodeURIComponent(email)}`,
  }));
}

async function findRecords(client: ServiceClient, q: string, signal: AbortSignal): Promise<Entry[]> {
  const query = { q, limit: maxPerKind };
  const options = { signal, retries: 0 };
  const searches = [
    client.listIncidents(query, options).then(({ data }) => data.map(toEntry('Incident', '/incidents'))),
    client.listChanges(query, options).then(({ data }) => data.map(toEntry('Change', '/changes'))),
    client.listRequests(query, options).then(({ data }) => data.map(toEntry('Request', '/requests'))),
    client
      .listCis(query, options)
      .then(({ data }) => data.map(({ id, name }) => toEntry('Item', '/cis')({ id, short_description: name }))),
    client
      .listArticles(query, options)
      .then(({ data }) =>
        data.map(({ id, title }) => toEntry('Article', '/knowledge')({ id, short_description: title })),
      ),
  ];
  // One kind that cannot be searched does not hide the others.
  return (await Promise.allSettled(searches)).flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

function toEntry(kind: string, list: string) {
  return ({ id, short_description }: { id: string; short_description: string }): Entry => {
    return { kind: `${kind} ${id}`, text: short_description, to: `${list}/${id}` };
  };
}
