// Inbound webhooks as managers make them and as senders use them.
import { createHmac } from 'node:crypto';
import { type Answer, call } from './http.ts';
import type { Api, Fields } from './incidents.ts';
import type { Service } from './service.ts';

export const creation = {
  name: 'Prometheus',
  action: 'create_incident',
  field_mapping: {
    short_description: '{{alert.name}} on {{alert.host | default:"unknown host"}}',
    priority: '{{alert.severity | lower | map:"critical=P1,warning=P2" | default:"P4"}}',
  },
};

export const alert = (fields: Fields = {}) => ({
  alert: { name: 'DiskFull', host: 'db-1', severity: 'critical', ...fields },
});

export async function aWebhook(manager: Api, fields: Fields = {}): Promise<Answer> {
  const answer = await manager.post('/webhooks/inbound', { ...creation, ...fields });
  expect(answer.status).toBe(201);
  return answer;
}

/** Sends an event without a token. */
export function send(
  service: Service,
  id: string,
  payload: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return call(service, `/webhooks/inbound/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

/** The signature of a body as hexadecimal HMAC-SHA256. */
export const hex = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
