import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Icon from '@cloudscape-design/components/icon';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback } from 'react';
import type { ServiceClient } from '../../../../client/index.ts';
import { useApi } from '../../../api.ts';
import { Email } from '../../../components/email.tsx';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { Ago } from '../../../components/moment.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { collectPages } from '../../../pages-of.ts';
import { useLoad } from '../../../use-load.ts';
import { useMay } from '../../../use-may.ts';
import { NoteForm } from './note-form.tsx';

type WorkNote = Awaited<ReturnType<ServiceClient['createWorkNote']>>;

interface NotesPanelProps {
  id: string;
  /** Changes when notes were added. */
  revision: string | undefined;
  onAdded(): void;
}

/** The newest first, below the form for the next one. */
export function NotesPanel({ id, revision, onAdded }: NotesPanelProps) {
  const { client } = useApi();
  const mayWrite = useMay('itsm_agent');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision of the incident may have more notes.
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listWorkNotes({ id, ...page }, { signal })),
    [client, id, revision],
  );
  const { data, problem, reload } = useLoad(load);
  const notes = data?.items.toReversed() ?? [];
  return (
    <SpaceBetween size="l">
      {mayWrite && (
        <NoteForm
          id={id}
          onAdded={() => {
            reload();
            onAdded();
          }}
        />
      )}
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {!data && problem === undefined && <FactsSkeleton facts={2} label="Loading work notes" />}
      {data && notes.length === 0 && <Box color="text-status-inactive">No work notes yet.</Box>}
      {notes.length > 0 && (
        <ol className="entries" aria-label="Work notes">
          {notes.map((note) => (
            <li key={note.id}>
              <Note note={note} />
            </li>
          ))}
        </ol>
      )}
      {data && data.total > data.items.length && (
        <Box color="text-body-secondary">
          Showing the first {data.items.length} of {data.total} notes. Use the API to get all notes.
        </Box>
      )}
    </SpaceBetween>
  );
}

const visibilityNames: Readonly<Record<WorkNote['visibility'], string>> = {
  team: 'Team',
  public: 'Public',
  private: 'Private',
};

function Note({ note }: { note: WorkNote }) {
  return (
    <SpaceBetween size="xs">
      <div className="entry-head">
        <strong>
          <Email address={note.author} />
        </strong>
        <Box variant="span" color="text-body-secondary">
          <Ago at={note.created_at} />
        </Box>
        {note.visibility !== 'team' && (
          <Badge color={note.visibility === 'public' ? 'green' : 'grey'}>{visibilityNames[note.visibility]}</Badge>
        )}
      </div>
      <Markdown source={note.body} />
      {note.attachments.length > 0 && <Attachments attachments={note.attachments} />}
    </SpaceBetween>
  );
}

function Attachments({ attachments }: Pick<WorkNote, 'attachments'>) {
  return (
    <ul className="attachments" aria-label="Attachments">
      {attachments.map(({ filename, content_type, size_bytes, url }) => (
        <li key={`${filename} ${url}`} className="wrapping">
          <Icon name="file" />{' '}
          <Link href={url} external rel="noopener noreferrer nofollow" externalIconAriaLabel="Opens in a new tab">
            {filename}
          </Link>{' '}
          <Box variant="span" color="text-body-secondary" fontSize="body-s">
            {content_type}, {sizeText(size_bytes)}
          </Box>
        </li>
      ))}
    </ul>
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
