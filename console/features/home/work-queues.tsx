import type { ReactNode } from 'react';
import { openIncidentStates } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { serverNow } from '../../base/server-clock.ts';
import { type Loaded, useLoad } from '../../base/use-load.ts';
import { ApprovalState } from '../../records/approval-state.tsx';
import { PriorityBadge, SlaLabel, StateLabel } from '../../resources/incident-labels.tsx';
import { type Incident, incidentPath } from '../../resources/incident-words.ts';
import { requestList, requestPath, stateNames } from '../../resources/request-words.ts';
import { Box, Row } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { formatPerson } from '../../ui/person.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useNow } from '../../ui/screen.ts';
import { Ago } from '../../ui/text.tsx';
import { formatAge, formatCountdown } from '../../ui/time.ts';

// Short lists of what needs attention, each with a link to the full list.

interface Queue {
  title: string;
  empty: string;
  filters: Readonly<Record<string, string>>;
  /** Shows the seconds until the breach. */
  isCountdown?: true;
}

const open = { state: openIncidentStates.join(',') };
const byBreach = { sort: 'sla_breach_at', order: 'asc' };

export function incidentQueues(email: string) {
  return {
    breached: {
      title: 'SLA breached',
      empty: 'No open incident is late.',
      filters: { ...open, sla: 'breached', ...byBreach },
    },
    dueSoon: {
      title: 'Due within an hour',
      empty: 'No incident breaches its SLA within an hour.',
      filters: { ...open, sla: 'due_soon', ...byBreach },
      isCountdown: true,
    },
    unassigned: {
      title: 'Unassigned',
      empty: 'Every open incident has an assignee.',
      filters: { ...open, unassigned: 'true', sort: 'priority', order: 'asc' },
    },
    mine: {
      title: 'Assigned to me',
      empty: 'You have no open incidents.',
      filters: { ...open, assigned_to: email, sort: 'priority', order: 'asc' },
    },
  } as const satisfies Record<string, Queue>;
}

const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

const maxRows = 5;

export function IncidentQueue({ queue: { title, empty, filters, isCountdown } }: { queue: Queue }) {
  const { client } = useApi();
  const list = useLoad(
    ['incidents', 'queue', filters],
    (signal) => client.listIncidents({ ...filters, limit: maxRows }, { signal }),
    { polling },
  );
  const rows = list.data?.data.map((incident) => (
    <QueueRow
      key={incident.id}
      to={incidentPath(incident.id)}
      title={incident.short_description}
      label={<PriorityBadge priority={incident.priority} />}
      facts={[incident.assignment_group ?? 'No group', incident.id]}
      aside={isCountdown ? <Countdown incident={incident} /> : <Progress incident={incident} />}
    />
  ));
  return (
    <QueuePanel
      title={title}
      links={{ 'View all': `/incidents?${formatQuery(filters)}` }}
      list={list}
      total={list.data?.total}
      empty={empty}
      rows={rows}
    />
  );
}

const formatQuery = (filters: Queue['filters']) =>
  new URLSearchParams(filters).toString().replaceAll('%2C', ',').replaceAll('%40', '@');

/** What the reporter or the team waits for. */
function Progress({ incident }: { incident: Incident }) {
  return openIncidentStates.some((open) => open === incident.state) ? (
    <SlaLabel incident={incident} />
  ) : (
    <StateLabel state={incident.state} />
  );
}

/** Counts down by the second. Screen readers get the time of the breach, which does not change. */
function Countdown({ incident: { sla_breach_at: breachAt } }: { incident: Incident }) {
  const now = useNow(1_000);
  if (breachAt === null) return null;
  return (
    <time dateTime={breachAt} title={`Breaches at ${breachAt}`} className="countdown">
      {formatCountdown(Date.parse(breachAt) - now)}
    </time>
  );
}

/** Changes and requests that the caller may decide on; nobody decides on their own. */
export function ApprovalQueue({ email }: { email: string }) {
  const { client } = useApi();
  const list = useLoad(
    ['approvals', 'queue'],
    async (signal) => {
      const query = { state: 'submitted', sort: 'created_at', order: 'asc', limit: 50 } as const;
      const [changes, requests] = await Promise.all([
        client.listChanges(query, { signal }),
        client.listRequests(query, { signal }),
      ]);
      const waiting = [
        ...changes.data.map((record) => ({ ...record, path: '/changes' })),
        ...requests.data.map((record) => ({ ...record, path: '/requests' })),
      ].filter(({ requested_by }) => requested_by !== email);
      return waiting.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
    },
    { polling },
  );
  const rows = list.data
    ?.slice(0, maxRows)
    .map(({ id, path, short_description, requested_by, created_at }) => (
      <QueueRow
        key={id}
        to={`${path}/${id}`}
        title={short_description}
        facts={[path === '/changes' ? 'Change' : 'Request', id, `by ${formatPerson(requested_by)}`]}
        aside={<Ago at={created_at} />}
      />
    ));
  return (
    <QueuePanel
      title="Awaiting my approval"
      links={{ Changes: '/changes?state=submitted', Requests: '/requests?state=submitted' }}
      list={list}
      total={list.data?.length}
      empty="Nothing is waiting for your approval."
      rows={rows}
    />
  );
}

/** The caller's own requests, newest first. */
export function RequestQueue({ email }: { email: string }) {
  const { client } = useApi();
  const filters = { requested_by: email };
  const list = useLoad(
    ['requests', 'queue', filters],
    (signal) => client.listRequests({ ...filters, sort: 'created_at', order: 'desc', limit: maxRows }, { signal }),
    { polling },
  );
  const rows = list.data?.data.map(({ id, short_description, item, state, created_at }) => (
    <QueueRow
      key={id}
      to={requestPath(id)}
      title={short_description}
      facts={[...(item === null ? [] : [item]), id, formatAge(created_at, serverNow())]}
      aside={<ApprovalState state={state} names={stateNames} />}
    />
  ));
  return (
    <QueuePanel
      title="My requests"
      links={{ 'View all': `${requestList}?${formatQuery(filters)}` }}
      list={list}
      total={list.data?.total}
      empty="You have no requests. Create one for equipment, access or services."
      rows={rows}
    />
  );
}

interface QueuePanelProps {
  title: string;
  /** Where the full lists are, by the text of the link. */
  links: Readonly<Record<string, string>>;
  list: Loaded<unknown>;
  total: number | undefined;
  empty: string;
  rows: readonly ReactNode[] | undefined;
}

function QueuePanel({ title, links, list, total, empty, rows }: QueuePanelProps) {
  return (
    <Panel
      title={title}
      {...(total === undefined ? {} : { counter: `(${total.toLocaleString('en')})` })}
      actions={
        <Row gap="s">
          {Object.entries(links).map(([text, to]) => (
            <PageLink key={to} to={to} variant="secondary">
              {text}
              <span className="visually-hidden">: {title}</span>
            </PageLink>
          ))}
        </Row>
      }
    >
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      {rows === undefined && list.problem === undefined && <FactsSkeleton facts={3} label={`Loading: ${title}`} />}
      {rows?.length === 0 && <Box muted>{empty}</Box>}
      {rows !== undefined && rows.length > 0 && <ul className="queue">{rows}</ul>}
    </Panel>
  );
}

interface QueueRowProps {
  to: string;
  title: string;
  label?: ReactNode;
  facts: readonly string[];
  aside: ReactNode;
}

function QueueRow({ to, title, label, facts, aside }: QueueRowProps) {
  return (
    <li className="queue-row">
      {label}
      <span className="queue-title">
        <PageLink to={to} variant="secondary">
          {title}
        </PageLink>
        <Box muted small>
          {facts.join(' · ')}
        </Box>
      </span>
      <span className="queue-aside">{aside}</span>
    </li>
  );
}
