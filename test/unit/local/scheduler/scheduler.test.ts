import type { Caller } from '../../../../local/aws/service.ts';
import { resourceTypes } from '../../../../local/scheduler/resource-types.ts';
import { createScheduler, type Scheduler } from '../../../../local/scheduler/scheduler.ts';
import type { Resource } from '../../../../local/template/resource-type.ts';
import { aGround, aResource, type Ground, startMs } from '../sqs/ground.ts';

const functionArn = 'arn:aws:lambda:eu-west-1:123456789012:function:f';
const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:q';
const machineArn = 'arn:aws:states:eu-west-1:123456789012:stateMachine:m';
const RoleArn = 'arn:aws:iam::123456789012:role/schedule';

const aRule = (properties: object = {}, logicalId = 'Sweep') =>
  aResource(resourceTypes, 'AWS::Events::Rule', logicalId, {
    ScheduleExpression: 'rate(1 minute)',
    Targets: [{ Id: 'T', Arn: functionArn }],
    ...properties,
  });
const aSchedule = (properties: object = {}, target: object = {}) =>
  aResource(resourceTypes, 'AWS::Scheduler::Schedule', 'Plan', {
    ScheduleExpression: 'rate(1 hour)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: functionArn, RoleArn, ...target },
    ...properties,
  });

interface Arrived {
  arn: string;
  payload: unknown;
  atMs: number;
  caller: Caller | undefined;
  name?: string;
}

let ground: Ground;
let scheduler: Scheduler;
let arrived: Arrived[];
let refuse: (arn: string) => boolean;

async function start(...resources: Resource[]) {
  const arrive = async (entry: Omit<Arrived, 'atMs'>) => {
    if (refuse(entry.arn)) throw new Error('away');
    arrived.push({ ...entry, atMs: ground.clock.now() - startMs });
  };
  scheduler = createScheduler({
    ...ground,
    invoke: (arn, payload, caller) => arrive({ arn, payload, caller }),
    send: (arn, payload, caller) => arrive({ arn, payload, caller }),
    startExecution: (arn, payload, name, caller) => arrive({ arn, payload, name, caller }),
  });
  scheduler.load(resources);
  await scheduler.start();
}

beforeEach(() => {
  ground = aGround();
  arrived = [];
  refuse = () => false;
});
afterEach(async () => {
  await scheduler.stop();
  ground.end();
});

describe('a rule', () => {
  it('sends the scheduled event at every occurrence as the clock moves', async () => {
    await start(aRule());
    await ground.clock.advance(180_000);
    expect(arrived.map(({ atMs }) => atMs)).toEqual([60_000, 120_000, 180_000]);
    expect(arrived[0]!.payload).toEqual({
      version: '0',
      id: expect.any(String),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '123456789012',
      time: '2026-01-01T00:01:00Z',
      region: 'eu-west-1',
      resources: ['arn:aws:events:eu-west-1:123456789012:rule/Test-Sweep'],
      detail: {},
    });
  });

  it('plays several rules in the order of their times', async () => {
    await start(
      aRule(),
      aRule(
        { ScheduleExpression: 'cron(0/2 * * * ? *)', Targets: [{ Id: 'Q', Arn: queueArn, Input: '{"x":1}' }] },
        'Other',
      ),
    );
    await ground.clock.advance(240_000);
    expect(
      arrived.map(({ arn, atMs }) => `${atMs / 60_000} ${arn === queueArn ? 'queue' : 'function'}`).sort(),
    ).toEqual(['1 function', '2 function', '2 queue', '3 function', '4 function', '4 queue']);
    expect(arrived.map(({ atMs }) => atMs)).toEqual([...arrived.map(({ atMs }) => atMs)].sort((a, b) => a - b));
    expect(arrived.find(({ arn }) => arn === queueArn)!.payload).toBe('{"x":1}');
  });

  it('starts executions as the role of the target', async () => {
    await start(aRule({ Targets: [{ Id: 'M', Arn: machineArn, RoleArn, Input: '{}' }] }));
    await ground.clock.advance(60_000);
    expect(arrived).toMatchObject([
      { arn: machineArn, payload: '{}', caller: { roleArn: RoleArn }, name: expect.any(String) },
    ]);
  });

  it('does nothing while it is disabled', async () => {
    await start(aRule({ State: 'DISABLED' }));
    await ground.clock.advance(600_000);
    expect(arrived).toEqual([]);
  });

  it('keeps its phase over a restart and repeats nothing', async () => {
    await start(aRule({ ScheduleExpression: 'rate(10 minutes)' }));
    await ground.clock.advance(601_000);
    ground = ground.afterCrash();
    await start(aRule({ ScheduleExpression: 'rate(10 minutes)' }));
    await ground.clock.idle();
    expect(arrived).toHaveLength(1);
    await ground.clock.advance(599_000);
    expect(arrived.map(({ atMs }) => atMs)).toEqual([600_000, 1_200_000]);
  });

  it('makes up once for what it missed', async () => {
    await start(aRule());
    ground = ground.afterCrash(3_630_000);
    await start(aRule());
    await ground.clock.idle();
    expect(arrived).toHaveLength(1);
    expect(arrived[0]!.payload).toMatchObject({ time: '2026-01-01T01:00:00Z' });
    await ground.clock.advance(30_000);
    expect(arrived.map(({ atMs }) => atMs)).toEqual([3_630_000, 3_660_000]);
  });

  it('delivers after a restart what had not arrived', async () => {
    refuse = () => true;
    await start(aRule({ ScheduleExpression: 'rate(1 day)' }));
    await ground.clock.advance(86_400_000);
    ground = ground.afterCrash();
    refuse = () => false;
    await start(aRule({ ScheduleExpression: 'rate(1 day)' }));
    await ground.clock.advance(10_000);
    expect(arrived).toHaveLength(1);
  });

  it('tries again within its retry policy, then turns to the dead-letter queue', async () => {
    refuse = (arn) => arn === functionArn;
    const target = {
      Id: 'T',
      Arn: functionArn,
      RetryPolicy: { MaximumRetryAttempts: 2 },
      DeadLetterConfig: { Arn: queueArn },
    };
    await start(aRule({ ScheduleExpression: 'rate(1 day)', Targets: [target] }));
    await ground.clock.advance(86_400_000 + 60_000);
    expect(arrived).toMatchObject([{ arn: queueArn, atMs: 86_400_000 + 3000 }]);
  });

  it('begins anew when its expression changed', async () => {
    await start(aRule());
    ground = ground.afterCrash(30_000);
    await start(aRule({ ScheduleExpression: 'rate(5 minutes)' }));
    expect(scheduler.nextMs('arn:aws:events:eu-west-1:123456789012:rule/Test-Sweep')).toBe(startMs + 330_000);
  });
});

describe('a schedule', () => {
  it('sends its input with the context filled in', async () => {
    const Input = '{"at":"<aws.scheduler.scheduled-time>","try":"<aws.scheduler.attempt-number>"}';
    await start(aSchedule({}, { Input }));
    await ground.clock.advance(3_600_000);
    expect(arrived).toMatchObject([
      { payload: { at: '2026-01-01T01:00:00Z', try: '1' }, caller: { roleArn: RoleArn } },
    ]);
  });

  it('happens once at its time', async () => {
    await start(aSchedule({ ScheduleExpression: 'at(2026-01-01T00:00:30)' }));
    await ground.clock.advance(86_400_000);
    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({ atMs: 30_000, payload: { source: 'aws.scheduler', detail: '{}' } });
    ground = ground.afterCrash(86_400_000);
    await start(aSchedule({ ScheduleExpression: 'at(2026-01-01T00:00:30)' }));
    await ground.clock.idle();
    expect(arrived).toHaveLength(1);
  });
});

describe('rules with a pattern', () => {
  const aPattern = (EventPattern: object, more: object = {}) =>
    aRule({ EventPattern, ScheduleExpression: undefined, ...more }, 'Follow');
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

  it('give an event that matches to their functions, and no other', async () => {
    await start(aPattern({ source: ['aws.cognito-idp'], detail: { eventName: ['AdminAddUserToGroup'] } }));
    await scheduler.publish(event);
    await scheduler.publish({ ...event, detail: { eventName: 'AdminGetUser' } });
    expect(arrived).toEqual([{ arn: functionArn, payload: event, atMs: 0, caller: undefined }]);
  });

  it('do nothing while they are disabled', async () => {
    await start(aPattern({ source: ['aws.cognito-idp'] }, { State: 'DISABLED' }));
    await scheduler.publish(event);
    expect(arrived).toEqual([]);
  });

  it('refuse patterns and targets that cannot be honoured', async () => {
    await start();
    const load = (properties: object) => () => scheduler.load([aPattern({ source: [{ wildcard: '*' }] }, properties)]);
    expect(load({ Targets: [{ Id: 'T', Arn: queueArn }] })).toThrow(
      /Follow: the target .*sqs.*[\s\S]*Follow: the filter \{"wildcard":"\*"\} of source is not supported/,
    );
  });
});

describe('loading', () => {
  it('refuses, with a list, what it cannot honour', async () => {
    await start();
    const load = () =>
      scheduler.load([
        aRule({ Targets: [{ Id: 'T', Arn: functionArn, InputTransformer: {} }] }, 'B'),
        aRule({ Targets: [{ Id: 'T', Arn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/s' }] }, 'C'),
        aRule({ ScheduleExpression: 'at(2026-01-01T00:00:00)' }, 'D'),
        aSchedule({ ScheduleExpressionTimezone: 'Europe/Berlin', FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }),
      ]);
    expect(load).toThrow(/B: InputTransformer of a target is not supported/);
    expect(load).toThrow(/C: the target .*kinesis/);
    expect(load).toThrow(/D: the schedule at/);
    expect(load).toThrow(/Plan: the time zone Europe\/Berlin[\s\S]*Plan: flexible time windows/);
  });
});
