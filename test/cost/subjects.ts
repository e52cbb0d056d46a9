// What some operations need before their request is accepted, such as a record in the right state.
import type { Api } from '../support/incidents.ts';
import type { Service } from '../support/service.ts';

export interface Subject {
  params: Record<string, string>;
  /** Replaces the example of the contract. */
  body?: object;
}

type Prepare = (api: Api, service: Service) => Promise<Subject>;

/** By operation; the others work with any record of their kind. */
export const prepareSubject: Readonly<Record<string, Prepare>> = {
  approveChange: submitChange,
  rejectChange: submitChange,
  approveRequest: submitRequest,
  rejectRequest: submitRequest,
  async updateRequest(api) {
    const { params } = await submitRequest(api);
    await api.post(`/requests/${params.id}/approve`, {});
    return { params };
  },
  getInboundEvent: (api) => receiveEvent(api, { alert: { name: 'Disk full' } }),
  /** Only failed events can be replayed, here with a mapping that works. */
  async replayInboundEvent(api) {
    const subject = await receiveEvent(api, {});
    const field_mapping = { short_description: 'Disk full' };
    await api.patch(`/webhooks/inbound/${subject.params.id}`, { field_mapping });
    return subject;
  },
  getDelivery: ping,
  replayDelivery: ping,
  async readNotification(api, service) {
    await submitChange(api);
    await service.advance('1s');
    const { body } = await api.get('/notifications?limit=1');
    return { params: { id: String(body.data[0]?.id) } };
  },
  async analyzeRecord(api) {
    const { body } = await api.post('/incidents', { short_description: 'Mail is not delivered' });
    return { params: {}, body: { record_type: 'incident', record_id: body.id, analysis_type: 'root_cause' } };
  },
};

async function submitChange(api: Api): Promise<Subject> {
  const { body } = await api.post('/changes', { short_description: 'Renew a certificate', state: 'submitted' });
  return { params: { id: String(body.id) } };
}

async function submitRequest(api: Api): Promise<Subject> {
  const { body } = await api.post('/requests', { short_description: 'A laptop', item: 'laptop' });
  return { params: { id: String(body.id) } };
}

async function receiveEvent(api: Api, payload: object): Promise<Subject> {
  const { body: webhook } = await api.post('/webhooks/inbound', {
    name: 'Alerts',
    action: 'create_incident',
    field_mapping: { short_description: '{{alert.name}}' },
    secret_enabled: false,
  });
  const { body: event } = await api.post(`/webhooks/inbound/${webhook.id}`, payload);
  return { params: { id: String(webhook.id), event_id: String(event.event_id) } };
}

async function ping(api: Api, service: Service): Promise<Subject> {
  const url = `http://127.0.0.1:${new URL(service.baseUrl).port}/_local/receiver`;
  const { body: webhook } = await api.post('/webhooks/outbound', { name: 'Chat', url, events: ['sla.breached'] });
  const { body: delivery } = await api.post(`/webhooks/outbound/${webhook.id}/test`, {});
  // Enough for a second attempt.
  await service.advance('1m', []);
  return { params: { id: String(webhook.id), delivery_id: String(delivery.delivery_id ?? delivery.id) } };
}
