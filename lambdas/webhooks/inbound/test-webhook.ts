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
import { applySettingsPatch, assertConsistent, type InboundWebhookDocument } from './webhook.ts';

/** The lab: the same plan as for a received event, and what it would meet, without a write. */
export function testInboundWebhook(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.testInboundWebhook> {
  return async ({ params: { id }, body }) => {
    const { document } = await findRecord<InboundWebhookDocument>(store, id);
    const settings = applySettingsPatch(document, body.settings ?? {});
    assertConsistent(settings);
    const plan = planEvent(settings, body.payload);
    const { rule, passed, trace, rendered, dedupKey, input, problems } = plan;
    const found = await findTargetIncident(store, plan, settings.dedup_scope ?? id);
    const result: InboundLabResult = {
      status: passed ? outcome(plan, found) : 'filtered',
      rule,
      passed,
      filters: trace,
      dedup_key: dedupKey,
      incident_id: found?.id ?? null,
      rendered,
      incident: input && toFields(input),
      errors: missing(plan, found) ?? problems,
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

function outcome(plan: EventPlan, found: Found | undefined): InboundLabResult['status'] {
  const { input, incidentId, rendered } = plan;
  if (!input || missing(plan, found)) return 'failed';
  if (input.action === 'create_incident') {
    if (!found?.open) return 'created';
    const sent = Object.entries(rendered).filter(([, text]) => text.trim() !== '');
    return sent.some(([field, text]) => isNews(field, text, found.fields[field])) ? 'updated' : 'deduplicated';
  }
  if (!found) return 'ignored';
  if (found.open || input.action === 'add_note' || (incidentId !== null && input.action === 'update_incident')) {
    return 'updated';
  }
  return input.action === 'resolve_incident' ? 'deduplicated' : 'ignored';
}

/** An incident that the payload names by its ID must exist. */
function missing({ input, incidentId }: EventPlan, found: Found | undefined) {
  if (!input || incidentId === null || found) return undefined;
  return [{ field: 'incident_id', message: 'is not found' }];
}

function toFields(input: NonNullable<EventPlan['input']>): Record<string, unknown> {
  if (input.action === 'create_incident') {
    return Object.fromEntries(Object.entries(input.creation).filter(([, value]) => value !== null));
  }
  return input.action === 'add_note' ? input.note : input.changes;
}
