// Rules and schedules on the runtime's clock. The next occurrence of each is on disk, and moves on in the same commit
// that records the deliveries of the one that came: so a restart repeats nothing that arrived, and of the occurrences
// it missed it makes up for the latest only.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Caller } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { Part } from '../part.ts';
import { onceMore, type Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { createAlarm } from './alarm.ts';
import { Courier, type Delivery } from './courier.ts';
import { type BusEvent, type EventRule, readEventRules } from './event-rules.ts';
import { readSchedules, type Schedule, type Target } from './schedule.ts';
import { readScheduleExpression } from './schedule-expression.ts';
import { ScheduleStore } from './schedule-store.ts';

/** `caller` is the target's role; undefined when the template relies on the permission of the target itself. */
export interface SchedulerOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  /** Invokes a function asynchronously: resolves when the event was accepted. */
  invoke(functionArn: string, event: unknown, caller: Caller | undefined): Promise<unknown>;
  send(queueArn: string, body: string, caller: Caller | undefined): Promise<unknown>;
  startExecution(machineArn: string, input: string, name: string, caller: Caller | undefined): Promise<unknown>;
}

export interface Scheduler extends Part {
  /** Sets up the rules and schedules that the template declares; throws a list of what it cannot honour. */
  load(resources: readonly Resource[]): void;
  /** Gives an event to the functions of every rule that it matches; resolves when they accepted it. */
  publish(event: BusEvent): Promise<void>;
  /** When a rule or schedule, by its ARN, comes next. */
  nextMs(arn: string): number | undefined;
}

interface Occurrence {
  id: string;
  schedule: { arn: string; name: string; source: Schedule['source'] };
  target: Target;
  scheduledMs: number;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { storage, clock, log } = options;
  const store = new ScheduleStore(storage);
  let schedules = new Map<string, Schedule>();
  let rules: readonly EventRule[] = [];
  let started = false;
  const courier = new Courier<Occurrence>({
    ...options,
    table: 'scheduler_deliveries',
    deliver: (delivery) => deliver(delivery, options),
    retryAfterMs,
    abandon: ({ content }) => abandon(content, options),
  });
  const alarm = createAlarm(clock, log, () => runDue());

  const setAlarm = () => {
    const nextMs = store.nextMs();
    if (nextMs !== undefined) alarm.by(nextMs);
  };
  const runDue = async () => {
    if (!started) return;
    await storage.writeWithRetry(() => {
      for (const due of store.due(clock.now())) occur(due, schedules.get(due.arn)!, store, courier, clock.now());
    }, onceMore);
    courier.deliverDue();
    setAlarm();
  };

  return {
    name: 'scheduler',
    load(resources) {
      const enabled = readSchedules(resources).filter((schedule) => schedule.enabled);
      schedules = new Map(enabled.map((schedule) => [schedule.arn, schedule]));
      storage.writeNow(() => plan(enabled, store, options));
      rules = readEventRules(resources);
    },
    async publish(event) {
      const targets = rules.filter(({ matches }) => matches(event)).flatMap(({ functionArns }) => functionArns);
      await Promise.all(targets.map((arn) => options.invoke(arn, event, undefined)));
    },
    async start() {
      started = true;
      courier.start();
      await clock.busy(runDue());
    },
    async stop() {
      started = false;
      alarm.cancel();
      courier.stop();
    },
    nextMs: (arn) => store.get(arn)?.nextMs,
  };
}

/** A schedule that is new, or says something else than before, begins now; one that is gone is forgotten. */
function plan(schedules: readonly Schedule[], store: ScheduleStore, { clock, log }: SchedulerOptions): void {
  store.keepOnly(schedules.map(({ arn }) => arn));
  for (const { arn, expression } of schedules) {
    if (store.get(arn)?.expression === expression) continue;
    const nextMs = readScheduleExpression(expression).first(clock.now());
    if (nextMs === undefined) log.warn('a schedule names no time in the future', { schedule: arn, expression });
    store.put(arn, expression, nextMs);
  }
}

/** Of several occurrences that were missed, only the latest is made up for. */
function occur(
  { arn, expression, nextMs }: { arn: string; expression: string; nextMs: number },
  schedule: Schedule,
  store: ScheduleStore,
  courier: Courier<Occurrence>,
  nowMs: number,
): void {
  const times = readScheduleExpression(expression);
  const scheduledMs = times.latest(nextMs, nowMs);
  store.put(arn, expression, times.next(scheduledMs));
  const { name, source } = schedule;
  for (const target of schedule.targets) {
    courier.add({ id: randomUUID(), schedule: { arn, name, source }, target, scheduledMs });
  }
}

async function deliver({ content, attempts }: Delivery<Occurrence>, options: SchedulerOptions): Promise<unknown> {
  const { target, schedule, id } = content;
  const caller = target.roleArn === undefined ? undefined : { roleArn: target.roleArn, name: schedule.name };
  const text = payload(content, attempts, options.environment);
  if (target.kind === 'function') return options.invoke(target.arn, JSON.parse(text), caller);
  if (target.kind === 'queue') return options.send(target.arn, text, caller);
  return options.startExecution(target.arn, text, id, caller).catch((error: unknown) => {
    // The occurrence's id is the name, so an execution that exists is this one, from an attempt before a crash.
    if (!(error instanceof AwsError) || error.code !== 'ExecutionAlreadyExists') throw error;
  });
}

function payload(
  { target, schedule, scheduledMs, id }: Occurrence,
  attempts: number,
  environment: StackEnvironment,
): string {
  const time = new Date(scheduledMs).toISOString().replace('.000Z', 'Z');
  if (target.input !== undefined) {
    if (schedule.source === 'aws.events') return target.input;
    return target.input
      .replaceAll('<aws.scheduler.schedule-arn>', schedule.arn)
      .replaceAll('<aws.scheduler.scheduled-time>', time)
      .replaceAll('<aws.scheduler.execution-id>', id)
      .replaceAll('<aws.scheduler.attempt-number>', String(attempts + 1));
  }
  return JSON.stringify({
    version: '0',
    id,
    'detail-type': 'Scheduled Event',
    source: schedule.source,
    account: environment.accountId,
    time,
    region: environment.region,
    resources: [schedule.arn],
    detail: schedule.source === 'aws.events' ? {} : '{}',
  });
}

/** Twice as long each time, up to ten minutes, within the limits of the target. */
function retryAfterMs({ attempts, content }: Delivery<Occurrence>, ageMs: number): number | undefined {
  const { mostRetries, mostAgeSeconds } = content.target;
  const delayMs = Math.min(2 ** attempts, 600) * 1000;
  return attempts < mostRetries && ageMs + delayMs <= mostAgeSeconds * 1000 ? delayMs : undefined;
}

async function abandon(content: Occurrence, { send, environment }: SchedulerOptions): Promise<void> {
  const { deadLetterArn } = content.target;
  if (deadLetterArn) await send(deadLetterArn, payload(content, 0, environment), undefined);
}
