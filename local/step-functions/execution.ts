// What is known about an execution between two steps. A thread is one walk through the states of a scope: the machine
// itself, a branch of a Parallel, or one item of a Map.
import type { ScopePath } from './definition.ts';

export interface Machine {
  arn: string;
  name: string;
  roleArn: string;
  definition: string;
  revision: number;
  createdMs: number;
}

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

export interface Execution {
  arn: string;
  machineArn: string;
  name: string;
  revision: number;
  status: ExecutionStatus;
  /** JSON as the caller wrote it. */
  input: string;
  output?: string;
  error?: string;
  cause?: string;
  startMs: number;
  stopMs?: number;
  timeoutMs?: number;
}

/**
 * ready: its state is to be run. waiting: in a Wait until wakeMs. retrying: its state runs again at wakeMs.
 * forked: its state waits for the threads it made. joined: they are all done. pending: made by a Map, not yet its turn.
 * done: ended with a result, kept until its siblings are done.
 */
export type ThreadStatus = 'ready' | 'waiting' | 'retrying' | 'forked' | 'joined' | 'pending' | 'done';

export interface Thread {
  execution: string;
  id: number;
  parent: number | undefined;
  /** Which of its parent's branches or items. */
  slot: number;
  status: ThreadStatus;
  wakeMs: number | undefined;
  /** Grows with every change, so that the late answer of a Task to a state that was left is recognised. */
  visit: number;
  path: ScopePath;
  state: string;
  input: unknown;
  enteredMs: number;
  /** How often each retrier of the state was used. */
  attempts: number[];
  item?: { Index: number; Value: unknown };
  result?: unknown;
  lastEvent: number;
}

/** What a Map or Parallel makes a thread from. */
export interface Branch {
  input: unknown;
  /** Which scope of the state; a Map has one for all its items. */
  scope: number;
  item?: { Index: number; Value: unknown };
}

export interface HistoryEvent {
  type: string;
  timeMs: number;
  details: Record<string, unknown>;
}

/** $$ of the States Language. */
export function contextObject(execution: Execution, machine: Machine, thread: Thread): Record<string, unknown> {
  return {
    Execution: {
      Id: execution.arn,
      Input: JSON.parse(execution.input),
      Name: execution.name,
      RoleArn: machine.roleArn,
      StartTime: new Date(execution.startMs).toISOString(),
      RedriveCount: 0,
    },
    State: {
      EnteredTime: new Date(thread.enteredMs).toISOString(),
      Name: thread.state,
      RetryCount: thread.attempts.reduce((sum, used) => sum + used, 0),
    },
    StateMachine: { Id: machine.arn, Name: machine.name },
    ...(thread.item ? { Map: { Item: thread.item } } : {}),
  };
}

export function rootThread(execution: Execution, state: string, input: unknown): Thread {
  return {
    execution: execution.arn,
    id: 1,
    parent: undefined,
    slot: 0,
    status: 'ready',
    wakeMs: undefined,
    visit: 0,
    path: [],
    state,
    input,
    enteredMs: execution.startMs,
    attempts: [],
    lastEvent: 0,
  };
}

/** Made by a Map or Parallel state of `parent`; inside a Map everything below sees the item. */
export function newThread(parent: Thread, branch: Branch, slot: number, id: number, state: string): Thread {
  const item = branch.item ?? parent.item;
  return {
    execution: parent.execution,
    id,
    parent: parent.id,
    slot,
    status: 'pending',
    wakeMs: undefined,
    visit: 0,
    path: [...parent.path, { state: parent.state, branch: branch.scope }],
    state,
    input: branch.input,
    enteredMs: parent.enteredMs,
    attempts: [],
    ...(item ? { item } : {}),
    lastEvent: parent.lastEvent,
  };
}
