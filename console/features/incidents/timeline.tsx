import Box from '@cloudscape-design/components/box';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { collectPages } from '../../base/paging.ts';
import { useLoad } from '../../base/use-load.ts';
import { HistoryItem } from '../../records/history-panel.tsx';
import { loadItemNames } from '../../records/item-names.ts';
import { toHistoryWords } from '../../records/record-words.ts';
import { incidentWords } from '../../resources/incident-words.ts';
import { describeNotification } from '../../resources/notification-words.ts';
import { Panel } from '../../ui/layouts.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';
import type { IncidentVersion } from './incident-change.tsx';
import { Note, NoteForm } from './notes-panel.tsx';

interface TimelineProps {
  version: IncidentVersion;
  which: 'existing' | 'deleted';
  onAdded(): void;
}

type Kind = 'note' | 'change' | 'notification';

interface Entry {
  key: string;
  at: string;
  kind: Kind;
  content: ReactNode;
}

const computed = ['opened_by', 'reopen_count', 'sla_breach_at', 'work_notes_count', 'deleted'];
const words = toHistoryWords(incidentWords, computed);

/** Notes, changes and notifications of an incident in one list, newest first. */
export function Timeline({ version: { record: incident, etag }, which, onAdded }: TimelineProps) {
  const { id, deleted } = incident;
  const { client } = useApi();
  const canWrite = useHasRole('itsm_agent') && !deleted;
  const [shown, setShown] = useState('all');
  const { data, problem, reload } = useLoad(
    ['incidents', id, 'timeline', etag, which],
    (signal) => loadEntries(client, id, which, signal),
    { keepPrevious: true },
  );
  const entries = data?.filter(({ kind }) => shown === 'all' || kind === shown) ?? [];
  const filters = [
    { id: 'all', text: 'All' },
    { id: 'note', text: `Notes (${incident.work_notes_count})` },
    { id: 'change', text: 'Changes' },
    { id: 'notification', text: 'Notifications' },
  ];
  return (
    <Panel title="Activity">
      <SpaceBetween size="l">
        {canWrite && (
          <NoteForm
            id={id}
            onAdded={() => {
              reload();
              onAdded();
            }}
          />
        )}
        <SegmentedControl
          label="Activity filter"
          selectedId={shown}
          options={filters}
          onChange={({ detail }) => setShown(detail.selectedId)}
        />
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {!data && problem === undefined && <FactsSkeleton facts={3} label="Loading activity" />}
        {data && entries.length === 0 && <Box color="text-status-inactive">Nothing to show.</Box>}
        {entries.length > 0 && (
          <ol className="entries" aria-label="Activity">
            {entries.map(({ key, content }) => (
              <li key={key}>{content}</li>
            ))}
          </ol>
        )}
      </SpaceBetween>
    </Panel>
  );
}

async function loadEntries(
  client: ServiceClient,
  id: string,
  which: 'existing' | 'deleted',
  signal: AbortSignal,
): Promise<Entry[]> {
  const address = which === 'deleted' ? { id, include_deleted: true } : { id };
  const [history, notes, notifications] = await Promise.all([
    collectPages((page) => client.listIncidentHistory({ ...address, ...page }, { signal })),
    which === 'deleted' ? { items: [] } : collectPages((page) => client.listWorkNotes({ id, ...page }, { signal })),
    client.listNotifications({ limit: 200 }, { signal, retries: 0 }).catch(() => ({ data: [] })),
  ]);
  const names = await loadItemNames(client, history.items, signal);
  const entries: Entry[] = [
    ...history.items.map((entry) => ({
      key: `change ${entry.version}`,
      at: entry.at,
      kind: 'change' as const,
      content: <HistoryItem entry={entry} words={words} names={names} />,
    })),
    ...notes.items.map((note) => ({
      key: note.id,
      at: note.created_at,
      kind: 'note' as const,
      content: <Note note={note} />,
    })),
    ...notifications.data
      .filter(({ incident_id }) => incident_id === id)
      .map((notification) => ({
        key: notification.id,
        at: notification.created_at,
        kind: 'notification' as const,
        content: (
          <div className="entry-head">
            <span>{describeNotification(notification).text}</span>
            <Box variant="span" color="text-body-secondary">
              <Ago at={notification.created_at} />
            </Box>
          </div>
        ),
      })),
  ];
  return entries.sort((a, b) => (a.at < b.at ? 1 : -1));
}
