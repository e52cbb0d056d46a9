// Schedules on the runtime's clock, and rules for events that other services publish. The commit that queues a delivery
// also advances the stored next occurrence. After a restart no delivered occurrence is repeated, and only the latest of
// the missed ones is delivered.
import { randomUUID } from 'node:crypto';
import type { Caller } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { requireValue } from '../require-value.ts';
import type { RuntimeService } from '../runtime-service.ts';
import { alwaysExpendable, type Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { DeliveryQueue, type Occurrence } from './delivery-queue.ts';
import { type BusEvent, type EventRule, readEventRules } from './event-rules.ts';
import { parseRateMs, readSchedules, type Schedule, ScheduleStore } from './schedules.ts';
import { createWakeTimer } from './wake-timer.ts';

export interface SchedulerOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  /** Invokes a function asynchronously; resolves when the event is accepted. Rules have no role, so they pass no caller. */
  invoke(functionArn: string, event: unknown, caller: Caller | undefined): Promise<unknown>;
}

export interface Scheduler extends RuntimeService {
  /** Sets up the template's rules and schedules; throws an error that lists all unsupported features. */
  load(resources: readonly Resource[]): void;
  /** Sends an event to the functions of every matching rule; resolves when they have accepted it. */
  publish(event: BusEvent): Promise<void>;
  /** Runs only the schedules of these functions and skips all others; undefined runs all schedules. */
  runOnly(functionNames: readonly string[] | undefined): void;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { storage, clock, log, environment, invoke } = options;
  const store = new ScheduleStore(storage);
  let schedules = new Map<string, Schedule>();
  let rules: readonly EventRule[] = [];
  let isStarted = false;
  let only: readonly string[] | undefined;

  const queue = new DeliveryQueue({
    ...options,
    findRetryPolicy: ({ schedule }) => schedules.get(schedule.arn),
    async deliver(occurrence) {
      const schedule = schedules.get(occurrence.schedule.arn);
      if (!schedule) throw new Error('the template no longer declares the schedule');
      const { functionArn, roleArn, name } = schedule;
      return invoke(functionArn, toEvent(occurrence, environment), { roleArn, name });
    },
  });
  const wakeTimer = createWakeTimer(clock, log, () => runDue());

  const runDue = async () => {
    if (!isStarted) return;
    await storage.writeWithRetry(() => {
      for (const { arn, nextMs } of store.listDue(clock.now())) {
        const { expression, functionArn } = requireValue(schedules.get(arn));
        const rateMs = parseRateMs(expression);
        const latestMs = nextMs + Math.floor((clock.now() - nextMs) / rateMs) * rateMs;
        store.put(arn, expression, latestMs + rateMs);
        const isSkipped = only && !only.some((name) => functionArn.endsWith(`-${name}`));
        if (!isSkipped) queue.add({ id: randomUUID(), schedule: { arn }, scheduledMs: latestMs });
      }
    }, alwaysExpendable);
    queue.deliverDue();
    const nextMs = store.findNextMs();
    if (nextMs !== undefined) wakeTimer.wakeBy(nextMs);
  };

  /** New and changed schedules start now; others keep their phase. */
  const storeSchedules = () => {
    store.deleteExcept([...schedules.keys()]);
    for (const { arn, expression } of schedules.values()) {
      if (store.findExpression(arn) === expression) continue;
      store.put(arn, expression, clock.now() + parseRateMs(expression));
    }
  };

  return {
    name: 'scheduler',
    load(resources) {
      schedules = new Map(readSchedules(resources).map((schedule) => [schedule.arn, schedule]));
      storage.writeNow(storeSchedules);
      rules = readEventRules(resources);
    },
    async publish(event) {
      const targets = rules.filter(({ matches }) => matches(event)).flatMap(({ functionArns }) => functionArns);
      await Promise.all(targets.map((arn) => invoke(arn, event, undefined)));
    },
    runOnly(functionNames) {
      only = functionNames;
    },
    async start() {
      isStarted = true;
      queue.start();
      await clock.track(runDue());
    },
    async stop() {
      isStarted = false;
      wakeTimer.cancel();
      queue.stop();
    },
  };
}

function toEvent({ id, schedule, scheduledMs }: Occurrence, { accountId, region }: StackEnvironment) {
  return {
    version: '0',
    id,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: accountId,
    time: new Date(scheduledMs).toISOString().replace('.000Z', 'Z'),
    region,
    resources: [schedule.arn],
    detail: '{}',
  };
}
