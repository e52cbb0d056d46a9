import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { limitWorkers } from './concurrency.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import { jobDefinition } from './job-definition.ts';
import { createDeadLetterQueue, createWorkQueue } from './queues.ts';
import type { Records } from './records.ts';
import { createMessageMachine } from './state-machine.ts';

// Bulk jobs: a request stores a job and starts an execution of the state machine, which sends a message for each chunk of
// the job to a queue. Workers process the records of a chunk one by one and report to the execution.

export interface BulkJobsProps {
  functions: Functions;
  records: Records;
  accountConcurrency: number;
}

/** Of a message whose worker crashed. SQS then moves it to the dead-letter queue. */
const maxDeliveries = 5;

/** Leaves concurrency of the account to interactive requests. */
const maxWorkers = 5;

export class BulkJobs extends Construct {
  readonly deadLetters: Queue;
  readonly worker: ServiceFunction;
  readonly machine: CfnStateMachine;
  private readonly queue: Queue;

  constructor(scope: Construct, id: string, { functions, records, accountConcurrency }: BulkJobsProps) {
    super(scope, id);
    this.deadLetters = createDeadLetterQueue(this);
    this.worker = functions.create({
      name: 'run-jobs',
      capability: 'jobs',
      description: 'Processes the records of bulk jobs one by one.',
    });
    this.queue = createWorkQueue(this, 'Queue', {
      workerSeconds: this.worker.timeoutSeconds,
      deadLetters: this.deadLetters,
      maxReceives: maxDeliveries,
    });
    this.machine = createMessageMachine(this, `${functions.instanceName}-run-jobs`, [this.queue], (partition) =>
      jobDefinition(partition, this.queue.queueUrl),
    );
    this.connectWorker(records, limitWorkers(accountConcurrency, 0.01, maxWorkers));
  }

  /** Allows starting a job, directly and by a message. */
  readonly grantStart = (fn: ServiceFunction): void => {
    fn.grant(['sqs:SendMessage'], [this.queue.queueArn], { JOBS_QUEUE_URL: this.queue.queueUrl });
    fn.grant(['states:StartExecution'], [this.machine.attrArn], { JOBS_MACHINE: this.machine.attrArn });
  };

  private connectWorker(records: Records, maximumConcurrency: number): void {
    records.grantGet(this.worker);
    records.grantBatchGet(this.worker);
    records.grantQuery(this.worker);
    records.grantWrite(this.worker);
    records.grantCheck(this.worker);
    this.worker.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [this.queue.queueArn]);
    const reporting = ['states:StartExecution', 'states:SendTaskSuccess', 'states:SendTaskFailure'];
    this.worker.grant(reporting, [this.machine.attrArn], { JOBS_MACHINE: this.machine.attrArn });
    new CfnEventSourceMapping(this, 'Messages', {
      functionName: this.worker.lambda.functionName,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency },
    });
  }
}
