// Drives executions: each thread steps until it waits, ends, or hands over to others. The table of threads is the only
// truth; what is in memory is who is being stepped right now, so a restart simply looks at the table and goes on.
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { type Alarm, createAlarm } from '../scheduler/alarm.ts';
import type { Storage } from '../storage/storage.ts';
import { scopeAt } from './definition.ts';
import { contextObject, type Execution, type Thread } from './execution.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { MachineStore } from './machine-store.ts';
import { runtimeError } from './state-error.ts';
import { type Outcome, step } from './step.ts';
import type { TaskDependencies } from './task.ts';
import { type Effects, Transitions } from './transition.ts';

export interface InterpreterOptions extends TaskDependencies {
  storage: Storage;
  clock: Clock;
  log: Log;
  store: ExecutionStore;
  machines: MachineStore;
  mostEvents: number;
}

/** More than the longest history allows, so it only ends a thread that a broken invariant keeps going. */
const mostSteps = 100_000;

export class Interpreter {
  private readonly options: InterpreterOptions;
  private readonly transitions: Transitions;
  private readonly alarm: Alarm;
  private readonly stepping = new Set<string>();
  private started = false;

  constructor(options: InterpreterOptions) {
    this.options = options;
    this.transitions = new Transitions(
      options.store,
      options.clock,
      (execution) => options.machines.definition(execution.machineArn, execution.revision),
      options.mostEvents,
    );
    this.alarm = createAlarm(options.clock, options.log, () => this.runDue());
  }

  /** Goes on with everything that was under way when the process ended. */
  start(): void {
    this.started = true;
    for (const execution of this.options.store.running()) {
      for (const thread of this.options.store.threads(execution.arn)) this.run(execution.arn, thread.id);
    }
    this.setAlarm(0);
  }

  stop(): void {
    this.started = false;
    this.alarm.cancel();
  }

  /** Records a new execution; must run inside storage.write(). Call `proceed` with the result once that is on disk. */
  open(execution: Execution, input: unknown): Effects {
    return this.transitions.open(execution, input, this.options.machines.get(execution.machineArn).roleArn);
  }

  proceed(execution: Execution, effects: Effects): void {
    for (const id of effects.run) this.run(execution.arn, id);
    if (execution.timeoutMs !== undefined) this.alarm.by(execution.timeoutMs);
  }

  /** Ends an execution from outside; must run inside storage.write(). */
  end(execution: Execution, status: 'ABORTED' | 'TIMED_OUT', error: string, cause: string): void {
    this.transitions.end(execution, status, error, cause);
  }

  private run(executionArn: string, threadId: number): void {
    const key = `${executionArn}#${threadId}`;
    if (!this.started || this.stepping.has(key)) return;
    this.stepping.add(key);
    void this.options.clock.busy(async () => {
      let others: number[] = [];
      try {
        others = await this.stepUntilRest(executionArn, threadId);
      } catch (error) {
        if (this.started)
          this.options.log.error('an execution stands still', { execution: executionArn, error: String(error) });
      }
      this.stepping.delete(key);
      for (const other of others) this.run(executionArn, other);
    });
  }

  /** Returns the other threads that are to run now. */
  private async stepUntilRest(executionArn: string, threadId: number): Promise<number[]> {
    const { store, storage } = this.options;
    for (let steps = 0; steps < mostSteps; steps++) {
      const thread = store.thread(executionArn, threadId);
      if (!thread || !this.isRunnable(thread)) return [];
      const outcome = await this.stepOnce(thread);
      const effects = await storage.writeWithRetry(() => this.transitions.apply(thread, outcome));
      if (!this.started) return [];
      if (effects.wakeMs !== undefined) this.alarm.by(effects.wakeMs);
      const others = effects.run.filter((id) => id !== threadId);
      if (others.length > 0 || effects.run.length === 0) return others;
    }
    throw new Error(`a thread took more than ${mostSteps} steps`);
  }

  private async stepOnce(thread: Thread): Promise<Outcome> {
    const { store, machines, log } = this.options;
    const execution = store.execution(thread.execution)!;
    const machine = machines.get(execution.machineArn);
    const definition = machines.definition(execution.machineArn, execution.revision);
    const state = scopeAt(definition, thread.path).States[thread.state]!;
    const context = contextObject(execution, machine, thread);
    try {
      return await step({ execution, machine, thread, state, context }, this.options);
    } catch (error) {
      log.error('a state broke', { execution: execution.arn, state: thread.state, error: String(error) });
      return { kind: 'failed', failure: runtimeError(String(error)), events: [] };
    }
  }

  private isRunnable({ status, wakeMs }: Thread): boolean {
    if (status === 'ready' || status === 'joined') return true;
    return (status === 'waiting' || status === 'retrying') && wakeMs! <= this.options.clock.now();
  }

  private async runDue(): Promise<void> {
    if (!this.started) return;
    const { store, storage, clock } = this.options;
    const now = clock.now();
    const overdue = store.overdue(now);
    if (overdue.length > 0) {
      await storage.writeWithRetry(() => {
        for (const { arn } of overdue) {
          const execution = store.execution(arn);
          if (execution?.status === 'RUNNING') this.end(execution, 'TIMED_OUT', 'States.Timeout', '');
        }
      });
    }
    for (const { execution, id } of store.due(now)) this.run(execution, id);
    this.setAlarm(now);
  }

  private setAlarm(afterMs: number): void {
    const next = this.options.store.nextDueMs(afterMs);
    if (next !== undefined) this.alarm.by(next);
  }
}
