import type { ReactNode } from 'react';
import { Alert, Box, Columns, CopyButton, Header, KeyValues, Stack } from '../ui/kit/index.ts';
import { Panel } from '../ui/layouts.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { PendingPage } from '../ui/problem-page.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import type { FieldSpec } from './record-draft.ts';
import { formatFieldName, formatValue, type RecordWords } from './record-words.ts';
import type { CurrentRecord } from './use-record.ts';

export interface Titled {
  id: string;
  short_description: string;
  /** Absent for records without a description. */
  description?: string | null;
  decision_note?: string | null;
  state: string;
  deleted: boolean;
}

export interface Fact {
  label: string;
  value: ReactNode;
}

const plainKinds: ReadonlySet<FieldSpec['kind']> = new Set(['line', 'choice', 'number', 'moment']);

/** Adds the plain fields of a form that have no fact of their own, so that a new field needs no line on the page. */
export function addPlainFacts(facts: Fact[], record: object, fields: readonly FieldSpec[], words: RecordWords): Fact[] {
  const labels = new Set(facts.map(({ label }) => label));
  const values = record as Readonly<Record<string, unknown>>;
  const plain = fields.filter(({ name, kind }) => plainKinds.has(kind) && !labels.has(formatFieldName(words, name)));
  const added = plain.map(({ name }) => ({
    label: formatFieldName(words, name),
    value: <span className="wrapping">{formatValue(words, name, values[name])}</span>,
  }));
  return [...facts, ...added];
}

interface RecordPageProps<Shown> {
  id: string;
  thing: string;
  current: CurrentRecord<Shown>;
  /** Beside the id. */
  labels(record: Shown): ReactNode;
  actions: ReactNode;
  facts(record: Shown): Fact[];
  /** Above the texts. */
  notice?: ReactNode;
  /** Markdown below the description. */
  texts?(record: Shown): readonly { title: string; text: string | null }[];
  /** Below the texts. */
  children?: ReactNode;
}

/** The page of one record: texts, details, actions and history. */
export function RecordPage<Shown extends Titled>(props: RecordPageProps<Shown>) {
  const { id, thing, current } = props;
  const { data, problem, reload } = current;
  if (!data) return <PendingPage title={id} thing={`${thing} ${id}`} loaded={current} />;
  const { record } = data;
  return (
    <Stack>
      <RecordHeader {...props} record={record} />
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {record.deleted && <Alert type="warning">This {thing} was deleted and is retained for audit.</Alert>}
      {props.notice}
      <Columns count="main-side">
        <Stack>
          <Texts record={record} />
          {props
            .texts?.(record)
            .map(({ title, text }) => text !== null && <Text key={title} title={title} text={text} />)}
          {props.children}
        </Stack>
        <Panel title="Details">
          <KeyValues columns={2} items={props.facts(record)} />
        </Panel>
      </Columns>
    </Stack>
  );
}

function RecordHeader<Shown extends Titled>({ record, labels, actions }: RecordPageProps<Shown> & { record: Shown }) {
  return (
    <Header
      variant="h1"
      actions={actions}
      description={
        <div className="facts-line">
          <span className="facts-line-part">
            <Box variant="strong">{record.id}</Box>
            <CopyButton label="Copy ID" value={record.id} />
          </span>
          {labels(record)}
        </div>
      }
    >
      <span className="wrapping">{record.short_description}</span>
    </Header>
  );
}

function Texts({ record: { description, decision_note, state } }: { record: Titled }) {
  return (
    <Stack>
      {decision_note && (
        <Alert type={state === 'rejected' ? 'warning' : 'info'} header="Decision note">
          <span className="wrapping">{decision_note}</span>
        </Alert>
      )}
      {description !== undefined && <Description text={description} />}
    </Stack>
  );
}

export function Description({ text }: { text: string | null }) {
  if (text !== null) return <Text title="Description" text={text} />;
  return (
    <Panel title="Description">
      <Box muted>No description.</Box>
    </Panel>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <Panel title={title}>
      <Markdown source={text} />
    </Panel>
  );
}
