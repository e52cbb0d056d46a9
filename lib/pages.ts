import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { acknowledgeLinkOperations } from '../contract/acknowledge-links.ts';
import type { pageOperations } from '../contract/pages.ts';
import type { pagingLoadOperations } from '../contract/paging-load.ts';
import type { suspectChangeOperations } from '../contract/suspect-changes.ts';
import { limitWorkers } from './concurrency.ts';
import { type Functions, type Grant, grantAll, type ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';
import type { Messages } from './messages.ts';
import { grantResolveTargets } from './on-call.ts';
import { pageDefinition } from './page-definition.ts';
import { createDeadLetterQueue, createWorkQueue } from './queues.ts';
import type { Records } from './records.ts';
import { Schedule } from './schedule.ts';
import type { Secrets } from './secrets.ts';
import { createMessageMachine } from './state-machine.ts';

// Pages: a queue whose worker takes the steps, a state machine that waits between them, a function that holds pages back
// during changes, and a sweep that continues pages whose message or execution was lost.

export interface PagesProps {
  functions: Functions;
  records: Records;
  secrets: Secrets;
  identity: Identity;
  messages: Messages;
  /** Allows reading lists of records. */
  grantLists: Grant;
  accountConcurrency: number;
}

/** SQS then moves the message to the dead-letter queue. The sweep sends a new one. */
const maxReceives = 5;

/** Ten thousand incidents at once need their first message within a minute. */
const workers = { share: 0.1, maxWorkers: 100 };

const checkers = { share: 0.02, maxWorkers: 10 };

const batchSize = 10;

/** As of other functions that scan a list. */
const scanningMb = 1_769;

/** The record id under which the key of the acknowledge links is sealed. */
const linkKeyId = 'acknowledge-key';

type PageOperation =
  | keyof typeof pageOperations
  | keyof typeof suspectChangeOperations
  | keyof typeof pagingLoadOperations
  | keyof typeof acknowledgeLinkOperations;

export class Pages extends Construct {
  readonly deadLetters: Queue;
  readonly worker: ServiceFunction;
  readonly sweep: ServiceFunction;
  readonly machine: CfnStateMachine;
  private readonly queue: Queue;
  private readonly checkQueue: Queue;
  private readonly props: PagesProps;

  constructor(scope: Construct, id: string, props: PagesProps) {
    super(scope, id);
    this.props = props;
    this.deadLetters = createDeadLetterQueue(this);
    const { functions } = props;
    this.worker = functions.create({
      name: 'advance-pages',
      capability: 'oncall',
      description: 'Takes the steps of pages: finds the people and requests their messages.',
    });
    const checker = functions.create({
      name: 'check-maintenance',
      capability: 'oncall',
      description: 'Holds pages of alerts back while a change explains them.',
      memoryMb: scanningMb,
    });
    this.queue = this.createQueue('Queue', this.worker);
    this.checkQueue = this.createQueue('CheckQueue', checker);
    this.machine = createMessageMachine(this, `${functions.instanceName}-pages`, [this.queue], (partition) =>
      pageDefinition(partition, this.queue.queueUrl),
    );
    this.connectWorker();
    this.connectChecker(checker);
    this.sweep = this.createSweep();
  }

  /** Allows starting pages, and queueing those that a change may hold back. */
  readonly grantStart = (fn: ServiceFunction): void => {
    this.grantQueue(fn);
    fn.grant(['sqs:SendMessage'], [this.checkQueue.queueArn], { PAGE_CHECKS_QUEUE_URL: this.checkQueue.queueUrl });
  };

  /** What each operation on pages may do. */
  get permissions(): Record<PageOperation, Grant> {
    const { records, secrets, identity, messages } = this.props;
    return {
      acknowledgeIncident: grantAll(records.grantGet, records.grantQuery, records.grantWrite),
      createPage: grantAll(records.grantGet, records.grantWrite, identity.grantFindPeople, this.grantQueue),
      getPages: grantAll(records.grantGet, records.grantQuery, messages.grantReadLog),
      getPagingLoad: records.grantQuery,
      getSuspectChanges: grantAll(records.grantGet, this.props.grantLists),
      showAcknowledgement: grantAll(records.grantGet, (fn) => secrets.grantOpen(fn, linkKeyId)),
      acknowledgeByLink: grantAll(records.grantGet, records.grantQuery, records.grantWrite, (fn) =>
        secrets.grantOpen(fn, linkKeyId),
      ),
    };
  }

  private readonly grantQueue = (fn: ServiceFunction): void => {
    fn.grant(['sqs:SendMessage'], [this.queue.queueArn], { PAGES_QUEUE_URL: this.queue.queueUrl });
  };

  private createQueue(id: string, { timeoutSeconds }: ServiceFunction): Queue {
    return createWorkQueue(this, id, { workerSeconds: timeoutSeconds, deadLetters: this.deadLetters, maxReceives });
  }

  private connectWorker(): void {
    const { records, secrets, identity, messages } = this.props;
    grantResolveTargets(this.worker, { records, identity });
    records.grantWrite(this.worker);
    secrets.grantSeal(this.worker, linkKeyId);
    secrets.grantOpen(this.worker, linkKeyId);
    messages.grantRequest(this.worker);
    this.grantQueue(this.worker);
    const machine = ['states:StartExecution', 'states:SendTaskSuccess'];
    this.worker.grant(machine, [this.machine.attrArn], { PAGES_MACHINE: this.machine.attrArn });
    this.connectQueue('Messages', this.queue, this.worker, workers);
  }

  private connectChecker(checker: ServiceFunction): void {
    const { records } = this.props;
    grantAll(records.grantGet, records.grantWrite, this.props.grantLists)(checker);
    this.connectQueue('Checks', this.checkQueue, checker, checkers);
  }

  private connectQueue(
    id: string,
    { queueArn }: Queue,
    fn: ServiceFunction,
    { share, maxWorkers }: typeof workers,
  ): void {
    fn.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [queueArn]);
    new CfnEventSourceMapping(this, id, {
      functionName: fn.lambda.functionName,
      eventSourceArn: queueArn,
      batchSize,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: limitWorkers(this.props.accountConcurrency, share, maxWorkers) },
    });
  }

  private createSweep(): ServiceFunction {
    const { functions, records } = this.props;
    const sweep = functions.create({
      name: 'sweep-pages',
      capability: 'oncall',
      description: 'Queues pages whose message or execution was lost.',
    });
    grantAll(records.grantFindDue, records.grantWrite, this.grantQueue)(sweep);
    new Schedule(this, 'EveryMinute', {
      minutes: 1,
      description: 'Looks for overdue pages every minute.',
      target: sweep,
    });
    return sweep;
  }
}
