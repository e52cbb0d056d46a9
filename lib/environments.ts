import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Priority } from '../contract/priority.ts';
import type { Role } from '../contract/roles.ts';

// Everything that differs between one deployment of the stack and another.
export interface Environment {
  name: string;
  /** Names this instance in webhook payloads and in /health. */
  serviceInstance: string;
  /** Pages under this domain may call the API, and app clients get their addresses below it. */
  serviceDomain: string;
  /** Where people reach the service, without a trailing slash; absent: the template's parameter PublicUrl says it. */
  publicUrl?: string;
  /** The first part of the hosted login's host name; unique in a region. */
  hostedLoginPrefix: string;
  /** Programs that exist from the start, each with the scope of one role. */
  clients: readonly { name: string; role: Role }[];
  /** Minutes, round the clock, until the service-level target of each priority is breached. */
  slaMinutes: Readonly<Record<Priority, number>>;
  /** Whether webhooks may deliver to the machine that the service runs on. */
  loopbackReceivers: LoopbackReceivers;
  logRetention: RetentionDays;
  /** What happens to tables and users when the stack goes. */
  removalPolicy: RemovalPolicy;
}

export type LoopbackReceivers = 'allowed' | 'refused';

const slaMinutes = { P1: 4 * 60, P2: 8 * 60, P3: 24 * 60, P4: 72 * 60 };

const administrator = { name: 'admin', role: 'super_admin' } as const;

export const environments = {
  /** One machine: the address is known at start only, and each role has a client to try it with. */
  local: {
    name: 'local',
    serviceInstance: 'local',
    serviceDomain: 'incidents.localhost',
    hostedLoginPrefix: 'incidents-local',
    clients: [
      administrator,
      { name: 'manager', role: 'itsm_manager' },
      { name: 'agent', role: 'itsm_agent' },
      { name: 'viewer', role: 'viewer' },
    ],
    slaMinutes,
    loopbackReceivers: 'allowed',
    logRetention: RetentionDays.ONE_DAY,
    removalPolicy: RemovalPolicy.DESTROY,
  },
  dev: {
    name: 'dev',
    serviceInstance: 'dev',
    serviceDomain: 'dev.incidents.example.com',
    publicUrl: 'https://dev.incidents.example.com',
    hostedLoginPrefix: 'incidents-dev',
    clients: [administrator],
    slaMinutes,
    loopbackReceivers: 'refused',
    logRetention: RetentionDays.TWO_WEEKS,
    removalPolicy: RemovalPolicy.DESTROY,
  },
  prod: {
    name: 'prod',
    serviceInstance: 'prod',
    serviceDomain: 'incidents.example.com',
    publicUrl: 'https://incidents.example.com',
    hostedLoginPrefix: 'incidents',
    clients: [administrator],
    slaMinutes,
    loopbackReceivers: 'refused',
    logRetention: RetentionDays.ONE_YEAR,
    removalPolicy: RemovalPolicy.RETAIN,
  },
} as const satisfies Record<string, Environment>;

export function environmentNamed(name: string): Environment {
  const environment = (environments as Record<string, Environment>)[name];
  if (environment) return environment;
  throw new Error(`there is no environment "${name}"; there are ${Object.keys(environments).join(', ')}`);
}
