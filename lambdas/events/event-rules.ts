import type { EventType } from '../../contract/events.ts';
import type { RecordChange } from './record-change.ts';

/** What a change of a record means to others. */
export interface NamedEvent {
  type: EventType;
  /** What the payload says of the record, beside its id and its address. */
  data: Readonly<Record<string, unknown>>;
}

/** How one kind of record speaks of itself. */
export interface EventRule {
  /** Where records of the kind are, below the root of the interface. */
  collection: string;
  /** In the order in which they are told. */
  eventsOf(change: RecordChange): NamedEvent[];
}

/** By the kind of record. A kind that is not here is not spoken of. */
export type EventRules = Readonly<Record<string, EventRule>>;

interface Stateful {
  state?: string;
}

/** Events of a record that enters certain states, also when it is created in one of them. */
export function onEntering(
  types: Readonly<Record<string, EventType>>,
  collection: string,
  describe: (document: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): EventRule {
  return {
    collection,
    eventsOf({ before, after }) {
      const [old, current] = [before?.document, after.document] as [Stateful | undefined, Stateful];
      const type = types[current.state ?? ''];
      if (!type || after.deleted || old?.state === current.state) return [];
      return [{ type, data: describe(current as Record<string, unknown>) }];
    },
  };
}

/** An event of a record that is new and meets a condition. */
export function onCreation(
  type: EventType,
  collection: string,
  applies: (document: Readonly<Record<string, unknown>>) => boolean,
  describe: (document: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): EventRule {
  return {
    collection,
    eventsOf({ before, after }) {
      const document = after.document as Record<string, unknown>;
      return before || !applies(document) ? [] : [{ type, data: describe(document) }];
    },
  };
}
