// API keys and the usage plans they belong to: each key has its own token bucket in its plan.
import type { Stack } from '../template/resource-type.ts';
import { type Throttle, TokenBucket } from './token-bucket.ts';

export interface ApiKey {
  id: string;
  value: string;
}

export class UsagePlans {
  private readonly keys = new Map<string, { key: ApiKey; bucket: TokenBucket | undefined }>();

  constructor(stack: Stack, apiId: string, stage: string, nowMs: number) {
    const plans = new Map<string, Throttle | undefined>();
    for (const { physicalId, properties } of stack.ofType('AWS::ApiGateway::UsagePlan')) {
      const here = (properties.ApiStages ?? []).some(
        (each: { ApiId: string; Stage: string }) => each.ApiId === apiId && each.Stage === stage,
      );
      const { RateLimit: rate, BurstLimit: burst } = properties.Throttle ?? {};
      if (here)
        plans.set(physicalId, rate === undefined ? undefined : { rate: Number(rate), burst: Number(burst ?? rate) });
    }
    const keys = new Map(stack.ofType('AWS::ApiGateway::ApiKey').map((resource) => [resource.physicalId, resource]));
    for (const { properties } of stack.ofType('AWS::ApiGateway::UsagePlanKey')) {
      const key = keys.get(properties.KeyId);
      if (key?.properties.Enabled !== true || !plans.has(properties.UsagePlanId)) continue;
      const throttle = plans.get(properties.UsagePlanId);
      const value: string = key.properties.Value;
      this.keys.set(value, {
        key: { id: key.physicalId, value },
        bucket: throttle && new TokenBucket(throttle, nowMs),
      });
    }
  }

  find(value: string | undefined): ApiKey | undefined {
    return value === undefined ? undefined : this.keys.get(value)?.key;
  }

  admits(key: ApiKey, nowMs: number): boolean {
    return this.keys.get(key.value)?.bucket?.take(nowMs) ?? true;
  }
}
