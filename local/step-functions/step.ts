// What a thread does in its current state, computed from what is known and without changing anything; transition.ts
// then records the outcome in one commit.
import type { Clock } from '../clock/clock.ts';
import { holds, readTimestamp } from './choice-rule.ts';
import { applyPath, applyResultPath, checkSize, fillTemplate } from './data-flow.ts';
import type { State } from './definition.ts';
import type { Branch, Execution, HistoryEvent, Machine, Thread } from './execution.ts';
import { evaluate, readExpression } from './intrinsic.ts';
import { runtimeError, StateError } from './state-error.ts';
import { runTask, type TaskDependencies } from './task.ts';
import { taskEvents } from './task-events.ts';
import { readResource } from './task-resource.ts';

export type Outcome = { events: HistoryEvent[] } & (
  | { kind: 'output'; output: unknown /** Instead of the state's own Next. */; next?: string }
  | { kind: 'wait'; untilMs: number }
  | { kind: 'fork'; branches: readonly Branch[]; concurrency: number }
  | { kind: 'failed'; failure: StateError }
);

/** What AWS allows an inline Map, whatever MaxConcurrency says. */
const mostConcurrentItems = 40;

export interface Position {
  execution: Execution;
  machine: Machine;
  thread: Thread;
  state: State;
  context: Record<string, unknown>;
}

export interface StepDependencies extends TaskDependencies {
  clock: Clock;
}

export async function step(position: Position, dependencies: StepDependencies): Promise<Outcome> {
  try {
    return await behave(position, dependencies);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { kind: 'failed', failure: located(error, position.thread), events: [] };
  }
}

function located(failure: StateError, { state, lastEvent }: Thread): StateError {
  if (failure.error !== 'States.Runtime') return failure;
  const where = `An error occurred while executing the state '${state}' (entered at the event id #${lastEvent}).`;
  return new StateError(failure.error, `${where} ${failure.cause}`);
}

function behave(position: Position, dependencies: StepDependencies): Outcome | Promise<Outcome> {
  switch (position.state.Type) {
    case 'Task':
      return task(position, dependencies);
    case 'Wait':
      return wait(position, dependencies.clock);
    case 'Choice':
      return choose(position);
    case 'Parallel':
    case 'Map':
      return fork(position);
    case 'Pass':
      return pass(position);
    case 'Succeed':
      return { kind: 'output', output: leave(position, enter(position)), events: [] };
    case 'Fail':
      return { kind: 'failed', failure: failure(position), events: [] };
  }
}

async function task(position: Position, dependencies: StepDependencies): Promise<Outcome> {
  const { state, machine, context } = position;
  const input = withParameters(position);
  checkSize(input, `input of the state '${position.thread.state}'`);
  const resource = readResource(state.Resource)!;
  const seconds = state.TimeoutSecondsPath
    ? applyPath(state.TimeoutSecondsPath, enter(position), context, 'TimeoutSecondsPath')
    : state.TimeoutSeconds;
  const record = taskEvents(resource, input, seconds, dependencies.clock);
  try {
    const caller = { roleArn: machine.roleArn, name: machine.name };
    const work = runTask(resource, input, caller, dependencies);
    const result = await (seconds === undefined ? work : inTime(work, Number(seconds), dependencies.clock));
    return { kind: 'output', output: withResult(position, result), events: record.succeeded(result) };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { kind: 'failed', failure: error, events: record.failed(error) };
  }
}

function inTime<T>(work: Promise<T>, seconds: number, clock: Clock): Promise<T> {
  if (!Number.isInteger(seconds) || seconds < 1) throw runtimeError('TimeoutSeconds must be a positive integer.');
  return new Promise<T>((resolve, reject) => {
    const timer = clock.after(seconds * 1000, () => reject(new StateError('States.Timeout', '')));
    work.then(resolve, reject).finally(() => timer.cancel());
  });
}

function wait(position: Position, clock: Clock): Outcome {
  const { thread, state, context } = position;
  const input = enter(position);
  if (thread.status === 'waiting') return { kind: 'output', output: leave(position, input), events: [] };
  const value = (path: string | undefined, literal: unknown, field: string) =>
    path === undefined ? literal : applyPath(path, input, context, field);
  const seconds = value(state.SecondsPath, state.Seconds, 'SecondsPath');
  if (seconds !== undefined) {
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
      throw runtimeError(
        `The Seconds of a Wait must be a whole number that is not negative: ${JSON.stringify(seconds)}`,
      );
    }
    return { kind: 'wait', untilMs: clock.now() + seconds * 1000, events: [] };
  }
  const timestamp = value(state.TimestampPath, state.Timestamp, 'TimestampPath');
  const untilMs = readTimestamp(timestamp);
  if (untilMs === undefined) throw runtimeError(`The Timestamp of a Wait is not valid: ${JSON.stringify(timestamp)}`);
  return { kind: 'wait', untilMs, events: [] };
}

function choose(position: Position): Outcome {
  const { state, context } = position;
  const input = enter(position);
  const next = state.Choices!.find((rule) => holds(rule, input, context))?.Next ?? state.Default;
  if (next === undefined) {
    throw runtimeError('Failed to transition out of the state. The state does not point to a next state.');
  }
  return { kind: 'output', output: leave(position, input), next, events: [] };
}

function pass(position: Position): Outcome {
  const { state } = position;
  const result = state.Result === undefined ? withParameters(position) : state.Result;
  return { kind: 'output', output: withResult(position, result), events: [] };
}

function fork(position: Position): Outcome {
  const { thread, state } = position;
  if (thread.status === 'joined') return { kind: 'output', output: withResult(position, thread.result), events: [] };
  const { branches, concurrency } = state.Type === 'Map' ? mapItems(position) : parallelBranches(position);
  if (branches.length === 0) return { kind: 'output', output: withResult(position, []), events: [] };
  return { kind: 'fork', branches, concurrency, events: [] };
}

function parallelBranches(position: Position) {
  const input = withParameters(position);
  const branches = position.state.Branches!.map((_, scope): Branch => ({ input, scope }));
  return { branches, concurrency: branches.length };
}

function mapItems(position: Position) {
  const { state, context } = position;
  const input = enter(position);
  const items = applyPath(state.ItemsPath, input, context, 'ItemsPath');
  if (!Array.isArray(items)) throw runtimeError(`Reference path "${state.ItemsPath ?? '$'}" must point to array.`);
  const template = state.ItemSelector ?? state.Parameters;
  const branches = items.map((value, index): Branch => {
    const item = { Index: index, Value: value };
    const scope = { data: input, context: { ...context, Map: { Item: item } } };
    return { input: template === undefined ? value : fillTemplate(template, scope), scope: 0, item };
  });
  const limit = state.MaxConcurrencyPath
    ? applyPath(state.MaxConcurrencyPath, input, context, 'MaxConcurrencyPath')
    : (state.MaxConcurrency ?? 0);
  if (!Number.isInteger(limit) || Number(limit) < 0) throw runtimeError('MaxConcurrency must not be negative.');
  const concurrency = Number(limit) === 0 ? mostConcurrentItems : Math.min(Number(limit), mostConcurrentItems);
  return { branches, concurrency };
}

function failure({ state, thread, context }: Position): StateError {
  const read = (path: string | undefined, literal: string | undefined, field: string): string => {
    if (path === undefined) return literal ?? '';
    const value = evaluate(readExpression(path), { data: thread.input, context }, field);
    if (typeof value !== 'string') throw runtimeError(`${field} must give a string, not ${JSON.stringify(value)}`);
    return value;
  };
  return new StateError(
    read(state.ErrorPath, state.Error, 'ErrorPath'),
    read(state.CausePath, state.Cause, 'CausePath'),
  );
}

function enter({ state, thread, context }: Position): unknown {
  return applyPath(state.InputPath, thread.input, context, 'InputPath');
}

function withParameters(position: Position): unknown {
  const { state, context } = position;
  const input = enter(position);
  return state.Parameters === undefined ? input : fillTemplate(state.Parameters, { data: input, context });
}

function withResult(position: Position, result: unknown): unknown {
  const { state, thread, context } = position;
  checkSize(result, `result of the state '${thread.state}'`);
  const selected =
    state.ResultSelector === undefined ? result : fillTemplate(state.ResultSelector, { data: result, context });
  return leave(position, applyResultPath(state.ResultPath, thread.input, selected));
}

function leave({ state, thread, context }: Position, data: unknown): unknown {
  const output = applyPath(state.OutputPath, data, context, 'OutputPath');
  checkSize(output, `output of the state '${thread.state}'`);
  return output;
}
