// Runs executions state by state. Each outcome is committed before the next state runs, so after a restart every
// execution continues from its stored position. A Task that was in flight when the process died runs again.
import type { Clock } from '../clock/clock.ts';
import type { RecordMetric } from '../cloudwatch/metrics.ts';
import type { Log } from '../log.ts';
import { requireValue } from '../require-value.ts';
import { createWakeTimer, type WakeTimer } from '../scheduler/wake-timer.ts';
import type { Storage } from '../storage/storage.ts';
import { findState, type State } from './definition.ts';
import type { Execution, ExecutionStatus, ExecutionStore, HistoryEvent, Position } from './execution-store.ts';
import { chooseRecovery, runtimeError, StateError } from './failure.ts';
import type { MachineStore } from './machine-store.ts';
import { readReference } from './reference.ts';
import { type CallAws, runTask, toFailure, toSuccess } from './task.ts';
import { formatToken, type TaskToken } from './task-token.ts';

export interface InterpreterOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  callAws: CallAws;
  store: ExecutionStore;
  machines: MachineStore;
  /** An execution with a longer history fails, which ends endless loops. */
  maxEvents: number;
  recordMetric?: RecordMetric;
}

type Outcome = { events: HistoryEvent[] } /** `next` replaces the state's own Next. */ & (
  | { kind: 'output'; output: unknown; next?: string }
  | { kind: 'wait'; untilMs: number }
  | { kind: 'map'; items: readonly unknown[] }
  | { kind: 'failure'; failure: StateError }
);

export class Interpreter {
  private readonly options: InterpreterOptions;
  private readonly wakeTimer: WakeTimer;
  private readonly active = new Set<string>();
  /** Active executions that may have got more to do since they looked. */
  private readonly changed = new Set<string>();
  private isStarted = false;

  constructor(options: InterpreterOptions) {
    this.options = options;
    this.wakeTimer = createWakeTimer(options.clock, options.log, () => this.runDue());
  }

  start(): void {
    this.isStarted = true;
    for (const arn of this.options.store.listRunning()) this.run(arn);
    this.scheduleWake(0);
  }

  stop(): void {
    this.isStarted = false;
    this.wakeTimer.cancel();
  }

  /** Records a new execution; must run inside storage.write(). Call `run` after the commit. */
  open(execution: Execution, input: unknown): void {
    const { store, machines } = this.options;
    const { roleArn } = machines.get(execution.machineArn);
    store.save(execution);
    this.record(execution.arn, 'ExecutionStarted', { input: execution.input, roleArn });
    this.enterState(execution, 0, this.getDefinition(execution).StartAt, input);
  }

  /**
   * Ends a Task that waits for its token; must run inside storage.write(). Call `run` after the commit. Returns whether the
   * Task still waited.
   */
  report(token: TaskToken, result: { output: unknown } | { failure: StateError }): boolean {
    const { store, clock } = this.options;
    const execution = store.find(token.execution);
    const position = store.findPosition(token.execution, token.iteration);
    if (execution?.status !== 'RUNNING' || !position || formatToken(position) !== token.text) return false;
    const state = this.getState(execution, position.state);
    this.applyOutcome(
      position,
      'failure' in result
        ? { kind: 'failure', ...toFailure(state, result.failure, clock.now()) }
        : { kind: 'output', ...toSuccess(state, result.output, clock.now()) },
    );
    return true;
  }

  /** Ends a running execution from outside; must run inside storage.write(). */
  abort(execution: Execution, error: string, cause: string): void {
    this.close(execution, 'ABORTED', { error, cause });
  }

  run(arn: string): void {
    this.changed.add(arn);
    if (!this.isStarted || this.active.has(arn)) return;
    this.active.add(arn);
    const { clock, log } = this.options;
    void clock.track(async () => {
      try {
        while (this.changed.delete(arn)) await this.runReady(arn);
      } catch (error) {
        if (this.isStarted) log.error('Execution cannot continue', { execution: arn, error: String(error) });
      } finally {
        this.active.delete(arn);
      }
    });
  }

  /** Runs the states of an execution until all of them wait. maxEvents limits their number. */
  private async runReady(arn: string): Promise<void> {
    const { store, storage, clock } = this.options;
    while (this.isStarted) {
      const nowMs = clock.now();
      const positions = store.listReady(arn, nowMs);
      const execution = store.find(arn);
      if (positions.length === 0 || !execution) return this.scheduleWake(nowMs);
      const run = async (position: Position) => {
        const outcome = await this.computeOutcome(execution, position);
        await storage.writeWithRetry(() => this.applyOutcome(position, outcome));
      };
      await Promise.all(positions.map(run));
    }
  }

  private async computeOutcome(execution: Execution, position: Position): Promise<Outcome> {
    const { store, machines, log, clock } = this.options;
    const state = this.getState(execution, position.state);
    try {
      if (state.Type === 'Wait') return this.computeWait(state, position);
      if (state.Type === 'Fail') {
        return { kind: 'failure', failure: new StateError(state.Error ?? '', state.Cause ?? ''), events: [] };
      }
      if (state.Type === 'Succeed') return { kind: 'output', output: position.input, events: [] };
      if (state.Type === 'Choice') {
        return { kind: 'output', output: position.input, next: chooseNext(state, position), events: [] };
      }
      if (state.Type === 'Map') return { kind: 'map', items: readItems(state, position), events: [] };
      if (position.status === 'waiting') {
        return { kind: 'failure', ...toFailure(state, new StateError('States.Timeout', ''), clock.now()) };
      }
      const { name, roleArn } = machines.get(execution.machineArn);
      const task = { input: position.input, token: formatToken(position) };
      return await runTask(state, task, { name, roleArn }, this.options);
    } catch (error) {
      if (!(error instanceof StateError)) {
        log.error('State failed with an internal error', {
          execution: execution.arn,
          state: position.state,
          error: String(error),
        });
      }
      const cause = error instanceof StateError ? error.cause : String(error);
      const enteredAt = `(entered at the event id #${store.countEvents(execution.arn)})`;
      const where = `An error occurred while executing the state '${position.state}' ${enteredAt}.`;
      return { kind: 'failure', failure: runtimeError(`${where} ${cause}`), events: [] };
    }
  }

  private computeWait({ Seconds, SecondsPath, TimestampPath }: State, { status, input }: Position): Outcome {
    if (status === 'waiting') return { kind: 'output', output: input, events: [] };
    if (TimestampPath !== undefined) {
      const timestamp = readReference(TimestampPath, input, 'TimestampPath');
      const untilMs = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
      if (Number.isNaN(untilMs)) throw runtimeError(`The timestamp of a Wait is invalid: ${JSON.stringify(timestamp)}`);
      return { kind: 'wait', untilMs, events: [] };
    }
    const seconds = SecondsPath === undefined ? Seconds : readReference(SecondsPath, input, 'SecondsPath');
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
      throw runtimeError(`The Seconds of a Wait must be a non-negative integer: ${JSON.stringify(seconds)}`);
    }
    return { kind: 'wait', untilMs: this.options.clock.now() + seconds * 1000, events: [] };
  }

  private applyOutcome(position: Position, outcome: Outcome): void {
    const { store, maxEvents } = this.options;
    const execution = store.find(position.execution);
    const current = store.findPosition(position.execution, position.iteration);
    // A Task can end while it is still being sent: its token is valid from the beginning.
    if (execution?.status !== 'RUNNING' || !current || formatToken(current) !== formatToken(position)) return;
    for (const { type, details, timeMs } of outcome.events) this.record(execution.arn, type, details, timeMs);
    if (store.countEvents(execution.arn) > maxEvents) {
      const failure = runtimeError(`The execution reached the maximum number of history events (${maxEvents}).`);
      this.close(execution, 'FAILED', failure);
    } else if (outcome.kind === 'wait') {
      store.savePosition({ ...position, status: 'waiting', wakeMs: outcome.untilMs });
    } else if (outcome.kind === 'map') {
      this.startMap(execution, position, outcome.items);
    } else if (outcome.kind === 'output') {
      const next = outcome.next ?? this.getState(execution, position.state).Next;
      this.leaveState(execution, position, outcome.output, next);
    } else {
      this.recover(execution, position, outcome.failure);
    }
  }

  private startMap(execution: Execution, position: Position, items: readonly unknown[]): void {
    const { MaxConcurrency } = this.getState(execution, position.state);
    this.record(execution.arn, 'MapStateStarted', { length: items.length });
    if (items.length === 0) this.leaveMap(execution, position, []);
    else this.options.store.savePosition({ ...position, status: 'mapping', outputs: {} });
    const first = items.slice(0, MaxConcurrency || items.length);
    for (const index of first.keys()) this.startIteration(execution, position, index + 1, items);
  }

  private startIteration(execution: Execution, map: Position, iteration: number, items: readonly unknown[]): void {
    const { ItemProcessor } = this.getState(execution, map.state);
    this.record(execution.arn, 'MapIterationStarted', { name: map.state, index: iteration - 1 });
    this.enterState(execution, iteration, requireValue(ItemProcessor).StartAt, items[iteration - 1]);
  }

  private endIteration(execution: Execution, { iteration }: Position, output: unknown): void {
    const { store } = this.options;
    const map = requireValue(store.findPosition(execution.arn, 0));
    const state = this.getState(execution, map.state);
    const items = readItems(state, map);
    const outputs = { ...map.outputs, [iteration]: output };
    const ended = Object.keys(outputs).length;
    this.record(execution.arn, 'MapIterationSucceeded', { name: map.state, index: iteration - 1 });
    store.deletePosition(execution.arn, iteration);
    store.savePosition({ ...map, outputs });
    if (ended === items.length) this.leaveMap(execution, map, Object.values(outputs));
    const next = (state.MaxConcurrency || items.length) + ended;
    if (next <= items.length) this.startIteration(execution, map, next, items);
  }

  private leaveMap(execution: Execution, map: Position, outputs: readonly unknown[]): void {
    this.record(execution.arn, 'MapStateSucceeded', {});
    this.leaveState(execution, map, outputs, this.getState(execution, map.state).Next);
  }

  private enterState(execution: Execution, iteration: number, name: string, input: unknown): void {
    const { Type } = this.getState(execution, name);
    this.record(execution.arn, `${Type}StateEntered`, { name, input: JSON.stringify(input) });
    this.options.store.savePosition({
      execution: execution.arn,
      iteration,
      status: 'ready',
      state: name,
      input,
      attempts: [],
      entered: this.options.store.countEvents(execution.arn),
    });
  }

  private leaveState(execution: Execution, position: Position, output: unknown, next: string | undefined): void {
    const { Type } = this.getState(execution, position.state);
    const text = JSON.stringify(output);
    this.record(execution.arn, `${Type}StateExited`, { name: position.state, output: text });
    if (next !== undefined) this.enterState(execution, position.iteration, next, output);
    else if (position.iteration > 0) this.endIteration(execution, position, output);
    else this.close(execution, 'SUCCEEDED', { output: text });
  }

  private recover(execution: Execution, position: Position, failure: StateError): void {
    const recovery = chooseRecovery(this.getState(execution, position.state), failure, position.attempts);
    if (recovery.kind === 'fail') this.close(execution, 'FAILED', failure);
    else if (recovery.kind === 'catch') {
      const { Next, ResultPath } = recovery.catcher;
      const output = ResultPath === null ? position.input : { Error: failure.error, Cause: failure.cause };
      this.leaveState(execution, position, output, Next);
    } else {
      const attempts = [...position.attempts];
      for (let index = 0; index <= recovery.retrier; index++) attempts[index] ??= 0;
      attempts[recovery.retrier] = (attempts[recovery.retrier] ?? 0) + 1;
      const wakeMs = this.options.clock.now() + recovery.delayMs;
      this.options.store.savePosition({ ...position, status: 'retrying', attempts, wakeMs });
    }
  }

  private close(
    execution: Execution,
    status: ExecutionStatus,
    { output, error, cause }: { output?: string; error?: string; cause?: string },
  ): void {
    const { store, clock } = this.options;
    const details = {
      ...(output === undefined ? {} : { output }),
      ...(error ? { error } : {}),
      ...(cause ? { cause } : {}),
    };
    this.record(execution.arn, `Execution${status[0]}${status.slice(1).toLowerCase()}`, details);
    store.save({ ...execution, status, stopMs: clock.now(), ...details });
    store.deletePositions(execution.arn);
    const metric = `Executions${status[0]}${status.slice(1).toLowerCase()}`;
    this.options.recordMetric?.('AWS/States', metric, { StateMachineArn: execution.machineArn }, 1);
  }

  private record(arn: string, type: string, details: Record<string, unknown>, timeMs = this.options.clock.now()): void {
    this.options.store.addEvent(arn, { type, timeMs, details });
  }

  private getDefinition({ machineArn, revision }: Execution) {
    return this.options.machines.getDefinition(machineArn, revision);
  }

  private getState(execution: Execution, name: string): State {
    return requireValue(findState(this.getDefinition(execution), name));
  }

  private runDue(): void {
    if (!this.isStarted) return;
    const now = this.options.clock.now();
    for (const arn of this.options.store.listDue(now)) this.run(arn);
    this.scheduleWake(now);
  }

  private scheduleWake(afterMs: number): void {
    const nextMs = this.options.store.findNextWakeMs(afterMs);
    if (nextMs !== undefined) this.wakeTimer.wakeBy(nextMs);
  }
}

function chooseNext({ Choices = [], Default }: State, { input }: Position): string {
  const rule = Choices.find((each) => readReference(each.Variable, input, 'Variable') === each.BooleanEquals);
  const next = rule?.Next ?? Default;
  if (next === undefined) throw new StateError('States.NoChoiceMatched', 'No choice matches the input.');
  return next;
}

function readItems({ ItemsPath = '$' }: State, { input }: Position): readonly unknown[] {
  const items = readReference(ItemsPath, input, 'ItemsPath');
  if (Array.isArray(items)) return items;
  throw runtimeError(`Reference path "${ItemsPath}" must point to array.`);
}
