// The services that event source mappings depend on.
import type { Access, Caller } from '../../aws/service.ts';
import type { Clock } from '../../clock/clock.ts';
import type { RecordMetric } from '../../cloudwatch/metrics.ts';
import type { Log } from '../../log.ts';
import type { Storage } from '../../storage/storage.ts';
import type { StackEnvironment } from '../../template/resource-type.ts';
import type { FunctionDefinition } from '../function-definition.ts';
import type { InvokeOptions, InvokeTextResult } from '../invocation.ts';

/** A received message with the field names of a Lambda event record. */
export interface QueueMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: unknown;
  md5OfBody: string;
}

export interface Queues {
  /** Receives visible messages without waiting. */
  receive(queueArn: string, max: number): Promise<readonly QueueMessage[]>;
  delete(queueArn: string, receiptHandles: readonly string[]): Promise<void>;
  send(queueArn: string, body: string): Promise<unknown>;
  /** Calls back when messages become visible, and also if some already are. */
  onAvailable(queueArn: string, listener: () => void): () => void;
  visibilityTimeoutSeconds(queueArn: string): number;
}

/** A change of an item, in the format of GetRecords. */
export interface StreamRecord {
  eventID: string;
  eventName: string;
  eventVersion: string;
  dynamodb: {
    /** Seconds since 1970. */
    ApproximateCreationDateTime: number;
    Keys: Record<string, unknown>;
    SequenceNumber: string;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

export interface Streams {
  /** Oldest first; without `afterSequence`, from the oldest record. */
  read(
    streamArn: string,
    afterSequence: string | undefined,
    limit: number,
  ): readonly StreamRecord[] | Promise<readonly StreamRecord[]>;
  /** The record as JSON for the function's event. */
  serialize(record: StreamRecord): string;
  /** The newest sequence number; undefined for a stream that was always empty. */
  getLatestSequence(streamArn: string): string | undefined | Promise<string | undefined>;
  onRecords(streamArn: string, listener: () => void): () => void;
}

export interface Invocables {
  /** Total run time of calls, except calls from event sources; concurrent calls add up. */
  readonly requestMs: number;
  find(functionArnOrName: string): FunctionDefinition;
  invokeText(functionArnOrName: string, payload: string, options?: InvokeOptions): Promise<InvokeTextResult>;
}

export interface EventSourceDependencies {
  clock: Clock;
  log: Log;
  storage: Storage;
  environment: StackEnvironment;
  functions: Invocables;
  queues: Queues;
  streams: Streams;
  recordMetric?: RecordMetric;
  /** Checks the function's role at start, as a deployment does. */
  authorize?(caller: Caller, accesses: readonly Access[]): void;
}
