import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { EventLog } from './event-log.ts';
import type { ServiceFunction } from './functions.ts';

// Messages to people: a queue of requests, and a worker that sends them by e-mail, SMS or chat.

export interface MessagesProps {
  eventLog: EventLog;
}

/** SQS then moves the message to the dead-letter queue. */
const maxReceives = 5;

/** Providers have ten seconds; the rest is for reading rules and storing results. */
const workerSeconds = 30;

export class Messages extends Construct {
  readonly deadLetters: Queue;
  private readonly queue: Queue;
  private readonly props: MessagesProps;

  constructor(scope: Construct, id: string, props: MessagesProps) {
    super(scope, id);
    this.props = props;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // As AWS recommends, the visibility timeout is six times the timeout of the worker.
      visibilityTimeout: Duration.seconds(6 * workerSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
  }

  /** Allows requesting messages (`createMessages`). */
  grantRequest(fn: ServiceFunction): void {
    fn.grant(['sqs:SendMessage'], [this.queue.queueArn], { MESSAGES_QUEUE_URL: this.queue.queueUrl });
  }

  /** Allows reading what was sent about a record (`listMessageLog`). */
  grantReadLog(fn: ServiceFunction): void {
    this.props.eventLog.grantQuery(fn);
  }
}
