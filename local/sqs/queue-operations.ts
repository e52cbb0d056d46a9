// The part of the SQS API that is about queues rather than messages.
import type { Input } from '../aws/service.ts';
import type { SqsCore } from './core.ts';
import { invalidValue, sqsError } from './error.ts';
import { checkQueueName, isNumberSetting, type Queue, queueArn, queueUrl, readSettings } from './queue.ts';

const purgePauseMs = 60_000;

export function queueOperations(core: SqsCore, queueOf: (input: Input) => Queue) {
  const { queues, environment, clock } = core;
  const purgedMs = new Map<string, number>();
  return {
    async GetQueueUrl(input: Input) {
      return { QueueUrl: queueUrl(queues.get(queueArn(input.QueueName, environment)).name, environment) };
    },
    async ListQueues(input: Input) {
      const prefix = String(input.QueueNamePrefix ?? '');
      const found = queues.all().filter((queue) => queue.name.startsWith(prefix));
      const from = Number(input.NextToken ?? 0);
      const page = found.slice(from, from + Number(input.MaxResults ?? 1000));
      if (page.length === 0) return {};
      return {
        QueueUrls: page.map((queue) => queueUrl(queue.name, environment)),
        ...(from + page.length < found.length ? { NextToken: String(from + page.length) } : {}),
      };
    },
    async CreateQueue(input: Input) {
      checkQueueName(input.QueueName);
      const settings = readSettings(input.Attributes ?? {});
      const existing = queues.find(queueArn(input.QueueName, environment));
      if (existing) checkSame(existing, input.Attributes ?? {}, settings);
      else queues.put(input.QueueName, settings, clock.now());
      return { QueueUrl: queueUrl(input.QueueName, environment) };
    },
    async DeleteQueue(input: Input) {
      const queue = queueOf(input);
      await core.storage.write(() => core.messages.purge(queue));
      queues.remove(queue);
      return {};
    },
    async GetQueueAttributes(input: Input) {
      return selectAttributes(core, queueOf(input), input.AttributeNames ?? []);
    },
    async SetQueueAttributes(input: Input) {
      const queue = queueOf(input);
      const settings = readSettings(input.Attributes ?? {}, queue.settings);
      const target = settings.RedrivePolicy?.deadLetterTargetArn;
      if (target && !queues.find(target)) {
        throw invalidValue(
          `Value ${JSON.stringify(settings.RedrivePolicy)} for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist.`,
        );
      }
      queues.put(queue.name, settings, clock.now());
      return {};
    },
    async PurgeQueue(input: Input) {
      const queue = queueOf(input);
      if (clock.now() - (purgedMs.get(queue.arn) ?? Number.NEGATIVE_INFINITY) < purgePauseMs) {
        throw sqsError(
          'PurgeQueueInProgress',
          `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`,
        );
      }
      await core.storage.write(() => core.messages.purge(queue));
      purgedMs.set(queue.arn, clock.now());
      return {};
    },
  };
}

function checkSame(existing: Queue, given: Record<string, unknown>, settings: Queue['settings']): void {
  for (const name of Object.keys(given)) {
    const same =
      isNumberSetting(name) || name === 'RedrivePolicy'
        ? JSON.stringify(existing.settings[name]) === JSON.stringify(settings[name])
        : true;
    if (same) continue;
    throw sqsError(
      'QueueNameExists',
      `A queue already exists with the same name and a different value for attribute ${name}`,
    );
  }
}

function selectAttributes(core: SqsCore, queue: Queue, names: readonly string[]) {
  const { visible, inFlight, delayed } = core.messages.counts(queue, core.clock.now());
  const { RedrivePolicy, ...numbers } = queue.settings;
  const all: Record<string, string> = {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    CreatedTimestamp: String(Math.floor(queue.createdMs / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedMs / 1000)),
    SqsManagedSseEnabled: 'false',
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    ...(RedrivePolicy ? { RedrivePolicy: JSON.stringify(RedrivePolicy) } : {}),
  };
  const unset = ['Policy', 'RedrivePolicy', 'RedriveAllowPolicy', 'KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds'];
  const unknown = names.find((name) => name !== 'All' && !(name in all) && !unset.includes(name));
  if (unknown) throw sqsError('InvalidAttributeName', `Unknown Attribute ${unknown}.`);
  const wanted = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name));
  return wanted.length > 0 ? { Attributes: Object.fromEntries(wanted) } : {};
}
