// What the API and the in-process calls have in common: every change of a message, who is told when one becomes
// visible, and the one timer for those that are hidden or delayed.
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { type Alarm, createAlarm } from '../scheduler/alarm.ts';
import { onceMore, type Storage } from '../storage/storage.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { MessageStore, type NewMessage, type TakenMessage } from './message-store.ts';
import type { Queue } from './queue.ts';
import { QueueStore } from './queue-store.ts';
import { readReceipt } from './receipt.ts';

export interface SqsOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
}

export class SqsCore {
  readonly environment: StackEnvironment;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly queues: QueueStore;
  readonly messages: MessageStore;
  private readonly alarm: Alarm;
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly stopping = new Set<() => void>();
  private started = false;
  /** Whatever became visible up to here has been announced. */
  private announcedMs = 0;

  constructor({ storage, clock, environment, log }: SqsOptions) {
    this.environment = environment;
    this.clock = clock;
    this.storage = storage;
    this.queues = new QueueStore(storage, environment);
    this.messages = new MessageStore(storage);
    this.alarm = createAlarm(clock, log, () => this.announce());
  }

  start(): void {
    this.started = true;
    this.announcedMs = this.clock.now();
    for (const queue of this.queues.all()) {
      if (this.messages.hasVisible(queue, this.announcedMs)) this.notify(queue.arn);
    }
    this.setAlarm();
  }

  stop(): void {
    this.started = false;
    this.alarm.cancel();
    for (const listener of [...this.stopping]) listener();
    this.listeners.clear();
  }

  add(queue: Queue, added: readonly NewMessage[]): Promise<string[]> {
    return this.clock.busy(async () => {
      const now = this.clock.now();
      const ids = await this.storage.write(() => added.map((message) => this.messages.add(queue, message, now)));
      if (added.some((message) => message.delaySeconds === 0)) this.notify(queue.arn);
      for (const { delaySeconds } of added) if (delaySeconds > 0) this.alarm.by(now + delaySeconds * 1000);
      return ids;
    });
  }

  take(queue: Queue, max: number, hideSeconds: number): Promise<TakenMessage[]> {
    return this.clock.busy(async () => {
      const now = this.clock.now();
      if (!this.messages.hasVisible(queue, now)) return [];
      const result = await this.storage.write(() => this.messages.take(queue, max, hideSeconds, now), onceMore);
      if (result.taken.length > 0) this.alarm.by(now + hideSeconds * 1000);
      for (const arn of result.deadLetterQueues) this.notify(arn);
      return result.taken;
    });
  }

  /** For each handle, whether its message was in flight and is now hidden for so long. */
  hide(queue: Queue, handles: readonly string[], seconds: number): Promise<boolean[]> {
    return this.clock.busy(async () => {
      const receipts = handles.map((handle) => readReceipt(handle, queue.name));
      const now = this.clock.now();
      const untilMs = now + seconds * 1000;
      const changed = await this.storage.write(() =>
        receipts.map((receipt) => this.messages.hide(queue, receipt, untilMs, now)),
      );
      if (seconds > 0) this.alarm.by(untilMs);
      else if (changed.includes(true)) this.notify(queue.arn);
      return changed;
    });
  }

  remove(queue: Queue, handles: readonly string[]): Promise<void> {
    return this.clock.busy(async () => {
      const receipts = handles.map((handle) => readReceipt(handle, queue.name));
      await this.storage.write(() => {
        for (const receipt of receipts) this.messages.delete(queue, receipt);
      }, onceMore);
    });
  }

  /** Calls back when messages became visible, and soon if there are some now. Returns the way out. */
  onAvailable(queue: Queue, listener: () => void): () => void {
    const known = this.listeners.get(queue.arn) ?? new Set();
    this.listeners.set(queue.arn, known.add(listener));
    if (this.started && this.messages.hasVisible(queue, this.clock.now())) {
      this.clock.after(0, () => known.has(listener) && this.started && listener());
    }
    return () => void known.delete(listener);
  }

  onStop(listener: () => void): () => void {
    this.stopping.add(listener);
    return () => void this.stopping.delete(listener);
  }

  private notify(queueArn: string): void {
    if (!this.started) return;
    for (const listener of [...(this.listeners.get(queueArn) ?? [])]) listener();
  }

  private announce(): void {
    if (!this.started) return;
    const now = this.clock.now();
    const arns = this.messages.becameVisible(this.announcedMs, now);
    this.announcedMs = now;
    for (const arn of arns) this.notify(arn);
    this.setAlarm();
  }

  private setAlarm(): void {
    const nextMs = this.messages.nextVisibleMs(this.announcedMs);
    if (nextMs !== undefined) this.alarm.by(nextMs);
  }
}
