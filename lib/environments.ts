import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { CatalogItem } from '../contract/requests.ts';
import type { Role } from '../contract/roles.ts';
import type { SingleSignOn } from '../contract/single-sign-on.ts';
import type { Priority } from '../contract/states.ts';
import { getLanguageModels, type LanguageModels } from './language-models.ts';

// Everything that differs between one deployment of the stack and another. lib/configuration.ts overrides it with options.
export interface Environment {
  name: string;
  /** Names this instance in webhook payloads, in /health and among other deployments of the account. */
  serviceInstance: string;
  /** The host name that people use, and its certificate; absent: CloudFront's own host name. */
  domain?: { name: string; certificateArn: string };
  /** The first account. It gets a temporary password by e-mail and the role super_admin. */
  adminEmail?: string;
  /** Receives alarms. */
  alarmEmail?: string;
  /** Receives what the service's topic publishes: new incidents, service levels and failed webhooks. */
  notificationEmail?: string;
  /** The ARN of a backup vault of another account, which gets a daily copy of the tables; absent: no copies. */
  backupVault?: string;
  /** The ARN of the role of a malware scanner: files can be downloaded after it has tagged them as clean; absent: at once. */
  attachmentScan?: string;
  /** Whether a function uses the service every minute and pages people when it fails. */
  canary: boolean;
  /** Deploys at once and without regard to alarms: for a rollback or a hotfix during an outage. */
  ignoreAlarms?: boolean;
  /** Whether people must have a second factor. */
  mfa: 'optional' | 'required';
  /** The company's identity provider, or the template's parameters of one; absent: people sign in with passwords. */
  singleSignOn?: SingleSignOn | 'parameters';
  /** Cognito's detection of risky sign-ins, which is priced per person. */
  threatProtection: boolean;
  /** A web ACL in front of the gateway, which is priced per month and per request. */
  waf: boolean;
  /** Concurrent executions of all functions that the account's quota allows: 10 in a new account. */
  accountConcurrency: number;
  /** Lists and statistics come from OpenSearch; on one machine, if the template's parameter SearchEndpoint names one. */
  search?: 'opensearch';
  /** Where the address of the service comes from: the template's parameter PublicUrl, or the domain or CloudFront. */
  address: 'parameter' | 'distribution';
  /** Pages under this domain may call the API, and app clients get their addresses below it; absent: the host name. */
  serviceDomain?: string;
  /** Other web origins whose pages may call the API. On one machine they are the template's parameter CorsOrigins. */
  corsOrigins?: readonly string[];
  /** Whether the console accepts people that the directory does not have. On one machine the parameter UnknownPeople. */
  unknownPeople?: UnknownPeople;
  /** The first part of the hosted login's host name; absent: made of the instance and the account. */
  loginPrefix?: string;
  /** Programs that exist from the start, each with the scope of one role. */
  clients: readonly { name: string; role: Role }[];
  /** Minutes, round the clock, until the service-level target of each priority is breached. */
  slaMinutes: Readonly<Record<Priority, number>>;
  /** What people can choose in a service request; they may ask for other things, too. */
  requestCatalog: readonly CatalogItem[];
  /** The language model behind each name that callers use. */
  models: LanguageModels;
  /** E-mail to people: the sender and its identity in SES, or the template's parameter MailSender; absent: no e-mail. */
  mail?: { sender: string; identity: string } | 'parameter';
  /** Text messages to people, with the account's monthly spending limit; absent: no text messages. */
  textMessages?: { monthlyLimitUsd: number };
  /** Whether webhooks may deliver to the machine that the service runs on. */
  loopbackReceivers: LoopbackReceivers;
  logRetention: RetentionDays;
  /** An account pays for each dashboard after the third. */
  dashboard: boolean;
  /** What happens to tables, users, keys and logs when the stack is deleted. A failed first deployment removes them. */
  removalPolicy: RemovalPolicy;
  /** Tables and users can be deleted only after this is turned off. */
  deletionProtection: boolean;
  /** Whether a new version of functions that write first gets a tenth of the requests. */
  gradualDeployment: boolean;
}

export type UnknownPeople = 'refused' | 'allowed';

export type LoopbackReceivers = 'allowed' | 'rejected';

/** Begins the names of all stacks of an instance, and those of its resources that have a name of their own. */
export function toInstanceName({ serviceInstance }: Pick<Environment, 'serviceInstance'>): string {
  return `incidents-${serviceInstance}`;
}

const slaMinutes = { P1: 4 * 60, P2: 8 * 60, P3: 24 * 60, P4: 72 * 60 };

const requestCatalog: readonly CatalogItem[] = [
  { name: 'laptop', description: 'A laptop with dock and charger.' },
  { name: 'monitor', description: 'A 27-inch monitor with cable.' },
  { name: 'headset', description: 'A headset for calls.' },
  { name: 'phone', description: 'A mobile phone with a contract.' },
  { name: 'application access', description: 'Access to an application; name it and the reason in the description.' },
  { name: 'software licence', description: 'A licence for a product that is not installed yet.' },
  { name: 'mailbox', description: 'A shared mailbox or a distribution list.' },
  { name: 'badge', description: 'A badge for an employee or a visitor.' },
];

const models = getLanguageModels('us');

/** The model that is part of the local runtime. */
const localModel = { modelId: 'local.extractive-v1' };

const administrator = { name: 'admin', role: 'super_admin' } as const;

const oneMachine = {
  mail: 'parameter',
  address: 'parameter',
  search: 'opensearch',
  singleSignOn: 'parameters',
  mfa: 'optional',
  threatProtection: false,
  waf: false,
  // Nobody pages the people of one machine.
  canary: false,
  accountConcurrency: 1_000,
  slaMinutes,
  requestCatalog,
  models: { 'model-3-haiku': localModel, 'model-3-sonnet': localModel, 'model-3-opus': localModel },
  logRetention: RetentionDays.ONE_DAY,
  dashboard: true,
  removalPolicy: RemovalPolicy.DESTROY,
  deletionProtection: false,
  gradualDeployment: false,
} as const;

export const environments = {
  /** `npm start`: the address is a parameter, and each role has a client to try it with. */
  local: {
    name: 'local',
    serviceInstance: 'local',
    ...oneMachine,
    serviceDomain: 'incidents.localhost',
    loginPrefix: 'incidents-local',
    // They end in the outbox.
    textMessages: { monthlyLimitUsd: 1 },
    clients: [
      administrator,
      { name: 'manager', role: 'itsm_manager' },
      { name: 'agent', role: 'itsm_agent' },
      { name: 'viewer', role: 'viewer' },
    ],
    loopbackReceivers: 'allowed',
  },
  /** `npm start -- --production`: programs use API keys, and people are invited. */
  server: {
    name: 'server',
    serviceInstance: 'server',
    ...oneMachine,
    loginPrefix: 'incidents-server',
    clients: [],
    loopbackReceivers: 'rejected',
  },
  dev: {
    name: 'dev',
    serviceInstance: 'dev',
    address: 'distribution',
    mfa: 'optional',
    threatProtection: false,
    waf: false,
    canary: false,
    accountConcurrency: 10,
    clients: [administrator],
    slaMinutes,
    requestCatalog,
    models,
    loopbackReceivers: 'rejected',
    logRetention: RetentionDays.TWO_WEEKS,
    dashboard: false,
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    gradualDeployment: false,
  },
  prod: {
    name: 'prod',
    serviceInstance: 'prod',
    address: 'distribution',
    mfa: 'optional',
    threatProtection: false,
    waf: false,
    canary: true,
    accountConcurrency: 10,
    clients: [administrator],
    slaMinutes,
    requestCatalog,
    models,
    loopbackReceivers: 'rejected',
    logRetention: RetentionDays.ONE_YEAR,
    dashboard: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    deletionProtection: true,
    gradualDeployment: true,
  },
} as const satisfies Record<string, Environment>;
