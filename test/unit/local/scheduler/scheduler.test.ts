import type { Caller } from '../../../../local/aws/service.ts';
import { resourceTypes } from '../../../../local/scheduler/resource-types.ts';
import { createScheduler, type Scheduler } from '../../../../local/scheduler/scheduler.ts';
import { parseRateMs } from '../../../../local/scheduler/schedules.ts';
import type { Resource } from '../../../../local/template/resource-type.ts';
import { aResource, aTestRuntime, startMs, type TestRuntime } from '../test-runtime.ts';

const functionArn = 'arn:aws:lambda:eu-west-1:123456789012:function:f';
const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:q';
const RoleArn = 'arn:aws:iam::123456789012:role/schedule';
const scheduleArn = 'arn:aws:scheduler:eu-west-1:123456789012:schedule/default/Test-Sweep';

const aSchedule = (properties: object = {}, target: object = {}, logicalId = 'Sweep') =>
  aResource(resourceTypes, 'AWS::Scheduler::Schedule', logicalId, {
    ScheduleExpression: 'rate(1 minute)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: functionArn, RoleArn, ...target },
    ...properties,
  });
const aRule = (EventPattern: object, properties: object = {}) =>
  aResource(resourceTypes, 'AWS::Events::Rule', 'Rule', {
    EventPattern,
    Targets: [{ Id: 'T', Arn: functionArn }],
    ...properties,
  });

interface Invocation {
  arn: string;
  event: unknown;
  timeMs: number;
  caller: Caller | undefined;
}

let runtime: TestRuntime;
let scheduler: Scheduler;
let invocations: Invocation[];
let failures: number;

async function start(...resources: Resource[]) {
  scheduler = createScheduler({
    ...runtime,
    async invoke(arn, event, caller) {
      if (failures-- > 0) throw new Error('unavailable');
      invocations.push({ arn, event, caller, timeMs: runtime.clock.now() - startMs });
    },
  });
  scheduler.load(resources);
  await scheduler.start();
}

beforeEach(() => {
  runtime = aTestRuntime();
  invocations = [];
  failures = 0;
});
afterEach(async () => {
  await scheduler?.stop();
  runtime.end();
});

describe('a schedule', () => {
  it('invokes its function at every occurrence, as the role of the target', async () => {
    await start(aSchedule());
    await runtime.clock.advance(180_000);
    expect(invocations.map(({ timeMs }) => timeMs)).toEqual([60_000, 120_000, 180_000]);
    expect(invocations[0]).toMatchObject({ arn: functionArn, caller: { roleArn: RoleArn, name: 'Test-Sweep' } });
    expect(invocations[0]!.event).toEqual({
      version: '0',
      id: expect.any(String),
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: '123456789012',
      time: '2026-01-01T00:01:00Z',
      region: 'eu-west-1',
      resources: [scheduleArn],
      detail: '{}',
    });
  });

  it('runs in the order of time among others', async () => {
    const slow = aSchedule({ ScheduleExpression: 'rate(2 minutes)' }, { Arn: `${functionArn}-slow` }, 'Slow');
    await start(aSchedule(), slow);
    await runtime.clock.advance(240_000);
    const times = invocations.map(({ timeMs }) => timeMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(invocations.map(({ arn, timeMs }) => `${timeMs / 60_000} ${arn.split(':').pop()}`).sort()).toEqual([
      '1 f',
      '2 f',
      '2 f-slow',
      '3 f',
      '4 f',
      '4 f-slow',
    ]);
  });

  it('is skipped, in phase, while only the schedules of other functions run', async () => {
    const other = aSchedule({ ScheduleExpression: 'rate(2 minutes)' }, { Arn: `${functionArn}-other` }, 'Other');
    await start(aSchedule(), other);
    scheduler.runOnly(['other']);
    await runtime.clock.advance(150_000);
    scheduler.runOnly(undefined);
    await runtime.clock.advance(30_000);
    expect(invocations.map(({ arn, timeMs }) => `${timeMs / 60_000} ${arn.split(':').pop()}`)).toEqual([
      '2 f-other',
      '3 f',
    ]);
  });

  it('keeps its phase after a restart and repeats nothing', async () => {
    await start(aSchedule({ ScheduleExpression: 'rate(10 minutes)' }));
    await runtime.clock.advance(601_000);
    runtime = runtime.afterCrash();
    await start(aSchedule({ ScheduleExpression: 'rate(10 minutes)' }));
    await runtime.clock.waitUntilIdle();
    expect(invocations).toHaveLength(1);
    await runtime.clock.advance(599_000);
    expect(invocations.map(({ timeMs }) => timeMs)).toEqual([600_000, 1_200_000]);
  });

  it('delivers only the latest of the occurrences that it missed', async () => {
    await start(aSchedule());
    runtime = runtime.afterCrash(3_630_000);
    await start(aSchedule());
    await runtime.clock.waitUntilIdle();
    expect(invocations).toMatchObject([{ event: { time: '2026-01-01T01:00:00Z' } }]);
    await runtime.clock.advance(30_000);
    expect(invocations.map(({ timeMs }) => timeMs)).toEqual([3_630_000, 3_660_000]);
  });

  it('retries failed deliveries after a restart', async () => {
    failures = 100;
    await start(aSchedule({ ScheduleExpression: 'rate(1 day)' }));
    await runtime.clock.advance(86_400_000);
    runtime = runtime.afterCrash();
    failures = 0;
    await start(aSchedule({ ScheduleExpression: 'rate(1 day)' }));
    await runtime.clock.advance(10_000);
    expect(invocations).toHaveLength(1);
  });

  it.each([
    [{ MaximumRetryAttempts: 2 }, 2, [3000]],
    [{ MaximumRetryAttempts: 2 }, 3, []],
    [{ MaximumEventAgeInSeconds: 60 }, 5, [31_000]],
    [{ MaximumEventAgeInSeconds: 60 }, 6, []],
  ])('retries within %j after %d failures', async (RetryPolicy, failed, expected) => {
    failures = failed;
    await start(aSchedule({ ScheduleExpression: 'rate(1 day)' }, { RetryPolicy }));
    await runtime.clock.advance(86_400_000 + 600_000);
    expect(invocations.map(({ timeMs }) => timeMs - 86_400_000)).toEqual(expected);
  });

  it('restarts when its expression changes', async () => {
    await start(aSchedule());
    runtime = runtime.afterCrash(30_000);
    await start(aSchedule({ ScheduleExpression: 'rate(5 minutes)' }));
    await runtime.clock.advance(600_000);
    expect(invocations.map(({ timeMs }) => timeMs)).toEqual([330_000, 630_000]);
  });
});

describe('a rule', () => {
  const event = {
    version: '0' as const,
    id: '1',
    source: 'aws.cognito-idp',
    'detail-type': 'AWS API Call via CloudTrail',
    account: '123456789012',
    time: '2026-01-01T00:00:00Z',
    region: 'eu-west-1',
    resources: [],
    detail: { eventName: 'AdminAddUserToGroup' },
  };

  it('sends matching events to its functions', async () => {
    await start(aRule({ source: ['aws.cognito-idp'], detail: { eventName: ['AdminAddUserToGroup'] } }));
    await scheduler.publish(event);
    await scheduler.publish({ ...event, detail: { eventName: 'AdminGetUser' } });
    expect(invocations).toEqual([{ arn: functionArn, event, timeMs: 0, caller: undefined }]);
  });

  it('is rejected with a pattern or target that is not supported', async () => {
    await start();
    const load = () => scheduler.load([aRule({ source: [{ wildcard: '*' }] }, { Targets: [{ Arn: queueArn }] })]);
    expect(load).toThrow(
      /Rule: the target .*sqs.*[\s\S]*Rule: the filter \[\{"wildcard":"\*"\}\] of source is not supported/,
    );
  });
});

describe('load', () => {
  it('lists everything that it does not support', async () => {
    await start();
    const load = () =>
      scheduler.load([
        aSchedule({}, { Arn: queueArn }, 'A'),
        aSchedule({ ScheduleExpression: 'cron(0 12 * * ? *)', FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, {}, 'B'),
      ]);
    expect(load).toThrow(/A: the target .*sqs/);
    expect(load).toThrow(/B: flexible time windows are not supported\n- B: the schedule cron\(0 12 \* \* \? \*\)/);
  });

  it.each([
    'rate(0 minutes)',
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(5 weeks)',
    'at(2026-01-01T00:00:00)',
    'every minute',
  ])('rejects %s', (expression) => {
    expect(() => parseRateMs(expression)).toThrow(expression);
  });

  it('accepts minutes, hours and days', () => {
    const rates = ['rate(1 minute)', 'rate(2 hours)', 'rate(7 days)'].map(parseRateMs);
    expect(rates).toEqual([60_000, 7_200_000, 604_800_000]);
  });
});
