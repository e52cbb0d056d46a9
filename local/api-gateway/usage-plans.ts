// API keys and their usage plans: each key has its own token bucket. Keys of the template are loaded at start; keys created
// by API calls are looked up at every use, because they change.
import type { Stack } from '../template/resource-type.ts';
import type { ApiKeyStore } from './api-key-store.ts';

export interface ApiKey {
  id: string;
  value: string;
}

export type CreatedKeys = Pick<ApiKeyStore, 'findByValue' | 'listPlans'>;

export class UsagePlans {
  /** The plans of this stage, with their throttle if they have one. */
  private readonly plans = new Map<string, Throttle | undefined>();
  private readonly keys = new Map<string, { key: ApiKey; planId: string }>();
  private readonly buckets = new Map<string, TokenBucket>();
  private readonly created: CreatedKeys;

  constructor(stack: Stack, apiId: string, stage: string, created: CreatedKeys) {
    this.created = created;
    for (const { physicalId, properties } of stack.findByType('AWS::ApiGateway::UsagePlan')) {
      const here = (properties.ApiStages ?? []).some(
        (each: { ApiId: string; Stage: string }) => each.ApiId === apiId && each.Stage === stage,
      );
      const { RateLimit: rate, BurstLimit: burst } = properties.Throttle ?? {};
      const throttle = rate === undefined ? undefined : { rate: Number(rate), burst: Number(burst ?? rate) };
      if (here) this.plans.set(physicalId, throttle);
    }
    const keys = new Map(
      stack.findByType('AWS::ApiGateway::ApiKey').map((resource) => [resource.physicalId, resource]),
    );
    for (const { properties } of stack.findByType('AWS::ApiGateway::UsagePlanKey')) {
      const key = keys.get(properties.KeyId);
      if (key?.properties.Enabled !== true || !this.plans.has(properties.UsagePlanId)) continue;
      const value: string = key.properties.Value;
      this.keys.set(value, { key: { id: key.physicalId, value }, planId: properties.UsagePlanId });
    }
  }

  find(value: string | undefined): ApiKey | undefined {
    return value === undefined ? undefined : this.lookUp(value)?.key;
  }

  admits({ id, value }: ApiKey, nowMs: number): boolean {
    const throttle = this.plans.get(this.lookUp(value)?.planId ?? '');
    if (!throttle) return true;
    let bucket = this.buckets.get(id);
    if (!bucket) {
      bucket = new TokenBucket(throttle, nowMs);
      this.buckets.set(id, bucket);
    }
    return bucket.take(nowMs);
  }

  private lookUp(value: string): { key: ApiKey; planId: string } | undefined {
    const known = this.keys.get(value);
    if (known) return known;
    const created = this.created.findByValue(value);
    const planId = created?.enabled ? this.created.listPlans(created.id).find((id) => this.plans.has(id)) : undefined;
    return created && planId !== undefined ? { key: { id: created.id, value }, planId } : undefined;
  }
}

/** A token bucket's settings: `burst` tokens, refilled at `rate` per second. */
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
