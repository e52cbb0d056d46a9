import { env } from '../platform/env.ts';
import { parseSlaPolicy, type SlaPolicy } from './policy.ts';

export function deployedSlaPolicy(): SlaPolicy {
  const { SLA_MINUTES } = env('SLA_MINUTES');
  return parseSlaPolicy(SLA_MINUTES);
}
