// The queues of the template: their names, addresses and settings.
import { createHash } from 'node:crypto';
import type { Properties, Resource, StackEnvironment } from '../template/resource-type.ts';
import { assertSupported } from '../template/template.ts';
import { queueNotFoundError } from './error.ts';

export interface RedrivePolicy {
  deadLetterTargetArn: string;
  maxReceiveCount: number;
}

export interface QueueSettings {
  VisibilityTimeout: number;
  MessageRetentionPeriod: number;
  DelaySeconds: number;
  RedrivePolicy?: RedrivePolicy;
}

export interface Queue {
  name: string;
  arn: string;
  settings: QueueSettings;
}

export const maxMessageBytes = 1_048_576;

const ranges = {
  VisibilityTimeout: { min: 0, max: 43_200, default: 30 },
  MessageRetentionPeriod: { min: 60, max: 1_209_600, default: 345_600 },
  DelaySeconds: { min: 0, max: 900, default: 0 },
};

export class Queues {
  private readonly byArn = new Map<string, Queue>();

  /** Throws an error that lists all unsupported features. */
  load(resources: readonly Resource[]): void {
    const problems: string[] = [];
    const declared = resources.filter(({ type }) => type === 'AWS::SQS::Queue');
    for (const { logicalId, properties, attributes } of declared) {
      try {
        const { QueueName: name, Arn: arn } = attributes as { QueueName: string; Arn: string };
        if (!/^[\w-]{1,80}$/.test(name)) throw new Error(`${name} is not a valid name of a standard queue`);
        this.byArn.set(arn, { name, arn, settings: readSettings(properties) });
      } catch (error) {
        problems.push(`${logicalId}: ${(error as Error).message}`);
      }
    }
    for (const { name, settings } of this.byArn.values()) {
      const target = settings.RedrivePolicy?.deadLetterTargetArn;
      if (target && !this.byArn.has(target)) problems.push(`${name}: the dead-letter queue ${target} is unknown`);
    }
    assertSupported('SQS', problems);
  }

  get(arn: string): Queue {
    const queue = this.byArn.get(arn);
    if (!queue) throw queueNotFoundError();
    return queue;
  }

  /** Sorted by name. */
  list(): Queue[] {
    return [...this.byArn.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

export function toQueueName(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  if (typeof properties.QueueName === 'string') return properties.QueueName;
  const name = `${stackName}-${logicalId}`;
  if (name.length <= 80) return name;
  return `${name.slice(0, 67)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

export function toQueueArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:sqs:${region}:${accountId}:${name}`;
}

export function toQueueUrl(name: string, { awsUrl, accountId }: StackEnvironment): string {
  return `${awsUrl}/${accountId}/${name}`;
}

/** Ignores host and port, because callers may reach this machine by another name. */
export function parseQueueUrl(url: unknown, environment: StackEnvironment): string {
  const [name, account] = String(url).replace(/\/+$/, '').split('/').reverse();
  if (!name || account !== environment.accountId) throw queueNotFoundError();
  return toQueueArn(name, environment);
}

function readSettings(properties: Properties): QueueSettings {
  const { RedrivePolicy } = properties;
  const settings = Object.entries(ranges).map(([name, { min, max, default: defaultValue }]) => {
    const value = Number(properties[name] ?? defaultValue);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new Error(`${name} must be an integer from ${min} to ${max}`);
    }
    return [name, value];
  });
  return {
    ...Object.fromEntries(settings),
    ...(RedrivePolicy === undefined ? {} : { RedrivePolicy: readRedrivePolicy(RedrivePolicy) }),
  };
}

function readRedrivePolicy({ deadLetterTargetArn, maxReceiveCount }: Properties): RedrivePolicy {
  const max = Number(maxReceiveCount);
  if (!Number.isInteger(max) || max < 1 || max > 1000) throw new Error('maxReceiveCount must be from 1 to 1000');
  return { deadLetterTargetArn: String(deadLetterTargetArn), maxReceiveCount: max };
}
