import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { environments } from '../../lib/environments.ts';
import { inlineStatements, listProperties, listStatements, prod, resources } from './stack.ts';

const queues = resources(prod, 'AWS::SQS::Queue');
const [queueId, { Properties: queue }] = queues.find(([id]) => id.startsWith('BulkJobsQueue'))!;
const [deadLettersId] = queues.find(([id]) => id.startsWith('BulkJobsDeadLetters'))!;
const worker = resources(prod, 'AWS::Lambda::Function').find(
  ([, { Properties }]) => Properties.Handler === 'run-jobs.handler',
)![1].Properties;

describe('bulk jobs', () => {
  it('moves a message to the dead-letter queue after five deliveries, and raises an alarm', () => {
    expect(queue.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLettersId, 'Arn'] },
      maxReceiveCount: 5,
    });
    const alarms = listProperties(prod, 'AWS::CloudWatch::Alarm');
    const alarm = alarms.find(({ Dimensions }) => JSON.stringify(Dimensions ?? []).includes(deadLettersId));
    expect(alarm).toMatchObject({ MetricName: 'ApproximateNumberOfMessagesVisible', Threshold: 1 });
  });

  it("has a visibility timeout of six times the worker's timeout", () => {
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Number(worker.Timeout));
  });

  it('delivers one chunk at a time to a few workers, and reports failures per message', () => {
    const mappings = listProperties(prod, 'AWS::Lambda::EventSourceMapping');
    const mapping = mappings.find(({ EventSourceArn }) => JSON.stringify(EventSourceArn).includes(queueId));
    expect(mapping).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  it('encrypts messages', () => {
    for (const [, { Properties }] of queues) expect(Properties.SqsManagedSseEnabled).toBe(true);
    prod.resourceCountIs('AWS::SQS::QueuePolicy', queues.length);
  });

  it('are executions that send their chunks to the queue, so that many jobs do not start many functions', () => {
    const [id, { Properties }] = resources(prod, 'AWS::StepFunctions::StateMachine').find(([id]) =>
      id.startsWith('BulkJobs'),
    )!;
    const definition = JSON.stringify(Properties.DefinitionString);
    expect(definition).toContain('sqs:sendMessage.waitForTaskToken');
    expect(definition).not.toContain('lambda:');
    const [, role] = resources(prod, 'AWS::IAM::Role').find(([id]) => id.startsWith('BulkJobsMachineRole'))!;
    expect(inlineStatements(role.Properties)).toEqual([
      { Action: 'sqs:SendMessage', Effect: 'Allow', Resource: { 'Fn::GetAtt': [queueId, 'Arn'] } },
    ]);
    const alarm = listProperties(prod, 'AWS::CloudWatch::Alarm').find(({ Dimensions }) =>
      JSON.stringify(Dimensions ?? []).includes(id),
    );
    expect(alarm).toMatchObject({ MetricName: 'ExecutionsFailed', Threshold: 1, EvaluationPeriods: 1 });
  });

  it('lets only bulk requests send messages, and only workers receive them and report to executions', () => {
    const mayUse = (handler: string, action: string) =>
      listStatements(prod, handler).some(({ Action }) => [Action].flat().includes(action));
    expect(['bulk-incidents', 'bulk-cis'].map((name) => mayUse(name, 'sqs:SendMessage'))).toEqual([true, true]);
    expect(['run-jobs', 'get-job', 'create-incident'].map((name) => mayUse(name, 'sqs:SendMessage'))).toEqual([
      false,
      false,
      false,
    ]);
    expect(mayUse('run-jobs', 'sqs:ReceiveMessage')).toBe(true);
    expect(mayUse('run-jobs', 'states:SendTaskSuccess')).toBe(true);
    for (const action of ['sqs:ReceiveMessage', 'states:SendTaskSuccess'])
      expect(mayUse('bulk-incidents', action)).toBe(false);
  });
});

const toId = (type: string, start: string) => resources(prod, type).find(([id]) => id.startsWith(start))![0];

describe('webhook delivery', () => {
  it('limits the workers of each queue', () => {
    const mappings = listProperties(prod, 'AWS::Lambda::EventSourceMapping');
    for (const queue of ['WebhookDeliveryQueue', 'WebhookDeliverySlowQueue', 'WebhookDeliveryRetryQueue']) {
      const id = toId('AWS::SQS::Queue', queue);
      const mapping = mappings.find(({ EventSourceArn }) => JSON.stringify(EventSourceArn).includes(id));
      expect(mapping).toMatchObject({ ScalingConfig: { MaximumConcurrency: expect.any(Number) } });
    }
  });

  it('starts later attempts by message, so that thousands of them do not start thousands of functions', () => {
    const id = toId('AWS::StepFunctions::StateMachine', 'WebhookDelivery');
    const [, machine] = resources(prod, 'AWS::StepFunctions::StateMachine').find(([each]) => each === id)!;
    const definition = JSON.stringify(machine.Properties.DefinitionString);
    expect(definition).toContain('sqs:sendMessage');
    expect(definition).not.toContain('lambda:');
    const statements = JSON.stringify(
      resources(prod, 'AWS::IAM::Role').find(([id]) => id.startsWith('WebhookDeliveryMachineRole')),
    );
    expect(statements).toContain('"Action":"sqs:SendMessage"');
    expect(statements).not.toContain('lambda:InvokeFunction');
  });
});

describe('lists', () => {
  it('keep snapshots private and encrypted with the key of the records', () => {
    const buckets = resources(prod, 'AWS::S3::Bucket').map(([id, { Properties }]) => [id, Properties] as const);
    expect(buckets.find(([id]) => id.startsWith('ListSnapshots'))?.[1]).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } },
        ],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it('write a snapshot every five minutes', () => {
    const schedules = listProperties(prod, 'AWS::Scheduler::Schedule');
    const writers = schedules.filter(({ Target }) => JSON.stringify(Target).includes('WriteListSnapshots'));
    expect(writers).toMatchObject([{ ScheduleExpression: 'rate(5 minutes)' }]);
  });

  it('read only the feed of the index', () => {
    for (const handler of ['list-incidents', 'write-list-snapshots']) {
      const queries = listStatements(prod, handler).filter(({ Action }) => [Action].flat().includes('dynamodb:Query'));
      expect(queries).toHaveLength(1);
      expect(JSON.stringify(queries[0]!.Resource)).toContain('/index/feed');
    }
  });

  it('use the key of the records only through DynamoDB and S3', () => {
    const uses = listStatements(prod, 'list-incidents').filter(({ Action }) => [Action].flat().includes('kms:Decrypt'));
    expect(uses).toHaveLength(2);
    for (const { Condition } of uses) expect(JSON.stringify(Condition)).toMatch(/kms:ViaService.*"(dynamodb|s3)\./);
  });
});

describe('attachments', () => {
  const findBucket = (template: typeof prod) =>
    resources(template, 'AWS::S3::Bucket').find(([id]) => id.startsWith('Attachments'))![1];

  it('are private, encrypted and versioned, and uploads expire after a day', () => {
    expect(findBucket(prod).Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } }],
      },
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: expect.arrayContaining([expect.objectContaining({ Prefix: 'uploads/', ExpirationInDays: 1 })]),
      },
    });
    expect(findBucket(prod).DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('let each operation use only the prefix that it needs', () => {
    const listObjects = (handler: string) =>
      listStatements(prod, handler)
        .filter(({ Action }) => [Action].flat().some((action) => /^s3:.*Object$/.test(action)))
        .map(({ Action, Resource }) => [Action, JSON.stringify(Resource).match(/(uploads|files)\/\*/g)]);
    expect(listObjects('create-attachment')).toEqual([['s3:PutObject', ['uploads/*']]]);
    expect(listObjects('get-attachment')).toEqual([['s3:GetObject', ['files/*']]]);
    expect(listObjects('learn-from-records')).toContainEqual(['s3:DeleteObject', ['files/*']]);
  });
});

const schedules = listProperties(prod, 'AWS::Scheduler::Schedule');

describe('service levels', () => {
  it('are swept every minute', () => {
    const sweeps = schedules.filter(({ Target }) => JSON.stringify(Target).includes('SweepSla'));
    expect(sweeps).toHaveLength(1);
    expect(sweeps[0]).toMatchObject({ ScheduleExpression: 'rate(1 minute)', FlexibleTimeWindow: { Mode: 'OFF' } });
  });

  it('come from the settings of the environment', () => {
    const functions = listProperties(prod, 'AWS::Lambda::Function');
    for (const handler of ['sweep-sla', 'create-incident', 'update-incident', 'get-incident-sla', 'run-jobs']) {
      const { Environment } = functions.find(({ Handler }) => Handler === `${handler}.handler`)!;
      const { SLA_MINUTES } = (Environment as { Variables: Record<string, string> }).Variables;
      expect(JSON.parse(SLA_MINUTES!)).toEqual(environments.prod.slaMinutes);
    }
  });

  it('are found by a keys-only index', () => {
    const tables = listProperties(prod, 'AWS::DynamoDB::Table');
    const found = tables.flatMap(
      ({ GlobalSecondaryIndexes = [] }) => GlobalSecondaryIndexes as { IndexName: string }[],
    );
    expect(found.find(({ IndexName }) => IndexName === 'due')).toMatchObject({
      Projection: { ProjectionType: 'KEYS_ONLY' },
    });
    const queries = listStatements(prod, 'sweep-sla').filter(({ Action }) =>
      [Action].flat().includes('dynamodb:Query'),
    );
    // The feed is read after a change of the SLA minutes only.
    const indexes = queries.map(({ Resource }) => /index\/(\w+)/.exec(JSON.stringify(Resource))?.[1]);
    expect(indexes).toEqual(['due', 'feed']);
  });

  it('lets the schedules invoke only their own functions', () => {
    const roles = resources(prod, 'AWS::IAM::Role').filter(([, { Properties }]) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes('scheduler.amazonaws.com'),
    );
    expect(roles).toHaveLength(1);
    const statements = inlineStatements(roles[0]![1].Properties);
    for (const { Action } of statements) expect(Action).toBe('lambda:InvokeFunction');
    const targets = schedules.map(({ Target }) => (Target as { Arn: unknown }).Arn);
    expect(statements.map(({ Resource }) => Resource)).toEqual(expect.arrayContaining(targets));
    expect(statements).toHaveLength(targets.length);
  });
});

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const operations = { ...inboundWebhookOperations, ...inboundEventOperations };
const handlers = Object.keys(operations).map(kebabCase);

/** What a function may do with the key that seals secrets. */
function secretActions(handler: string): { action: string; condition: unknown }[] {
  const [secrets] = resources(prod, 'AWS::KMS::Key').find(([id]) => id.startsWith('Secrets'))!;
  return listStatements(prod, handler)
    .filter(({ Resource }) => JSON.stringify(Resource).includes(secrets))
    .flatMap(({ Action, Condition }) => [Action].flat().map((action) => ({ action, condition: Condition })));
}

describe('secrets of webhooks', () => {
  it("are encrypted with a rotating key that differs from the table's key", () => {
    const keys = resources(prod, 'AWS::KMS::Key');
    expect(keys.map(([, { Properties }]) => Properties.EnableKeyRotation)).toEqual(keys.map(() => true));
    expect(keys.length).toBeGreaterThanOrEqual(2);
  });

  it('can be decrypted only by the functions that verify and create signatures', () => {
    const readers = handlers.filter((handler) => secretActions(handler).some(({ action }) => action === 'kms:Decrypt'));
    expect(readers.sort()).toEqual(['create-inbound-webhook', 'receive-inbound-event']);
  });

  it.each(handlers)('are limited to inbound webhooks for %s', (handler) => {
    for (const { action, condition } of secretActions(handler)) {
      expect(['kms:Encrypt', 'kms:Decrypt']).toContain(action);
      expect(condition).toEqual({ StringLike: { 'kms:EncryptionContext:record_id': 'wh_in_*' } });
    }
  });
});

describe('the receiving address', () => {
  it('is the only operation on inbound webhooks without a token', () => {
    const open = Object.values(operations).filter(({ access }) => (access as string) === 'public');
    expect(open.map(({ name }) => name)).toEqual(['receiveInboundEvent']);
  });
});
