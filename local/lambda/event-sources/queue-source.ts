// Takes messages from a queue and gives them to a function in batches. What the function handled is deleted; the rest
// stays hidden until the queue's visibility timeout brings it back, and the queue counts and redrives as it does for
// any consumer. Nothing polls: the queue says when messages became visible.
import type { Timer } from '../../clock/clock.ts';
import { failedItems, fittingCount, Pace } from './batch.ts';
import type { QueueMapping } from './mapping.ts';
import type { QueueMessage, Surroundings } from './ports.ts';

/** Lambda's pollers take longer. */
const lookEveryMs = 40;
const retryAfterMs = 1_000;

export class QueueSource {
  private readonly mapping: QueueMapping;
  private readonly around: Surroundings;
  private readonly pace: Pace;
  /** Received, waiting for a full batch or the end of the batching window. */
  private held: QueueMessage[] = [];
  private readonly full: QueueMessage[][] = [];
  private window: Timer | undefined;
  private running = 0;
  private receiving = false;
  /** The last look brought all that was asked for, so the next need not wait. */
  private drains = false;
  private wanted = false;
  private stopped = false;
  private stopListening = () => {};

  constructor(mapping: QueueMapping, around: Surroundings) {
    this.mapping = mapping;
    this.around = around;
    this.pace = new Pace(around.clock, lookEveryMs);
  }

  start(): void {
    this.stopListening = this.around.queues.onAvailable(this.mapping.sourceArn, () => this.pump());
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
    void this.around.clock.busy(async () => {
      try {
        while (this.wanted && !this.stopped) await this.receive();
      } catch (error) {
        this.report('messages could not be received', { error: String(error) });
        this.around.clock.after(retryAfterMs, () => this.pump());
      } finally {
        this.receiving = false;
      }
    });
  }

  private async receive(): Promise<void> {
    this.wanted = false;
    if (this.full.length > 0 || this.running >= this.mapping.concurrency) return;
    if (!this.drains) await this.pace.turn();
    if (this.stopped) return;
    const room = this.mapping.batchSize - this.held.length;
    const messages = await this.around.queues.receive(this.mapping.sourceArn, room);
    this.held.push(...messages);
    // A full answer says that there may be more; otherwise the queue calls when there is.
    this.drains = messages.length === room;
    if (this.drains) this.wanted = true;
    this.cut();
  }

  private cut(): void {
    while (this.held.length > 0) {
      const count = fittingCount(this.held, this.mapping.batchSize);
      const isFull = count === this.mapping.batchSize || count < this.held.length;
      if (!isFull && this.mapping.windowMs > 0) break;
      this.full.push(this.held.splice(0, count));
    }
    if (this.held.length === 0) {
      this.window?.cancel();
      this.window = undefined;
    } else {
      this.window ??= this.around.clock.after(this.mapping.windowMs, () => this.windowEnded());
    }
    this.launch();
  }

  private windowEnded(): void {
    this.window = undefined;
    if (this.held.length > 0) this.full.push(this.held.splice(0));
    this.launch();
  }

  private launch(): void {
    while (this.full.length > 0 && this.running < this.mapping.concurrency && !this.stopped) {
      this.running++;
      const batch = this.full.shift()!;
      void this.around.clock.busy(async () => {
        await this.handle(batch).catch((error) => this.report('a batch was not handled', { error: String(error) }));
        this.running--;
        this.launch();
        this.pump();
      });
    }
  }

  private async handle(batch: readonly QueueMessage[]): Promise<void> {
    const handled = await this.handledOf(batch);
    if (handled.length === 0) return;
    await this.around.queues.delete(
      this.mapping.sourceArn,
      handled.map(({ receiptHandle }) => receiptHandle),
    );
  }

  private async handledOf(batch: readonly QueueMessage[]): Promise<readonly QueueMessage[]> {
    const { functionReference, sourceArn, reportsItemFailures } = this.mapping;
    const event = { Records: batch.map((message) => this.record(message, sourceArn)) };
    const { functionError, payload } = await this.around.functions.invokeText(functionReference, JSON.stringify(event));
    if (functionError) {
      this.report('a batch failed', { reason: payload.slice(0, 1000), messages: batch.length });
      return [];
    }
    if (!reportsItemFailures) return batch;
    const failed = failedItems(JSON.parse(payload), new Set(batch.map(({ messageId }) => messageId)));
    if (failed === 'all') return [];
    return batch.filter(({ messageId }) => !failed.has(messageId));
  }

  private record(message: QueueMessage, eventSourceARN: string): Record<string, unknown> {
    return { ...message, eventSource: 'aws:sqs', eventSourceARN, awsRegion: this.around.environment.region };
  }

  private report(message: string, fields: Record<string, unknown>): void {
    this.around.log.warn(message, {
      mapping: this.mapping.logicalId,
      function: this.mapping.functionReference,
      ...fields,
    });
  }
}
