// Records the outcome of a step: the thread moves on, waits, forks, joins its parent, or fails up to whoever catches
// it. All of it runs inside one commit, so that after a crash an execution stands exactly before its next step.
import type { Clock } from '../clock/clock.ts';
import { applyResultPath } from './data-flow.ts';
import { type Definition, type State, scopeAt, scopesOf } from './definition.ts';
import { type Branch, type Execution, type ExecutionStatus, newThread, rootThread, type Thread } from './execution.ts';
import type { ExecutionStore } from './execution-store.ts';
import { remedyFor } from './failure.ts';
import { runtimeError, StateError } from './state-error.ts';
import type { Outcome } from './step.ts';

/** What is to run, and by when to look again, once the commit is on disk. */
export interface Effects {
  run: number[];
  wakeMs?: number;
}

const nothing: Effects = { run: [] };

export class Transitions {
  private readonly store: ExecutionStore;
  private readonly clock: Clock;
  private readonly definitionOf: (execution: Execution) => Definition;
  private readonly mostEvents: number;

  constructor(
    store: ExecutionStore,
    clock: Clock,
    definitionOf: (execution: Execution) => Definition,
    mostEvents: number,
  ) {
    this.store = store;
    this.clock = clock;
    this.definitionOf = definitionOf;
    this.mostEvents = mostEvents;
  }

  /** Starts a new execution at the machine's first state. */
  open(execution: Execution, input: unknown, roleArn: string): Effects {
    this.store.saveExecution(execution);
    const { StartAt } = this.definitionOf(execution);
    const thread = rootThread(execution, StartAt, input);
    this.record(thread, 'ExecutionStarted', { input: execution.input, roleArn });
    return this.enterState(execution, thread, StartAt, input);
  }

  /** Ends a running execution from outside. */
  end(execution: Execution, status: 'ABORTED' | 'TIMED_OUT', error: string, cause: string): void {
    this.close(execution, status, { error, cause }, undefined);
  }

  /** Does nothing when the thread has moved on, or is gone, since the step began. */
  apply(before: Thread, outcome: Outcome): Effects {
    const execution = this.store.execution(before.execution);
    const thread = this.store.thread(before.execution, before.id);
    if (execution?.status !== 'RUNNING' || !thread || thread.visit !== before.visit) return nothing;
    for (const { type, details, timeMs } of outcome.events) this.record(thread, type, details, timeMs);
    if (thread.lastEvent > this.mostEvents) {
      const failure = runtimeError(`The execution reached the maximum number of history events (${this.mostEvents}).`);
      return this.close(execution, 'FAILED', failure, thread);
    }
    try {
      return this.follow(execution, thread, outcome);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      return this.close(execution, 'FAILED', error, thread);
    }
  }

  private follow(execution: Execution, thread: Thread, outcome: Outcome): Effects {
    switch (outcome.kind) {
      case 'output':
        return this.leaveState(execution, thread, outcome.output, outcome.next);
      case 'wait':
        this.save({ ...thread, status: 'waiting', wakeMs: outcome.untilMs });
        return { run: [], wakeMs: outcome.untilMs };
      case 'fork':
        return this.fork(execution, thread, outcome.branches, outcome.concurrency);
      case 'failed':
        return this.fail(execution, thread, outcome.failure);
    }
  }

  private enterState(execution: Execution, thread: Thread, name: string, input: unknown): Effects {
    const { result: _, ...kept } = thread;
    const entered: Thread = {
      ...kept,
      state: name,
      input,
      status: 'ready',
      wakeMs: undefined,
      attempts: [],
      enteredMs: this.clock.now(),
    };
    const { Type } = this.stateOf(execution, entered);
    this.record(entered, `${Type}StateEntered`, { name, input: JSON.stringify(input) });
    this.save(entered);
    return { run: [entered.id] };
  }

  private leaveState(execution: Execution, thread: Thread, output: unknown, next: string | undefined): Effects {
    const state = this.stateOf(execution, thread);
    this.record(thread, `${state.Type}StateExited`, { name: thread.state, output: JSON.stringify(output) });
    const following = next ?? state.Next;
    if (following !== undefined) return this.enterState(execution, thread, following, output);
    if (thread.parent === undefined) {
      return this.close(execution, 'SUCCEEDED', { output: JSON.stringify(output) }, thread);
    }
    return this.joinParent(execution, thread, this.store.thread(execution.arn, thread.parent)!, output);
  }

  private joinParent(execution: Execution, thread: Thread, parent: Thread, output: unknown): Effects {
    const { Type } = this.stateOf(execution, parent);
    if (Type === 'Map') this.record(thread, 'MapIterationSucceeded', iteration(parent, thread));
    this.save({ ...thread, status: 'done', wakeMs: undefined, result: output });
    const pending = this.store.firstPending(execution.arn, parent.id);
    if (pending) return this.begin(execution, parent, pending);
    if (this.store.unfinishedChildren(execution.arn, parent.id) > 0) return nothing;
    const results = this.store.children(execution.arn, parent.id).map((child) => child.result);
    this.removeDescendants(parent);
    this.record(parent, `${Type}StateSucceeded`, {});
    this.save({ ...parent, status: 'joined', result: results });
    return { run: [parent.id] };
  }

  private fork(execution: Execution, thread: Thread, branches: readonly Branch[], concurrency: number): Effects {
    const state = this.stateOf(execution, thread);
    this.record(thread, `${state.Type}StateStarted`, state.Type === 'Map' ? { length: branches.length } : {});
    this.save({ ...thread, status: 'forked', wakeMs: undefined });
    const effects: Effects = { run: [] };
    const first = this.store.allocateThreads(execution.arn, branches.length);
    for (const [slot, branch] of branches.entries()) {
      const child = newThread(thread, branch, slot, first + slot, scopesOf(state)[branch.scope]!.StartAt);
      if (slot < concurrency) effects.run.push(...this.begin(execution, thread, child).run);
      else this.store.saveThread(child);
    }
    return effects;
  }

  /** A thread's turn has come: its first state is entered. */
  private begin(execution: Execution, parent: Thread, child: Thread): Effects {
    const started = { ...child, lastEvent: parent.lastEvent };
    if (this.stateOf(execution, parent).Type === 'Map') {
      this.record(started, 'MapIterationStarted', iteration(parent, child));
    }
    return this.enterState(execution, started, child.state, child.input);
  }

  /** Goes up from the thread that failed until a state retries or catches, or the execution fails. */
  private fail(execution: Execution, thread: Thread, failure: StateError): Effects {
    for (let at = thread; ; at = this.failParent(execution, at)) {
      const remedy = remedyFor(this.stateOf(execution, at), failure, at.attempts);
      if (remedy.kind === 'retry') return this.retry(at, remedy.retrier, remedy.delayMs);
      if (remedy.kind === 'catch') {
        this.removeDescendants(at);
        const caught = { Error: failure.error, Cause: failure.cause };
        const output = applyResultPath(remedy.catcher.ResultPath, at.input, caught);
        return this.leaveState(execution, at, output, remedy.catcher.Next);
      }
      if (at.parent === undefined) return this.close(execution, 'FAILED', failure, at);
    }
  }

  private failParent(execution: Execution, child: Thread): Thread {
    const parent = { ...this.store.thread(execution.arn, child.parent!)!, lastEvent: child.lastEvent };
    const { Type } = this.stateOf(execution, parent);
    if (Type === 'Map') this.record(parent, 'MapIterationFailed', iteration(parent, child));
    this.record(parent, `${Type}StateFailed`, {});
    return parent;
  }

  private retry(thread: Thread, retrier: number, delayMs: number): Effects {
    this.removeDescendants(thread);
    const attempts = Array.from({ length: Math.max(thread.attempts.length, retrier + 1) }, (_, index) => {
      return (thread.attempts[index] ?? 0) + (index === retrier ? 1 : 0);
    });
    const wakeMs = this.clock.now() + delayMs;
    this.save({ ...thread, status: 'retrying', attempts, wakeMs });
    return { run: [], wakeMs };
  }

  private removeDescendants(thread: Thread): void {
    for (const child of this.store.children(thread.execution, thread.id)) {
      this.removeDescendants(child);
      this.store.deleteThread(thread.execution, child.id);
    }
  }

  private close(
    execution: Execution,
    status: ExecutionStatus,
    { output, error, cause }: { output?: string; error?: string; cause?: string },
    last: Thread | undefined,
  ): Effects {
    const type = `Execution${status === 'TIMED_OUT' ? 'TimedOut' : status[0] + status.slice(1).toLowerCase()}`;
    const details = {
      ...(output === undefined ? {} : { output }),
      ...(error ? { error } : {}),
      ...(cause ? { cause } : {}),
    };
    const timeMs = this.clock.now();
    this.store.addEvent(execution.arn, last?.lastEvent ?? 0, { type, timeMs, details });
    this.store.saveExecution({ ...execution, status, stopMs: timeMs, ...details });
    this.store.deleteThreads(execution.arn);
    return nothing;
  }

  private record(thread: Thread, type: string, details: Record<string, unknown>, timeMs = this.clock.now()): void {
    thread.lastEvent = this.store.addEvent(thread.execution, thread.lastEvent, { type, timeMs, details });
  }

  private save(thread: Thread): void {
    this.store.saveThread({ ...thread, visit: thread.visit + 1 });
  }

  private stateOf(execution: Execution, thread: Thread): State {
    return scopeAt(this.definitionOf(execution), thread.path).States[thread.state]!;
  }
}

function iteration(parent: Thread, child: Thread) {
  return { name: parent.state, index: child.slot };
}
