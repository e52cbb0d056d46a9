// One clock for the whole runtime: tokens, TTL, waits, schedules, visibility and, through a shared buffer, the functions'
// own `Date`. Moving it plays every timer on the way in order, and lets the work each one starts come to rest first, so
// that half an hour of retries happens in milliseconds with the times it would really have.

const longestRealWaitMs = 2 ** 31 - 1;
const idleBoundMs = 60_000;

export interface Timer {
  cancel(): void;
}

interface Pending {
  timeMs: number;
  order: number;
  run: () => unknown;
}

export interface ClockOptions {
  offsetMs?: number;
  /** Saves the new offset; a move is complete when the promise resolves. */
  onMove?: (offsetMs: number) => unknown;
  /** Hears of work that a timer started and that failed. */
  onError?: (error: unknown) => void;
  realNow?: () => number;
}

export class Clock {
  /** Shared with the workers: milliseconds added to the machine's time, and the time it is held at (0: it runs). */
  readonly offset = new Float64Array(new SharedArrayBuffer(16));
  private readonly realNow: () => number;
  private readonly timers = new Set<Pending>();
  private readonly onMove: (offsetMs: number) => unknown;
  private readonly onError: (error: unknown) => void;
  /** Of the last move. */
  private saved: unknown;
  private alarm: NodeJS.Timeout | undefined;
  private underWay = 0;
  private readonly atRest: (() => void)[] = [];
  private order = 0;
  private moving: Promise<void> = Promise.resolve();
  private moves = 0;
  private stopped = false;

  constructor(options: ClockOptions = {}) {
    this.realNow = options.realNow ?? Date.now.bind(Date);
    this.offset[0] = options.offsetMs ?? 0;
    this.onMove = options.onMove ?? (() => {});
    this.onError = options.onError ?? (() => {});
  }

  now(): number {
    return this.offset[1] || Math.floor(this.realNow() + this.offset[0]!);
  }

  /** Stops the time; only advance() moves it then. For tests of things that happen within one second. */
  hold(timeMs = this.now()): void {
    this.offset[1] = timeMs;
  }

  /** Lets the time run on from where it is held. */
  release(): void {
    if (this.offset[1] === 0) return;
    this.offset[0] = this.offset[1]! - this.realNow();
    this.offset[1] = 0;
    this.save();
    this.arm();
  }

  /** Runs once when this clock reaches `timeMs` (at once, but never synchronously, when that has passed). */
  at(timeMs: number, run: () => unknown): Timer {
    const pending = { timeMs, order: this.order++, run };
    this.timers.add(pending);
    this.arm();
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
   * Marks work that is going on. Anything accepted and not yet waiting on a timer of this clock belongs in here (a
   * running invocation, a message that a poller is about to take), or a move of the clock would overtake it.
   */
  async busy<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
    this.underWay++;
    try {
      return await (typeof work === 'function' ? work() : work);
    } finally {
      this.underWay--;
      if (this.underWay === 0) for (const wake of this.atRest.splice(0)) wake();
    }
  }

  /** Moves the clock forward, timer by timer. Moves asked for at once happen one after the other. */
  advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the clock only moves forward');
    this.moves++;
    const move = this.moving.then(() => this.move(this.now() + ms)).finally(() => this.moves--);
    // A move that fails does not end those after it.
    this.moving = move.catch(() => {});
    return move;
  }

  /** Whether it is being moved: then nothing should take real time that need not. */
  get isMoving(): boolean {
    return this.moves > 0;
  }

  /** Resolves when nothing is under way and no timer is due. */
  async idle(): Promise<void> {
    const deadline = performance.now() + idleBoundMs;
    let quietTurns = 0;
    while (quietTurns < 3) {
      if (this.underWay > 0) await this.settled(deadline - performance.now());
      await new Promise((resolve) => setImmediate(resolve));
      quietTurns = this.underWay === 0 && !this.earliest(this.now()) ? quietTurns + 1 : 0;
      if (performance.now() > deadline) throw new Error(`the runtime did not come to rest in ${idleBoundMs / 1000} s`);
    }
  }

  stop(): void {
    this.stopped = true;
    this.timers.clear();
    clearTimeout(this.alarm);
  }

  /** Resolves when nothing is under way any more, or when the time is up. */
  private settled(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, limitMs));
      this.atRest.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private async move(targetMs: number): Promise<void> {
    await this.idle();
    for (let next = this.earliest(targetMs); next && !this.stopped; next = this.earliest(targetMs)) {
      this.set(next.timeMs);
      this.runDue();
      await this.idle();
    }
    this.set(targetMs);
    this.arm();
    await this.saved;
  }

  private save(): void {
    const saved = Promise.resolve(this.onMove(this.offset[0]!));
    // Whoever moves the clock waits for the last save and hears of its failure; the others need no handler.
    saved.catch(() => {});
    this.saved = saved;
  }

  private set(timeMs: number): void {
    const ahead = timeMs - this.now();
    if (ahead <= 0) return;
    if (this.offset[1] !== 0) this.offset[1] = timeMs;
    this.offset[0] = this.offset[0]! + ahead;
    this.save();
  }

  private earliest(limitMs: number): Pending | undefined {
    let first: Pending | undefined;
    for (const timer of this.timers) {
      if (timer.timeMs > limitMs) continue;
      if (!first || timer.timeMs < first.timeMs || (timer.timeMs === first.timeMs && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }

  private arm(): void {
    clearTimeout(this.alarm);
    if (this.stopped || this.offset[1] !== 0) return;
    const first = this.earliest(Number.POSITIVE_INFINITY);
    if (!first) return;
    const waitMs = Math.min(Math.max(first.timeMs - this.now(), 0), longestRealWaitMs);
    this.alarm = setTimeout(() => this.runDue(), waitMs);
    this.alarm.unref();
  }

  private runDue(): void {
    const now = this.now();
    for (let due = this.earliest(now); due; due = this.earliest(now)) {
      this.timers.delete(due);
      const { run } = due;
      this.busy(async () => run()).catch(this.onError);
    }
    this.arm();
  }
}
