// One clock for the whole runtime: tokens, TTL, waits, schedules, visibility timeouts and, through a shared buffer, the
// functions' `Date`. Advancing it runs every due timer in order and waits for the work it starts, so half an hour of
// retries takes milliseconds and sees the right times. It runs on the monotonic clock of the machine and follows the
// system clock forward only: stored due times, watermarks of lists and tokens stay valid when the system clock is set back
// (docs/decisions/0102).
import { monotonicNow, readTime, systemNow } from './shifted-date.ts';

/** Bounds how late a jump of the system clock is seen. A suspended machine jumps forward, because its timers stand still. */
const followEveryMs = 1_000;
const minJumpMs = 1_000;
const idleTimeoutMs = 120_000;

/** A clock further ahead does not return: it would run at half speed for more than two hours. */
export const maxReturnMs = 3_600_000;

export interface Timer {
  cancel(): void;
}

interface Pending {
  timeMs: number;
  order: number;
  run: () => unknown;
}

export interface ClockOptions {
  /** How far the clock was moved ahead of the system clock. */
  offsetMs?: number;
  /** The clock starts no earlier: the system clock may have been set back during a stop. */
  minTimeMs?: number;
  /** Saves the new offset; a move is complete when the promise resolves. */
  onMove?: (offsetMs: number) => unknown;
  /** Receives errors of timer callbacks. */
  onError?: (error: unknown) => void;
  /** The system clock was set; negative: back. */
  onJump?: (jumpMs: number) => void;
  onStop?: () => void;
  systemNow?: () => number;
  /** By default the given system time, or the machine's monotonic clock. */
  monotonicNow?: () => number;
}

export class Clock {
  /** Shared with workers, which read it with readTime(). */
  readonly shared = new Float64Array(new SharedArrayBuffer(32));
  private readonly systemNow: () => number;
  private readonly monotonicNow: () => number;
  private aheadMs: number;
  private systemOffsetMs: number;
  private readonly timers = new Set<Pending>();
  private readonly onMove: (offsetMs: number) => unknown;
  private readonly onError: (error: unknown) => void;
  private readonly onJump: (jumpMs: number) => void;
  private readonly onStop: () => void;
  private lastSave: unknown;
  private realTimer: NodeJS.Timeout | undefined;
  private activeCount = 0;
  private readonly idleListeners: (() => void)[] = [];
  private order = 0;
  private moving: Promise<void> = Promise.resolve();
  private moves = 0;
  private stopped = false;

  constructor(options: ClockOptions = {}) {
    this.systemNow = options.systemNow ?? systemNow;
    this.monotonicNow = options.monotonicNow ?? options.systemNow ?? monotonicNow;
    this.aheadMs = options.offsetMs ?? 0;
    this.systemOffsetMs = this.systemNow() - this.monotonicNow();
    const startMs = Math.max(this.systemNow() + this.aheadMs, options.minTimeMs ?? 0);
    this.shared[0] = startMs - this.monotonicNow();
    this.giveUpLead();
    this.onMove = options.onMove ?? (() => {});
    this.onError = options.onError ?? (() => {});
    this.onJump = options.onJump ?? (() => {});
    this.onStop = options.onStop ?? (() => {});
  }

  now(): number {
    return readTime(this.shared, this.monotonicNow());
  }

  /** Milliseconds that hold() and advance() moved the clock ahead of the system clock, and that it has not given up. */
  get offsetMs(): number {
    return this.aheadMs + this.returningMs;
  }

  /** The part of the lead that the clock gives up by running at half speed. */
  get returningMs(): number {
    const [, , slowSinceMs = 0, slowForMs = 0] = this.shared;
    return Math.max(0, Math.ceil((slowForMs - (this.monotonicNow() - slowSinceMs)) / 2));
  }

  get isHeld(): boolean {
    return this.shared[1] !== 0;
  }

  /** Stops time until release(); only advance() moves it. For tests of events within one second. */
  hold(timeMs = this.now()): void {
    this.shared[1] = timeMs;
  }

  /** Lets time run again from where it is held. */
  release(): void {
    if (!this.isHeld) return;
    const timeMs = this.now();
    this.aheadMs = timeMs - this.systemNow();
    this.runFrom(timeMs);
    this.save();
    this.scheduleNext();
  }

  /**
   * Returns to the system clock: forward at once, back at half speed, because time never goes back. False when the clock
   * is too far ahead.
   */
  async reset(): Promise<boolean> {
    const leadMs = this.now() - this.systemNow();
    if (leadMs > maxReturnMs) return false;
    this.release();
    if (leadMs < 0) await this.advance(-leadMs);
    this.aheadMs = 0;
    this.giveUpLead();
    this.save();
    await this.lastSave;
    return true;
  }

  /** Runs at half speed until the lead that nobody asked for is gone. */
  private giveUpLead(): void {
    const leadMs = this.now() - this.systemNow() - this.aheadMs;
    if (leadMs > 0 && leadMs <= maxReturnMs) this.runFrom(this.now(), 2 * leadMs);
  }

  private runFrom(timeMs: number, slowForMs = 0): void {
    const monotonicMs = this.monotonicNow();
    // Held while several values change: a worker must not see time go back.
    this.shared[1] = timeMs;
    this.shared[0] = timeMs - monotonicMs;
    this.shared[2] = monotonicMs;
    this.shared[3] = slowForMs;
    this.shared[1] = 0;
  }

  /** Calls `run` once when the clock reaches `timeMs`; never synchronously, even if that time has passed. */
  at(timeMs: number, run: () => unknown): Timer {
    const pending = { timeMs, order: this.order++, run };
    this.timers.add(pending);
    this.scheduleNext();
    return {
      cancel: () => {
        this.timers.delete(pending);
      },
    };
  }

  after(delayMs: number, run: () => unknown): Timer {
    return this.at(this.now() + delayMs, run);
  }

  /**
   * Tracks running work. Wrap everything that is accepted but not yet waiting on a timer of this clock (a running
   * invocation, a message about to be polled); otherwise advance() does not wait for it.
   */
  async track<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
    this.activeCount++;
    try {
      return await (typeof work === 'function' ? work() : work);
    } finally {
      this.activeCount--;
      if (this.activeCount === 0) for (const wake of this.idleListeners.splice(0)) wake();
    }
  }

  /** Moves the clock forward, timer by timer. Concurrent calls run one after the other. */
  advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('The clock only moves forward');
    this.moves++;
    const move = this.moving.then(() => this.move(this.now() + ms)).finally(() => this.moves--);
    // A failed move does not block later ones.
    this.moving = move.catch(() => {});
    return move;
  }

  /** Code that waits in real time should skip the wait while the clock moves. */
  get isMoving(): boolean {
    return this.moves > 0;
  }

  /** Resolves when no work is running and no timer is due. */
  async waitUntilIdle(): Promise<void> {
    const deadline = performance.now() + idleTimeoutMs;
    let quietTurns = 0;
    while (quietTurns < 3) {
      if (this.activeCount > 0) await this.waitForIdle(deadline - performance.now());
      await new Promise((resolve) => setImmediate(resolve));
      quietTurns = this.activeCount === 0 && !this.findEarliest(this.now()) ? quietTurns + 1 : 0;
      if (performance.now() > deadline)
        throw new Error(`The runtime did not become idle within ${idleTimeoutMs / 1000} s`);
    }
  }

  stop(): void {
    this.stopped = true;
    this.timers.clear();
    clearTimeout(this.realTimer);
    this.onStop();
  }

  /** Resolves when no work is running or the limit has passed. */
  private waitForIdle(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, limitMs));
      this.idleListeners.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private async move(targetMs: number): Promise<void> {
    await this.waitUntilIdle();
    for (let next = this.findEarliest(targetMs); next && !this.stopped; next = this.findEarliest(targetMs)) {
      this.set(next.timeMs);
      this.runDue();
      await this.waitUntilIdle();
    }
    this.set(targetMs);
    this.scheduleNext();
    await this.lastSave;
  }

  private save(): void {
    const lastSave = Promise.resolve(this.onMove(this.aheadMs));
    // move() awaits the last save and reports its failure; earlier ones need no handler.
    lastSave.catch(() => {});
    this.lastSave = lastSave;
  }

  private set(timeMs: number): void {
    const ahead = timeMs - this.now();
    if (ahead <= 0) return;
    if (this.isHeld) this.shared[1] = timeMs;
    this.shared[0] = (this.shared[0] ?? 0) + ahead;
    this.aheadMs += ahead;
    this.save();
  }

  private findEarliest(limitMs: number): Pending | undefined {
    let first: Pending | undefined;
    for (const timer of this.timers) {
      if (timer.timeMs > limitMs) continue;
      if (!first || timer.timeMs < first.timeMs || (timer.timeMs === first.timeMs && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }

  private scheduleNext(): void {
    clearTimeout(this.realTimer);
    if (this.stopped || this.isHeld) return;
    const first = this.findEarliest(Number.POSITIVE_INFINITY);
    if (!first) return;
    const waitMs = Math.min(Math.max(first.timeMs - this.now(), 0), followEveryMs);
    this.realTimer = setTimeout(() => this.runDue(), waitMs);
    this.realTimer.unref();
  }

  private followSystem(): void {
    const systemOffsetMs = this.systemNow() - this.monotonicNow();
    const jumpMs = systemOffsetMs - this.systemOffsetMs;
    this.systemOffsetMs = systemOffsetMs;
    const timeMs = this.systemNow() + this.aheadMs;
    if (timeMs > this.now() + 1 && !this.isHeld) this.runFrom(timeMs);
    if (Math.abs(jumpMs) >= minJumpMs) this.onJump(jumpMs);
  }

  private runDue(): void {
    this.followSystem();
    const now = this.now();
    for (let due = this.findEarliest(now); due; due = this.findEarliest(now)) {
      this.timers.delete(due);
      const { run } = due;
      this.track(async () => run()).catch(this.onError);
    }
    this.scheduleNext();
  }
}
