// Sheds load: a bounded number of requests runs, a bounded number waits, and the rest is rejected immediately. A burst may
// fill the long queue. If requests keep waiting for longer than a burst, the load exceeds what this machine can handle, and
// only a short queue is left, so that admitted requests stay fast (docs/decisions/0030-processors-of-one-machine.md).

export interface AdmissionLimits {
  maxRunning: number;
  /** A request that takes longer waits for something else, such as a language model, and makes room for another one. */
  maxSlotMs: number;
  /** Of requests that have given up their place but still run. */
  maxSlow: number;
  burstMs: number;
  maxWaitingInBurst: number;
  maxWaiting: { urgent: number; normal: number };
}

const defaults: AdmissionLimits = {
  maxRunning: 8,
  maxSlotMs: 1_000,
  maxSlow: 256,
  burstMs: 300,
  maxWaitingInBurst: 512,
  maxWaiting: { urgent: 16, normal: 8 },
};

/** Every fourth request is a normal one, so that urgent ones cannot block the rest completely. */
const normalEvery = 4;

/** After a pause of this length, waiting requests are a new burst. */
const quietMs = 300;

export type Priority = 'urgent' | 'normal';

/** Ends the request; calling it again has no effect. */
export type Leave = () => void;

export class Admission {
  private readonly limits: AdmissionLimits;
  private readonly nowMs: () => number;
  private readonly waiting: Record<Priority, ((leave: Leave) => void)[]> = { urgent: [], normal: [] };
  private running = 0;
  private slow = 0;
  private started = 0;
  /** The start and the end of the last period in which requests waited. */
  private waitingSinceMs = Number.NEGATIVE_INFINITY;
  private waitedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(limits: Partial<AdmissionLimits> = {}, nowMs: () => number = () => performance.now()) {
    this.limits = { ...defaults, ...limits };
    this.nowMs = nowMs;
  }

  /** Resolves when the request may run; undefined rejects it. */
  enter(priority: Priority): Promise<Leave> | undefined {
    if (this.running < this.limits.maxRunning && this.slow < this.limits.maxSlow) return Promise.resolve(this.start());
    if (this.waiting[priority].length >= this.getMaxWaiting(priority)) return undefined;
    return new Promise((resolve) => this.waiting[priority].push(resolve));
  }

  private getMaxWaiting(priority: Priority): number {
    const { burstMs, maxWaiting, maxWaitingInBurst } = this.limits;
    const now = this.nowMs();
    if (this.countWaiting() === 0 && now - this.waitedUntilMs > Math.min(burstMs, quietMs)) this.waitingSinceMs = now;
    this.waitedUntilMs = now;
    return now - this.waitingSinceMs > burstMs ? maxWaiting[priority] : maxWaitingInBurst;
  }

  private start(): Leave {
    this.running++;
    this.started++;
    let state: 'running' | 'slow' | 'left' = 'running';
    const timer = setTimeout(() => {
      state = 'slow';
      this.slow++;
      this.running--;
      this.startNext();
    }, this.limits.maxSlotMs).unref();
    return () => {
      clearTimeout(timer);
      if (state === 'running') this.running--;
      else if (state === 'slow') this.slow--;
      state = 'left';
      this.startNext();
    };
  }

  private startNext(): void {
    const { urgent, normal } = this.waiting;
    while (this.countWaiting() > 0 && this.running < this.limits.maxRunning && this.slow < this.limits.maxSlow) {
      const isNormalTurn = this.started % normalEvery === 0;
      const next = (isNormalTurn ? normal.shift() : undefined) ?? urgent.shift() ?? normal.shift();
      this.waitedUntilMs = this.nowMs();
      next?.(this.start());
    }
  }

  private countWaiting(): number {
    return this.waiting.urgent.length + this.waiting.normal.length;
  }
}
