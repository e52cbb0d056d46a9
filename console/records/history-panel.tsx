import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ServiceClient } from '../../client/index.ts';
import { FactsSkeleton } from '../components/facts-skeleton.tsx';
import { Ago } from '../components/moment.tsx';
import { PageLink } from '../components/page-link.tsx';
import { ProblemView } from '../components/problem-view.tsx';
import { jobPath } from '../pages/jobs/job-words.ts';
import type { Collected } from '../pages-of.ts';
import { useLoad } from '../use-load.ts';

export type HistoryEntry = Awaited<ReturnType<ServiceClient['listIncidentHistory']>>['data'][number];

export interface HistoryWords {
  thing: string;
  fieldName(field: string): string;
  valueText(field: string, value: unknown): string;
  /** What the service set at the creation says nothing that the entry itself does not. */
  computed: readonly string[];
}

interface HistoryPanelProps {
  /** Another function when there is more history. */
  load(signal: AbortSignal): Promise<Collected<HistoryEntry>>;
  words: HistoryWords;
}

/** Who changed what from what to what, the latest first. */
export function HistoryPanel({ load, words }: HistoryPanelProps) {
  const { data, problem, reload } = useLoad(load);
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (!data) return <FactsSkeleton facts={3} label="Loading history" />;
  return (
    <SpaceBetween size="m">
      <ol className="entries" aria-label="History">
        {data.items.toReversed().map((entry) => (
          <li key={entry.version}>
            <Entry entry={entry} words={words} />
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

function Entry({ entry, words }: { entry: HistoryEntry; words: HistoryWords }) {
  const { fieldName, valueText, computed, thing } = words;
  const changes = Object.entries(entry.changes).filter(([field]) => entry.version > 1 || !computed.includes(field));
  return (
    <SpaceBetween size="xxs">
      <div className="entry-head">
        <strong className="wrapping">{entry.actor}</strong>
        <span>{entry.version === 1 ? `created the ${thing}` : 'updated'}</span>
        <Box variant="span" color="text-body-secondary">
          <Ago at={entry.at} />
        </Box>
        <Origin origin={entry.origin} />
      </div>
      {changes.length > 0 && (
        <ul className="changes">
          {changes.map(([field, { from, to }]) => (
            <li key={field} className="wrapping">
              <strong>{fieldName(field)}</strong>{' '}
              {from !== null && from !== undefined && <del>{short(valueText(field, from))}</del>}
              {from !== null && from !== undefined && ' → '}
              <ins>{short(valueText(field, to))}</ins>
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
};

function Origin({ origin }: Pick<HistoryEntry, 'origin'>) {
  if (origin.kind === 'api') return null;
  if (origin.kind === 'job' && origin.id) return <PageLink to={jobPath(origin.id)}>Bulk job</PageLink>;
  return <Badge>{originNames[origin.kind]}</Badge>;
}

const longestShown = 400;

function short(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
