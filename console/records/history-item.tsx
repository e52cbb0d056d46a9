import type { ServiceClient } from '../../client/index.ts';
import { Badge, Box, Stack } from '../ui/kit/index.ts';
import { PageLink } from '../ui/links.tsx';
import { jobPath, toRecordPath } from '../ui/record-path.ts';
import { Ago, Person } from '../ui/text.tsx';
import { nameItems } from './item-names.ts';
import type { HistoryWords } from './record-words.ts';

export type HistoryEntry = Awaited<ReturnType<ServiceClient['listIncidentHistory']>>['data'][number];

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
  const list = changes.length > 0 && (
    <ul className="changes">
      {changes.map(([field, { from, to }]) => (
        <li key={field} className="wrapping">
          <strong>{fieldName(field)}</strong> {from !== null && from !== undefined && <del>{format(field, from)}</del>}
          {from !== null && from !== undefined && ' → '}
          <ins>{format(field, to)}</ins>
        </li>
      ))}
    </ul>
  );
  return (
    <Stack gap="xxs">
      <div className="entry-head">
        <strong>{isService(entry) ? originNames[entry.origin.kind] : <Person address={entry.actor} />}</strong>
        <span>{describeEntry(entry, thing)}</span>
        <Box variant="span" muted>
          <Ago at={entry.at} />
        </Box>
        <Origin entry={entry} />
      </div>
      {/* The first values are long, and the page shows most of them. */}
      {changes.length > 0 && entry.version === 1 ? (
        <details className="first-values">
          <summary>First values</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </Stack>
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
  import: 'Import',
};

/** The entry of the import itself has no changes; the changes before it happened in another system. */
function describeEntry({ version, origin, changes }: HistoryEntry, thing: string): string {
  if (origin.kind === 'import' && Object.keys(changes).length === 0) return `imported the ${thing}`;
  return version === 1 ? `created the ${thing}` : 'updated';
}

/** The service itself, whose actor names are internal. */
const isService = ({ origin: { kind } }: HistoryEntry) => ['sla', 'ai', 'restore'].includes(kind);

function Origin({ entry }: { entry: HistoryEntry }) {
  const { origin } = entry;
  if (origin.kind === 'api' || isService(entry)) return null;
  if ((origin.kind === 'job' || origin.kind === 'import') && origin.id)
    return <PageLink to={jobPath(origin.id)}>{originNames[origin.kind]}</PageLink>;
  const path = origin.id === null ? undefined : toRecordPath(origin.id);
  if (path) return <PageLink to={path}>{originNames[origin.kind]}</PageLink>;
  return <Badge>{originNames[origin.kind]}</Badge>;
}

const maxShownLength = 400;

function short(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
