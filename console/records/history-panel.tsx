import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { QueryKey } from '@tanstack/react-query';
import type { ServiceClient } from '../../client/index.ts';
import { useApi } from '../base/api.ts';
import type { Collected } from '../base/paging.ts';
import { useLoad } from '../base/use-load.ts';
import { PageLink } from '../ui/links.tsx';
import { FactsSkeleton } from '../ui/panels.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { jobPath, toRecordPath } from '../ui/record-path.ts';
import { Ago } from '../ui/text.tsx';
import { loadItemNames, nameItems } from './item-names.ts';
import type { HistoryWords } from './record-words.ts';

export type HistoryEntry = Awaited<ReturnType<ServiceClient['listIncidentHistory']>>['data'][number];

interface HistoryPanelProps {
  /** Changes when there is more history. */
  historyKey: QueryKey;
  load(signal: AbortSignal): Promise<Collected<HistoryEntry>>;
  words: HistoryWords;
}

/** The changes of a record, newest first. */
export function HistoryPanel({ historyKey, load, words }: HistoryPanelProps) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(
    historyKey,
    async (signal) => {
      const history = await load(signal);
      return { ...history, names: await loadItemNames(client, history.items, signal) };
    },
    { keepPrevious: true },
  );
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (!data) return <FactsSkeleton facts={3} label="Loading history" />;
  return (
    <SpaceBetween size="m">
      <ol className="entries" aria-label="History">
        {data.items.toReversed().map((entry) => (
          <li key={entry.version}>
            <HistoryItem entry={entry} words={words} names={data.names} />
          </li>
        ))}
      </ol>
      {data.total > data.items.length && (
        <Box color="text-body-secondary">
          Showing the first {data.items.length} of {data.total} changes. Use the API to get all changes.
        </Box>
      )}
    </SpaceBetween>
  );
}

interface HistoryItemProps {
  entry: HistoryEntry;
  words: HistoryWords;
  /** Names of configuration items by id. */
  names: ReadonlyMap<string, string>;
}

/** One change of a record. */
export function HistoryItem({ entry, words, names }: HistoryItemProps) {
  const { fieldName, valueText, computed, thing } = words;
  const format = (field: string, value: unknown) => short(nameItems(valueText(field, value), names));
  const changes = Object.entries(entry.changes).filter(([field]) => entry.version > 1 || !computed.includes(field));
  return (
    <SpaceBetween size="xxs">
      <div className="entry-head">
        <strong className="wrapping">{isService(entry) ? originNames[entry.origin.kind] : entry.actor}</strong>
        <span>{entry.version === 1 ? `created the ${thing}` : 'updated'}</span>
        <Box variant="span" color="text-body-secondary">
          <Ago at={entry.at} />
        </Box>
        <Origin entry={entry} />
      </div>
      {changes.length > 0 && (
        <ul className="changes">
          {changes.map(([field, { from, to }]) => (
            <li key={field} className="wrapping">
              <strong>{fieldName(field)}</strong>{' '}
              {from !== null && from !== undefined && <del>{format(field, from)}</del>}
              {from !== null && from !== undefined && ' → '}
              <ins>{format(field, to)}</ins>
            </li>
          ))}
        </ul>
      )}
    </SpaceBetween>
  );
}

const originNames: Readonly<Record<HistoryEntry['origin']['kind'], string>> = {
  api: '',
  job: 'Bulk job',
  webhook: 'Webhook',
  sla: 'SLA clock',
  ai: 'AI',
  restore: 'Restore',
  proposal: 'Proposal',
  page: 'Page',
};

/** The service itself, whose actor names are internal. */
const isService = ({ origin: { kind } }: HistoryEntry) => ['sla', 'ai', 'restore'].includes(kind);

function Origin({ entry }: { entry: HistoryEntry }) {
  const { origin } = entry;
  if (origin.kind === 'api' || isService(entry)) return null;
  if (origin.kind === 'job' && origin.id) return <PageLink to={jobPath(origin.id)}>Bulk job</PageLink>;
  const path = origin.id === null ? undefined : toRecordPath(origin.id);
  if (path) return <PageLink to={path}>{originNames[origin.kind]}</PageLink>;
  return <Badge>{originNames[origin.kind]}</Badge>;
}

const maxShownLength = 400;

function short(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
