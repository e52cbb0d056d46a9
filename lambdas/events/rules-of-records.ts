import { type EventRules, onCreation, onEntering } from './event-rules.ts';
import { incidentEvents } from './incident-events.ts';

type Document = Readonly<Record<string, unknown>>;

const titled = ({ short_description, state }: Document) => ({ short_description, state });

/** Every kind of record that others are told of. */
export const rulesOfRecords: EventRules = {
  incident: incidentEvents,
  change: onEntering(
    { submitted: 'change.submitted', approved: 'change.approved', rejected: 'change.rejected' },
    'changes',
    titled,
  ),
  request: onEntering({ submitted: 'request.submitted', approved: 'request.approved' }, 'requests', titled),
  ci: onCreation(
    'ci.discovered',
    'cmdb/cis',
    ({ discovered_at }) => typeof discovered_at === 'string',
    ({ name, class: kind, status }) => ({ name, class: kind, state: status }),
  ),
};
