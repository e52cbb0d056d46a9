import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { incidentId } from '../../../contract/incidents.ts';
import { routes } from '../../../contract/routes.ts';
import { getHealth } from '../../../lambdas/health/health-probe.ts';
import { observeCalls } from '../../../lambdas/platform/clients/shared-client.ts';
import { env } from '../../../lambdas/platform/env.ts';
import { route } from '../../../lambdas/platform/http/route.ts';
import { newId, randomBelow } from '../../../lambdas/platform/ids.ts';
import { countBy, emitMetrics } from '../../../lambdas/platform/log.ts';
import { retry } from '../../../lambdas/platform/retry.ts';
import { getUsageFields, observeInvocations } from '../../../lambdas/platform/telemetry.ts';
import { Metrics } from '../../../local/cloudwatch/metrics.ts';
import { captureLines } from '../../support/captured-lines.ts';
import { anAuthorizerContext, aPlatform, aRequest, lambdaContext } from './requests.ts';

describe('env', () => {
  const saved = { ...process.env };
  afterEach(() => {
    process.env = { ...saved };
  });

  it('returns the requested variables', () => {
    process.env.RECORDS_TABLE = 'records-1';
    expect(env('RECORDS_TABLE')).toEqual({ RECORDS_TABLE: 'records-1' });
  });

  it('lists all missing and invalid variables', () => {
    delete process.env.RECORDS_TABLE;
    process.env.ISSUER = 'not an address';
    process.env.USER_POOL_ID = 'pool';
    expect(() => env('RECORDS_TABLE', 'ISSUER', 'USER_POOL_ID')).toThrow(
      'missing or invalid environment variables: RECORDS_TABLE, ISSUER',
    );
  });
});

describe('newId', () => {
  it('creates ids in the documented format', () => {
    for (let count = 0; count < 1_000; count++) expect(incidentId.safeParse(newId('incident')).success).toBe(true);
    expect(newId('note')).toMatch(/^note_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('uses the whole alphabet and creates no duplicates', () => {
    const ids = Array.from({ length: 2_000 }, () => newId('note'));
    expect(new Set(ids).size).toBe(2_000);
    expect(new Set(ids.flatMap((id) => [...id.slice(5)])).size).toBe(32);
  });
});

describe('randomBelow', () => {
  it('stays below its limit', () => {
    const numbers = Array.from({ length: 500 }, () => randomBelow(3));
    expect(new Set(numbers)).toEqual(new Set([0, 1, 2]));
  });
});

const exhausted = () => new Error('exhausted');

describe('retry', () => {
  it('returns the first value and waits only before another attempt', async () => {
    const waits: number[] = [];
    const wait = async (attempt: number) => {
      waits.push(attempt);
    };
    const attempt = async (number: number) => (number === 3 ? false : undefined);
    expect(await retry(attempt, { wait, exhausted })).toBe(false);
    expect(waits).toEqual([1, 2]);
  });

  it('throws after the last attempt without waiting', async () => {
    let calls = 0;
    const options = { maxAttempts: 2, wait: async () => void calls++, exhausted };
    await expect(retry(async () => undefined, options)).rejects.toThrow('exhausted');
    expect(calls).toBe(1);
  });

  it('does not retry an error', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts++;
      throw new Error('broken');
    };
    await expect(retry(attempt, { exhausted })).rejects.toThrow('broken');
    expect(attempts).toBe(1);
  });
});

type Next = (args: { input: Record<string, unknown> }) => Promise<unknown>;

/** A client with the observing middleware; all its calls end as given. */
function aClient(serviceId: string, commandName: string, end: Next): Next {
  let call: Next = end;
  observeCalls({
    config: { serviceId },
    middlewareStack: {
      add: (middleware: (next: Next, context: object) => Next) => {
        call = middleware(end, { commandName });
      },
    },
  });
  return call;
}

const respond = (units: number) => async () => ({
  response: {},
  output: { $metadata: { httpStatusCode: 200, requestId: 'r1' }, ConsumedCapacity: { CapacityUnits: units } },
});

const fail = async () => {
  throw Object.assign(new Error('throttled'), { $metadata: { httpStatusCode: 429 } });
};

describe('observeInvocations', () => {
  it('counts the calls and the capacity of concurrent invocations separately', async () => {
    const read = aClient('DynamoDB', 'GetItemCommand', respond(0.5));
    const write = aClient('DynamoDB', 'TransactWriteItemsCommand', respond(6));
    const work = observeInvocations(async (times: number, _context: unknown) => {
      for (let count = 0; count < times; count++) await read({ input: {} });
      await write({ input: {} });
      return getUsageFields();
    });
    const [one, three] = await Promise.all([work(1, {}), work(3, {})]);
    expect(one).toEqual({ aws_calls: 2, read_units: 0.5, write_units: 6, cold_start: true });
    expect(three).toEqual({ aws_calls: 4, read_units: 1.5, write_units: 6, cold_start: false });
    expect(getUsageFields()).toBeUndefined();
  });

  it('counts failed calls and rethrows their error', async () => {
    const call = aClient('SQS', 'SendMessageCommand', fail);
    const work = observeInvocations(async (_event: unknown, _context: unknown) => {
      await expect(call({ input: {} })).rejects.toThrow('throttled');
      return getUsageFields();
    });
    expect(await work({}, {})).toMatchObject({ aws_calls: 1 });
  });

  it('sends a subsegment per call of a sampled invocation to the X-Ray daemon', async () => {
    const daemon = createSocket('udp4').bind(0, '127.0.0.1');
    await once(daemon, 'listening');
    process.env.AWS_XRAY_DAEMON_ADDRESS = `127.0.0.1:${daemon.address().port}`;
    process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';
    try {
      const received = once(daemon, 'message');
      const call = aClient('DynamoDB', 'GetItemCommand', respond(1));
      await observeInvocations(() => call({ input: { TableName: 'records' } }))({}, {});
      const [bytes] = await received;
      const [header, segment] = String(bytes)
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(header).toEqual({ format: 'json', version: 1 });
      expect(segment).toMatchObject({
        name: 'DynamoDB',
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        trace_id: '1-5759e988-bd862e3fe1be46a994272793',
        parent_id: '53995c3f42cd8ad8',
        type: 'subsegment',
        namespace: 'aws',
        aws: { operation: 'GetItem', request_id: 'r1', table_name: 'records' },
        http: { response: { status: 200 } },
      });
    } finally {
      delete process.env.AWS_XRAY_DAEMON_ADDRESS;
      delete process.env._X_AMZN_TRACE_ID;
      daemon.close();
    }
  });
});

describe('emitMetrics', () => {
  it('writes lines in the embedded metric format, which CloudWatch and the local runtime read', async () => {
    const metrics = new Metrics();
    const lines = await captureLines(() => {
      countBy('IncidentsCreated', 'priority', ['P1', 'P2', 'P1']);
      emitMetrics({ DeliveryAttempts: 1 });
    });
    for (const line of lines) metrics.recordLogLine(line);
    const dimensions = { service: 'unknown' };
    expect(metrics.list()).toEqual([
      expect.objectContaining({ name: 'DeliveryAttempts', dimensions, sum: 1 }),
      expect.objectContaining({ name: 'IncidentsCreated', dimensions: { ...dimensions, priority: 'P1' }, sum: 2 }),
      expect.objectContaining({ name: 'IncidentsCreated', dimensions: { ...dimensions, priority: 'P2' }, sum: 1 }),
    ]);
  });
});

const release = { version: '1.2.3', serviceInstance: 'test' };

const handle = (probe: () => Promise<void>) => {
  const event = aRequest({ authorizer: anAuthorizerContext({ roles: '' }) });
  const measureSearch = async () => ({ engine: 'memory', lag_seconds: 0 }) as const;
  return route(
    routes.getHealth,
    getHealth(probe, release, measureSearch),
    aPlatform().platform,
  )(event, lambdaContext());
};

describe('getHealth', () => {
  it('returns 200 when the storage is available, also without a role', async () => {
    const response = await handle(async () => {});
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body)).toEqual({
      status: 'ok',
      version: '1.2.3',
      service_instance: 'test',
      time: '2026-03-01T09:30:00.250Z',
    });
  });

  it('returns 503 without details when the storage is unavailable', async () => {
    const response = await handle(async () => Promise.reject(new Error('AccessDenied on arn:aws:secret')));
    expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(response.body).not.toContain('arn:aws');
  });
});
