import Box from '@cloudscape-design/components/box';
import Input from '@cloudscape-design/components/input';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import type { ServiceClient } from '../../client/index.ts';
import { useApi } from '../base/api.ts';
import { useHasRole } from '../base/caller.tsx';
import { navigate } from '../base/router.ts';
import { useLoad } from '../base/use-load.ts';
import { toRecordPath } from '../ui/record-path.ts';
import { useInitialFocus } from '../ui/screen.ts';
import { pages, useOfferedPages } from './pages.ts';

interface Entry {
  /** What the entry is, such as "Incident". */
  kind: string;
  text: string;
  to: string;
}

const pauseMs = 200;
const maxPerKind = 5;

/** Finds records by id or words, and pages and actions by name. Opened with Ctrl+K or Command+K. */
export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const entries = useEntries(text.trim());
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    navigate(entry.to);
  };
  const move = (step: number) => setActive((before) => (before + step + entries.length) % Math.max(1, entries.length));
  const shown = Math.min(active, entries.length - 1);
  useEffect(() => {
    document.getElementById(`palette-${shown}`)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <Modal visible header="Go to" onDismiss={onClose}>
      <div ref={useInitialFocus()}>
        <SpaceBetween size="s">
          <Input
            type="search"
            value={text}
            placeholder="ID, words, page or action"
            ariaLabel="Search everything"
            nativeInputAttributes={{
              role: 'combobox',
              'aria-expanded': true,
              'aria-controls': 'palette-results',
              'aria-activedescendant': shown >= 0 ? `palette-${shown}` : undefined,
            }}
            onChange={({ detail }) => {
              setText(detail.value);
              setActive(0);
            }}
            onKeyDown={(event) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.detail.key];
              if (step) {
                event.preventDefault();
                move(step);
              }
              if (event.detail.key === 'Enter') open(entries[shown]);
            }}
          />
          <div id="palette-results" role="listbox" aria-label="Results" className="palette">
            {entries.map((entry, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of the list.
              // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus.
              <div
                key={entry.to + entry.text}
                id={`palette-${place}`}
                role="option"
                aria-selected={place === shown}
                className="palette-entry"
                onClick={() => open(entry)}
              >
                <span className="wrapping">{entry.text}</span>
                <Box variant="span" color="text-body-secondary" fontSize="body-s">
                  {entry.kind}
                </Box>
              </div>
            ))}
          </div>
          {entries.length === 0 && <Box color="text-body-secondary">Nothing found.</Box>}
        </SpaceBetween>
      </div>
    </Modal>
  );
}

function useEntries(text: string): Entry[] {
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
  const byName = useActions().filter((entry) => entry.text.toLowerCase().includes(text.toLowerCase()));
  return [
    ...(path ? [{ kind: 'Record', text: `Open ${id}`, to: path }] : []),
    ...(text === '' ? [] : byName),
    ...(text.length > 1 ? (found.data ?? []) : []),
    ...(text === '' ? byName : []),
  ];
}

/** Pages and forms that the user may open. */
function useActions(): Entry[] {
  const canWrite = useHasRole('itsm_agent');
  const go = useOfferedPages().map(({ title, path }) => ({ kind: 'Page', text: title, to: path }));
  const create = ['/incidents/new', '/changes/new', '/requests/new'].flatMap((path) => {
    const page = pages.find((one) => one.path === path);
    return page && (canWrite || path === '/requests/new') ? [{ kind: 'Action', text: page.title, to: path }] : [];
  });
  return [...create, ...go];
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
