import { Alias } from 'aws-cdk-lib/aws-kms';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { idFormats } from '../contract/ids.ts';
import { limitWorkers } from './concurrency.ts';
import type { LoopbackReceivers } from './environments.ts';
import type { EventLog } from './event-log.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import { createDeadLetterQueue, createWorkQueue } from './queues.ts';
import type { Records } from './records.ts';
import { retryDefinition } from './retry-definition.ts';
import { Schedule } from './schedule.ts';
import type { Secrets } from './secrets.ts';
import { createMessageMachine } from './state-machine.ts';

// Delivery of webhooks: queues whose workers make the attempts (one for slow receivers, one for retries), a state
// machine that waits longer than a queue can, and a sweep that redrives lost deliveries.

export interface WebhookDeliveryProps {
  functions: Functions;
  records: Records;
  secrets: Secrets;
  eventLog: EventLog;
  loopbackReceivers: LoopbackReceivers;
  accountConcurrency: number;
}

/** SQS then moves the message to the dead-letter queue. The delivery stays open, so the sweep sends a new message. */
const maxReceives = 5;

/** A receiver may take 30 seconds; the rest is for storing the result. */
const attemptSeconds = 45;

/**
 * A receiver that hangs blocks a batch until the timeout, but only in the slow queue. Its batches are large and collected
 * for a second, so that few functions wait for many deliveries.
 */
const workerSettings = {
  quick: { batchSize: 10, share: 0.25, maxWorkers: 250 },
  slow: { batchSize: 50, maximumBatchingWindowInSeconds: 1, share: 0.05, maxWorkers: 50 },
  /** Their receivers failed before, and after an outage all retries are due at the same time. */
  retry: { batchSize: 10, share: 0.05, maxWorkers: 50 },
};

export const webhookIds = idFormats.outboundWebhook.prefix;

export class WebhookDelivery extends Construct {
  readonly deadLetters: Queue;
  readonly alerts: ITopic;
  readonly attempts: ServiceFunction;
  readonly redrive: ServiceFunction;
  readonly machine: CfnStateMachine;
  private readonly queue: Queue;
  private readonly slowQueue: Queue;
  private readonly retryQueue: Queue;
  private readonly props: WebhookDeliveryProps;

  constructor(scope: Construct, id: string, props: WebhookDeliveryProps) {
    super(scope, id);
    this.props = props;
    this.deadLetters = createDeadLetterQueue(this);
    this.queue = this.createQueue('Queue');
    this.slowQueue = this.createQueue('SlowQueue');
    this.retryQueue = this.createQueue('RetryQueue');
    this.alerts = new Topic(this, 'Alerts', {
      displayName: 'Incident service',
      enforceSSL: true,
      masterKey: Alias.fromAliasName(this, 'TopicKey', 'alias/aws/sns'),
    });
    const machineName = `${props.functions.instanceName}-retry-deliveries`;
    this.machine = createMessageMachine(this, machineName, [this.retryQueue, this.slowQueue], retryDefinition);
    this.attempts = this.createAttempts();
    this.connectQueue('Messages', this.queue, workerSettings.quick);
    this.connectQueue('SlowMessages', this.slowQueue, workerSettings.slow);
    this.connectQueue('RetryMessages', this.retryQueue, workerSettings.retry);
    this.redrive = this.createRedrive();
  }

  /** Allows creating and queueing deliveries. */
  readonly grantQueue = (fn: ServiceFunction): void => {
    const { records, eventLog } = this.props;
    records.grantGet(fn);
    eventLog.grantGet(fn);
    eventLog.grantWrite(fn);
    fn.grant(['sqs:SendMessage'], [this.queue.queueArn, this.slowQueue.queueArn], {
      DELIVERY_QUEUE_URL: this.queue.queueUrl,
      SLOW_DELIVERY_QUEUE_URL: this.slowQueue.queueUrl,
    });
  };

  /** Sets which receivers this environment allows. */
  readonly configureReceivers = (fn: ServiceFunction): void => {
    fn.lambda.addEnvironment('LOOPBACK_RECEIVERS', this.props.loopbackReceivers);
  };

  /** Allows publishing notifications. */
  readonly grantPublish = (fn: ServiceFunction): void => {
    fn.grant(['sns:Publish'], [this.alerts.topicArn], { ALERTS_TOPIC: this.alerts.topicArn });
  };

  private createAttempts(): ServiceFunction {
    const { functions, records, secrets, eventLog } = this.props;
    const fn = functions.create({
      name: 'attempt-deliveries',
      capability: 'webhooks',
      description: 'Sends webhook deliveries to their receivers and schedules retries.',
      timeoutSeconds: attemptSeconds,
    });
    records.grantGet(fn);
    records.grantWrite(fn);
    eventLog.grantGet(fn);
    eventLog.grantWrite(fn);
    secrets.grantOpen(fn, webhookIds);
    this.configureReceivers(fn);
    this.grantRetry(fn);
    return fn;
  }

  private readonly grantRetry = (fn: ServiceFunction): void => {
    this.props.records.grantCount(fn);
    fn.grant(['sqs:SendMessage'], [this.retryQueue.queueArn, this.slowQueue.queueArn], {
      RETRY_QUEUE_URL: this.retryQueue.queueUrl,
      SLOW_DELIVERY_QUEUE_URL: this.slowQueue.queueUrl,
    });
    fn.grant(['states:StartExecution'], [this.machine.attrArn], { RETRY_MACHINE: this.machine.attrArn });
  };

  private createQueue(id: string): Queue {
    return createWorkQueue(this, id, { workerSeconds: attemptSeconds, deadLetters: this.deadLetters, maxReceives });
  }

  private connectQueue(
    id: string,
    { queueArn }: Queue,
    worker: (typeof workerSettings)[keyof typeof workerSettings],
  ): void {
    const { share, maxWorkers, ...settings } = worker;
    const receiving = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
    this.attempts.allow(receiving, [queueArn]);
    new CfnEventSourceMapping(this, id, {
      functionName: this.attempts.lambda.functionName,
      eventSourceArn: queueArn,
      ...settings,
      scalingConfig: { maximumConcurrency: limitWorkers(this.props.accountConcurrency, share, maxWorkers) },
      functionResponseTypes: ['ReportBatchItemFailures'],
    });
  }

  private createRedrive(): ServiceFunction {
    const { functions, eventLog } = this.props;
    const redrive = functions.create({
      name: 'redrive-deliveries',
      capability: 'webhooks',
      description: 'Requeues webhook deliveries whose queue message or retry execution was lost.',
      timeoutSeconds: 240,
    });
    this.grantQueue(redrive);
    eventLog.grantFindDue(redrive);
    new Schedule(this, 'EveryFiveMinutes', {
      minutes: 5,
      description: 'Requeues overdue webhook deliveries every five minutes.',
      target: redrive,
    });
    return redrive;
  }
}
