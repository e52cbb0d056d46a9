import type { InboundLabResult } from '../../../contract/inbound-events.ts';
import type { routes } from '../../../contract/routes.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { UseCase } from '../../platform/http/answer.ts';
import { findRecord } from '../../records/find-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { isNews, isOpen } from './actions.ts';
import { findKnown } from './dedup.ts';
import { type EventPlan, planEvent } from './mapping.ts';
import { applySettingsPatch, assertConsistent, type InboundSettings, type InboundWebhookDocument } from './webhook.ts';

/** The lab: the same plan as for a received event, and what it would meet, without a write. */
export function testInboundWebhook(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.testInboundWebhook> {
  return async ({ params: { id }, body }) => {
    const { document } = await findRecord<InboundWebhookDocument>(store, id);
    const settings = applySettingsPatch(document, body.settings ?? {});
    assertConsistent(settings);
    const plan = planEvent(settings, body.payload);
    const { passed, trace, rendered, dedupKey, input, problems } = plan;
    const found = await findTargetIncident(store, plan, settings.dedup_scope ?? id);
    const result: InboundLabResult = {
      status: passed ? outcome(settings, plan, found) : 'filtered',
      passed,
      filters: trace,
      dedup_key: dedupKey,
      incident_id: found?.id ?? null,
      rendered,
      incident: input && toFields(input),
      errors: missing(settings, plan, found) ?? problems,
    };
    return { status: 200, body: result };
  };
}

interface Found {
  id: string;
  open: boolean;
  fields: Readonly<Record<string, unknown>>;
}

async function findTargetIncident(
  store: Pick<ItemStore, 'get'>,
  plan: EventPlan,
  scope: string,
): Promise<Found | undefined> {
  const known = plan.dedupKey === null ? undefined : await findKnown(store, { scope, key: plan.dedupKey });
  const id = plan.incidentId ?? known?.incidentId;
  const item = id === undefined ? undefined : await store.get(id, recordSortKey);
  const record = item && toRecord<IncidentDocument>(item);
  return record && !record.deleted ? { id: record.id, open: isOpen(record), fields: known?.fields ?? {} } : undefined;
}

function outcome(settings: InboundSettings, plan: EventPlan, found: Found | undefined): InboundLabResult['status'] {
  if (!plan.input || missing(settings, plan, found)) return 'failed';
  if (plan.input.action === 'resolve_incident') return found!.open ? 'updated' : 'deduplicated';
  if (plan.input.action !== 'create_incident') return 'updated';
  if (!found?.open) return 'created';
  const said = Object.entries(plan.rendered).filter(([, text]) => text.trim() !== '');
  return said.some(([field, text]) => isNews(field, text, found.fields[field])) ? 'updated' : 'deduplicated';
}

/** What an action that changes an incident needs. */
function missing({ action }: InboundSettings, { input, incidentId }: EventPlan, found: Found | undefined) {
  const finds = found && (found.open || action !== 'update_incident' || incidentId !== null);
  if (!input || action === 'create_incident' || finds) return undefined;
  return incidentId === null
    ? [{ field: 'dedup_key', message: 'is not the key of an open incident' }]
    : [{ field: 'incident_id', message: 'is not found' }];
}

function toFields(input: NonNullable<EventPlan['input']>): Record<string, unknown> {
  if (input.action === 'create_incident') {
    return Object.fromEntries(Object.entries(input.creation).filter(([, value]) => value !== null));
  }
  return input.action === 'add_note' ? input.note : input.changes;
}
