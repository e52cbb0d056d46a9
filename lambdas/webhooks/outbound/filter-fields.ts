import * as z from 'zod';
import { change } from '../../../contract/changes.ts';
import { ci } from '../../../contract/cis.ts';
import { deliveryPayloads } from '../../../contract/event-payloads.ts';
import type { EventType } from '../../../contract/events.ts';
import { incident } from '../../../contract/incidents.ts';
import { serviceRequest } from '../../../contract/requests.ts';
import type { Filter } from '../../../contract/webhook-settings.ts';
import { ServiceError, summarize, truncateProblems } from '../../platform/service-error.ts';
import { type PathStep, parsePath } from '../filter.ts';

// The fields that filters of outbound webhooks can name: those of the payload, and every field of the record under the name
// of its type, whether the payload contains it or not. A filter on any other field would never match.

const records: Readonly<Record<string, z.ZodObject>> = { incident, change, request: serviceRequest, ci };

/** Rejects filters on fields that none of the webhook's events has. */
export function assertKnownFields({
  filters,
  events,
}: {
  filters: readonly Filter[];
  events: readonly EventType[];
}): void {
  const views = events.map(buildView);
  const isKnown = ({ field }: Filter) => views.some((view) => hasPath(view, parsePath(field)));
  const problems = filters.flatMap((filter, index) =>
    isKnown(filter)
      ? []
      : [{ field: `filters[${index}].field`, message: `${filter.field} is not a field of the events` }],
  );
  if (problems.length === 0) return;
  throw new ServiceError('invalid_input', summarize(problems), { members: { errors: truncateProblems(problems) } });
}

/** The schema of what filters see of an event (`toFilterView`). */
function buildView(event: EventType): z.ZodObject {
  const payload = deliveryPayloads.find((each) => each.event === event)?.schema ?? z.object({});
  const [prefix = ''] = event.split('.');
  // The events of service levels are events of incidents.
  const name = prefix === 'sla' ? 'incident' : prefix;
  const record = records[name] ?? z.object({});
  const values = Object.keys(record.shape).map((field) => [field, z.object({ from: z.unknown(), to: z.unknown() })]);
  const changes = z.object(Object.fromEntries(values));
  const data = (payload.shape as { data?: z.ZodObject }).data ?? z.object({});
  const ownChanges = 'changes' in data.shape ? { changes } : {};
  return z.object({
    ...payload.shape,
    data: z.object({ ...data.shape, ...ownChanges }),
    [name]: z.object({ ...record.shape, ...data.shape, ...ownChanges }),
    ...ownChanges,
  });
}

function hasPath(schema: z.core.$ZodType, [step, ...rest]: readonly PathStep[]): boolean {
  if (step === undefined) return true;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return hasPath(schema.unwrap(), [step, ...rest]);
  if (schema instanceof z.ZodArray) return typeof step === 'number' && hasPath(schema.element, rest);
  if (schema instanceof z.ZodObject) {
    const next = Object.hasOwn(schema.shape, step) ? schema.shape[step] : undefined;
    return next !== undefined && hasPath(next, rest);
  }
  // Values without a schema, such as the attributes of a configuration item.
  return schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown || schema instanceof z.ZodCustom;
}
