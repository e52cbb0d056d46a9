import type { EventType } from '../../../../contract/events.ts';
import { incident } from '../../../../contract/incidents.ts';
import { outboundWebhookCreation, outboundWebhookUpdate } from '../../../../contract/outbound-webhook-schemas.ts';
import { type Filter, filterOperators, webhookFilters } from '../../../../contract/webhook-settings.ts';
import type { ChangeOrigin } from '../../../../lambdas/records/record-change.ts';
import type { ServiceEvent } from '../../../../lambdas/records/service-event.ts';
import { evaluateFilters } from '../../../../lambdas/webhooks/filter.ts';
import { findReceivers } from '../../../../lambdas/webhooks/outbound/delivery-queue.ts';
import { assertKnownFields } from '../../../../lambdas/webhooks/outbound/filter-fields.ts';
import {
  applyWebhookPatch,
  listSigningSecrets,
  type OutboundDocument,
  outboundWebhookType,
  toOutboundWebhookResponse,
} from '../../../../lambdas/webhooks/outbound/webhook.ts';
import { rotateSecrets } from '../../../../lambdas/webhooks/secrets.ts';
import fc from '../../../support/properties.ts';
import { aWebhookRecord, startMs } from './a-delivery.ts';

const day = 86_400_000;
const nothingSealed = { headers: {}, secret: null };

function anEvent(origin: ChangeOrigin = { kind: 'api', id: null }, atMs = startMs): ServiceEvent {
  const payload = JSON.stringify({ event: 'incident.created', data: { id: 'INC1', priority: 'P2' } });
  const at = new Date(atMs).toISOString();
  return {
    id: 'evt_1',
    type: 'incident.created',
    recordType: 'incident',
    recordId: 'INC1',
    version: 1,
    at,
    origin,
    payload,
    record: { assignment_group: 'mail' },
  };
}

const isTold = (fields: Parameters<typeof aWebhookRecord>[0], event = anEvent()) =>
  findReceivers(event, [aWebhookRecord(fields)]).length === 1;

describe('fields of filters', () => {
  const check = (field: string, ...events: EventType[]) => {
    const filters: Filter[] = [{ field, operator: 'eq', value: 1 }];
    return () => assertKnownFields({ filters, events });
  };

  it.each(Object.keys(incident.shape))('include %s of the incident', (field) => {
    expect(check(`incident.${field}`, 'sla.breached')).not.toThrow();
    expect(check(`changes.${field}.to`, 'incident.updated')).not.toThrow();
  });

  it.each([
    'event',
    'data.priority',
    '$.data.url',
    'data.changes.state.from',
    'change.risk',
    'change.ci_ids[0]',
    'ci.attributes.rack.unit',
  ])('include %s', (field) => {
    expect(check(field, 'incident.updated', 'change.approved', 'ci.discovered')).not.toThrow();
  });

  it.each([
    'incident.assignment_grup',
    'incident.sla',
    'incident.priority.name',
    'data.assignment_group',
    'changes.state.until',
    'change.risk',
    'toString',
    'event.x',
  ])('exclude %s of incidents', (field) => {
    expect(check(field, 'incident.updated')).toThrow(`${field} is not a field of the events`);
  });
});

describe('the receivers of an event', () => {
  it('are the webhooks with its event type and matching filters', () => {
    const priority = (value: string) => [{ field: 'incident.priority', operator: 'eq' as const, value }];
    expect(isTold({})).toBe(true);
    expect(isTold({ events: ['incident.resolved'] })).toBe(false);
    expect(isTold({ filters: priority('P2') })).toBe(true);
    expect(isTold({ filters: priority('P1') })).toBe(false);
    const group = (value: string) => [{ field: 'incident.assignment_group', operator: 'eq' as const, value }];
    expect(isTold({ filters: group('mail') })).toBe(true);
    expect(isTold({ filters: group('network') })).toBe(false);
  });

  it('exclude webhooks that are or were inactive', () => {
    expect(isTold({ active: false })).toBe(false);
    expect(isTold({}, anEvent(undefined, startMs - 1))).toBe(false);
    expect(isTold({}, anEvent(undefined, startMs))).toBe(true);
  });

  it('exclude the webhook that caused it, unless include_own is set', () => {
    const inbound = anEvent({ kind: 'webhook', id: 'wh_in_1' });
    expect(isTold({ inbound_webhook_id: 'wh_in_1' }, inbound)).toBe(false);
    expect(isTold({ inbound_webhook_id: 'wh_in_1', include_own: true }, inbound)).toBe(true);
    expect(isTold({ inbound_webhook_id: 'wh_in_2' }, inbound)).toBe(true);
    expect(isTold({ inbound_webhook_id: null }, inbound)).toBe(true);
    expect(isTold({}, anEvent({ kind: 'webhook', id: 'wh_out_1' }))).toBe(false);
    const client = anEvent({ kind: 'job', id: 'job_1', client: 'c1' });
    expect(isTold({ client_id: 'c1' }, client)).toBe(false);
    expect(isTold({ client_id: 'c1', include_own: true }, client)).toBe(true);
    expect(isTold({ client_id: 'c2' }, client)).toBe(true);
    expect(isTold({ client_id: 'c1' }, anEvent({ kind: 'api', id: null }))).toBe(true);
    expect(isTold({ inbound_webhook_id: 'wh_in_1' }, anEvent({ kind: 'job', id: 'wh_in_1' }))).toBe(true);
  });
});

describe('secrets of a webhook', () => {
  const rotate = (before: OutboundDocument, sealed: string, nowMs: number) => ({
    ...before,
    secrets: rotateSecrets(before.secrets, sealed, nowMs),
  });
  const signing = aWebhookRecord({ sign_payloads: true, secrets: [{ sealed: 'a', expires_at: null }] }).document;

  it('both sign for 24 hours after a rotation', () => {
    const after = rotate(signing, 'b', startMs);
    expect(listSigningSecrets(after, startMs)).toEqual(['b', 'a']);
    expect(listSigningSecrets(after, startMs + day - 1)).toEqual(['b', 'a']);
    expect(listSigningSecrets(after, startMs + day)).toEqual(['b']);
  });

  it('do not sign longer after a second rotation', () => {
    const twice = rotate(rotate(signing, 'b', startMs), 'c', startMs + day / 2);
    expect(listSigningSecrets(twice, startMs + day / 2)).toEqual(['c', 'b', 'a']);
    expect(listSigningSecrets(twice, startMs + day)).toEqual(['c', 'b']);
    expect(listSigningSecrets(twice, startMs + 1.5 * day)).toEqual(['c']);
    expect(rotate(twice, 'd', startMs + 3 * day).secrets.map(({ sealed }) => sealed)).toEqual(['d', 'c']);
  });

  it('do not sign when signing is disabled', () => {
    expect(listSigningSecrets({ ...signing, sign_payloads: false }, startMs)).toEqual([]);
  });

  it('and header values appear in no response and no event', () => {
    const record = aWebhookRecord({
      headers: { 'X-Room': 'sealed-room' },
      secrets: [{ sealed: 'sealed-secret', expires_at: null }],
    });
    const shown = toOutboundWebhookResponse(record);
    expect(shown.headers).toEqual({ 'X-Room': '[hidden]' });
    const history = outboundWebhookType.changes({} as typeof record.document, record.document);
    expect(JSON.stringify([shown, history])).not.toContain('sealed');
    expect(history).toMatchObject({
      secret: { from: '[hidden]', to: '[hidden]' },
      headers: { from: [], to: ['X-Room'] },
    });
  });
});

describe('a patch of a webhook', () => {
  const { document: before } = aWebhookRecord({ headers: { 'X-One': 'sealed1', 'X-Two': 'sealed2' } });
  const patched = (patch: object, sealed = nothingSealed as Parameters<typeof applyWebhookPatch>[2]) =>
    applyWebhookPatch(before, outboundWebhookUpdate.parse(patch), sealed, startMs + 5_000);

  it('merges headers by name, in any case', () => {
    const sealed = { headers: { 'x-ONE': 'new1', 'X-Three': 'new3' }, secret: null };
    const patch = { headers: { 'x-ONE': 'v', 'X-Two': null, 'X-Three': 'v' } };
    expect(patched(patch, sealed).headers).toEqual({ 'x-ONE': 'new1', 'X-Three': 'new3' });
    expect(patched({ headers: { 'X-One': '[hidden]' } }).headers).toEqual(before.headers);
    expect(patched({ name: 'Other' }).headers).toEqual(before.headers);
  });

  it('resets the activation time and the reason of the deactivation', () => {
    expect(patched({ active: true }).active_since).toBe(before.active_since);
    const off = { ...before, active: false, disabled_reason: 'gone' };
    const on = applyWebhookPatch(off, { active: true }, nothingSealed, startMs + 5_000);
    expect(on).toMatchObject({ active_since: '2026-03-01T09:30:05.000Z', disabled_reason: null });
  });

  it('writes nothing without a change', () => {
    expect(outboundWebhookType.changes(before, patched({ active: true, name: before.name }))).toEqual({});
  });
});

describe('the contract of a webhook', () => {
  const problems = (fields: object) => {
    const good = { name: 'A', url: 'https://hooks.example.com/', events: ['incident.created'] };
    const parsed = outboundWebhookCreation.safeParse({ ...good, ...fields });
    return parsed.error?.issues.map(({ path }) => path.join('.')) ?? [];
  };

  it.each([
    [{ url: 'http://hooks.example.com/' }, 'url'],
    [{ url: 'ftp://hooks.example.com/' }, 'url'],
    [{ url: 'hooks.example.com' }, 'url'],
    [{ url: 'https://user:pass@hooks.example.com/' }, 'url'],
    [{ url: 'http://127.0.0.1.example.com/' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['incident.exploded'] }, 'events.0'],
    [{ timeout_seconds: 0 }, 'timeout_seconds'],
    [{ timeout_seconds: 31 }, 'timeout_seconds'],
    [{ timeout_seconds: 1.5 }, 'timeout_seconds'],
    [{ headers: { Host: 'x' } }, 'headers.Host'],
    [{ headers: { 'content-length': '1' } }, 'headers.content-length'],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'headers.Transfer-Encoding'],
    [{ headers: { 'X-Service-Signature': 'x' } }, 'headers.X-Service-Signature'],
    [{ headers: { 'Webhook-Id': 'x' } }, 'headers.Webhook-Id'],
    [{ headers: { 'X-A': 'one\r\nX-B: two' } }, 'headers.X-A'],
    [{ headers: { 'X A': 'x' } }, 'headers.X A'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a'],
    [{ filters: [{ field: 'a', operator: 'like', value: 1 }] }, 'filters.0.operator'],
  ])('rejects %j because of its %s', (fields, path) => {
    expect(problems(fields)).toEqual([path]);
  });

  it('has defaults', () => {
    const parsed = outboundWebhookCreation.parse({
      name: 'A',
      url: 'https://a.example/',
      events: ['incident.created', 'incident.created'],
    });
    expect(parsed).toEqual({
      name: 'A',
      url: 'https://a.example/',
      events: ['incident.created'],
      filters: [],
      headers: {},
      client_id: null,
      sign_payloads: false,
      active: true,
      timeout_seconds: 10,
      inbound_webhook_id: null,
      include_own: false,
      format: 'service',
    });
  });
});

const payload = {
  event: 'incident.updated',
  incident: { priority: 'P1', state: 'in_progress', category: null, tags: ['db', 'prod'], cost: 12.5 },
  changes: { state: { from: 'new', to: 'in_progress' } },
  items: [{ name: 'a', sizes: [1, 2] }],
};

const holds = (field: string, operator: string, value: unknown) =>
  evaluateFilters(webhookFilters.parse([{ field, operator, value }]), payload).passed;

describe('filters', () => {
  it.each([
    ['incident.priority', 'eq', 'P1', true],
    ['incident.priority', 'eq', 'P2', false],
    ['incident.cost', 'eq', '12.5', false],
    ['incident.priority', 'neq', 'P2', true],
    ['incident.nothing', 'neq', 'P2', true],
    ['incident.nothing', 'eq', null, true],
    ['incident.priority', 'in', ['P1', 'P2'], true],
    ['incident.priority', 'nin', ['P1', 'P2'], false],
    ['incident.priority', 'lte', 'P2', true],
    ['incident.cost', 'gt', 12, true],
    ['incident.cost', 'gte', 12.5, true],
    ['incident.cost', 'lt', 12.5, false],
    ['incident.cost', 'gt', '1', false],
    ['incident.tags', 'contains', 'db', true],
    ['incident.tags', 'contains', 'd', false],
    ['event', 'contains', 'dent.up', true],
    ['event', 'starts_with', 'incident.', true],
    ['event', 'ends_with', '.created', false],
    ['incident.cost', 'starts_with', '1', false],
    ['changes.state.to', 'eq', 'in_progress', true],
    ['changes.priority', 'exists', false, true],
    ['changes.state', 'exists', true, true],
    ['incident.category', 'exists', true, false],
    ['items[0].sizes[1]', 'eq', 2, true],
    ['$.items[0].name', 'eq', 'a', true],
    ['items[7].name', 'exists', false, true],
    ['items.length', 'exists', false, true],
    ['constructor', 'exists', false, true],
    ['__proto__.constructor', 'exists', false, true],
  ])('%s %s %j is %s', (field, operator, value, expected) => {
    expect(holds(field, operator, value)).toBe(expected);
  });

  it('matches only if all filters match, and returns each result', () => {
    const filters = webhookFilters.parse([
      { field: 'incident.priority', operator: 'eq', value: 'P1' },
      { field: 'incident.state', operator: 'eq', value: 'new' },
    ]);
    const { passed, trace } = evaluateFilters(filters, payload);
    expect(passed).toBe(false);
    expect(trace).toEqual([
      { ...filters[0], actual: 'P1', passed: true },
      { ...filters[1], actual: 'in_progress', passed: false },
    ]);
    expect(evaluateFilters([], payload).passed).toBe(true);
  });

  it.each([
    [{ field: 'a', operator: 'like', value: 1 }, 'operator'],
    [{ field: 'a..b', operator: 'eq', value: 1 }, 'field'],
    [{ field: 'a[x]', operator: 'eq', value: 1 }, 'field'],
    [{ field: '', operator: 'eq', value: 1 }, 'field'],
    [{ field: 'a', operator: 'in', value: 'x' }, 'value'],
    [{ field: 'a', operator: 'exists', value: 'yes' }, 'value'],
    [{ field: 'a', operator: 'gt', value: [] }, 'value'],
    [{ field: 'a', operator: 'starts_with', value: 1 }, 'value'],
    [{ field: 'a', operator: 'eq' }, 'value'],
  ])('rejects %j because of its %s', (filter, part) => {
    const parsed = webhookFilters.safeParse([filter]);
    expect(parsed.error?.issues.map(({ path }) => path)).toContainEqual([0, part]);
  });

  it('agrees with a reference on any payload, and never throws', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'length', '__proto__');
    const leaf = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.constantFrom('', 'a', 'ab', 'P1'),
      fc.boolean(),
      fc.constant(null),
    );
    const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    const path = fc.array(fc.oneof(name, fc.nat(2)), { minLength: 1, maxLength: 3 }).map((steps) => ['a', ...steps]);
    fc.assert(
      fc.property(json, path, fc.constantFrom(...filterOperators), json, (value, steps, operator, operand) => {
        const field = steps
          .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
          .join('')
          .slice(1);
        const filter = { field, operator, value: operand } as Filter;
        const root = { a: value };
        expect(evaluateFilters([filter], root).passed).toBe(reference(filter, lookUp(root, steps)));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** A second implementation of the filter rules to compare with: it works on JSON text instead of values. */
function lookUp(root: unknown, steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (typeof step === 'number') return Array.isArray(value) ? value.slice(step, step + 1).pop() : undefined;
    if (Array.isArray(value) || value === null || typeof value !== 'object') return undefined;
    return new Map(Object.entries(value)).get(step);
  }, root);
}

function reference({ operator, value }: Filter, found: unknown): boolean {
  const text = (one: unknown) => canonical(one ?? null);
  const is = text(found);
  const order = typeof found === typeof value && ['string', 'number'].includes(typeof found);
  const [left, right] = [found as string, value as string];
  const texts = typeof found === 'string' && typeof value === 'string';
  switch (operator) {
    case 'eq':
      return is === text(value);
    case 'neq':
      return is !== text(value);
    case 'in':
      return Array.isArray(value) && value.map(text).includes(is);
    case 'nin':
      return !(Array.isArray(value) && value.map(text).includes(is));
    case 'gt':
      return order && right < left;
    case 'gte':
      return order && !(left < right);
    case 'lt':
      return order && right > left;
    case 'lte':
      return order && !(right < left);
    case 'contains':
      if (typeof found === 'string')
        return typeof value === 'string' && found.split(value).length > (value === '' ? -1 : 1);
      return Array.isArray(found) && found.map(text).includes(text(value));
    case 'starts_with':
      return texts && left.slice(0, right.length) === right;
    case 'ends_with':
      return texts && left.slice(Math.max(0, left.length - right.length)) === right;
    default:
      return value === (is !== 'null');
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join()}}`;
}
