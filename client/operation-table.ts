import type { routes } from '../contract/routes.ts';
import type { OperationTable } from './call-types.ts';

// Generated from the contract by bin/generate-client.ts.

export const apiRoot = '/prod/api/v1';

export const operationTable = {
  getHealth: { method: 'GET', path: '/health' },
  getMe: { method: 'GET', path: '/me' },
  listIncidents: { method: 'GET', path: '/incidents' },
  createIncident: { method: 'POST', path: '/incidents', headers: ['Idempotency-Key'] },
  getIncident: { method: 'GET', path: '/incidents/{id}', headers: ['If-None-Match'] },
  updateIncident: { method: 'PATCH', path: '/incidents/{id}', headers: ['If-Match'] },
  deleteIncident: { method: 'DELETE', path: '/incidents/{id}', headers: ['If-Match'] },
  listIncidentHistory: { method: 'GET', path: '/incidents/{id}/history' },
  getIncidentSla: { method: 'GET', path: '/incidents/{id}/sla' },
  listWorkNotes: { method: 'GET', path: '/incidents/{id}/notes' },
  createWorkNote: { method: 'POST', path: '/incidents/{id}/notes', headers: ['Idempotency-Key'] },
  bulkIncidents: { method: 'POST', path: '/incidents/bulk', headers: ['Idempotency-Key'] },
  listJobs: { method: 'GET', path: '/jobs' },
  getJob: { method: 'GET', path: '/jobs/{id}' },
  listInboundWebhooks: { method: 'GET', path: '/webhooks/inbound' },
  createInboundWebhook: { method: 'POST', path: '/webhooks/inbound', headers: ['Idempotency-Key'] },
  getInboundWebhook: { method: 'GET', path: '/webhooks/inbound/{id}', headers: ['If-None-Match'] },
  updateInboundWebhook: { method: 'PATCH', path: '/webhooks/inbound/{id}', headers: ['If-Match'] },
  deleteInboundWebhook: { method: 'DELETE', path: '/webhooks/inbound/{id}', headers: ['If-Match'] },
  rotateInboundSecret: { method: 'POST', path: '/webhooks/inbound/{id}/rotate-secret' },
  testInboundWebhook: { method: 'POST', path: '/webhooks/inbound/{id}/test' },
  receiveInboundEvent: {
    method: 'POST',
    path: '/webhooks/inbound/{id}',
    headers: ['X-Service-Signature', 'X-Hub-Signature-256', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'Idempotency-Key'],
  },
  listInboundEvents: { method: 'GET', path: '/webhooks/inbound/{id}/events' },
  getInboundEvent: { method: 'GET', path: '/webhooks/inbound/{id}/events/{event_id}' },
  replayInboundEvent: {
    method: 'POST',
    path: '/webhooks/inbound/{id}/events/{event_id}/replay',
    headers: ['Idempotency-Key'],
  },
  listOutboundWebhooks: { method: 'GET', path: '/webhooks/outbound' },
  createOutboundWebhook: { method: 'POST', path: '/webhooks/outbound', headers: ['Idempotency-Key'] },
  getOutboundWebhook: { method: 'GET', path: '/webhooks/outbound/{id}', headers: ['If-None-Match'] },
  updateOutboundWebhook: { method: 'PATCH', path: '/webhooks/outbound/{id}', headers: ['If-Match'] },
  deleteOutboundWebhook: { method: 'DELETE', path: '/webhooks/outbound/{id}', headers: ['If-Match'] },
  rotateOutboundSecret: { method: 'POST', path: '/webhooks/outbound/{id}/rotate-secret' },
  testOutboundWebhook: { method: 'POST', path: '/webhooks/outbound/{id}/test', headers: ['Idempotency-Key'] },
  listDeliveries: { method: 'GET', path: '/webhooks/outbound/{id}/deliveries' },
  getDelivery: { method: 'GET', path: '/webhooks/outbound/{id}/deliveries/{delivery_id}' },
  replayDelivery: {
    method: 'POST',
    path: '/webhooks/outbound/{id}/deliveries/{delivery_id}/replay',
    headers: ['Idempotency-Key'],
  },
  recoverDeliveries: { method: 'POST', path: '/webhooks/outbound/{id}/recover' },
  listEvents: { method: 'GET', path: '/events' },
  listNotifications: { method: 'GET', path: '/notifications' },
} as const satisfies OperationTable<typeof routes>;
