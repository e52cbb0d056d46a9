import type { ServiceClient } from '../../../client/index.ts';
import { openIncidentStates } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { serverNow } from '../../base/server-clock.ts';
import { useLoad } from '../../base/use-load.ts';
import { PlainLink } from '../../ui/plain-link.tsx';

export type Statistics = Awaited<ReturnType<ServiceClient['getIncidentStatistics']>>;
export type Day = NonNullable<Statistics['days']>[number];

const polling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 60 };

/** The trends of the overview reach back so many days. */
export const days = 30;

/** Open incidents by priority and state, and the last days. Every number counts all incidents. */
export function useOverviewStatistics() {
  const { client } = useApi();
  return useLoad(
    ['statistics', 'overview'],
    (signal) =>
      Promise.all([
        client.getIncidentStatistics({ state: openIncidentStates, group_by: ['priority', 'state'] }, { signal }),
        client.getIncidentStatistics({ interval: 'day', days }, { signal }),
      ]),
    { polling, keepMs: polling.intervalMs / 2 },
  );
}

const week = 7;

/** The figures of the last seven days with the change to the seven days before; each leads to its incidents. */
export function Counters() {
  const { data } = useOverviewStatistics();
  const all = data?.[1].days ?? [];
  const sum = (part: readonly Day[], read: (day: Day) => number) => part.reduce((total, day) => total + read(day), 0);
  const toCounter = (read: (day: Day) => number) => {
    const now = sum(all.slice(-week), read);
    return { count: now, change: now - sum(all.slice(-2 * week, -week), read) };
  };
  const since = new Date(serverNow() - week * 86_400_000).toISOString().slice(0, 10);
  const open = data?.[0].count ?? 0;
  const growth = sum(all.slice(-week), ({ created, resolved }) => created - resolved);
  return (
    <ul className="counters" aria-label="Last 7 days" aria-busy={data === undefined}>
      <Counter title="Open" to="/incidents" count={open} change={growth} isLoaded={!!data} />
      <Counter
        title="Created in 7 days"
        to="/incidents?created_within=7d&sort=created_at"
        {...toCounter(({ created }) => created)}
        isLoaded={!!data}
      />
      <Counter
        title="Resolved in 7 days"
        to={`/incidents?resolved_after=${since}T00:00:00Z&sort=updated_at`}
        {...toCounter(({ resolved }) => resolved)}
        isLoaded={!!data}
      />
      <Counter
        title="Resolved late in 7 days"
        to={`/incidents?resolved_after=${since}T00:00:00Z&sla=breached&sort=updated_at`}
        {...toCounter(({ sla_breached }) => sla_breached)}
        isLoaded={!!data}
      />
    </ul>
  );
}

interface CounterProps {
  title: string;
  to: string;
  count: number;
  change: number;
  isLoaded: boolean;
}

function Counter({ title, to, count, change, isLoaded }: CounterProps) {
  const sign = change > 0 ? '+' : '';
  return (
    <li>
      <PlainLink to={to} className="counter">
        <span className="ui-muted">{title}</span>
        <strong>{isLoaded ? count.toLocaleString('en') : '–'}</strong>
        <span className="ui-muted ui-small">
          {isLoaded ? `${sign}${change.toLocaleString('en')} since last week` : 'Loading'}
        </span>
      </PlainLink>
    </li>
  );
}
