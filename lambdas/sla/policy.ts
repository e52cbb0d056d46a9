import * as z from 'zod';
import { type Priority, priorities } from '../../contract/priority.ts';
import { env } from '../platform/env.ts';

/** Minutes that an incident of each priority may run before its target is breached. */
export type SlaPolicy = Readonly<Record<Priority, number>>;

/** A warning goes out when this share of the target has been used. */
export const warningShare = 0.75;

const policy = z.record(z.enum(priorities), z.int().positive().max(525_600));

export function loadSlaPolicy(): SlaPolicy {
  const { SLA_MINUTES } = env('SLA_MINUTES');
  return parseSlaPolicy(SLA_MINUTES);
}

/** Reads the policy that the stack hands to functions as JSON; one that lacks a priority stops the cold start. */
export function parseSlaPolicy(json: string): SlaPolicy {
  return policy.parse(JSON.parse(json));
}

export function targetMs(policy: SlaPolicy, priority: Priority): number {
  return policy[priority] * 60_000;
}

export function warningMs(policy: SlaPolicy, priority: Priority): number {
  return targetMs(policy, priority) * warningShare;
}
