// A request to each operation that succeeds: a new record for its path, the example of the contract as its body.
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contract/operation.ts';
import { routes } from '../../contract/routes.ts';
import { creations } from '../hostile/pools.ts';
import { type Answer, call } from '../support/http.ts';
import { readLinks } from '../support/paging.ts';
import type { Service } from '../support/service.ts';

export interface PreparedRequest {
  path: string;
  init: RequestInit & { token: string };
}

/** Bodies for which the example of the contract needs another state of the record. */
const otherBodies: Readonly<Record<string, Record<string, unknown>>> = {
  updateRequest: { description: 'For a new colleague.' },
  createPage: { person: 'agent@example.com' },
  putGroupPaging: { escalation_policy_id: null },
  createProposal: creations['/proposals'] as Record<string, unknown>,
  // A code is sent to the example's number, and the number of codes is limited.
  createContactMethod: creations['/me/contact-methods'] as Record<string, unknown>,
};

const secretSettings: Readonly<Record<string, object>> = {
  '/webhooks/inbound': { secret_enabled: true },
  '/webhooks/outbound': { sign_payloads: true },
};

const limited = ['/api-keys', '/webhooks/outbound', '/sla-policies', '/calendars'];

/** The webhook whose deliveries are checked. */
export const keptWebhook = 'All events';

const day = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' };
const queries: Readonly<Record<string, Record<string, string>>> = {
  getChangeCalendar: day,
  getShifts: day,
  getPagingLoad: { from: '2026-03-02', to: '2026-03-03' },
  getChangeCollisions: { ...day, ci_ids: 'CI0001000' },
};

export class Requests {
  private readonly service: Pick<Service, 'baseUrl' | 'advance'>;
  private readonly token: string;

  constructor(service: Pick<Service, 'baseUrl' | 'advance'>, token: string) {
    this.service = service;
    this.token = token;
  }

  async prepare(operation: Operation, { hasKey = true } = {}): Promise<PreparedRequest> {
    const { method, path, name } = operation;
    const ids = await this.createRecords(path);
    const body = operation.body && (await this.toBody(operation));
    const parameters =
      name === 'getCalendar'
        ? await this.createCalendarKey(ids[0])
        : path === '/acknowledge'
          ? await this.createLink()
          : queries[name];
    const query = parameters ? `?${new URLSearchParams(parameters)}` : '';
    return {
      path: `/v1${path.replace(/\{(\w+)\}/g, () => ids.shift() ?? 'unknown')}${query}`,
      init: {
        method,
        token: this.token,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(hasKey && method === 'POST' && name !== 'receiveInboundEvent' && { 'idempotency-key': randomUUID() }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    };
  }

  send({ path, init }: PreparedRequest): Promise<Answer> {
    return call(this.service, path, init);
  }

  post(path: string, body: object | undefined): Promise<Answer['body']> {
    return this.write('POST', path, body);
  }

  patch(path: string, body: object): Promise<Answer['body']> {
    return this.write('PATCH', path, body);
  }

  private async write(method: string, path: string, body: object | undefined): Promise<Answer['body']> {
    const headers = { 'content-type': 'application/json' };
    const init = body && { headers, body: JSON.stringify(body) };
    const answer = await call(this.service, `/v1${path}`, { method, token: this.token, ...init });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** The ids of a path, each of a new record. */
  private async createRecords(path: string): Promise<string[]> {
    const collection = path.slice(0, path.indexOf('/{'));
    if (collection === '/jobs') return [await this.createJob()];
    if (collection === '/notifications') return [await this.findNotification()];
    if (path.startsWith('/me/contact-methods')) await this.deleteContactMethods();
    if (limited.some((each) => path.startsWith(each))) await this.deleteOthers(limited);
    if (collection === '/attachments') return [(await this.createAttachment()).id];
    const creation = creations[collection];
    if (!path.includes('{') || !creation) return [];
    const secret = path.endsWith('/rotate-secret') ? secretSettings[collection] : {};
    const { id } = await this.post(collection, { ...creation, ...secret });
    if (path.includes('{event_id}')) {
      return [id, (await this.post(`${collection}/${id}`, { alert: { name: 'Disk full' } })).event_id];
    }
    if (path.includes('{override_id}')) {
      return [id, (await this.post(`${collection}/${id}/overrides`, routes.createOverride.bodyExample)).id];
    }
    if (path.includes('{record_id}')) {
      const record_id = await this.createIncident();
      await this.post(`${collection}/${id}/links`, { type: 'related_to', record_id });
      return [id, record_id];
    }
    if (!path.includes('{delivery_id}')) return [id];
    const delivery = await this.post(`${collection}/${id}/test`, undefined);
    return [id, delivery.id ?? delivery.delivery_id];
  }

  /** Deletes what earlier requests left where the number is limited. */
  private async deleteOthers(collections: readonly string[]): Promise<void> {
    for (const collection of collections) {
      const { body } = await call(this.service, `/v1${collection}?limit=200`, { token: this.token });
      for (const { id, name } of body.data)
        if (name !== keptWebhook)
          await call(this.service, `/v1${collection}/${id}`, { method: 'DELETE', token: this.token });
    }
  }

  private async deleteContactMethods(): Promise<void> {
    const path = '/v1/me/contact-methods';
    const { body } = await call(this.service, path, { token: this.token });
    for (const { id } of body.contact_methods)
      await call(this.service, `${path}/${id}`, { method: 'DELETE', token: this.token });
  }

  private async createCalendarKey(schedule: string | undefined): Promise<{ key: string }> {
    return { key: (await this.post(`/schedules/${schedule}/calendar-key`, undefined)).key };
  }

  private async createJob(): Promise<string> {
    return (await this.post('/incidents/bulk', { operation: 'create', records: [creations['/incidents']] })).job_id;
  }

  /** A notification of a group that the caller follows. */
  private async findNotification(): Promise<string> {
    await this.patch('/notifications/settings', { groups: ['network'] });
    await this.post('/incidents', { short_description: 'A', assignment_group: 'network', notify_stakeholders: true });
    await this.service.advance('1s', []);
    const { body } = await call(this.service, '/v1/notifications', { token: this.token });
    return body.data[0]?.id ?? 'unknown';
  }

  private async toBody({ name, bodyExample = {} }: Operation): Promise<object> {
    const body = mark(otherBodies[name] ?? (bodyExample as Record<string, unknown>));
    if (name === 'analyzeRecord') return { ...body, record_id: await this.createIncident() };
    if (name === 'createAttachment' || name === 'createIncidentLink')
      return { ...body, record_id: await this.createIncident() };
    if (name === 'bulkIncidents') return { ...body, ids: [await this.createIncident()] };
    if (name === 'bulkProblems') return { ...body, ids: [(await this.post('/problems', creations['/problems'])).id] };
    return body;
  }

  /** An upload that is ready to be completed. */
  private async createAttachment(): Promise<{ id: string }> {
    const size_bytes = 4;
    const record_id = await this.createIncident();
    const file = await this.post('/attachments', { ...routes.createAttachment.bodyExample, record_id, size_bytes });
    await fetch(file.upload.url, { method: 'PUT', headers: file.upload.headers, body: 'text' });
    return file;
  }

  /** The token of a link that was sent to a person. */
  private async createLink(): Promise<{ t: string }> {
    const incident = await this.createIncident();
    await this.post(`/incidents/${incident}/pages`, { person: 'agent@example.com' });
    await this.service.advance('1s', []);
    const [link = ''] = await readLinks(this.service, 'agent@example.com', incident);
    return { t: link.split('?t=')[1] ?? '' };
  }

  private async createIncident(): Promise<string> {
    return (await this.post('/incidents', creations['/incidents'] ?? {})).id;
  }
}

/** Makes the texts of new records and notes unique, so that one that was created twice is found (invariants.ts). */
export function mark(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'records') return [name, (value as Readonly<Record<string, unknown>>[]).map(mark)];
      if (typeof value === 'object' && value && name === 'body') return [name, mark(value as Record<string, unknown>)];
      return [name, markedFields.includes(name) ? `${value} ${randomUUID()}` : value];
    }),
  );
}

const markedFields = ['short_description', 'title', 'body', 'work_note'];
