import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import type { Api } from '../../../client/api-types.ts';
import type { OperationTable } from '../../../client/call-types.ts';
import type { Client, ServiceClient } from '../../../client/client.ts';
import { createClient, verifyWebhook } from '../../../client/index.ts';
import { operationTable } from '../../../client/operation-table.ts';
import { deliveryPayloads } from '../../../contract/event-payloads.ts';
import { eventTypes } from '../../../contract/events.ts';
import type { OperationSpec } from '../../../contract/operation.ts';
import { type OperationName, operations, type routes } from '../../../contract/routes.ts';
import { eventRules, toEvents } from '../../../lambdas/events/event.ts';
import type { RecordChange } from '../../../lambdas/records/record-change.ts';
import { signHex, signStandardWebhook } from '../../../lambdas/webhooks/signature.ts';
import { buildClientFiles } from '../../../tools/generate/client-files.ts';
import { buildPythonFiles } from '../../../tools/generate/python-files.ts';
import type { TicketApi } from './tickets.ts';

describe('operation table', () => {
  it.each(Object.entries(buildClientFiles()))(
    'agrees with the contract in %s (npm run generate updates it)',
    (file, text) => {
      expect(readFileSync(new URL(`../../../client/${file}`, import.meta.url), 'utf8')).toBe(text);
    },
  );

  it.each(Object.entries(buildPythonFiles()))(
    'agrees with %s of the Python SDK (npm run generate updates it)',
    (file, text) => {
      expect(readFileSync(new URL(`../../../python/incident_service/${file}`, import.meta.url), 'utf8')).toBe(text);
    },
  );

  it('names a paging scheme for every list', () => {
    // The directory returns one bounded response instead of pages.
    const lists = operations.filter(({ name, path }) => name.startsWith('list') && !path.startsWith('/directory/'));
    expect(lists.length).toBeGreaterThan(15);
    for (const { name } of lists) expect(operationTable).toHaveProperty([name, 'paging']);
    expect(operationTable.listEvents.paging).toBe('sequence');
  });

  it('gives the client one method per operation', () => {
    const client = createClient({ baseUrl: 'http://localhost', credentials: { token: () => '' } });
    const methods = Object.keys(client).filter((name) => name !== 'rateLimit');
    expect(methods).toEqual(operations.map(({ name }) => name));
  });

  it('distinguishes path and query parameters of an operation by name', () => {
    const clashes = operations.flatMap(({ name, params, query }) =>
      Object.keys(query?.shape ?? {})
        .filter((key) => key in (params?.shape ?? {}))
        .map((key) => `${name}.${key}`),
    );
    expect(clashes).toEqual([]);
  });
});

// Compiled, not run: the generated types of the client must agree with the schemas of the contract in both directions.

type Output<O extends OperationSpec> = {
  [Status in keyof O['responses']]: `${Status & number}` extends `2${string}`
    ? O['responses'][Status] extends { body: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : undefined
    : never;
}[keyof O['responses']];

type Input<O extends OperationSpec> = O extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : undefined;
type GeneratedInput<Name extends OperationName> = Api[Name] extends { body: infer Body } ? Body : undefined;

type Agree<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type Differences = {
  [Name in OperationName]: Agree<Output<(typeof routes)[Name]>, Api[Name]['output']> extends true
    ? Agree<NonNullable<Input<(typeof routes)[Name]>>, NonNullable<GeneratedInput<Name>>> extends true
      ? never
      : Name
    : Name;
}[OperationName];

const differences: Differences[] = [];

describe('generated client types', () => {
  it('agree with the schemas of the contract', () => {
    const none: never[] = differences;
    expect(none).toEqual([]);
  });
});

// Compiled, not run: each wrong call must be an error of the compiler, and `tsc` reports those that are not.
function wellTypedCalls(client: Client<TicketApi>) {
  return [
    async () => (await client.getTicket({ id: 'T1' })).title.length,
    async () => client.getTicket({ id: 'T1', include_deleted: true }, { ifNoneMatch: '"1"', timeoutMs: 5 }),
    async () => client.listTickets(),
    async () => client.listTickets({ limit: 5 }),
    async () => client.closeTicket({ id: 'T1' }, {}, { retries: 0 }),
    async () => {
      const response = await client.getTicket.withResponse({ id: 'T1' });
      return response.notModified ? response.data : response.data.state;
    },
    async () => {
      const gone: undefined = await client.deleteTicket({ id: 'T1' }, { ifMatch: '"1"' });
      return gone;
    },
    // @ts-expect-error the path parameter is missing
    async () => client.getTicket(),
    // @ts-expect-error the path parameter has another name
    async () => client.getTicket({ ticket: 'T1' }),
    // @ts-expect-error the query parameter does not exist
    async () => client.listTickets({ colour: 'red' }),
    // @ts-expect-error the body lacks its title
    async () => client.createTicket({}),
    // @ts-expect-error the state does not exist
    async () => client.updateTicket({ id: 'T1' }, { state: 'lost' }),
    // @ts-expect-error the operation takes no idempotency key
    async () => client.closeTicket({ id: 'T1' }, {}, { idempotencyKey: 'x' }),
    // @ts-expect-error a single record cannot be iterated
    async () => client.getTicket.all({ id: 'T1' }),
    // @ts-expect-error iteration finds the cursors itself
    async () => client.listTickets.all({ cursor: 'x' }),
    // @ts-expect-error the operation does not exist
    async () => client.eatTicket(),
  ];
}

function serviceCalls(client: ServiceClient) {
  return [async () => (await client.getHealth()).service_instance, async () => (await client.getMe()).roles[0]];
}

interface ListsWithoutPaging {
  listThings: { method: 'GET'; output: { data: string[] } };
}

// @ts-expect-error a list without a known paging scheme does not compile
const tableWithoutPaging: OperationTable<ListsWithoutPaging> = { listThings: { method: 'GET', path: '/things' } };

describe('client types', () => {
  it('are derived from the contract', () => {
    expect(wellTypedCalls).toBeInstanceOf(Function);
    expect(tableWithoutPaging).toBeDefined();
    expect(serviceCalls).toBeInstanceOf(Function);
  });
});

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI=';
const nowMs = Date.parse('2026-03-01T10:00:00Z');
const body = JSON.stringify({
  event: 'incident.created',
  data: { id: 'INC7Q2M4KX', short_description: 'Zürich is down' },
});
const now = () => nowMs;

function sign(text: string, atMs = nowMs) {
  const seconds = Math.floor(atMs / 1000);
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signStandardWebhook(secret, 'evt_1', seconds, Buffer.from(text)),
    'X-Service-Signature': signHex(secret, Buffer.from(text)),
  };
}

const only = (headers: Record<string, string>, name: string) => ({ [name]: headers[name] });
const invalid = { code: 'invalid_signature', status: 0 };

describe('verifyWebhook', () => {
  it('says that it needs the raw body and a secret', async () => {
    const parsed = JSON.parse(body);
    await expect(verifyWebhook(parsed, sign(body), secret)).rejects.toThrow('rawBody must be the body as received');
    await expect(verifyWebhook(body, sign(body), undefined as never)).rejects.toThrow('The secret is not set');
  });

  it('returns the payload of a delivery that carries both signatures', async () => {
    const event = await verifyWebhook(body, sign(body), secret, { now });
    expect(event).toEqual(JSON.parse(body));
  });

  it('accepts bytes, Headers and the headers of Node', async () => {
    const bytes = new Uint8Array(Buffer.from(body));
    await verifyWebhook(bytes, new Headers(sign(body)), secret, { now });
    const lists = Object.fromEntries(Object.entries(sign(body)).map(([name, value]) => [name.toLowerCase(), [value]]));
    await verifyWebhook(bytes, lists, secret, { now });
  });

  it.each(['', 'sha256='])('accepts X-Service-Signature alone with the prefix "%s"', async (prefix) => {
    const headers = { 'x-service-signature': `${prefix}${signHex(secret, Buffer.from(body))}` };
    await expect(verifyWebhook(body, headers, secret)).resolves.toBeDefined();
    await expect(verifyWebhook(body, headers, secret, { schemes: ['standard'] })).rejects.toMatchObject(invalid);
  });

  it('accepts one of several secrets while a secret rotates', async () => {
    await verifyWebhook(body, sign(body), ['whsec_b2xkIHNlY3JldA==', secret], { now });
  });

  it.each([
    ['another body', () => [`${body} `, sign(body)] as const],
    ['another secret', () => [body, { ...sign(body), 'webhook-signature': 'v1,AAAA' }] as const],
    ['no signature', () => [body, {}] as const],
    ['no id', () => [body, { ...sign(body), 'webhook-id': 'evt_2' }] as const],
    ['an old timestamp', () => [body, sign(body, nowMs - 301_000)] as const],
    ['a timestamp that is no number', () => [body, { ...sign(body), 'webhook-timestamp': 'now' }] as const],
    ['a signature that is no hex', () => [body, { 'X-Service-Signature': 'zz' }] as const],
    ['a body that is no JSON', () => ['{', only(sign('{'), 'X-Service-Signature')] as const],
  ])('rejects %s', async (_, make) => {
    const [text, headers] = make();
    await expect(verifyWebhook(text, headers, secret, { now })).rejects.toMatchObject(invalid);
  });

  it('rejects an empty secret instead of using an empty key', async () => {
    await expect(verifyWebhook(body, sign(body), '', { now })).rejects.toMatchObject(invalid);
  });
});

describe('typed payloads', () => {
  const formatter = { rules: eventRules, serviceInstance: 'prod', apiUrl: 'https://incidents.example.com/prod/api/v1' };
  const change = (type: string, id: string, before: object | null, after: object): RecordChange => ({
    type,
    id,
    version: 2,
    at: '2026-03-01T10:00:00.000Z',
    actor: 'ada@example.com',
    origin: { kind: 'api', id: null },
    before: before && { document: before, deleted: false },
    after: { document: after, deleted: false },
  });
  const incident = { short_description: 'Mail', priority: 'P3', state: 'in_progress' };
  const marks = { sla: { phases: [], marks: { P3: { warned_at: 1, breached_at: 2 } } } };
  const titled = (state: string) => ({ short_description: 'Upgrade', state });
  const ci = { name: 'web-01', class: 'server', status: 'operational', discovered_at: '2026-03-01T10:00:00.000Z' };
  const problem = (state: string) => ({ ...titled(state), priority: 'P2', known_error: false });
  const changes = [
    change('incident', 'INC7Q2M4KX', null, { ...incident, state: 'new' }),
    change('incident', 'INC7Q2M4KX', incident, { ...incident, priority: 'P1', state: 'resolved', ...marks }),
    change('incident', 'INC7Q2M4KX', incident, {
      ...incident,
      acknowledged_at: '2026-03-01T10:00:00.000Z',
      escalation: { page_id: 'PAG7Q2M4KX8T5VW', step: 2, repetition: 0 },
    }),
    ...['submitted', 'approved', 'rejected'].map((state) => change('change', 'CHG7Q2M4KX', null, titled(state))),
    ...['submitted', 'approved'].map((state) => change('request', 'REQ7Q2M4KX', null, titled(state))),
    change('problem', 'PRB7Q2M4KX', null, problem('new')),
    change('problem', 'PRB7Q2M4KX', problem('assessed'), problem('resolved')),
    change('ci', 'CI0000042', null, ci),
  ];

  it('describe what the service emits for every event type', () => {
    const payloads = changes.flatMap((one) => toEvents(one, formatter)).map(({ payload }) => JSON.parse(payload));
    expect(new Set(payloads.map(({ event }) => event))).toEqual(new Set(eventTypes));
    for (const payload of payloads) {
      const schema = deliveryPayloads.find(({ event }) => event === payload.event)?.schema;
      expect(schema?.strict().safeParse(payload).error).toBeUndefined();
    }
  });

  it.each(deliveryPayloads)('have a valid example for $event', ({ schema, example }) => {
    expect(schema.safeParse(example).error).toBeUndefined();
  });
});
