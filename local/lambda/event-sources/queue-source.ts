// Sends the messages of a queue to a function in batches and deletes the handled ones. Failed messages become visible
// again after the visibility timeout; the queue counts their receives and moves them to the dead-letter queue.
import type { Timer } from '../../clock/clock.ts';
import { requireValue } from '../../require-value.ts';
import type { QueueMapping } from './mapping.ts';
import { countFitting, Poller, parseFailedItems } from './poller.ts';
import type { EventSourceDependencies, QueueMessage } from './ports.ts';

const pollIntervalMs = 40;
const retryAfterMs = 1_000;

export class QueueSource extends Poller<QueueMapping> {
  /** Received messages that wait for a full batch or the end of the batching window. */
  private buffered: QueueMessage[] = [];
  private readonly readyBatches: QueueMessage[][] = [];
  private window: Timer | undefined;
  private runningBatches = 0;
  /** Whether the last poll was full, so the next one starts without waiting for a notification. */
  private hasMore = false;
  private stopListening = () => {};

  constructor(mapping: QueueMapping, dependencies: EventSourceDependencies) {
    super(mapping, dependencies, pollIntervalMs);
  }

  start(): void {
    this.stopListening = this.dependencies.queues.onAvailable(this.mapping.sourceArn, () => this.requestPoll());
  }

  override stop(): void {
    super.stop();
    this.stopListening();
    this.window?.cancel();
  }

  protected override async poll(): Promise<boolean> {
    if (this.readyBatches.length > 0 || this.runningBatches >= this.mapping.concurrency) return false;
    if (!this.hasMore) await this.limitPolling();
    if (this.stopped) return false;
    const room = this.mapping.batchSize - this.buffered.length;
    const messages = await this.dependencies.queues.receive(this.mapping.sourceArn, room);
    this.buffered.push(...messages);
    // After a full poll there may be more messages; otherwise the queue notifies.
    this.hasMore = messages.length === room;
    this.formBatches();
    return this.hasMore;
  }

  protected override retryPoll(): void {
    this.dependencies.clock.after(retryAfterMs, () => this.requestPoll());
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
    while (this.readyBatches.length > 0 && this.runningBatches < this.mapping.concurrency && !this.stopped) {
      this.runningBatches++;
      const batch = requireValue(this.readyBatches.shift());
      void this.dependencies.clock.track(async () => {
        await this.handle(batch).catch((error) => this.report('Could not process a batch', { error: String(error) }));
        this.runningBatches--;
        this.startBatches();
        this.requestPoll();
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
    const event = { Records: batch.map((message) => this.toRecord(message, sourceArn)) };
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

  private toRecord(message: QueueMessage, eventSourceARN: string): Record<string, unknown> {
    return { ...message, eventSource: 'aws:sqs', eventSourceARN, awsRegion: this.dependencies.environment.region };
  }
}
