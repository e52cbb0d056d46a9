import { createHmac } from 'node:crypto';
import { listReports } from './incidents.ts';

// One outbound and one inbound webhook with traffic. The receiver of the outbound one is part of the local runtime and
// fails at the first attempt of some deliveries, so that retries can be seen.

const minuteMs = 60_000;

/** How long before the first start the webhooks were created; later events are delivered. */
export const webhookAgeMs = 24 * 60 * minuteMs;

export function buildOutboundWebhook(receiverUrl: string) {
  return {
    name: 'Status page (demo)',
    url: receiverUrl,
    events: ['incident.created', 'incident.resolved'],
    sign_payloads: true,
  };
}

export const inboundWebhook = {
  name: 'Monitoring (demo)',
  description: 'Alerts from the storage monitoring system.',
  action: 'create_incident',
  field_mapping: {
    short_description: '{{alert.title | truncate:255}}',
    description: '{{alert.description}}',
    priority: '{{alert.severity | lower | map:"critical=P1,error=P2,warning=P3" | default:"P4"}}',
    category: 'storage',
  },
  filters: [{ field: 'alert.severity', operator: 'neq', value: 'info' }],
  dedup_key: '{{alert.id}}',
  secret_enabled: true,
};

export interface InboundCall {
  beforeMs: number;
  body: string;
  signature?: string;
  status: number;
}

/** The incident repeats a report of the simulation, because the vectors of its texts are known. */
const report = listReports().find(({ short_description: title }) => title.startsWith('Backup'));

/** An incident, a duplicate, an event below the filter, one that the mapping cannot use, and one without a signature. */
export function buildInboundCalls(secret: string): InboundCall[] {
  const [title, description] = [report?.short_description, report?.description];
  const alert = { id: 'backup-7', title, description, severity: 'error' };
  const calls = [
    {
      beforeMs: 95 * minuteMs,
      payload: { alert: { ...alert, title: 'Disk usage 71%', severity: 'info' } },
      status: 202,
    },
    { beforeMs: 50 * minuteMs, payload: { alert }, status: 202 },
    { beforeMs: 40 * minuteMs, payload: { alert: { ...alert, attempt: 2 } }, status: 202 },
    { beforeMs: 20 * minuteMs, payload: { alarm: 'Disk usage 92%' }, status: 422 },
    { beforeMs: 5 * minuteMs, payload: { alert }, status: 401 },
  ];
  return calls.map(({ payload, ...call }) => {
    const body = JSON.stringify(payload);
    if (call.status === 401) return { ...call, body };
    return { ...call, body, signature: createHmac('sha256', secret).update(body).digest('hex') };
  });
}
