import { Construct } from 'constructs';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';
import { Schedule } from './schedule.ts';

export interface CanaryProps {
  functions: Functions;
  identity: Identity;
  isScheduled: boolean;
}

/**
 * Uses the service as a program does, every minute, so that people learn of an outage without any traffic
 * (docs/decisions/0108-canary.md).
 */
export class Canary extends Construct {
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, { functions, identity, isScheduled }: CanaryProps) {
    super(scope, id);
    this.fn = functions.create({
      name: 'run-canary',
      capability: 'canary',
      description: 'Canary: calls the API as a client every minute and fails if a call fails.',
      // Two attempts end before the next minute.
      timeoutSeconds: 50,
    });
    identity.grantUseCanary(this.fn);
    if (!isScheduled) return;
    new Schedule(this, 'EveryMinute', { minutes: 1, description: 'Runs the canary every minute.', target: this.fn });
  }
}
