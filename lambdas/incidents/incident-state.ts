import type { IncidentState } from '../../contract/incidents.ts';
import { ServiceError } from '../platform/service-error.ts';

/** The only ways from one state to another. `closed` and `cancelled` are final. */
const transitions: Readonly<Record<IncidentState, readonly IncidentState[]>> = {
  new: ['in_progress', 'cancelled'],
  in_progress: ['on_hold', 'resolved'],
  on_hold: ['in_progress'],
  resolved: ['closed', 'reopened'],
  reopened: ['in_progress'],
  closed: [],
  cancelled: [],
};

interface StateFields {
  state: IncidentState;
  resolved_at: string | null;
  closed_at: string | null;
  reopen_count: number;
}

/** The state after a transition, with what the transition sets by itself. To stay in a state is no transition. */
export function entered(from: StateFields, to: IncidentState, nowMs: number): StateFields {
  const { resolved_at, closed_at, reopen_count } = from;
  if (to === from.state) return { state: to, resolved_at, closed_at, reopen_count };
  assertAllowed(from.state, to);
  const at = new Date(nowMs).toISOString();
  return {
    state: to,
    resolved_at: to === 'resolved' ? at : to === 'reopened' ? null : resolved_at,
    closed_at: to === 'closed' ? at : closed_at,
    reopen_count: to === 'reopened' ? reopen_count + 1 : reopen_count,
  };
}

function assertAllowed(from: IncidentState, to: IncidentState): void {
  const allowed = transitions[from];
  if (allowed.includes(to)) return;
  const instead = allowed.length > 0 ? `only to ${allowed.join(' or ')}` : 'to no other state';
  throw new ServiceError('invalid_transition', `An incident that is ${from} can go ${instead}, not to ${to}.`, {
    members: { allowed_transitions: allowed },
  });
}
