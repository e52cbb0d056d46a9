// Changes messages for the API and for in-process callers, and notifies listeners when messages become visible. One timer
// serves all hidden and delayed messages.
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { createWakeTimer, type WakeTimer } from '../scheduler/wake-timer.ts';
import { alwaysExpendable, type Storage } from '../storage/storage.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { MessageStore, type NewMessage, parseReceipt, type ReceivedMessage } from './message-store.ts';
import { type Queue, Queues } from './queues.ts';

export interface SqsOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
}

export interface MoveTask {
  Status: 'COMPLETED' | 'FAILED';
  SourceArn: string;
  DestinationArn?: string;
  ApproximateNumberOfMessagesMoved: number;
  ApproximateNumberOfMessagesToMove: number;
  FailureReason?: string;
  StartedTimestamp: number;
}

export class SqsCore {
  readonly environment: StackEnvironment;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly queues = new Queues();
  readonly messages: MessageStore;
  /** By the ARN of the dead-letter queue, newest first. */
  readonly moveTasks = new Map<string, MoveTask[]>();
  private readonly wakeTimer: WakeTimer;
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly stopListeners = new Set<() => void>();
  private isStarted = false;
  /** Listeners were notified of every message that became visible up to this time. */
  private notifiedMs = 0;

  constructor({ storage, clock, environment, log }: SqsOptions) {
    this.environment = environment;
    this.clock = clock;
    this.storage = storage;
    this.messages = new MessageStore(storage);
    this.wakeTimer = createWakeTimer(clock, log, () => this.notifyNewlyVisible());
  }

  start(): void {
    this.isStarted = true;
    this.notifiedMs = this.clock.now();
    for (const queue of this.queues.list()) {
      if (this.messages.hasVisible(queue, this.notifiedMs)) this.notify(queue.arn);
    }
    this.scheduleWake();
  }

  stop(): void {
    this.isStarted = false;
    this.wakeTimer.cancel();
    for (const listener of [...this.stopListeners]) listener();
    this.listeners.clear();
  }

  send(queue: Queue, message: NewMessage): Promise<string> {
    return this.clock.track(async () => {
      const now = this.clock.now();
      const id = await this.storage.write(() => this.messages.add(queue, message, now));
      if (message.delaySeconds === 0) this.notify(queue.arn);
      else this.wakeTimer.wakeBy(now + message.delaySeconds * 1000);
      return id;
    });
  }

  receive(queue: Queue, max: number, hideSeconds: number): Promise<ReceivedMessage[]> {
    return this.clock.track(async () => {
      const now = this.clock.now();
      if (!this.messages.hasVisible(queue, now)) return [];
      const { received, deadLetterQueues } = await this.storage.write(
        () => this.messages.receive(queue, max, hideSeconds, now),
        alwaysExpendable,
      );
      if (received.length > 0) this.wakeTimer.wakeBy(now + hideSeconds * 1000);
      for (const arn of deadLetterQueues) this.notify(arn);
      return received;
    });
  }

  /** Hides a message for `seconds`; returns false when it is not in flight under this handle. */
  hide(queue: Queue, handle: string, seconds: number): Promise<boolean> {
    return this.clock.track(async () => {
      const receipt = parseReceipt(handle, queue);
      const now = this.clock.now();
      const untilMs = now + seconds * 1000;
      const isHidden = await this.storage.write(() => this.messages.hide(queue, receipt, untilMs, now));
      if (seconds > 0) this.wakeTimer.wakeBy(untilMs);
      else if (isHidden) this.notify(queue.arn);
      return isHidden;
    });
  }

  delete(queue: Queue, handles: readonly string[]): Promise<void> {
    return this.clock.track(async () => {
      const receipts = handles.map((handle) => parseReceipt(handle, queue));
      await this.storage.write(() => {
        for (const receipt of receipts) this.messages.delete(queue, receipt);
      }, alwaysExpendable);
    });
  }

  /** Moves the visible messages of a dead-letter queue to `destination`, or to the queues that they came from. */
  moveMessages(source: Queue, destination: Queue | undefined): Promise<{ moved: number; remaining: number }> {
    return this.clock.track(async () => {
      const now = this.clock.now();
      const { moved, remaining } = await this.storage.write(() => this.messages.move(source, destination, now));
      for (const arn of new Set(moved)) this.notify(arn);
      return { moved: moved.length, remaining };
    });
  }

  /** Calls back when messages become visible, and also if some already are. Returns a function that unsubscribes. */
  onAvailable(queue: Queue, listener: () => void): () => void {
    const listeners = this.listeners.get(queue.arn) ?? new Set();
    this.listeners.set(queue.arn, listeners.add(listener));
    if (this.isStarted && this.messages.hasVisible(queue, this.clock.now())) {
      this.clock.after(0, () => listeners.has(listener) && this.isStarted && listener());
    }
    return () => void listeners.delete(listener);
  }

  onStop(listener: () => void): () => void {
    this.stopListeners.add(listener);
    return () => void this.stopListeners.delete(listener);
  }

  private notify(queueArn: string): void {
    if (!this.isStarted) return;
    for (const listener of [...(this.listeners.get(queueArn) ?? [])]) listener();
  }

  private notifyNewlyVisible(): void {
    if (!this.isStarted) return;
    const now = this.clock.now();
    const arns = this.messages.listQueuesWithNewlyVisible(this.notifiedMs, now);
    this.notifiedMs = now;
    for (const arn of arns) this.notify(arn);
    this.scheduleWake();
  }

  private scheduleWake(): void {
    const nextMs = this.messages.findNextVisibleMs(this.notifiedMs);
    if (nextMs !== undefined) this.wakeTimer.wakeBy(nextMs);
  }
}
