import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { openIncidentStates, type PageState } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { useKnownNames } from '../../records/directory.ts';
import {
  Box,
  Button,
  Combobox,
  Expandable,
  FormField,
  Input,
  Row,
  Select,
  Stack,
  Status,
  type StatusType,
} from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { ActionModal } from '../../ui/modals.tsx';
import { nameAddresses } from '../../ui/person.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useNow } from '../../ui/screen.ts';
import { Ago, Person } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { IncidentVersion } from './incident-change.tsx';

type Page = Awaited<ReturnType<ServiceClient['getPages']>>['data'][number];

const polling = { intervalMs: 5_000, maxIntervalMs: 60_000, maxPolls: 720 };

/** Shows how an incident calls people, as it happens. */
export function EscalationPanel({ version, onAnswered }: { version: IncidentVersion; onAnswered(): void }) {
  const { id, state, acknowledged_at } = version.record;
  const { client } = useApi();
  const canAct = useHasRole('itsm_agent') && openIncidentStates.includes(state);
  const { data, problem, reload } = useLoad(
    ['incidents', id, 'pages', version.etag],
    (signal) => client.getPages({ id }, { signal }),
    { keepPrevious: true, polling },
  );
  const [isAsking, setAsking] = useState(false);
  const answer = useAction();
  const acknowledge = async () => {
    const isDone = await answer.run(async () => {
      await client.acknowledgeIncident({ id });
    });
    if (!isDone) return;
    reload();
    onAnswered();
  };
  const isPaging = data?.data.some((page) => page.state === 'paging') ?? false;
  return (
    <Panel title="Escalation">
      <Stack gap="m">
        {answer.problem !== undefined && <ProblemView problem={answer.problem} />}
        {problem !== undefined ? (
          <ProblemView problem={problem} onRetry={reload} />
        ) : data ? (
          <Pages pages={data.data} />
        ) : (
          // As high as the line of most incidents, so that nothing below moves.
          <Box muted>Loading…</Box>
        )}
        {canAct && (
          <Row>
            {(acknowledged_at === null || isPaging) && (
              <Button variant={isPaging ? 'primary' : 'normal'} loading={answer.busy} onClick={acknowledge}>
                Acknowledge
              </Button>
            )}
            <Button onClick={() => setAsking(true)}>Page…</Button>
          </Row>
        )}
      </Stack>
      {isAsking && <PageModal id={id} onClose={() => setAsking(false)} onPaged={reload} />}
    </Panel>
  );
}

function Pages({ pages: [latest, ...earlier] }: { pages: readonly Page[] }) {
  if (!latest) return <Box muted>Nobody was paged.</Box>;
  return (
    <Stack gap="m">
      <PageView page={latest} />
      {earlier.length > 0 && (
        <Expandable title="Earlier pages" counter={`(${earlier.length})`}>
          <Stack gap="m">
            {earlier.map((page) => (
              <PageView key={page.id} page={page} />
            ))}
          </Stack>
        </Expandable>
      )}
    </Stack>
  );
}

const looks: Readonly<Record<PageState, StatusType>> = {
  paging: 'in-progress',
  acknowledged: 'success',
  ended: 'stopped',
  exhausted: 'error',
  unreachable: 'error',
  held: 'warning',
};

const stateNames: Readonly<Record<PageState, string>> = {
  paging: 'Paging',
  acknowledged: 'Acknowledged',
  ended: 'Ended',
  exhausted: 'Nobody acknowledged',
  unreachable: 'Nobody was paged',
  held: 'Held back by a change',
};

function PageView({ page }: { page: Page }) {
  const { state, target, step, steps, acknowledged_by, next_step_at } = page;
  return (
    <Stack gap="xs">
      <Status type={looks[state]}>
        {stateNames[state]}
        {state === 'paging' && step > 0 && ` · step ${step} of ${steps.length}`}
      </Status>
      <Box muted>
        {target.name}
        {acknowledged_by !== null && (
          <>
            {' · '}
            <Person address={acknowledged_by} />
          </>
        )}
      </Box>
      {next_step_at !== null && <Countdown at={next_step_at} isLast={isLastStep(page)} />}
      <Expandable title="Log" defaultExpanded={state === 'paging'}>
        <Log page={page} />
      </Expandable>
    </Stack>
  );
}

function isLastStep({ step, steps, repetition, repeat }: Page): boolean {
  return step === steps.length && repetition === repeat;
}

function Countdown({ at, isLast }: { at: string; isLast: boolean }) {
  const leftSeconds = Math.max(0, Math.round((Date.parse(at) - useNow(1_000)) / 1_000));
  const clock = `${Math.floor(leftSeconds / 60)}:${String(leftSeconds % 60).padStart(2, '0')}`;
  return (
    <Box>
      {isLast ? 'Ends in ' : 'Next step in '}
      <time dateTime={at} className="unbroken">
        {clock}
      </time>
    </Box>
  );
}

/** Steps, messages, failures and answers in one order. */
function Log({ page }: { page: Page }) {
  const entries = [
    ...page.log.map(({ at, text }, place) => ({ at, text, key: `log ${place}` })),
    ...page.messages.map(({ at, to, channel, outcome, error }, place) => ({
      at,
      text: `${contactKindNames[channel ?? 'none']} to ${to}: ${outcome}${error === null ? '' : ` (${error})`}`,
      key: `message ${place}`,
    })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <ul className="intervals" aria-label="Escalation log">
      {entries.map(({ at, text, key }) => (
        <li key={key}>
          <span className="wrapping">{nameAddresses(text)}</span>
          <Box muted small>
            <Ago at={at} />
          </Box>
        </li>
      ))}
    </ul>
  );
}

const contactKindNames = {
  email: 'E-mail',
  sms: 'SMS',
  slack: 'Slack',
  teams: 'Teams',
  ntfy: 'ntfy',
  none: 'No channel',
} as const;

const kinds = [
  { value: 'person', label: 'Person' },
  { value: 'escalation_policy_id', label: 'Escalation policy' },
  { value: 'schedule_id', label: 'Schedule' },
] as const;

type Kind = (typeof kinds)[number]['value'];

function PageModal({ id, onClose, onPaged }: { id: string; onClose(): void; onPaged(): void }) {
  const { client } = useApi();
  const [kind, setKind] = useState<Kind>('person');
  const [target, setTarget] = useState('');
  const [reason, setReason] = useState('');
  const people = useKnownNames('assigned_to') ?? [];
  const page = async () => {
    const body = { [kind]: target.trim(), ...(reason.trim() !== '' && { reason: reason.trim() }) };
    await client.createPage({ id }, body);
    onPaged();
  };
  return (
    <ActionModal title="Page somebody" confirmText="Page" disabled={target.trim() === ''} run={page} onClose={onClose}>
      <FormField label="Whom to page">
        <Select
          value={kind}
          options={kinds}
          onChange={(value) => {
            setKind(value as Kind);
            setTarget('');
          }}
        />
      </FormField>
      {kind === 'person' ? (
        <FormField label="Email address">
          <Combobox value={target} options={people.map((value) => ({ value }))} onChange={setTarget} />
        </FormField>
      ) : (
        <TargetSelect key={kind} kind={kind} value={target} onChange={setTarget} />
      )}
      <FormField label="Reason (optional)">
        <Input value={reason} onChange={setReason} />
      </FormField>
    </ActionModal>
  );
}

interface TargetSelectProps {
  kind: Exclude<Kind, 'person'>;
  value: string;
  onChange(value: string): void;
}

function TargetSelect({ kind, value, onChange }: TargetSelectProps) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['paging targets', kind], async (signal) => {
    const query = { limit: 200 };
    const { data: found } =
      kind === 'schedule_id'
        ? await client.listSchedules(query, { signal })
        : await client.listEscalationPolicies(query, { signal });
    return found.map(({ id, name }) => ({ value: id, label: name, description: id }));
  });
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  return (
    <FormField label={kind === 'schedule_id' ? 'Schedule' : 'Escalation policy'}>
      <Select
        placeholder="Choose one"
        empty="There are none yet."
        filter={{}}
        loading={!data}
        value={value}
        options={data ?? []}
        onChange={onChange}
      />
    </FormField>
  );
}
