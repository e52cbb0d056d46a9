import { AsyncLocalStorage } from 'node:async_hooks';
import { createSocket, type Socket } from 'node:dgram';
import { readOptional } from './env.ts';
import { randomHex } from './ids.ts';

// The AWS calls of one invocation, for its log line and its trace. The asynchronous context separates concurrent
// invocations of one process.

interface Invocation {
  isColdStart: boolean;
  awsCalls: number;
  readUnits: number;
  writeUnits: number;
  trace: Trace | undefined;
}

const current = new AsyncLocalStorage<Invocation>();
let isColdStart = true;

/** Wraps the handler of a function, so that all AWS calls are attributed to their invocation. */
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
export function getUsageFields(): Record<string, unknown> | undefined {
  const invocation = current.getStore();
  if (!invocation) return undefined;
  const { awsCalls, readUnits, writeUnits } = invocation;
  return { aws_calls: awsCalls, read_units: readUnits, write_units: writeUnits, cold_start: invocation.isColdStart };
}

const readOperations = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);

// Sends AWS calls to the X-Ray daemon as subsegments of the function's segment. A lost datagram only removes a detail from
// a trace, so nothing waits for it and errors are ignored.

interface AwsCall {
  service: string;
  operation: string;
  startMs: number;
  endMs: number;
  /** Undefined when there was no response. */
  status: number | undefined;
  requestId: string | undefined;
  table: string | undefined;
  consumedUnits: number;
}

interface Trace {
  traceId: string;
  parentId: string;
}

/** Undefined when the invocation is not sampled. */
function parseTraceHeader(header: string | undefined): Trace | undefined {
  if (!header?.includes('Sampled=1')) return undefined;
  const traceId = /Root=([\w-]+)/.exec(header)?.[1];
  const parentId = /Parent=(\w+)/.exec(header)?.[1];
  return traceId && parentId ? { traceId, parentId } : undefined;
}

function traceCall(trace: Trace, call: AwsCall): void {
  const [host, port] = (readOptional('AWS_XRAY_DAEMON_ADDRESS') ?? '').split(':');
  if (!host || !port) return;
  const text = `{"format":"json","version":1}\n${JSON.stringify(toSubsegment(trace, call))}`;
  getSocket().send(text, Number(port), host, () => {});
}

function toSubsegment({ traceId, parentId }: Trace, call: AwsCall): Record<string, unknown> {
  const { service, operation, startMs, endMs, status, requestId, table } = call;
  return {
    name: service,
    id: randomHex(8),
    trace_id: traceId,
    parent_id: parentId,
    type: 'subsegment',
    namespace: 'aws',
    start_time: startMs / 1_000,
    end_time: endMs / 1_000,
    aws: { operation, ...(requestId && { request_id: requestId }), ...(table && { table_name: table }) },
    ...(status !== undefined && { http: { response: { status } } }),
    ...(status === undefined || status >= 500 ? { fault: true } : {}),
    ...(status !== undefined && status >= 400 && status < 500 ? { error: true } : {}),
    ...(status === 429 ? { throttle: true } : {}),
  };
}

let socket: Socket | undefined;

function getSocket(): Socket {
  socket ??= createSocket('udp4')
    .on('error', () => {})
    .unref();
  return socket;
}
