import type { IncidentState } from '../../contract/incidents.ts';
import { assertTransition, type StateMachine } from '../records/transitions.ts';

/** The only ways from one state to another. `closed` and `cancelled` are final. */
const machine: StateMachine<IncidentState> = {
  a: 'An incident',
  transitions: {
    new: ['in_progress', 'cancelled'],
    in_progress: ['on_hold', 'resolved'],
    on_hold: ['in_progress'],
    resolved: ['closed', 'reopened'],
    reopened: ['in_progress'],
    closed: [],
    cancelled: [],
  },
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
  assertTransition(machine, from.state, to);
  const at = new Date(nowMs).toISOString();
  return {
    state: to,
    resolved_at: to === 'resolved' ? at : to === 'reopened' ? null : resolved_at,
    closed_at: to === 'closed' ? at : closed_at,
    reopen_count: to === 'reopened' ? reopen_count + 1 : reopen_count,
  };
}
