import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnParameter, CustomResource, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { idFormats } from '../contract/ids.ts';
import { limitWorkers } from './concurrency.ts';
import type { Environment } from './environments.ts';
import type { EventLog } from './event-log.ts';
import { type Functions, grantAll, type ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';
import { createDeadLetterQueue, createWorkQueue } from './queues.ts';
import type { Records } from './records.ts';
import type { Secrets } from './secrets.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

// Messages to people: a queue of requests, and a worker that sends them by e-mail, SMS or chat
// (docs/decisions/0130-messages.md).

export interface MessagesProps {
  environment: Environment;
  functions: Functions;
  records: Records;
  secrets: Secrets;
  eventLog: EventLog;
  identity: Identity;
  webhookDelivery: WebhookDelivery;
}

/** SQS then moves the message to the dead-letter queue. */
const maxReceives = 5;

/** Providers have ten seconds; the rest is for reading rules and storing results. */
const workerSeconds = 30;

const contactIds = idFormats.contactMethod.prefix;

/** Without a sender there is no e-mail. A variable of a function cannot be empty. */
const noSender = 'none';

export class Messages extends Construct {
  readonly deadLetters: Queue;
  readonly worker: ServiceFunction;
  private readonly queue: Queue;
  private readonly props: MessagesProps;
  private readonly sender: string;

  constructor(scope: Construct, id: string, props: MessagesProps) {
    super(scope, id);
    this.props = props;
    this.sender = this.findSender(props.environment);
    this.deadLetters = createDeadLetterQueue(this);
    this.queue = createWorkQueue(this, 'Queue', { workerSeconds, deadLetters: this.deadLetters, maxReceives });
    this.worker = this.createWorker();
    if (props.environment.textMessages) this.limitSpending(props.environment.textMessages.monthlyLimitUsd);
  }

  /** Allows requesting messages (`createMessages`). */
  readonly grantRequest = (fn: ServiceFunction): void => {
    fn.grant(['sqs:SendMessage'], [this.queue.queueArn], { MESSAGES_QUEUE_URL: this.queue.queueUrl });
  };

  /** Allows reading what was sent about a record (`listMessageLog`). */
  readonly grantReadLog = (fn: ServiceFunction): void => {
    this.props.eventLog.grantQuery(fn);
  };

  /** Permissions of the operations on contact methods and rules. */
  buildPermissions() {
    const { records, secrets } = this.props;
    const read = records.grantGet;
    const change = grantAll(records.grantGet, records.grantWrite);
    return {
      getContactMethods: grantAll(read, records.grantQuery, this.describeChannels),
      createContactMethod: grantAll(
        change,
        (fn) => secrets.grantSeal(fn, contactIds),
        this.grantSend,
        this.describeChannels,
      ),
      deleteContactMethod: change,
      verifyContactMethod: change,
      sendContactCode: grantAll(change, this.grantSend),
      testContactMethod: grantAll(read, this.grantRequest, this.describeChannels),
      getNotificationRules: grantAll(read, this.describeChannels),
      updateNotificationRules: grantAll(change, this.describeChannels),
      testNotificationRules: grantAll(this.grantRequest, this.describeChannels),
    };
  }

  private findSender({ mail }: Environment): string {
    if (mail !== 'parameter') return mail?.sender ?? noSender;
    return new CfnParameter(Stack.of(this), 'MailSender', {
      type: 'String',
      description: `The sender of e-mail to people; "${noSender}" sends no e-mail.`,
      default: noSender,
    }).valueAsString;
  }

  /** Allows sending e-mail as one sender, and text messages to phone numbers. Chat needs no permission. */
  private readonly grantSend = (fn: ServiceFunction): void => {
    const { environment, webhookDelivery } = this.props;
    const { mail, textMessages } = environment;
    const stack = Stack.of(this);
    const toIdentityArn = (name: string) =>
      stack.formatArn({ service: 'ses', resource: 'identity', resourceName: name });
    if (mail) {
      const identity = mail === 'parameter' ? this.sender : mail.identity;
      fn.allow(['ses:SendEmail'], [toIdentityArn(identity)], { StringEquals: { 'ses:FromAddress': this.sender } });
    }
    if (textMessages) {
      // Phone numbers have no ARN, so the permission is on everything that is not a topic.
      fn.allow(['sns:Publish'], ['*']);
      fn.deny(['sns:Publish'], [stack.formatArn({ service: 'sns', region: '*', account: '*', resource: '*' })]);
    }
    fn.lambda.addEnvironment('MAIL_SENDER', this.sender);
    webhookDelivery.configureReceivers(fn);
  };

  /** Tells a function which kinds of contact methods this deployment can send to. */
  private readonly describeChannels = (fn: ServiceFunction): void => {
    fn.lambda.addEnvironment('MAIL_SENDER', this.sender);
    fn.lambda.addEnvironment('TEXT_MESSAGES', this.props.environment.textMessages ? 'on' : 'off');
  };

  private createWorker(): ServiceFunction {
    const { environment, functions, records, secrets, eventLog, identity } = this.props;
    const worker = functions.create({
      name: 'send-messages',
      capability: 'oncall',
      description: 'Sends pages and notifications to people by e-mail, SMS and chat.',
      timeoutSeconds: workerSeconds,
    });
    records.grantGet(worker);
    records.grantWrite(worker);
    eventLog.grantGet(worker);
    eventLog.grantWrite(worker);
    identity.grantFindPeople(worker);
    secrets.grantOpen(worker, contactIds);
    this.grantRequest(worker);
    this.grantSend(worker);
    this.describeChannels(worker);
    worker.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [this.queue.queueArn]);
    new CfnEventSourceMapping(this, 'Requests', {
      functionName: worker.lambda.functionName,
      eventSourceArn: this.queue.queueArn,
      batchSize: 10,
      scalingConfig: { maximumConcurrency: limitWorkers(environment.accountConcurrency, 0.1, 100) },
      functionResponseTypes: ['ReportBatchItemFailures'],
    });
    return worker;
  }

  /** CloudFormation has no property for the limit, which belongs to the account in this region. */
  private limitSpending(limitUsd: number): void {
    const setter = this.props.functions.create({
      name: 'set-text-limit',
      capability: 'oncall',
      description: "Sets the account's monthly spending limit of text messages during a deployment.",
    });
    // The action supports no resource.
    setter.allow(['sns:SetSMSAttributes'], ['*']);
    new CustomResource(this, 'TextLimit', {
      serviceToken: setter.lambda.functionArn,
      properties: { LimitUsd: String(limitUsd) },
    });
  }
}
