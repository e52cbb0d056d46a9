import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { EventLog } from './event-log.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import { matching, type Records } from './records.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

export interface EventPipelineProps {
  functions: Functions;
  records: Records;
  eventLog: EventLog;
  webhookDelivery: WebhookDelivery;
}

/** From the stream of committed writes to the feed of events and the queue of deliveries. */
export class EventPipeline extends Construct {
  /** Entries of the stream that could not be understood or published, or that nobody managed to handle within a day. */
  readonly putAside: Queue;
  readonly emitter: ServiceFunction;

  constructor(scope: Construct, id: string, props: EventPipelineProps) {
    super(scope, id);
    const { functions, records, eventLog, webhookDelivery } = props;
    this.putAside = new Queue(this, 'PutAside', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.putAside).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is where things are put aside: nobody works off its messages but people.',
    });
    this.emitter = functions.create({
      name: 'emit-events',
      capability: 'events',
      description: 'Names the events of committed writes, numbers them, queues their deliveries and notifies people.',
      timeoutSeconds: 60,
    });
    records.grantGet(this.emitter);
    records.grantQuery(this.emitter);
    records.grantWrite(this.emitter);
    eventLog.grantWrite(this.emitter);
    webhookDelivery.grantQueue(this.emitter);
    webhookDelivery.grantPublish(this.emitter);
    this.emitter.grant(['sqs:SendMessage'], [this.putAside.queueArn], { PUT_ASIDE_QUEUE_URL: this.putAside.queueUrl });
    new CfnEventSourceMapping(this, 'Stream', {
      functionName: this.emitter.lambda.functionName,
      eventSourceArn: records.grantReadStream(this.emitter),
      // A write that committed always emits: from the first one on, in order, and as often as it takes.
      startingPosition: 'TRIM_HORIZON',
      batchSize: 100,
      bisectBatchOnFunctionError: true,
      maximumRetryAttempts: -1,
      maximumRecordAgeInSeconds: -1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      destinationConfig: { onFailure: { destination: this.putAside.queueArn } },
      // Records, new notes, notifications to publish, and API keys for the audit log; nothing else in the table makes calls.
      filterCriteria: matching(
        { dynamodb: { Keys: { sk: { S: ['#'] } } } },
        { eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['notification', 'note'] } } } },
        { dynamodb: { Keys: { pk: { S: ['api-keys'] } }, NewImage: { state: { S: ['active', 'revoking'] } } } },
      ),
    });
  }
}
