import type { ServiceClient } from '../../../client/index.ts';
import { draftFields } from '../incidents/form/incident-draft.ts';

export type InboundWebhook = Awaited<ReturnType<ServiceClient['getInboundWebhook']>>;
export type InboundEvent = Awaited<ReturnType<ServiceClient['listInboundEvents']>>['data'][number];
export type LabResult = Awaited<ReturnType<ServiceClient['testInboundWebhook']>>;
export type OutboundWebhook = Awaited<ReturnType<ServiceClient['getOutboundWebhook']>>;
export type Delivery = Awaited<ReturnType<ServiceClient['getDelivery']>>;
export type DeliverySummary = Awaited<ReturnType<ServiceClient['listDeliveries']>>['data'][number];
export type Filter = InboundWebhook['filters'][number];
export type Action = InboundWebhook['action'];
export type EventType = OutboundWebhook['events'][number];

export const inboundList = '/webhooks/inbound';
export const outboundList = '/webhooks/outbound';
export const inboundPath = (id: string) => `${inboundList}/${encodeURIComponent(id)}`;
export const outboundPath = (id: string) => `${outboundList}/${encodeURIComponent(id)}`;
export const eventPath = (id: string, eventId: string) => `${inboundPath(id)}/events/${encodeURIComponent(eventId)}`;
export const deliveryPath = (id: string, deliveryId: string) =>
  `${outboundPath(id)}/deliveries/${encodeURIComponent(deliveryId)}`;

export const actionNames: Readonly<Record<Action, string>> = {
  create_incident: 'Create an incident',
  update_incident: 'Update an incident',
  resolve_incident: 'Resolve an incident',
  add_note: 'Add a work note',
};

/** The fields that a mapping may fill. */
export const mappableFields: Readonly<Record<Action, readonly string[]>> = {
  create_incident: [...draftFields, 'notify_stakeholders'],
  update_incident: [...draftFields, 'state', 'work_note'],
  resolve_incident: [...draftFields, 'work_note'],
  add_note: ['body', 'visibility'],
};

export const operators: Readonly<Record<Filter['operator'], string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  nin: 'is none of',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  exists: 'exists',
};

export const eventTypeNames: Readonly<Record<EventType, string>> = {
  'incident.created': 'A new incident was created',
  'incident.updated': 'Any field of an incident changed',
  'incident.resolved': 'An incident was resolved',
  'incident.priority_changed': 'The priority of an incident changed',
  'change.submitted': 'A change was submitted for review',
  'change.approved': 'A change was approved',
  'change.rejected': 'A change was rejected',
  'request.submitted': 'A service request was submitted',
  'request.approved': 'A service request was approved',
  'sla.breach_warning': '75 % of an SLA is used up',
  'sla.breached': 'An SLA was breached',
  'ci.discovered': 'A new configuration item was found',
};

export const proofNames: Readonly<Record<InboundEvent['proof'], string>> = {
  none: 'The address alone',
  service_signature: 'X-Service-Signature',
  hub_signature: 'X-Hub-Signature-256',
  standard_webhooks: 'Standard Webhooks signature',
  token: 'Access token',
  replay: 'Replayed here',
};
