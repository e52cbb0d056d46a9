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
  /** The plans of this stage. */
  private readonly plans = new Map<string, Plan>();
  private readonly keys = new Map<string, { key: ApiKey; planId: string }>();
  private readonly buckets = new Map<string, TokenBucket>();
  private readonly created: CreatedKeys;

  constructor(stack: Stack, apiId: string, stage: string, created: CreatedKeys) {
    this.created = created;
    for (const { physicalId, properties } of stack.findByType('AWS::ApiGateway::UsagePlan')) {
      const here: ApiStage | undefined = (properties.ApiStages ?? []).find(
        (each: ApiStage) => each.ApiId === apiId && each.Stage === stage,
      );
      if (!here) continue;
      const methods = Object.entries(here.Throttle ?? {}).map(
        ([method, each]) => [method, parseThrottle(each)] as const,
      );
      this.plans.set(physicalId, { throttle: parseThrottle(properties.Throttle), methods: new Map(methods) });
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

  /** Limits of a method, such as `/api/v1/incidents/bulk/POST`, replace those of the plan and have their own bucket. */
  admits({ id, value }: ApiKey, method: string, nowMs: number): boolean {
    const plan = this.plans.get(this.lookUp(value)?.planId ?? '');
    const isOwn = plan?.methods.has(method) ?? false;
    const throttle = isOwn ? plan?.methods.get(method) : plan?.throttle;
    if (!throttle) return true;
    const key = isOwn ? `${id} ${method}` : id;
    let bucket = this.buckets.get(key);
    if (!bucket) {
      bucket = new TokenBucket(throttle, nowMs);
      this.buckets.set(key, bucket);
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

interface Plan {
  /** Absent: unlimited. */
  throttle: Throttle | undefined;
  methods: ReadonlyMap<string, Throttle | undefined>;
}

interface ApiStage {
  ApiId: string;
  Stage: string;
  Throttle?: Record<string, ThrottleSettings>;
}

interface ThrottleSettings {
  RateLimit?: number | string;
  BurstLimit?: number | string;
}

function parseThrottle({ RateLimit: rate, BurstLimit: burst }: ThrottleSettings = {}): Throttle | undefined {
  return rate === undefined ? undefined : { rate: Number(rate), burst: Number(burst ?? rate) };
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
