import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { aiOperations } from '../contract/ai.ts';
import type { Attachments } from './attachments.ts';
import type { EventLog } from './event-log.ts';
import type { EventPipeline } from './event-pipeline.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import { grantConverse, type LanguageModels } from './language-models.ts';
import type { ListSnapshots } from './list-snapshots.ts';
import { filterStream, type Records } from './records.ts';
import { Schedule } from './schedule.ts';
import type { Search } from './search.ts';

export interface AiAssistanceProps {
  attachments: Attachments;
  functions: Functions;
  records: Records;
  eventLog: EventLog;
  listSnapshots: ListSnapshots;
  eventPipeline: EventPipeline;
  search?: Search | undefined;
  models: LanguageModels;
}

export type AiOperationName = keyof typeof aiOperations;

/** A whole vCPU comes with this much memory. The model and the learned index need a few hundred MB. */
const memoryMb = 1_769;

/** The AI operations, and the function that learns records for them. */
export class AiAssistance extends Construct {
  /**
   * One function for all operations, so that they share one model, one index and warm instances. It writes no records.
   */
  readonly functions: Readonly<Record<AiOperationName, ServiceFunction>>;
  readonly learner: ServiceFunction;

  constructor(scope: Construct, id: string, props: AiAssistanceProps) {
    super(scope, id);
    const { functions, records, eventLog, listSnapshots, search, models } = props;
    const assist = functions.create({
      name: 'assist',
      capability: 'ai',
      description: 'Answers questions, analyzes records, finds similar incidents and suggests fields (/ai/…).',
      memoryMb,
    });
    records.grantCount(assist);
    records.grantList(assist);
    records.grantGet(assist);
    records.grantQuery(assist);
    records.grantFindAbout(assist);
    records.grantAiCache(assist);
    eventLog.grantQuery(assist);
    listSnapshots.grantRead(assist);
    search?.grantRead(assist);
    grantConverse(assist, models);
    const names = Object.keys(aiOperations) as AiOperationName[];
    this.functions = Object.fromEntries(names.map((name) => [name, assist])) as Record<
      AiOperationName,
      ServiceFunction
    >;
    this.learner = this.createLearner(props);
  }

  private createLearner({
    functions,
    records,
    listSnapshots,
    eventPipeline,
    search,
    attachments,
  }: AiAssistanceProps): ServiceFunction {
    const learner = functions.create({
      name: 'learn-from-records',
      capability: 'ai',
      description:
        'Indexes changed records for the AI operations, suggests resolutions for new incidents, and deletes unused files.',
      memoryMb,
      timeoutSeconds: 120,
    });
    records.grantGet(learner);
    records.grantList(learner);
    records.grantQuery(learner);
    records.grantWrite(learner);
    listSnapshots.grantRead(learner);
    search?.grantRead(learner);
    eventPipeline.grantDeadLetters(learner);
    attachments.grantDelete(learner);
    new CfnEventSourceMapping(this, 'Stream', {
      functionName: learner.lambda.functionName,
      eventSourceArn: records.grantReadStream(learner),
      startingPosition: 'TRIM_HORIZON',
      batchSize: 50,
      bisectBatchOnFunctionError: true,
      // Bridges an outage. The function itself rejects records that can never be learned; a record that crashes it
      // must not block the records after it for a whole day.
      maximumRetryAttempts: 1_000,
      functionResponseTypes: ['ReportBatchItemFailures'],
      destinationConfig: { onFailure: { destination: eventPipeline.deadLetterQueue.queueArn } },
      filterCriteria: filterStream(
        { dynamodb: { Keys: { sk: { S: ['#'] } }, NewImage: { type: { S: ['incident', 'article', 'problem'] } } } },
        // Files that no note has. A stream has two readers at most, and the other one has people who wait for it.
        { eventName: ['REMOVE'], dynamodb: { OldImage: { type: { S: ['attachment'] } } } },
      ),
    });
    new Schedule(this, 'Relearning', {
      minutes: 5,
      description: 'Indexes records that the current embedding model has not indexed yet.',
      target: learner,
    });
    return learner;
  }
}
