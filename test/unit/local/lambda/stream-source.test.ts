import { setTimeout as pause } from 'node:timers/promises';
import { AwsError } from '../../../../local/aws/error.ts';
import { yieldToRequests } from '../../../../local/lambda/event-sources/poller.ts';
import { aMapping, deadLettersArn, type Handler, type MappingStage, streamArn } from './event-source-fixture.ts';

interface Change {
  eventID: string;
  dynamodb: { SequenceNumber: string };
}

describe('a stream’s event source mapping', () => {
  let stage: MappingStage;
  let batches: string[][];
  const seen =
    (response: (keys: string[], records: Change[]) => unknown = () => null): Handler =>
    (given) => {
      const records = given as unknown as Change[];
      const keys = records.map(({ eventID }) => eventID);
      batches.push(keys);
      return response(keys, records);
    };
  const failOn = (...bad: string[]) =>
    seen((keys) => {
      if (keys.some((key) => bad.includes(key))) throw new Error('poison');
    });
  const start = async (handler: Handler, properties: Record<string, unknown> = {}, before: string[] = []) => {
    const mapping = { EventSourceArn: streamArn, StartingPosition: 'TRIM_HORIZON', ...properties };
    stage = await aMapping(handler, mapping, ({ stream }) => stream.add(...before));
  };

  beforeEach(() => {
    batches = [];
  });
  afterEach(() => stage?.close());

  it('sends records in order with their source', async () => {
    let records: Record<string, unknown>[] = [];
    await start((given) => {
      records = given;
    });
    stage.stream.add('a', 'b');
    await stage.clock.waitUntilIdle();
    expect(records.map(({ eventID }) => eventID)).toEqual(['a', 'b']);
    expect(records[0]).toMatchObject({
      eventSource: 'aws:dynamodb',
      eventSourceARN: streamArn,
      awsRegion: 'eu-west-1',
      dynamodb: { SequenceNumber: '100000000000000000000' },
    });
  });

  it('starts at TRIM_HORIZON or LATEST', async () => {
    await start(seen(), {}, ['a', 'b']);
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['a', 'b']]);
    await stage.close();
    batches = [];
    await start(seen(), { StartingPosition: 'LATEST' }, ['a', 'b']);
    stage.stream.add('c');
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['c']]);
  });

  it('yields to requests after full batches: its backlog takes a tenth of the time', async () => {
    const times: { startMs: number; endMs: number }[] = [];
    const work = async () => {
      const startMs = performance.now();
      await pause(20);
      times.push({ startMs, endMs: performance.now() });
    };
    await start(work, { BatchSize: 2 }, ['a', 'b', 'c', 'd', 'e']);
    await stage.clock.waitUntilIdle();
    const [first, second, last] = times.map(({ startMs }, index) => startMs - (times[index - 1]?.endMs ?? startMs));
    expect(first).toBe(0);
    expect(second).toBeGreaterThanOrEqual(150);
    expect(last).toBeGreaterThanOrEqual(150);
    stage.stream.add('f', 'g', 'h', 'i');
    await stage.clock.advance(0);
    expect(times).toHaveLength(5);
  });

  it('gives a compute-heavy function small batches while requests run', async () => {
    await start(seen(), { BatchSize: 10 }, [...'abcdefghijkl']);
    await stage.clock.waitUntilIdle();
    expect(batches.map(({ length }) => length)).toEqual([5, 5, 2]);
  });

  it('stops yielding when requests end', async () => {
    const startMs = performance.now();
    await yieldToRequests(30_000, { requestMs: 0 }, () => false);
    expect(performance.now() - startMs).toBeLessThan(15_000);
  });

  it('skips records that match no filter', async () => {
    const FilterCriteria = { Filters: [{ Pattern: '{"eventID":["x1","x2","x3","x4"]}' }] };
    await start(seen(), { FilterCriteria, BatchSize: 2 }, ['a', 'x1', 'b', 'x2', 'x3', 'c']);
    await stage.clock.waitUntilIdle();
    stage.stream.add('d', 'x4');
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['x1', 'x2'], ['x3'], ['x4']]);
  });

  it('logs nothing about a batch that the stop of the runtime ends, and repeats it', async () => {
    let end = () => {};
    const isRunning = new Promise<void>((resolve) => {
      const hang = () =>
        new Promise((_, reject) => {
          end = () => reject(new Error('the worker ended'));
          resolve();
        });
      void start(hang, {}, ['a']);
    });
    await isRunning;
    const restarted = stage.restart(seen());
    end();
    await restarted;
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['a']]);
    expect(stage.logged).toEqual([]);
  });

  it('resumes after a restart and repeats unfinished batches', async () => {
    await start(failOn('c'), { BatchSize: 2 }, ['a', 'b', 'c', 'd']);
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    batches = [];
    await stage.restart(seen());
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['c', 'd']]);
  });

  it('keeps LATEST where it was at the first start', async () => {
    await start(seen(), { StartingPosition: 'LATEST' }, ['a']);
    await stage.restart(() => null);
    await stage.clock.waitUntilIdle();
    stage.stream.add('b');
    await stage.clock.waitUntilIdle();
    await stage.restart(seen());
    stage.stream.add('c');
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['c']]);
  });

  it('backs off after each failure and does not skip the failed batch', async () => {
    const times: number[] = [];
    await start(
      (records) => {
        times.push(stage.clock.now());
        if (times.length < 5) throw new Error('not yet');
        batches.push(records.map(({ eventID }) => String(eventID)));
      },
      { BatchSize: 1 },
    );
    stage.stream.add('a', 'b');
    await stage.clock.advance(20_000);
    const waits = times.slice(1, 5).map((time, place) => Math.round((time - times[place]!) / 1000));
    expect(waits).toEqual([1, 2, 4, 8]);
    expect(batches).toEqual([['a'], ['b']]);
  });

  it('discards records after the retries and notifies the destination', async () => {
    const properties = { MaximumRetryAttempts: 2, DestinationConfig: { OnFailure: { Destination: deadLettersArn } } };
    await start(failOn('a'), properties);
    stage.stream.add('a', 'b');
    await stage.clock.advance(60_000);
    expect(batches).toHaveLength(3);
    expect(stage.queue.sent).toEqual([
      {
        arn: deadLettersArn,
        body: {
          requestContext: {
            requestId: expect.any(String),
            functionArn: 'arn:worker',
            condition: 'RetryAttemptsExhausted',
            approximateInvokeCount: 3,
          },
          responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
          version: '1.0',
          timestamp: expect.any(String),
          DDBStreamBatchInfo: {
            shardId: expect.stringMatching(/^shardId-/),
            startSequenceNumber: '100000000000000000000',
            endSequenceNumber: '100000000000000000001',
            approximateArrivalOfFirstRecord: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
            approximateArrivalOfLastRecord: expect.any(String),
            batchSize: 2,
            streamArn,
          },
        },
      },
    ]);
    stage.stream.add('c');
    await stage.clock.waitUntilIdle();
    expect(batches.at(-1)).toEqual(['c']);
  });

  it('bisects a failed batch down to the failing record', async () => {
    const properties = {
      MaximumRetryAttempts: 0,
      BisectBatchOnFunctionError: true,
      DestinationConfig: { OnFailure: { Destination: deadLettersArn } },
    };
    await start(failOn('c'), properties);
    stage.stream.add('a', 'b', 'c', 'd');
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([['a', 'b', 'c', 'd'], ['a', 'b'], ['c', 'd'], ['c'], ['d']]);
    expect(stage.queue.sent).toMatchObject([{ body: { DDBStreamBatchInfo: { batchSize: 1 } } }]);
  });

  it('resumes at the lowest reported sequence number', async () => {
    let isFailing = true;
    const handler = seen((_keys, records) => {
      const bad = isFailing ? records.filter(({ eventID }) => 'bd'.includes(eventID)) : [];
      isFailing = false;
      return { batchItemFailures: bad.reverse().map(({ dynamodb }) => ({ itemIdentifier: dynamodb.SequenceNumber })) };
    });
    await start(handler, { FunctionResponseTypes: ['ReportBatchItemFailures'] });
    stage.stream.add('a', 'b', 'c', 'd');
    await stage.clock.advance(5_000);
    expect(batches).toEqual([
      ['a', 'b', 'c', 'd'],
      ['b', 'c', 'd'],
    ]);
    batches = [];
    await stage.restart(seen());
    await stage.clock.waitUntilIdle();
    expect(batches).toEqual([]);
  });

  it('treats a malformed report as the failure of the whole batch', async () => {
    let first = true;
    const handler = seen(() => {
      const response = first ? { batchItemFailures: [{ itemIdentifier: 'stranger' }] } : null;
      first = false;
      return response;
    });
    await start(handler, { FunctionResponseTypes: ['ReportBatchItemFailures'] });
    stage.stream.add('a', 'b');
    await stage.clock.advance(5_000);
    expect(batches).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('discards records that are too old', async () => {
    const properties = {
      MaximumRecordAgeInSeconds: 60,
      DestinationConfig: { OnFailure: { Destination: deadLettersArn } },
    };
    await start(failOn('a'), properties);
    stage.stream.add('a');
    await stage.clock.advance(200_000);
    expect(stage.queue.sent).toMatchObject([{ body: { requestContext: { condition: 'RecordAgeExceeded' } } }]);
    stage.stream.add('b');
    await stage.clock.waitUntilIdle();
    expect(batches.at(-1)).toEqual(['b']);
  });

  it('does not count throttling as a retry', async () => {
    let throttledCalls = 5;
    const handler = seen(() => {
      if (throttledCalls-- > 0) throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', { status: 429 });
    });
    await start(handler, { MaximumRetryAttempts: 0 });
    stage.stream.add('a');
    await stage.clock.advance(120_000);
    expect(batches).toHaveLength(6);
    expect(stage.logged.some(({ message }) => message === 'Discarded records')).toBe(false);
  });

  it('waits for the batching window, or until the batch is full', async () => {
    await start(seen(), { BatchSize: 3, MaximumBatchingWindowInSeconds: 20 });
    stage.stream.add('a');
    await stage.clock.advance(19_000);
    expect(batches).toEqual([]);
    stage.stream.add('b');
    await stage.clock.advance(1_000);
    expect(batches).toEqual([['a', 'b']]);
    stage.stream.add('c', 'd', 'e', 'f');
    await stage.clock.waitUntilIdle();
    expect(batches.slice(1)).toEqual([['c', 'd', 'e']]);
  });

  it('rejects unsupported properties', async () => {
    const expectRejection = (properties: Record<string, unknown>, reason: RegExp) =>
      expect(
        aMapping(seen(), { EventSourceArn: streamArn, StartingPosition: 'LATEST', ...properties }),
      ).rejects.toThrow(reason);
    await expectRejection({ StartingPosition: 'AT_TIMESTAMP' }, /StartingPosition AT_TIMESTAMP is not supported/);
    await expectRejection({ ScalingConfig: {} }, /ScalingConfig does not apply to a stream/);
    await expectRejection(
      { DestinationConfig: { OnFailure: { Destination: 'arn:aws:sns:eu-west-1:123456789012:x' } } },
      /only queues/,
    );
  });
});
