import { AsyncLocalStorage } from 'node:async_hooks';
import { readOptional } from '../env.ts';
import { type AwsCall, parseTraceHeader, type Trace, traceCall } from './trace.ts';

// The use of AWS by one invocation, for its log line and its trace. Concurrent invocations in one process are told apart
// by their asynchronous context, not by module variables.

interface Invocation {
  isColdStart: boolean;
  awsCalls: number;
  readUnits: number;
  writeUnits: number;
  trace: Trace | undefined;
}

const current = new AsyncLocalStorage<Invocation>();
let isColdStart = true;

/** Wraps the handler of a function: everything it awaits belongs to its invocation. */
export function observeInvocations<Event, Context, Result>(
  handler: (event: Event, context: Context) => Result,
): (event: Event, context: Context) => Result {
  return (event, context) => {
    const trace = parseTraceHeader(readOptional('_X_AMZN_TRACE_ID'));
    const invocation = { isColdStart, awsCalls: 0, readUnits: 0, writeUnits: 0, trace };
    isColdStart = false;
    return current.run(invocation, () => handler(event, context));
  };
}

export function recordAwsCall(call: AwsCall): void {
  const invocation = current.getStore();
  if (!invocation) return;
  invocation.awsCalls++;
  if (readOperations.has(call.operation)) invocation.readUnits += call.consumedUnits;
  else invocation.writeUnits += call.consumedUnits;
  if (invocation.trace) traceCall(invocation.trace, call);
}

/** For the log line; undefined outside of an invocation. */
export function usageFields(): Record<string, unknown> | undefined {
  const invocation = current.getStore();
  if (!invocation) return undefined;
  const { awsCalls, readUnits, writeUnits } = invocation;
  return { aws_calls: awsCalls, read_units: readUnits, write_units: writeUnits, cold_start: invocation.isColdStart };
}

const readOperations = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);
