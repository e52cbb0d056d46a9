import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { observeCalls } from '../../../lambdas/platform/clients/shared-client.ts';
import { countBy, emitMetrics } from '../../../lambdas/platform/log.ts';
import { getUsageFields, observeInvocations } from '../../../lambdas/platform/telemetry.ts';
import { Metrics } from '../../../local/cloudwatch/metrics.ts';

type Next = (args: { input: Record<string, unknown> }) => Promise<unknown>;

/** A client whose calls all end as given, with the step that observes them. */
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
  it('writes lines in the embedded metric format, which CloudWatch and the local runtime read', () => {
    const metrics = new Metrics();
    countBy((_level, _message, line = {}) => metrics.recordLogLine(line), 'IncidentsCreated', 'priority', [
      'P1',
      'P2',
      'P1',
    ]);
    emitMetrics((_level, _message, line = {}) => metrics.recordLogLine(line), { DeliveryAttempts: 1 });
    const dimensions = { service: 'unknown' };
    expect(metrics.list()).toEqual([
      expect.objectContaining({ name: 'DeliveryAttempts', dimensions, sum: 1 }),
      expect.objectContaining({ name: 'IncidentsCreated', dimensions: { ...dimensions, priority: 'P1' }, sum: 2 }),
      expect.objectContaining({ name: 'IncidentsCreated', dimensions: { ...dimensions, priority: 'P2' }, sum: 1 }),
    ]);
  });
});
