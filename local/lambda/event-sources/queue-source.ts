// Sends messages of a queue to a function in batches and deletes the handled ones. The rest becomes visible again after
// the visibility timeout, and the queue counts and redrives them. The queue notifies when messages become visible.
import type { Timer } from '../../clock/clock.ts';
import { requireValue } from '../../require-value.ts';
import { countFitting, PollLimiter, parseFailedItems } from './batch.ts';
import type { QueueMapping } from './mapping.ts';
import type { EventSourceDependencies, QueueMessage } from './ports.ts';

const pollIntervalMs = 40;
const retryAfterMs = 1_000;

export class QueueSource {
  private readonly mapping: QueueMapping;
  private readonly dependencies: EventSourceDependencies;
  private readonly pollLimiter: PollLimiter;
  /** Received messages that wait for a full batch or the end of the batching window. */
  private buffered: QueueMessage[] = [];
  private readonly readyBatches: QueueMessage[][] = [];
  private window: Timer | undefined;
  private running = 0;
  private receiving = false;
  /** The last poll was full, so the next one need not wait. */
  private hasMore = false;
  private wanted = false;
  private stopped = false;
  private stopListening = () => {};

  constructor(mapping: QueueMapping, dependencies: EventSourceDependencies) {
    this.mapping = mapping;
    this.dependencies = dependencies;
    this.pollLimiter = new PollLimiter(dependencies.clock, pollIntervalMs);
  }

  start(): void {
    this.stopListening = this.dependencies.queues.onAvailable(this.mapping.sourceArn, () => this.pump());
  }

  stop(): void {
    this.stopped = true;
    this.stopListening();
    this.window?.cancel();
  }

  private pump(): void {
    this.wanted = true;
    if (this.receiving || this.stopped) return;
    this.receiving = true;
    void this.dependencies.clock.busy(async () => {
      try {
        while (this.wanted && !this.stopped) await this.receive();
      } catch (error) {
        this.report('Could not receive messages', { error: String(error) });
        this.dependencies.clock.after(retryAfterMs, () => this.pump());
      } finally {
        this.receiving = false;
      }
    });
  }

  private async receive(): Promise<void> {
    this.wanted = false;
    if (this.readyBatches.length > 0 || this.running >= this.mapping.concurrency) return;
    if (!this.hasMore) await this.pollLimiter.wait();
    if (this.stopped) return;
    const room = this.mapping.batchSize - this.buffered.length;
    const messages = await this.dependencies.queues.receive(this.mapping.sourceArn, room);
    this.buffered.push(...messages);
    // After a full poll there may be more; otherwise the queue notifies.
    this.hasMore = messages.length === room;
    if (this.hasMore) this.wanted = true;
    this.formBatches();
  }

  private formBatches(): void {
    while (this.buffered.length > 0) {
      const count = countFitting(this.buffered, this.mapping.batchSize);
      const isFull = count === this.mapping.batchSize || count < this.buffered.length;
      if (!isFull && this.mapping.windowMs > 0) break;
      this.readyBatches.push(this.buffered.splice(0, count));
    }
    if (this.buffered.length === 0) {
      this.window?.cancel();
      this.window = undefined;
    } else {
      this.window ??= this.dependencies.clock.after(this.mapping.windowMs, () => this.closeWindow());
    }
    this.startBatches();
  }

  private closeWindow(): void {
    this.window = undefined;
    if (this.buffered.length > 0) this.readyBatches.push(this.buffered.splice(0));
    this.startBatches();
  }

  private startBatches(): void {
    while (this.readyBatches.length > 0 && this.running < this.mapping.concurrency && !this.stopped) {
      this.running++;
      const batch = requireValue(this.readyBatches.shift());
      void this.dependencies.clock.busy(async () => {
        await this.handle(batch).catch((error) => this.report('Could not process a batch', { error: String(error) }));
        this.running--;
        this.startBatches();
        this.pump();
      });
    }
  }

  private async handle(batch: readonly QueueMessage[]): Promise<void> {
    const handled = await this.invokeBatch(batch);
    if (handled.length === 0) return;
    await this.dependencies.queues.delete(
      this.mapping.sourceArn,
      handled.map(({ receiptHandle }) => receiptHandle),
    );
  }

  private async invokeBatch(batch: readonly QueueMessage[]): Promise<readonly QueueMessage[]> {
    const { functionReference, sourceArn, reportsItemFailures } = this.mapping;
    const event = { Records: batch.map((message) => this.record(message, sourceArn)) };
    const { functionError, payload } = await this.dependencies.functions.invokeText(
      functionReference,
      JSON.stringify(event),
    );
    if (functionError) {
      this.report('Batch failed', { reason: payload.slice(0, 1000), messages: batch.length });
      return [];
    }
    if (!reportsItemFailures) return batch;
    const failed = parseFailedItems(JSON.parse(payload), new Set(batch.map(({ messageId }) => messageId)));
    if (failed === 'all') return [];
    return batch.filter(({ messageId }) => !failed.has(messageId));
  }

  private record(message: QueueMessage, eventSourceARN: string): Record<string, unknown> {
    return { ...message, eventSource: 'aws:sqs', eventSourceARN, awsRegion: this.dependencies.environment.region };
  }

  /** Silent while the runtime stops: it ends running functions, and their batches run again at the next start. */
  private report(message: string, fields: Record<string, unknown>): void {
    if (this.stopped) return;
    this.dependencies.log.warn(message, {
      mapping: this.mapping.logicalId,
      function: this.mapping.functionReference,
      ...fields,
    });
  }
}
