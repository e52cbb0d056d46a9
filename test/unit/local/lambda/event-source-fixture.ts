// In-memory stand-ins for the queue, the stream and the function on either side of an event source mapping.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../../../local/clock/clock.ts';
import { createEventSources } from '../../../../local/lambda/event-sources/event-sources.ts';
import type {
  EventSourceDependencies,
  Invocables,
  QueueMessage,
  Queues,
  StreamRecord,
  Streams,
} from '../../../../local/lambda/event-sources/ports.ts';
import type { FunctionDefinition } from '../../../../local/lambda/function-definition.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import { aResource, environment, type LogEntry, recordingLog } from './function-fixture.ts';

export const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:orders';
export const deadLettersArn = 'arn:aws:sqs:eu-west-1:123456789012:failures';
export const streamArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/records/stream/2026-01-01T00:00:00.000';

/** One queue with a visibility timeout of 30 seconds. */
export class MemoryQueue implements Queues {
  readonly sent: { arn: string; body: unknown }[] = [];
  readonly visible: string[] = [];
  readonly hidden = new Map<string, string>();
  private readonly listeners = new Set<() => void>();
  private readonly clock: Clock;
  private handles = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  add(...bodies: string[]): void {
    this.visible.push(...bodies);
    for (const listener of this.listeners) listener();
  }

  get left(): number {
    return this.visible.length + this.hidden.size;
  }

  async receive(_arn: string, max: number): Promise<QueueMessage[]> {
    return this.visible.splice(0, max).map((body) => this.hide(body));
  }

  async delete(_arn: string, receiptHandles: readonly string[]): Promise<void> {
    for (const handle of receiptHandles) this.hidden.delete(handle);
  }

  async send(arn: string, body: string): Promise<void> {
    this.sent.push({ arn, body: JSON.parse(body) });
  }

  onAvailable(_arn: string, listener: () => void): () => void {
    this.listeners.add(listener);
    if (this.visible.length > 0) this.clock.after(0, listener);
    return () => void this.listeners.delete(listener);
  }

  visibilityTimeoutSeconds(): number {
    return 30;
  }

  private hide(body: string): QueueMessage {
    const receiptHandle = `handle-${++this.handles}`;
    this.hidden.set(receiptHandle, body);
    this.clock.after(30_000, () => this.hidden.delete(receiptHandle) && this.add(body));
    return {
      messageId: `id-${body.slice(0, 9)}`,
      receiptHandle,
      body,
      attributes: {},
      messageAttributes: {},
      md5OfBody: 'x',
    };
  }
}

export class MemoryStream implements Streams {
  readonly records: StreamRecord[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  add(...keys: string[]): void {
    for (const key of keys) {
      this.records.push({
        eventID: key,
        eventName: 'INSERT',
        eventVersion: '1.1',
        dynamodb: {
          ApproximateCreationDateTime: Math.floor(this.clock.now() / 1000),
          Keys: { id: { S: key.split(':')[0] }, sort: { S: key } },
          SequenceNumber: String(100_000_000_000_000_000_000n + BigInt(this.records.length)),
        },
      });
    }
    for (const listener of this.listeners) listener();
  }

  read(_arn: string, after: string | undefined, limit: number): StreamRecord[] {
    const start = after === undefined ? 0 : this.records.findIndex((r) => r.dynamodb.SequenceNumber === after) + 1;
    return this.records.slice(start, start + limit);
  }

  serialize(record: StreamRecord): string {
    const where = { eventSource: 'aws:dynamodb', eventSourceARN: streamArn, awsRegion: environment.region };
    return JSON.stringify({ ...record, ...where });
  }

  getLatestSequence(): string | undefined {
    return this.records.at(-1)?.dynamodb.SequenceNumber;
  }

  onRecords(_arn: string, listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

export type Handler = (records: Record<string, unknown>[]) => unknown;

/** A function whose handler is code of the test; what it throws is a function error. */
function invocables(handler: Handler): Invocables {
  const definition = { name: 'worker', arn: 'arn:worker', roleArn: 'arn:role', timeoutMs: 10_000, memorySizeMb: 2_048 };
  return {
    find: () => definition as FunctionDefinition,
    // Simulates a request that is always running.
    get requestMs() {
      return performance.now();
    },
    async invokeText(_name, payload) {
      try {
        return { payload: JSON.stringify((await handler(JSON.parse(payload).Records)) ?? null) };
      } catch (error) {
        if ((error as Error).name === 'AwsError') throw error;
        return { payload: JSON.stringify({ errorMessage: (error as Error).message }), functionError: 'Unhandled' };
      }
    },
  };
}

export interface MappingStage {
  clock: Clock;
  queue: MemoryQueue;
  stream: MemoryStream;
  logged: LogEntry[];
  close(): Promise<void>;
  /** Ends the mapping and starts it again on the same storage. */
  restart(handler: Handler): Promise<void>;
}

export async function aMapping(
  handler: Handler,
  properties: Record<string, unknown>,
  prepare: (stage: { queue: MemoryQueue; stream: MemoryStream }) => void = () => {},
  more: Partial<EventSourceDependencies> = {},
): Promise<MappingStage> {
  const folder = mkdtempSync(join(tmpdir(), 'mapping-test-'));
  // The clock moves only when a test advances it, for example to the end of a batching window.
  const startMs = Date.now();
  const clock = new Clock({ systemNow: () => startMs });
  const storage = new Storage(folder);
  const [queue, stream, logged] = [new MemoryQueue(clock), new MemoryStream(clock), [] as LogEntry[]];
  const resource = aResource('AWS::Lambda::EventSourceMapping', 'Mapping', { FunctionName: 'worker', ...properties });
  const begin = async (function_: Handler) => {
    const sources = createEventSources({
      clock,
      storage,
      log: recordingLog(logged),
      environment,
      functions: invocables(function_),
      queues: queue,
      streams: stream,
      ...more,
    });
    sources.load([resource]);
    await sources.start();
    return sources;
  };
  prepare({ queue, stream });
  let sources = await begin(handler);
  return {
    clock,
    queue,
    stream,
    logged,
    async close() {
      await sources.stop();
      clock.stop();
      storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
    async restart(function_) {
      await sources.stop();
      sources = await begin(function_);
    },
  };
}
