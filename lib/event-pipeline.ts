import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { EventLog } from './event-log.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Messages } from './messages.ts';
import type { Pages } from './pages.ts';
import { filterStream, type Records } from './records.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

export interface EventPipelineProps {
  functions: Functions;
  records: Records;
  eventLog: EventLog;
  webhookDelivery: WebhookDelivery;
  messages: Messages;
  /** What was learned of records is indexed elsewhere, too. */
  hasSearch: boolean;
  pages: Pages;
}

/** Turns the stream of committed writes into the event feed and the delivery queue. */
export class EventPipeline extends Construct {
  /** Stream records that can never be processed, or that were not processed within a day. */
  readonly deadLetterQueue: Queue;
  readonly emitter: ServiceFunction;

  constructor(scope: Construct, id: string, props: EventPipelineProps) {
    super(scope, id);
    const { functions, records, eventLog, webhookDelivery, hasSearch, pages } = props;
    // The logical id of a deployed queue cannot change.
    this.deadLetterQueue = new Queue(this, 'PutAside', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is a dead-letter queue itself; people process its messages.',
    });
    this.emitter = functions.create({
      name: 'emit-events',
      capability: 'events',
      description: 'Emits events for committed writes, queues webhook deliveries, starts pages and notifies people.',
      timeoutSeconds: 60,
    });
    records.grantBatchGet(this.emitter);
    records.grantGet(this.emitter);
    records.grantQuery(this.emitter);
    records.grantWrite(this.emitter);
    eventLog.grantAppend(this.emitter);
    webhookDelivery.grantQueue(this.emitter);
    webhookDelivery.grantPublish(this.emitter);
    props.messages.grantRequest(this.emitter);
    pages.grantStart(this.emitter);
    this.grantDeadLetters(this.emitter);
    new CfnEventSourceMapping(this, 'Stream', {
      functionName: this.emitter.lambda.functionName,
      eventSourceArn: records.grantReadStream(this.emitter),
      // Every committed write emits its events, in order: start with the first record and retry without limit.
      startingPosition: 'TRIM_HORIZON',
      batchSize: 100,
      bisectBatchOnFunctionError: true,
      maximumRetryAttempts: -1,
      maximumRecordAgeInSeconds: -1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      destinationConfig: { onFailure: { destination: this.deadLetterQueue.queueArn } },
      // Records, new notes, notifications to publish, and API keys for the audit log. Other items do not invoke the function.
      filterCriteria: filterStream(
        { dynamodb: { Keys: { sk: { S: ['#'] } } } },
        { eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['notification', 'note'] } } } },
        { dynamodb: { Keys: { pk: { S: ['api-keys'] } }, NewImage: { state: { S: ['active', 'revoking'] } } } },
        ...(hasSearch ? [{ dynamodb: { NewImage: { type: { S: ['learned'] } } } }] : []),
      ),
    });
  }

  grantDeadLetters(consumer: ServiceFunction): void {
    const { queueArn, queueUrl } = this.deadLetterQueue;
    consumer.grant(['sqs:SendMessage'], [queueArn], { DEAD_LETTER_QUEUE_URL: queueUrl });
  }
}
