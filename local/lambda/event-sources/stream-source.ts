// Processes a stream in order: the next batch starts only after the previous one succeeded or was discarded.
// A failed batch is retried with backoff, bisected, or split at the failed item. A compute-heavy function with a backlog
// (full batches) yields to requests, because one machine has few processors.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../../aws/error.ts';
import type { Timer } from '../../clock/clock.ts';
import { requireValue } from '../../require-value.ts';
import { isComputeHeavy } from '../function-definition.ts';
import type { StreamMapping } from './mapping.ts';
import { countFitting, Poller, parseFailedItems, toYieldMs, yieldToRequests } from './poller.ts';
import type { EventSourceDependencies, StreamRecord } from './ports.ts';
import {
  buildFailureMessage,
  type Checkpoints,
  type Discarded,
  getArrivalMs,
  readRecords,
  type Sequence,
} from './stream-records.ts';

const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/** Lambda polls a shard four times per second. */
const pollIntervalMs = 100;

/** The machine is busy when requests run for at least this share of the time. */
const minBusyShare = 0.1;
const busyBatchSize = 5;

interface Batch {
  records: readonly StreamRecord[];
  /** Failures since the last progress; they determine the backoff. */
  failures: number;
  /** Failures that count against MaximumRetryAttempts. */
  attempts: number;
  invocations: number;
  response: Discarded['response'];
}

type Outcome =
  | { kind: 'handled' }
  | { kind: 'failed' }
  /** The function handled all records before this one. */
  | { kind: 'failed-from'; index: number }
  /** Throttled, or the runtime is stopping. */
  | { kind: 'not-run' };

export class StreamSource extends Poller<StreamMapping> {
  private readonly checkpoints: Checkpoints;
  private position: Sequence;
  /** The rest of the current batch, in order. */
  private batches: Batch[] = [];
  private timer: Timer | undefined;
  private windowEndsMs: number | undefined;
  private batchLimit: number;
  /** The start of the last batch, and the total run time of requests at that point. */
  private start = { ms: performance.now(), requestMs: 0 };
  private retryAtMs = 0;

  constructor(
    mapping: StreamMapping,
    position: Sequence,
    dependencies: EventSourceDependencies,
    checkpoints: Checkpoints,
  ) {
    super(mapping, dependencies, pollIntervalMs);
    this.position = position;
    this.batchLimit = mapping.batchSize;
    this.checkpoints = checkpoints;
  }

  override stop(): void {
    super.stop();
    this.timer?.cancel();
  }

  protected override async poll(): Promise<boolean> {
    if (this.isWaiting()) return false;
    if (this.batches.length === 0) {
      // A batching window already limits polling.
      if (this.mapping.windowMs === 0) await this.limitPolling();
      if (this.stopped) return false;
      await this.nextBatch();
    }
    const batch = this.batches[0];
    if (!batch) return false;
    await this.processBatch(batch);
    return !this.isWaiting();
  }

  protected override retryPoll(): void {
    this.pollAt(this.dependencies.clock.now() + maxRetryMs);
  }

  private isWaiting(): boolean {
    return this.dependencies.clock.now() < this.retryAtMs;
  }

  private async processBatch(batch: Batch): Promise<void> {
    if (await this.discardTooOld(batch)) return;
    const { functions, clock } = this.dependencies;
    const start = { ms: performance.now(), requestMs: functions.requestMs };
    this.start = start;
    const outcome = await this.invoke(batch);
    const yieldMs = toYieldMs(performance.now() - start.ms, functions.requestMs - start.requestMs);
    if (outcome.kind === 'handled') await this.completeBatch(batch);
    // A batch that failed because the runtime stops is retried at the next start.
    else if (this.stopped) return;
    else if (outcome.kind === 'failed-from') await this.splitAtFailure(batch, outcome.index);
    else if (outcome.kind === 'failed') await this.handleFailure(batch);
    else this.waitAfterFailure(batch);
    if (batch.records.length === this.batchLimit && isComputeHeavy(functions.find(this.mapping.functionReference)))
      await yieldToRequests(yieldMs, functions, () => this.stopped || clock.isMoving);
  }

  /** A compute-heavy function gets small batches while requests run, so that no request waits for long. */
  private limitBatch(): number {
    const { functions, clock } = this.dependencies;
    const { batchSize, functionReference } = this.mapping;
    if (clock.isMoving || !isComputeHeavy(functions.find(functionReference))) return batchSize;
    const requestShare = (functions.requestMs - this.start.requestMs) / (performance.now() - this.start.ms);
    return requestShare > minBusyShare ? Math.min(batchSize, busyBatchSize) : batchSize;
  }

  private async nextBatch(): Promise<void> {
    const { clock, streams } = this.dependencies;
    const { windowMs } = this.mapping;
    this.batchLimit = this.limitBatch();
    const { records, upTo } = await readRecords(streams, this.mapping, this.position, this.batchLimit);
    if (records.length === 0) {
      // Not stored: the next start reads these records again.
      this.position = upTo;
      return;
    }
    const count = countFitting(records, this.batchLimit, (record) => streams.serialize(record));
    const isFull = count === this.batchLimit || count < records.length;
    this.windowEndsMs ??= clock.now() + windowMs;
    if (!isFull && clock.now() < this.windowEndsMs) {
      this.pollAt(this.windowEndsMs);
      return;
    }
    this.windowEndsMs = undefined;
    this.batches = [createBatch(records.slice(0, count))];
  }

  private async invoke(batch: Batch): Promise<Outcome> {
    const { functionReference, reportsItemFailures } = this.mapping;
    const { functions, streams } = this.dependencies;
    const requestId = randomUUID();
    this.recordAge(batch);
    const payload = `{"Records":[${batch.records.map((record) => streams.serialize(record)).join(',')}]}`;
    try {
      const invoked = await functions.invokeText(functionReference, payload, { requestId });
      batch.invocations++;
      batch.response = { requestId, functionError: invoked.functionError };
      if (invoked.functionError) {
        this.report('Batch failed', { reason: invoked.payload.slice(0, 1000), records: batch.records.length });
        return { kind: 'failed' };
      }
      return reportsItemFailures ? toOutcome(invoked.payload, batch.records) : { kind: 'handled' };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      this.report('Could not invoke the function', { reason: error.message });
      return { kind: 'not-run' };
    }
  }

  /** Records the age of the batch's last record (IteratorAge). */
  private recordAge({ records }: Batch): void {
    const { functions, recordMetric, clock } = this.dependencies;
    if (!recordMetric) return;
    const { name } = functions.find(this.mapping.functionReference);
    const ageMs = Math.max(0, clock.now() - getArrivalMs(records[records.length - 1] as StreamRecord));
    recordMetric('AWS/Lambda', 'IteratorAge', { FunctionName: name }, ageMs);
  }

  private async completeBatch(batch: Batch): Promise<void> {
    await this.moveTo(requireValue(batch.records.at(-1)));
    this.batches.shift();
  }

  private async splitAtFailure(batch: Batch, index: number): Promise<void> {
    await this.moveTo(requireValue(batch.records[index - 1]));
    const { invocations, response } = batch;
    const rest = { ...createBatch(batch.records.slice(index)), invocations, response };
    this.batches[0] = rest;
    this.waitAfterFailure(rest);
  }

  private async handleFailure(batch: Batch): Promise<void> {
    const { bisects, retries } = this.mapping;
    const { records } = batch;
    if (bisects && records.length > 1) {
      const half = Math.ceil(records.length / 2);
      // Bisecting does not count as a retry and needs no backoff: it ends at single records.
      this.batches.splice(
        0,
        1,
        { ...batch, records: records.slice(0, half) },
        { ...batch, records: records.slice(half) },
      );
      return;
    }
    batch.attempts++;
    if (batch.attempts > retries) await this.discard(batch, records, 'RetryAttemptsExhausted');
    else this.waitAfterFailure(batch);
  }

  private async discardTooOld(batch: Batch): Promise<boolean> {
    const oldestMs = this.dependencies.clock.now() - this.mapping.maxAgeMs;
    const young = batch.records.findIndex((record) => getArrivalMs(record) >= oldestMs);
    if (young === 0) return false;
    await this.discard(batch, young < 0 ? batch.records : batch.records.slice(0, young), 'RecordAgeExceeded');
    return true;
  }

  private async discard(
    batch: Batch,
    records: readonly StreamRecord[],
    condition: Discarded['condition'],
  ): Promise<void> {
    const { clock, functions, queues } = this.dependencies;
    const { onFailureQueueArn, sourceArn, functionReference } = this.mapping;
    const { invocations, response } = batch;
    this.report('Discarded records', { condition, records: records.length });
    if (onFailureQueueArn) {
      const discarded: Discarded = { records, condition, invocations, response };
      const message = buildFailureMessage(discarded, sourceArn, functions.find(functionReference), clock.now());
      await queues.send(onFailureQueueArn, message);
    }
    await this.moveTo(requireValue(records.at(-1)));
    const rest = batch.records.slice(records.length);
    if (rest.length > 0) this.batches[0] = { ...batch, records: rest };
    else this.batches.shift();
  }

  private async moveTo(record: StreamRecord): Promise<void> {
    const sequence = record.dynamodb.SequenceNumber;
    await this.checkpoints.write(this.mapping.id, sequence);
    this.position = sequence;
  }

  private waitAfterFailure(batch: Batch): void {
    const delayMs = Math.min(firstRetryMs * 2 ** batch.failures, maxRetryMs);
    batch.failures++;
    this.retryAtMs = this.dependencies.clock.now() + delayMs;
    this.pollAt(this.retryAtMs);
  }

  private pollAt(timeMs: number): void {
    this.timer?.cancel();
    this.timer = this.dependencies.clock.at(timeMs, () => this.requestPoll());
  }
}

function createBatch(records: readonly StreamRecord[]): Batch {
  return { records, failures: 0, attempts: 0, invocations: 0, response: undefined };
}

/** The stream resumes at the lowest failed sequence number; later records are repeated. */
function toOutcome(payload: string, records: readonly StreamRecord[]): Outcome {
  const failed = parseFailedItems(JSON.parse(payload), new Set(records.map(({ dynamodb }) => dynamodb.SequenceNumber)));
  if (failed === 'all') return { kind: 'failed' };
  const index = records.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
  if (index < 0) return { kind: 'handled' };
  return index === 0 ? { kind: 'failed' } : { kind: 'failed-from', index };
}
