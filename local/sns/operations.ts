// Which permission each SNS operation needs, and its input read from a form.
import { AwsError } from '../aws/error.ts';
import type { Access, Input } from '../aws/service.ts';
import { invalidParameter } from './message.ts';
import type { Form } from './query-protocol.ts';

export function accessOf(operation: string, input: Input): Access[] {
  if (operation === 'ListTopics') return [{ action: 'sns:ListTopics', resource: '*' }];
  if (operation !== 'Publish' && operation !== 'PublishBatch') {
    throw new AwsError('InvalidAction', `The local runtime does not implement the SNS operation ${operation}.`);
  }
  if (input.PhoneNumber !== undefined) throw invalidParameter('PhoneNumber Reason: the local runtime sends no SMS');
  const topic = input.TopicArn ?? input.TargetArn;
  if (typeof topic !== 'string') {
    throw invalidParameter('TopicArn or TargetArn Reason: no value for required parameter');
  }
  return [{ action: 'sns:Publish', resource: topic }];
}

export function readInput(form: Form): Input {
  const entries = form.list('PublishBatchRequestEntries.member').map((entry) => readFields(entry));
  return { ...readFields(form), ...(entries.length > 0 ? { PublishBatchRequestEntries: entries } : {}) };
}

function readFields(form: Form): Record<string, unknown> {
  const names = ['Id', 'TopicArn', 'TargetArn', 'PhoneNumber', 'Message', 'Subject', 'MessageStructure'];
  const fields: Record<string, unknown> = {};
  for (const name of names) if (form.get(name) !== undefined) fields[name] = form.get(name);
  const attributes = form.list('MessageAttributes.entry').map((entry) => {
    const binary = entry.get('Value.BinaryValue');
    return [
      entry.get('Name'),
      {
        DataType: entry.get('Value.DataType'),
        ...(binary === undefined ? { StringValue: entry.get('Value.StringValue') } : { BinaryValue: binary }),
      },
    ];
  });
  return attributes.length > 0 ? { ...fields, MessageAttributes: Object.fromEntries(attributes) } : fields;
}
