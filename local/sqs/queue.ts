// What a queue is: its name, its address, and the attributes that change how it behaves.
import { createHash } from 'node:crypto';
import type { StackEnvironment } from '../template/resource-type.ts';
import { invalidValue, queueDoesNotExist, sqsError } from './error.ts';

export interface RedrivePolicy {
  deadLetterTargetArn: string;
  maxReceiveCount: number;
}

export interface QueueSettings {
  VisibilityTimeout: number;
  MessageRetentionPeriod: number;
  DelaySeconds: number;
  ReceiveMessageWaitTimeSeconds: number;
  MaximumMessageSize: number;
  RedrivePolicy?: RedrivePolicy;
}

export interface Queue {
  name: string;
  arn: string;
  settings: QueueSettings;
  createdMs: number;
  modifiedMs: number;
}

type NumberSetting = Exclude<keyof QueueSettings, 'RedrivePolicy'>;

export const largestMessageBytes = 1_048_576;

const ranges: Record<NumberSetting, { least: number; most: number; usual: number }> = {
  VisibilityTimeout: { least: 0, most: 43_200, usual: 30 },
  MessageRetentionPeriod: { least: 60, most: 1_209_600, usual: 345_600 },
  DelaySeconds: { least: 0, most: 900, usual: 0 },
  ReceiveMessageWaitTimeSeconds: { least: 0, most: 20, usual: 0 },
  MaximumMessageSize: { least: 1024, most: largestMessageBytes, usual: largestMessageBytes },
};

/** Attributes that AWS knows and that change nothing here; CreateQueue and SetQueueAttributes take them. */
const idle = new Set([
  'Policy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'SqsManagedSseEnabled',
  'RedriveAllowPolicy',
]);

export function queueName(logicalId: string, given: unknown, environment: StackEnvironment): string {
  if (typeof given === 'string') return given;
  const name = `${environment.stackName}-${logicalId}`;
  if (name.length <= 80) return name;
  return `${name.slice(0, 67)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

export function queueArn(name: string, environment: StackEnvironment): string {
  return `arn:aws:sqs:${environment.region}:${environment.accountId}:${name}`;
}

export function queueUrl(name: string, environment: StackEnvironment): string {
  return `${environment.awsUrl}/${environment.accountId}/${name}`;
}

/** Host and port may be whatever the caller reaches this machine by; account and name decide. */
export function queueArnOfUrl(url: unknown, environment: StackEnvironment): string {
  const [name, account] = String(url).replace(/\/+$/, '').split('/').reverse();
  if (!name || account !== environment.accountId) throw queueDoesNotExist();
  return queueArn(name, environment);
}

export function checkQueueName(name: unknown): asserts name is string {
  if (typeof name === 'string' && name.endsWith('.fifo')) throw noFifo();
  if (typeof name !== 'string' || !/^[\w-]{1,80}$/.test(name)) {
    throw invalidValue('Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length');
  }
}

/** Reads attributes as the API or a template gives them over the settings a queue already has. */
export function readSettings(given: Record<string, unknown>, before?: QueueSettings): QueueSettings {
  const settings: QueueSettings = { ...(before ?? usualSettings()) };
  for (const [name, value] of Object.entries(given)) {
    if (isNumberSetting(name)) settings[name] = readNumber(name, value);
    else if (name === 'RedrivePolicy') applyRedrivePolicy(settings, value);
    else if (name === 'FifoQueue' && String(value) === 'false') continue;
    else if (name === 'FifoQueue') throw noFifo();
    else if (!idle.has(name)) throw sqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
  }
  return settings;
}

export function isNumberSetting(name: string): name is NumberSetting {
  return Object.hasOwn(ranges, name);
}

function usualSettings(): QueueSettings {
  const entries = Object.entries(ranges).map(([name, range]) => [name, range.usual]);
  return Object.fromEntries(entries) as unknown as QueueSettings;
}

function readNumber(name: NumberSetting, value: unknown): number {
  const { least, most } = ranges[name];
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw sqsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
  }
  return number;
}

function applyRedrivePolicy(settings: QueueSettings, value: unknown): void {
  if (value === '') {
    delete settings.RedrivePolicy;
    return;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const refuse = (reason: string) =>
    invalidValue(`Value ${text} for parameter RedrivePolicy is invalid. Reason: ${reason}`);
  let policy: Partial<RedrivePolicy>;
  try {
    policy = JSON.parse(text);
  } catch {
    throw refuse('Redrive policy is not a valid JSON map.');
  }
  if (!/^arn:[^:]+:sqs:[^:]+:\d{12}:.+$/.test(String(policy.deadLetterTargetArn))) {
    throw refuse('Invalid value for deadLetterTargetArn.');
  }
  const maxReceiveCount = Number(policy.maxReceiveCount);
  if (!Number.isInteger(maxReceiveCount) || maxReceiveCount < 1 || maxReceiveCount > 1000) {
    throw refuse('Invalid value for maxReceiveCount: must be between 1 and 1000.');
  }
  settings.RedrivePolicy = { deadLetterTargetArn: String(policy.deadLetterTargetArn), maxReceiveCount };
}

function noFifo() {
  return sqsError('UnsupportedOperation', 'The local runtime has standard queues only; FIFO queues are not supported.');
}
