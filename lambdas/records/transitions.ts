import { ServiceError } from '../platform/service-error.ts';

/** The only ways from one state to another. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

export interface StateMachine<State extends string> {
  /** A record of the kind, in words: `An incident`. */
  a: string;
  transitions: Transitions<State>;
}

/** Refuses a state that cannot follow. `allowed` may leave out some that this request cannot ask for. */
export function assertTransition<State extends string>(
  { a, transitions }: StateMachine<State>,
  from: State,
  to: State,
  allowed: readonly State[] = transitions[from],
): void {
  if (allowed.includes(to)) return;
  const instead = allowed.length > 0 ? `only to ${allowed.join(' or ')}` : 'to no other state';
  throw new ServiceError('invalid_transition', `${a} in state ${from} can change ${instead}, not to ${to}.`, {
    members: { allowed_transitions: allowed },
  });
}
