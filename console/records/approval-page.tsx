import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { ServiceClient } from '../../client/index.ts';
import { useApi } from '../api.ts';
import { collectPages } from '../pages-of.ts';
import { type HistoryEntry, HistoryPanel } from './history-panel.tsx';
import { type ApprovedRecord, RecordActions } from './record-actions.tsx';
import { type Fact, RecordPage, type Titled } from './record-page.tsx';
import { historyWords, type RecordWords } from './record-words.ts';
import { type Answered, type RecordVersion, useRecord } from './use-record.ts';

interface Matching {
  ifMatch?: string;
}

/** What can be asked of one record of a kind. */
export interface ApprovalApi<Shown> {
  get(options: { signal: AbortSignal; ifNoneMatch?: string }): Promise<Answered<Shown>>;
  history(
    page: { limit: number; cursor?: string },
    options: { signal: AbortSignal },
  ): Promise<{ data: readonly HistoryEntry[]; next_cursor?: string | undefined; total: number }>;
  decide(verdict: 'approve' | 'reject', body: { note: string | null }, options: Matching): Promise<Answered<Shown>>;
  enter(state: string, options: Matching): Promise<Answered<Shown>>;
  remove(options: Matching): Promise<unknown>;
}

interface ApprovalPageProps<Shown> {
  id: string;
  words: RecordWords;
  listTo: string;
  api(client: ServiceClient, id: string): ApprovalApi<Shown>;
  /** The states that an update may ask for next, with what the button says. */
  steps(record: Shown): Readonly<Record<string, string>>;
  /** Whose own matter it is. */
  owners(record: Shown): readonly (string | null)[];
  labels(record: Shown): ReactNode;
  facts(record: Shown): Fact[];
}

/** What the service set at the creation says nothing that the entry of the history itself does not. */
const computed = ['requested_by', 'deleted'];

/** The page of a record that needs an approval. `api` must be the same function every time. */
export function ApprovalPage<Shown extends ApprovedRecord & Titled>(props: ApprovalPageProps<Shown>) {
  const { id, words, listTo, api: apiOf } = props;
  const { client } = useApi();
  const api = useMemo(() => apiOf(client, id), [apiOf, client, id]);
  const current = useRecord<Shown>(api.get);
  const version = current.data;
  const revision = version?.etag;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision of the record has more history.
  const history = useCallback(
    (signal: AbortSignal) => collectPages((page) => api.history(page, { signal })),
    [api, revision],
  );
  return (
    <RecordPage
      id={id}
      thing={words.thing}
      current={current}
      labels={props.labels}
      facts={props.facts}
      actions={
        version && (
          <RecordActions
            version={version}
            thing={words.thing}
            listTo={listTo}
            steps={props.steps(version.record)}
            owners={props.owners(version.record)}
            calls={callsFor(api, version)}
            onSaved={current.show}
          />
        )
      }
    >
      <Container header={<Header variant="h2">History</Header>}>
        {version && <HistoryPanel load={history} words={historyWords(words, computed)} />}
      </Container>
    </RecordPage>
  );
}

/** Everything is done to the version that the reader saw. */
function callsFor<Shown>(api: ApprovalApi<Shown>, { etag }: RecordVersion<Shown>) {
  const options = etag ? { ifMatch: etag } : {};
  const saved = ({ data, etag: next }: Answered<Shown>): RecordVersion<Shown> => ({ record: data!, etag: next });
  return {
    decide: async (verdict: 'approve' | 'reject', note: string | null) =>
      saved(await api.decide(verdict, { note }, options)),
    enter: async (state: string) => saved(await api.enter(state, options)),
    remove: () => api.remove(options),
  };
}
