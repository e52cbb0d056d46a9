/** API Gateway's throttle: `burst` requests at once, refilled at `rate` a second. */
export interface Throttle {
  rate: number;
  burst: number;
}

export class TokenBucket {
  private readonly throttle: Throttle;
  private tokens: number;
  private filledAtMs: number;

  constructor(throttle: Throttle, nowMs: number) {
    this.throttle = throttle;
    this.tokens = throttle.burst;
    this.filledAtMs = nowMs;
  }

  take(nowMs: number): boolean {
    const seconds = Math.max(0, nowMs - this.filledAtMs) / 1000;
    this.tokens = Math.min(this.throttle.burst, this.tokens + seconds * this.throttle.rate);
    this.filledAtMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
