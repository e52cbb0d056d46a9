import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { limitWorkers } from './concurrency.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';
import { Schedule } from './schedule.ts';

// Bulk jobs: a request stores a job and sends its id to a queue, a worker processes the records one by one, and a
// scheduled redrive resends lost messages.

export interface BulkJobsProps {
  functions: Functions;
  records: Records;
  accountConcurrency: number;
}

/** SQS then moves the message to the dead-letter queue. The worker knows the number: its last attempt fails open items. */
const maxDeliveries = 5;

/** Leaves concurrency of the account to interactive requests. */
const maxWorkers = 5;

export class BulkJobs extends Construct {
  readonly deadLetters: Queue;
  readonly worker: ServiceFunction;
  readonly redrive: ServiceFunction;
  private readonly queue: Queue;

  constructor(scope: Construct, id: string, { functions, records, accountConcurrency }: BulkJobsProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.worker = functions.create({
      name: 'run-jobs',
      capability: 'jobs',
      description: 'Processes the records of bulk jobs one by one.',
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // As AWS recommends, the visibility timeout is six times the timeout of the worker.
      visibilityTimeout: Duration.seconds(6 * this.worker.timeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxDeliveries },
    });
    this.connectWorker(records, limitWorkers(accountConcurrency, 0.01, maxWorkers));
    this.redrive = functions.create({
      name: 'redrive-jobs',
      capability: 'jobs',
      description: 'Resends lost messages of bulk jobs and fails jobs that cannot finish.',
    });
    this.connectRedrive(records);
  }

  /** Allows sending the id of a job to the workers. */
  grantSend(fn: ServiceFunction): void {
    fn.grant(['sqs:SendMessage'], [this.queue.queueArn], { JOBS_QUEUE_URL: this.queue.queueUrl });
  }

  private connectWorker(records: Records, maximumConcurrency: number): void {
    records.grantGet(this.worker);
    records.grantQuery(this.worker);
    records.grantWrite(this.worker);
    const receiving = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
    this.worker.grant(receiving, [this.queue.queueArn], { MAX_JOB_DELIVERIES: String(maxDeliveries) });
    new CfnEventSourceMapping(this, 'Messages', {
      functionName: this.worker.lambda.functionName,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency },
    });
  }

  private connectRedrive(records: Records): void {
    records.grantFindDue(this.redrive);
    records.grantGet(this.redrive);
    records.grantQuery(this.redrive);
    records.grantWrite(this.redrive);
    this.grantSend(this.redrive);
    new Schedule(this, 'EveryFiveMinutes', {
      minutes: 5,
      description: 'Redrives unfinished bulk jobs every five minutes.',
      target: this.redrive,
    });
  }
}
