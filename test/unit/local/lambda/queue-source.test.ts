import { AwsError } from '../../../../local/aws/error.ts';
import { parseFilters } from '../../../../local/lambda/event-sources/mapping.ts';
import { parseFailedItems } from '../../../../local/lambda/event-sources/poller.ts';
import { resourceTypes } from '../../../../local/lambda/resource-types.ts';
import { loadTemplate } from '../../../../local/template/template.ts';
import fc from '../../../support/properties.ts';
import { aMapping, type Handler, type MappingStage, queueArn } from './event-source-fixture.ts';
import { environment } from './function-fixture.ts';

describe('a queue’s event source mapping', () => {
  let stage: MappingStage;
  let batches: string[][];
  const seen =
    (response: (bodies: string[]) => unknown = () => null): Handler =>
    (records) => {
      const bodies = records.map(({ body }) => String(body));
      batches.push(bodies);
      return response(bodies);
    };
  const start = async (handler: Handler, properties: Record<string, unknown> = {}) => {
    stage = await aMapping(handler, { EventSourceArn: queueArn, ...properties });
  };

  beforeEach(() => {
    batches = [];
  });
  afterEach(() => stage?.close());

  it("sends records in Lambda's format and deletes handled messages", async () => {
    let records: unknown;
    await start((given) => {
      records = given;
    });
    stage.queue.add('a');
    await stage.clock.waitUntilIdle();
    expect(records).toEqual([
      {
        messageId: 'id-a',
        receiptHandle: 'handle-1',
        body: 'a',
        attributes: {},
        messageAttributes: {},
        md5OfBody: 'x',
        eventSource: 'aws:sqs',
        eventSourceARN: queueArn,
        awsRegion: 'eu-west-1',
      },
    ]);
    expect(stage.queue.left).toBe(0);
  });

  it('processes messages that were queued before the start', async () => {
    stage = await aMapping(seen(), { EventSourceArn: queueArn }, ({ queue }) => queue.add('a', 'b'));
    await stage.clock.advance(1);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('limits batches to the batch size', async () => {
    await start(seen(), { BatchSize: 2 });
    stage.queue.add('a', 'b', 'c', 'd', 'e');
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('leaves a failed batch to the visibility timeout', async () => {
    let failures = 1;
    await start(
      seen(() => {
        if (failures-- > 0) throw new Error('not now');
      }),
    );
    stage.queue.add('a', 'b');
    await stage.clock.waitUntilIdle();
    expect(stage.queue.left).toBe(2);
    await stage.clock.advance(29_000);
    expect(batches).toHaveLength(1);
    await stage.clock.advance(2_000);
    expect(batches.slice(1).flat().sort()).toEqual(['a', 'b']);
    expect(stage.queue.left).toBe(0);
  });

  it('keeps only the items that the function reports as failed', async () => {
    await start(
      seen((bodies) => ({
        batchItemFailures: bodies.filter((b) => b === 'b').map((b) => ({ itemIdentifier: `id-${b}` })),
      })),
      { FunctionResponseTypes: ['ReportBatchItemFailures'] },
    );
    stage.queue.add('a', 'b', 'c');
    await stage.clock.waitUntilIdle();
    expect([...stage.queue.hidden.values()]).toEqual(['b']);
  });

  it('ignores the response unless item failures are enabled', async () => {
    await start(seen(() => ({ batchItemFailures: [{ itemIdentifier: 'id-a' }] })));
    stage.queue.add('a');
    await stage.clock.waitUntilIdle();
    expect(stage.queue.left).toBe(0);
  });

  it('waits for the batching window, or until the batch is full', async () => {
    await start(seen(), { BatchSize: 3, MaximumBatchingWindowInSeconds: 20 });
    stage.queue.add('a');
    await stage.clock.advance(5_000);
    stage.queue.add('b');
    await stage.clock.advance(14_000);
    expect(batches).toEqual([]);
    await stage.clock.advance(1_000);
    expect(batches).toEqual([['a', 'b']]);
    stage.queue.add('c', 'd', 'e', 'f');
    await stage.clock.waitUntilIdle();
    expect(batches.slice(1)).toEqual([['c', 'd', 'e']]);
    await stage.clock.advance(20_000);
    expect(batches.slice(2)).toEqual([['f']]);
  });

  it('limits concurrent batches', async () => {
    let running = 0;
    let most = 0;
    const slow = seen(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    await start(slow, { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } });
    stage.queue.add(...'abcdefgh');
    await stage.clock.waitUntilIdle();
    expect(batches.flat().sort()).toEqual([...'abcdefgh']);
    expect(most).toBe(2);
  });

  it('leaves messages in the queue while the function is throttled', async () => {
    let isThrottled = true;
    await start(
      seen(() => {
        if (isThrottled) throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', { status: 429 });
      }),
    );
    stage.queue.add('a');
    await stage.clock.waitUntilIdle();
    isThrottled = false;
    await stage.clock.advance(31_000);
    expect(batches).toEqual([['a'], ['a']]);
    expect(stage.queue.left).toBe(0);
  });

  it('splits a batch that would not fit into one event', async () => {
    await start(seen());
    stage.queue.add(...Array.from({ length: 8 }, (_, n) => String(n).repeat(1_000_000)));
    await stage.clock.waitUntilIdle();
    expect(batches.map((batch) => batch.length)).toEqual([6, 2]);
  });

  it('rejects stream properties and a role without read access', async () => {
    const expectRejection = (properties: Record<string, unknown>, reason: RegExp, more = {}) =>
      expect(aMapping(seen(), { EventSourceArn: queueArn, ...properties }, undefined, more)).rejects.toThrow(reason);
    await expectRejection({ StartingPosition: 'LATEST' }, /StartingPosition does not apply to a queue/);
    await expectRejection({ BatchSize: 11 }, /needs a MaximumBatchingWindowInSeconds/);
    await expectRejection({ BatchSize: 0 }, /BatchSize 0 is not within/);
    await expectRejection({ EventSourceArn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/x' }, /are not supported/);
    const authorize = () => {
      throw new AwsError('AccessDeniedException', 'no sqs:ReceiveMessage');
    };
    await expectRejection({}, /may not read its event source: no sqs:ReceiveMessage/, { authorize });
  });
});

describe('parseFailedItems', () => {
  const batch = new Set(['a', 'b']);

  it('treats an empty response as success', () => {
    for (const response of [null, undefined, {}, { batchItemFailures: null }, { batchItemFailures: [] }])
      expect(parseFailedItems(response, batch)).toEqual(new Set());
  });

  it('treats a malformed response as the failure of all', () => {
    const malformed = [
      'text',
      7,
      [],
      { batchItemFailures: 'a' },
      { batchItemFailures: [null] },
      { batchItemFailures: [{ itemIdentifier: '' }] },
      { batchItemFailures: [{ itemIdentifier: null }] },
      { batchItemFailures: [{ id: 'a' }] },
      { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'stranger' }] },
    ];
    for (const response of malformed) expect(parseFailedItems(response, batch)).toBe('all');
  });

  it('never names an item outside the batch for any response of the function', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ batchItemFailures: fc.anything() })), (response) => {
        const failed = parseFailedItems(response, batch);
        return failed === 'all' || [...failed].every((item) => batch.has(item));
      }),
    );
  });
});

const filters = (...patterns: object[]) =>
  parseFilters({ Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) })!;

describe('FilterCriteria', () => {
  it('matches every record without filters', () => {
    expect(parseFilters(undefined)).toBeUndefined();
  });

  it.each([
    [{ a: ['x', 1, true, null] }, [{ a: 'x' }, { a: 1 }, { a: true }, { a: null }], [{ a: 'y' }, { a: '1' }, {}, 'x']],
    [{ a: { b: ['x'] } }, [{ a: { b: 'x', c: 1 } }], [{ a: 'x' }, { a: { c: 'x' } }]],
    [{ a: ['x'], b: ['y'] }, [{ a: 'x', b: 'y' }], [{ a: 'x' }]],
  ])('%j', (pattern, passing, failing) => {
    const matches = filters(pattern);
    expect(passing.map(matches)).toEqual(passing.map(() => true));
    expect(failing.map(matches)).toEqual(failing.map(() => false));
  });

  it('matches a record that fits one of several patterns', () => {
    const matches = filters({ a: ['x'] }, { b: ['y'] });
    expect([{ a: 'x' }, { b: 'y' }, { a: 'y' }].map(matches)).toEqual([true, true, false]);
  });

  it.each([
    [{ Filters: [] }, 'a list of 1 to 10'],
    [{ Filters: [{ Pattern: '{' }] }, 'is not a JSON object'],
    [{ Filters: [{ Pattern: '[]' }] }, 'is not a JSON object'],
    [{ Filters: [{ Pattern: '{}' }] }, 'names no field'],
    [{ Filters: [{ Pattern: '{"a":"x"}' }] }, 'a must list the values'],
    [{ Filters: [{ Pattern: '{"a":{"b":[{"prefix":"x"}]}}' }] }, 'of a.b is not supported'],
  ])('rejects %j', (criteria, problem) => {
    expect(() => parseFilters(criteria)).toThrow(problem);
  });
});

const load = (properties: Record<string, unknown>, more: Record<string, { Type: string; Properties: object }> = {}) =>
  loadTemplate(
    {
      Resources: {
        F: { Type: 'AWS::Lambda::Function', Properties: properties as never },
        ...(more as Record<string, never>),
      },
    },
    { types: resourceTypes, environment },
  );

describe('Lambda’s resource types', () => {
  it('name a function after the stack unless the template does', () => {
    expect(load({}).get('F')).toMatchObject({
      physicalId: 'shop-F',
      attributes: { Arn: 'arn:aws:lambda:eu-west-1:123456789012:function:shop-F' },
    });
    expect(load({ FunctionName: 'mine' }).get('F').physicalId).toBe('mine');
  });

  it('keep a generated name within 64 characters and different from others', () => {
    const ref = (logicalId: string) => resourceTypes['AWS::Lambda::Function']!.ref(logicalId, {}, environment);
    const long = 'L'.repeat(80);
    expect(ref(`${long}1`)).toHaveLength(64);
    expect(ref(`${long}1`)).not.toBe(ref(`${long}2`));
  });

  it('give versions and aliases the qualified ARN of their function', () => {
    const stack = load(
      {},
      {
        V: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'F' } } },
        A: {
          Type: 'AWS::Lambda::Alias',
          Properties: {
            Name: 'live',
            FunctionName: { 'Fn::GetAtt': ['F', 'Arn'] },
            FunctionVersion: { 'Fn::GetAtt': ['V', 'Version'] },
          },
        },
      },
    );
    expect(stack.get('V').physicalId).toBe('arn:aws:lambda:eu-west-1:123456789012:function:shop-F:1');
    expect(stack.get('A').physicalId).toBe('arn:aws:lambda:eu-west-1:123456789012:function:shop-F:live');
  });

  it('reject unsupported properties', () => {
    for (const property of ['Layers', 'VpcConfig', 'DeadLetterConfig', 'FileSystemConfigs', 'ImageConfig'])
      expect(() => load({ [property]: {} })).toThrow(`property ${property} is not supported`);
    const mapping = (property: string) => ({
      M: { Type: 'AWS::Lambda::EventSourceMapping', Properties: { [property]: {} } },
    });
    for (const property of ['TumblingWindowInSeconds', 'SelfManagedEventSource'])
      expect(() => load({}, mapping(property))).toThrow(`property ${property} is not supported`);
  });
});
