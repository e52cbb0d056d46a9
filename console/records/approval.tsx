import { type ReactNode, useMemo } from 'react';
import type { ServiceClient } from '../../client/index.ts';
import type { Role } from '../../contract/roles.ts';
import { useApi } from '../base/api.ts';
import { useCaller, useHasRole } from '../base/caller.tsx';
import type { Page, PageRequest } from '../base/paging.ts';
import { Ago, noValue, Person } from '../ui/text.tsx';
import type { HistoryEntry } from './history-item.tsx';
import type { NewNote, RecordNote } from './notes.tsx';
import { type ApprovedRecord, RecordActions } from './record-actions.tsx';
import { type KindName, toOperations } from './record-kind.ts';
import { type Fact, RecordPage, type Titled } from './record-page.tsx';
import { type RecordWords, toHistoryWords } from './record-words.ts';
import { Timeline } from './timeline.tsx';
import { type RecordResponse, type RecordVersion, useRecord } from './use-record.ts';

interface Matching {
  ifMatch?: string;
}

/** The operations on one record. */
export interface ApprovalApi<Shown> {
  get(options: { signal: AbortSignal; ifNoneMatch?: string }): Promise<RecordResponse<Shown>>;
  history(page: PageRequest, options: { signal: AbortSignal }): Promise<Page<HistoryEntry>>;
  /** Absent for records without notes. */
  notes?: {
    list(page: PageRequest, options: { signal: AbortSignal }): Promise<Page<RecordNote>>;
    add(note: NewNote): Promise<unknown>;
  };
  decide(
    verdict: 'approve' | 'reject',
    body: { note: string | null },
    options: Matching,
  ): Promise<RecordResponse<Shown>>;
  /** Absent for records that only a decision changes. */
  enter?(state: string, options: Matching): Promise<RecordResponse<Shown>>;
  remove?(options: Matching): Promise<unknown>;
}

/** For records with notes and states. */
export function createRecordApi<Shown>(name: Exclude<KindName, 'Ci' | 'Article'>) {
  return (client: ServiceClient, id: string): ApprovalApi<Shown> => {
    const operations = toOperations<Shown>(client);
    return {
      get: (options) => operations[`get${name}`].withResponse({ id }, options),
      history: (page, options) => operations[`list${name}History`]({ id, ...page }, options),
      notes: {
        list: (page, options) => operations[`list${name}Notes`]({ id, ...page }, options),
        add: (note) => operations[`create${name}Note`]({ id }, note),
      },
      decide: (verdict, body, options) => operations[`${verdict}${name}`].withResponse({ id }, body, options),
      enter: (state, options) => operations[`update${name}`].withResponse({ id }, { state }, options),
      remove: (options) => operations[`delete${name}`]({ id }, options),
    };
  };
}

interface ApprovalPageProps<Shown> {
  id: string;
  words: RecordWords;
  listTo: string;
  /** Who decides, if not managers. */
  approverRole?: Role;
  api(client: ServiceClient, id: string): ApprovalApi<Shown>;
  /** The next states, with the texts of their buttons. */
  steps(record: Shown): Readonly<Record<string, string>>;
  /** The people who may not decide on it because it is their own. */
  owners(record: Shown): readonly (string | null)[];
  labels(record: Shown): ReactNode;
  facts(record: Shown): Fact[];
  /** Markdown below the description. */
  texts?(record: Shown): readonly { title: string; text: string | null }[];
  /** Shown above the texts and in the approval dialog. */
  notice?(record: Shown): ReactNode;
  /** Other records that belong to it, above the timeline. */
  related?(record: Shown): ReactNode;
}

/** Fields that the service sets on creation and the history omits. */
const computed = ['requested_by', 'deleted'];

/** The page of a record that needs approval. `api` must be a stable function. */
export function ApprovalPage<Shown extends ApprovedRecord & Titled>(props: ApprovalPageProps<Shown>) {
  const { id, words, listTo, api: createApi } = props;
  const { client } = useApi();
  const api = useMemo(() => createApi(client, id), [createApi, client, id]);
  const current = useRecord<Shown>([words.thing, id], api.get);
  const version = current.data;
  const email = useCaller().data?.email ?? null;
  const isOwn = version !== undefined && words.thing === 'request' && props.owners(version.record).includes(email);
  const canAdd = useHasRole('itsm_agent') || isOwn;
  return (
    <RecordPage
      id={id}
      thing={words.thing}
      current={current}
      labels={props.labels}
      facts={props.facts}
      {...(props.texts ? { texts: props.texts } : {})}
      notice={version && props.notice?.(version.record)}
      actions={
        version && (
          <RecordActions
            version={version}
            thing={words.thing}
            listTo={listTo}
            approverRole={props.approverRole ?? 'itsm_manager'}
            steps={props.steps(version.record)}
            owners={props.owners(version.record)}
            calls={createCalls(api, version)}
            approvalNotice={props.notice?.(version.record)}
            onSaved={current.show}
          />
        )
      }
    >
      {version && props.related?.(version.record)}
      {version && (
        <Timeline
          id={id}
          timelineKey={[words.thing, id, version.etag]}
          words={toHistoryWords(words, computed)}
          history={api.history}
          notes={
            api.notes && { list: api.notes.list, add: canAdd ? api.notes.add : undefined, onAdded: current.reload }
          }
        />
      )}
    </RecordPage>
  );
}

/** The next states that have a button, with its text. */
export function toSteps<State extends string>(
  next: readonly State[],
  texts: Readonly<Partial<Record<State, string>>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(next.flatMap((state) => (texts[state] === undefined ? [] : [[state, texts[state]]])));
}

/** Every call applies to the version that the user saw. */
function createCalls<Shown>(api: ApprovalApi<Shown>, { etag }: RecordVersion<Shown>) {
  const { enter, remove } = api;
  const options = etag ? { ifMatch: etag } : {};
  const saved = ({ data, etag: next }: RecordResponse<Shown>): RecordVersion<Shown> => {
    if (data === undefined) throw new Error('The service returned no record.');
    return { record: data, etag: next };
  };
  return {
    decide: async (verdict: 'approve' | 'reject', note: string | null) =>
      saved(await api.decide(verdict, { note }, options)),
    ...(enter && { enter: async (state: string) => saved(await enter(state, options)) }),
    ...(remove && { remove: () => remove(options) }),
  };
}

interface Approvable {
  requested_by: string;
  decision_by: string | null;
  decision_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Locks the fields that the service rejects changes of after an approval. */
export function createFieldLock(fields: readonly string[], thing: string) {
  return ({ decision_at, state }: Pick<Approvable, 'decision_at'> & { state: string }) => {
    if (decision_at === null || state === 'rejected') return undefined;
    const why = `Approved fields cannot be changed. To change them, cancel this ${thing} and create a new one.`;
    return { fields, why };
  };
}

export function approvalFacts(record: Approvable): Fact[] {
  return [
    { label: 'Requested by', value: <Person address={record.requested_by} /> },
    { label: 'Decided by', value: record.decision_by === null ? noValue : <Person address={record.decision_by} /> },
    ...(record.decision_at === null ? [] : [{ label: 'Decided', value: <Ago at={record.decision_at} /> }]),
    { label: 'Created', value: <Ago at={record.created_at} /> },
    { label: 'Updated', value: <Ago at={record.updated_at} /> },
  ];
}
