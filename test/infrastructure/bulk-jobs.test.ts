import { listStatements, prod, resources } from './stack.ts';

const queues = resources(prod, 'AWS::SQS::Queue');
const [queueId, { Properties: queue }] = queues.find(([id]) => id.startsWith('BulkJobsQueue'))!;
const [deadLettersId] = queues.find(([id]) => id.startsWith('BulkJobsDeadLetters'))!;
const worker = resources(prod, 'AWS::Lambda::Function').find(
  ([, { Properties }]) => Properties.Handler === 'run-jobs.handler',
)![1].Properties;

describe('bulk jobs', () => {
  it('sends a message to the dead-letter queue after five deliveries, and raises an alarm', () => {
    expect(queue.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLettersId, 'Arn'] },
      maxReceiveCount: 5,
    });
    expect(worker.Environment).toMatchObject({ Variables: { JOB_DELIVERIES: '5' } });
    const alarms = resources(prod, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const alarm = alarms.find(({ Dimensions }) => JSON.stringify(Dimensions).includes(deadLettersId));
    expect(alarm).toMatchObject({ MetricName: 'ApproximateNumberOfMessagesVisible', Threshold: 1 });
  });

  it("has a visibility timeout of six times the worker's timeout", () => {
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Number(worker.Timeout));
  });

  it('delivers one job at a time to a few workers, and reports failures per message', () => {
    const mappings = resources(prod, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
    const mapping = mappings.find(({ EventSourceArn }) => JSON.stringify(EventSourceArn).includes(queueId));
    expect(mapping).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
  });

  it('encrypts messages', () => {
    for (const [, { Properties }] of queues) expect(Properties.SqsManagedSseEnabled).toBe(true);
    prod.resourceCountIs('AWS::SQS::QueuePolicy', queues.length);
  });

  it('lets only the bulk request and the redrive send messages', () => {
    const mayUse = (handler: string, action: string) =>
      listStatements(prod, handler).some(({ Action }) => [Action].flat().includes(action));
    expect(['bulk-incidents', 'redrive-jobs'].map((name) => mayUse(name, 'sqs:SendMessage'))).toEqual([true, true]);
    expect(['run-jobs', 'get-job', 'create-incident'].map((name) => mayUse(name, 'sqs:SendMessage'))).toEqual([
      false,
      false,
      false,
    ]);
    expect(mayUse('run-jobs', 'sqs:ReceiveMessage')).toBe(true);
    expect(mayUse('bulk-incidents', 'sqs:ReceiveMessage')).toBe(false);
  });
});
