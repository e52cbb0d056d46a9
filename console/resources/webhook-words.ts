import type { ServiceClient } from '../../client/index.ts';
import { incidentFields } from './incident-words.ts';

const draftFields = incidentFields.map(({ name }) => name);

export type InboundWebhook = Awaited<ReturnType<ServiceClient['getInboundWebhook']>>;
export type InboundEvent = Awaited<ReturnType<ServiceClient['listInboundEvents']>>['data'][number];
export type InboundRejection = Awaited<ReturnType<ServiceClient['listInboundRejections']>>['data'][number];
export type LabResult = Awaited<ReturnType<ServiceClient['testInboundWebhook']>>;
export type OutboundWebhook = Awaited<ReturnType<ServiceClient['getOutboundWebhook']>>;
export type Delivery = Awaited<ReturnType<ServiceClient['getDelivery']>>;
export type DeliverySummary = Awaited<ReturnType<ServiceClient['listDeliveries']>>['data'][number];
export type DeliveryStatistics = Awaited<ReturnType<ServiceClient['listDeliveryStatistics']>>['data'][number];
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
  create_incident: 'Create incident',
  update_incident: 'Update incident',
  resolve_incident: 'Resolve incident',
  add_note: 'Add work note',
};

/** The fields that a mapping can set. */
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
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  exists: 'exists',
};

export const eventTypeNames: Readonly<Record<EventType, string>> = {
  'incident.created': 'Incident created',
  'incident.updated': 'Incident updated',
  'incident.resolved': 'Incident resolved',
  'incident.priority_changed': 'Incident priority changed',
  'change.submitted': 'Change submitted for approval',
  'change.approved': 'Change approved',
  'change.rejected': 'Change rejected',
  'request.submitted': 'Service request submitted',
  'request.approved': 'Service request approved',
  'sla.breach_warning': 'SLA warning (75% of the time used)',
  'sla.breached': 'SLA breached',
  'ci.discovered': 'Configuration item discovered',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.escalated': 'Incident escalated',
  'problem.created': 'Problem created',
  'problem.updated': 'Problem updated',
  'problem.resolved': 'Problem resolved',
};

export const proofNames: Readonly<Record<InboundEvent['proof'], string>> = {
  none: 'None (URL only)',
  service_signature: 'X-Service-Signature',
  hub_signature: 'X-Hub-Signature-256',
  standard_webhooks: 'Standard Webhooks signature',
  token: 'Access token',
  replay: 'Replay',
  sns_signature: 'Amazon SNS signature',
};
