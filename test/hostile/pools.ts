// Existing ids, so that hostile requests do not end with 404. Created records are added to the pools, deleted ones removed.
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contract/operation.ts';
import { routes } from '../../contract/routes.ts';
import { type Answer, call, getToken } from '../support/http.ts';
import type { Random } from '../support/random.ts';
import type { Service } from '../support/service.ts';

const maxPoolSize = 30;

/** Creates a record for an empty pool. */
export const creations: Readonly<Record<string, object>> = {
  '/incidents': { short_description: 'Mail is not delivered' },
  '/cmdb/cis': { name: 'web-01', class: 'server', attributes: { os: 'Debian 13' } },
  '/changes': { short_description: 'Renew a certificate' },
  '/problems': { short_description: 'The relay rejects our certificate' },
  '/requests': { short_description: 'A laptop', item: 'laptop' },
  '/proposals': {
    operation: 'createIncident',
    body: { short_description: 'The gateway is down' },
    evidence: 'Three sites report it.',
  },
  '/schedules': {
    name: 'Network',
    time_zone: 'Europe/Berlin',
    layers: [
      {
        name: 'Weekly rotation',
        people: ['agent@example.com', 'manager@example.com'],
        shift_length: 1,
        shift_unit: 'weeks',
        handoff_time: '09:00',
        handoff_weekday: 'monday',
        starts_on: '2026-03-02',
      },
    ],
  },
  '/escalation-policies': {
    name: 'Outages',
    steps: [{ targets: [{ type: 'person', id: 'agent@example.com' }], wait_minutes: 5 }],
  },
  '/calendars': {
    name: 'Office hours',
    time_zone: 'Europe/Berlin',
    hours: [{ weekdays: ['monday', 'friday'], from: '09:00', to: '17:00' }],
  },
  /** Two policies must not cover the same records. */
  get '/sla-policies'() {
    return { name: 'Office', kind: 'incident', category: randomUUID(), resolve_minutes: 60 };
  },
  '/knowledge/articles': { title: 'Printers', body: 'Turn it off and on again.' },
  '/webhooks/inbound': {
    name: 'Alerts',
    action: 'create_incident',
    field_mapping: { short_description: 'Alert {{alert.name}}' },
  },
  '/webhooks/outbound': { name: 'Chat', url: 'http://127.0.0.1:9/', events: ['sla.breached'] },
  '/api-keys': { name: 'Import' },
  '/me/contact-methods': { kind: 'ntfy', address: 'http://127.0.0.1:9/' },
};

/** Many of these would make each change of a record a delivery, or reach the limit of their number. */
const cleanedUp = ['/webhooks/outbound', '/api-keys', '/me/contact-methods', '/calendars', '/sla-policies'];

export class Pools {
  private readonly service: Service;
  private readonly pools = new Map<string, string[]>();
  private token = '';
  /** A webhook for events. It is in no pool, so that no request deactivates or deletes it. */
  private receiver = '';

  constructor(service: Service) {
    this.service = service;
  }

  async fill(): Promise<void> {
    this.token = await getToken(this.service, 'admin');
    this.receiver = (await this.post('/webhooks/inbound', creations['/webhooks/inbound'])).body.id;
    for (const path of Object.keys(creations)) await this.create(path);
    await this.fillBeneath();
  }

  /** Existing values for the path parameters of an operation. */
  async params({ name: operation, path }: Operation, random: Random): Promise<Record<string, string>> {
    if (operation === 'receiveInboundEvent') return { id: this.receiver };
    const params: Record<string, string> = {};
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
      const key = path.slice(0, path.indexOf(`/{${name}}`)).replace(/\{\w+\}/g, '*');
      const pool = this.pools.get(key) ?? [];
      if (pool.length === 0 && creations[key]) await this.create(key);
      params[name!] = random.pick(this.pools.get(key) ?? ['unknown']) ?? 'unknown';
    }
    return params;
  }

  /** Updates the pools after a response. */
  async learn({ method, path }: Operation, params: Record<string, string>, answer: Answer): Promise<void> {
    if (method === 'DELETE' && answer.status === 204) this.remove(path.replace('/{id}', ''), params.id!);
    if (method !== 'POST' || answer.status !== 201 || !creations[path]) return;
    const id = answer.body?.id as string;
    if (cleanedUp.includes(path)) {
      await call(this.service, `/v1${path}/${id}`, { method: 'DELETE', token: this.token });
    } else this.add(path, id);
  }

  private async create(path: string): Promise<string> {
    const answer = await this.post(path, creations[path]);
    if (answer.status !== 201)
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    this.add(path, answer.body.id);
    return answer.body.id;
  }

  /** Events, deliveries, jobs and notifications, which belong to a record or a caller. */
  private async fillBeneath(): Promise<void> {
    const [inbound, outbound] = [this.pools.get('/webhooks/inbound')![0]!, this.pools.get('/webhooks/outbound')![0]!];
    const event = await this.post(`/webhooks/inbound/${inbound}`, { alert: { name: 'Disk full' } });
    this.add('/webhooks/inbound/*/events', event.body?.event_id);
    const delivery = await this.post(`/webhooks/outbound/${outbound}/test`, undefined);
    this.add('/webhooks/outbound/*/deliveries', delivery.body?.id ?? delivery.body?.delivery_id);
    const schedule = this.pools.get('/schedules')![0]!;
    const override = await this.post(`/schedules/${schedule}/overrides`, routes.createOverride.bodyExample);
    this.add('/schedules/*/overrides', override.body?.id);
    const record_id = this.pools.get('/incidents')![0]!;
    const file = await this.post('/attachments', { ...routes.createAttachment.bodyExample, record_id });
    this.add('/attachments', file.body?.id);
    this.add('/groups', 'network');
    const job = await this.post('/incidents/bulk', { operation: 'create', records: [creations['/incidents']] });
    this.add('/jobs', job.body?.job_id ?? job.body?.id);
  }

  private post(path: string, body: unknown): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', token: this.token };
    return call(
      this.service,
      `/v1${path}`,
      body === undefined ? init : { ...init, headers, body: JSON.stringify(body) },
    );
  }

  private add(key: string, id: string | undefined): void {
    if (id === undefined) return;
    const pool = this.pools.get(key) ?? [];
    pool.push(id);
    if (pool.length > maxPoolSize) pool.shift();
    this.pools.set(key, pool);
  }

  private remove(key: string, id: string): void {
    this.pools.set(
      key,
      (this.pools.get(key) ?? []).filter((each) => each !== id),
    );
  }
}
