import type { FieldProblem } from '../../contract/errors.ts';
import type { InboundEvent } from '../../contract/inbound-events.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { Backoff } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { OneAtATime } from '../platform/one-at-a-time.ts';
import type { Changer } from '../records/change-record.ts';
import { writeOnce } from '../records/idempotency.ts';
import type { ItemStore, Write } from '../records/item-store.ts';
import type { SlaPolicy } from '../sla/sla.ts';

// How the work on an event can end: in an outcome that is stored with it, in its being known already, or in its making
// no sense.

export interface InboundTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  change: Changer<IncidentDocument>;
  policy: SlaPolicy;
  clock: Clock;
  serviceDomain: string;
  /** Events about the same incident do not collide inside one function instance. */
  inTurn: OneAtATime;
  wait: Backoff;
}

/** An event with its outcome, and the writes that store it. */
export interface Outcome {
  event: InboundEvent;
  writes: Write[];
}

export type Finish = (status: InboundEvent['status'], incidentId: string | null) => Outcome;

/** The event was received before; thrown when its own write or its claim on the body is refused. */
export class AlreadyReceived extends Error {}

/** The event makes no sense; it is kept, and can be run again. */
export class Unprocessable extends Error {
  readonly problems: FieldProblem[];

  constructor(problems: FieldProblem[]) {
    super(problems.map(({ field, message }) => `${field} ${message}`).join('; '));
    this.problems = problems;
  }
}

/** Stores an event that changes nothing else. */
export async function storeAlone({ event, writes }: Outcome, tools: InboundTools): Promise<InboundEvent> {
  const refused = (by: string) => {
    if (by === 'event' || by === 'body') throw new AlreadyReceived();
  };
  const attempt = () => ({ writes, answer: { status: 202, body: event }, refused });
  return (await writeOnce(tools.store, undefined, tools.clock.now(), attempt, tools.wait)).body;
}
