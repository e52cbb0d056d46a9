import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { stageName } from '../contract/http.ts';
import { createDashboards, type OperationsProps } from './dashboards.ts';
import type { ServiceFunction } from './functions.ts';
import { OperationsTopic } from './operations-topic.ts';
import { watchedOperations } from './watched-operations.ts';

// Alarms and dashboards for people on call. Each alarm notifies the operations topic and links to a section of the runbook.

const oneMinute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

interface Watch {
  metric: Metric;
  threshold: number;
  /** Completes the description. */
  what: string;
  /** A heading of docs/runbook.md. */
  section: string;
  /** Whether one period is enough: for what happens once, not in two of three periods. */
  isRare?: boolean;
}

export class Operations extends Construct {
  private readonly action: SnsAction;
  /** Rolls deployments back. */
  readonly serverErrors: Alarm;

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { environment } = props;
    const { topic } = new OperationsTopic(this, 'Topic', { alarmEmail: environment.alarmEmail });
    this.action = new SnsAction(topic);
    this.serverErrors = this.watchRequests(props);
    this.watchBackground(props);
    this.watchEvents(props);
    if (environment.dashboards) createDashboards(this, props);
  }

  private watchRequests({ api, authorizer }: OperationsProps): Alarm {
    const serverErrors = api.metricServerError({ period: oneMinute, statistic: Stats.SUM });
    const alarm = this.alarm('ServerErrors', {
      metric: serverErrors,
      threshold: 5,
      what: 'Requests fail with 5xx',
      section: 'server-errors',
    });
    for (const { name, method, resource } of watchedOperations) {
      this.alarm(`SlowAnswers-${name}`, {
        metric: new Metric({
          namespace: 'AWS/ApiGateway',
          metricName: 'Latency',
          dimensionsMap: { ApiName: api.restApiName, Stage: stageName, Resource: resource, Method: method },
          period: oneMinute,
          statistic: Stats.p(99),
        }),
        threshold: 2_000,
        what: `The slowest 1% of ${method} ${resource} requests take more than 2 s`,
        section: 'slow-responses',
      });
    }
    this.alarmOnErrors('AuthorizerErrors', authorizer, oneMinute, 'Tokens cannot be checked', 'authorizer-errors');
    return alarm;
  }

  private watchBackground({ apiKeys, audit, serviceLevels, bulkJobs, listSnapshots }: OperationsProps): void {
    const { sweep } = apiKeys;
    this.alarmOnErrors(
      'ApiKeyErrors',
      sweep,
      fiveMinutes,
      'Incomplete API keys cannot be cleaned up',
      'api-key-errors',
    );
    this.alarm('AuditErrors', {
      metric: audit.directoryChanges.lambda.metricErrors({ period: fiveMinutes, statistic: Stats.SUM }),
      threshold: 1,
      what: 'Changes to users or clients are missing from the audit log',
      section: 'audit-errors',
      isRare: true,
    });
    this.alarmOnErrors(
      'SweepErrors',
      serviceLevels.sweep,
      oneMinute,
      'SLA warnings and breaches cannot be recorded',
      'sweep-errors',
    );
    this.alarmOnMessages('DeadJobs', bulkJobs.deadLetters, 'A bulk job message failed five times', 'dead-jobs');
    this.alarmOnErrors('RedriveErrors', bulkJobs.redrive, fiveMinutes, 'Lost jobs are not resent', 'redrive-errors');
    const { writer } = listSnapshots;
    this.alarmOnErrors('SnapshotErrors', writer, fiveMinutes, 'List snapshots cannot be written', 'snapshot-errors');
  }

  private watchEvents({ aiAssistance, eventPipeline, webhookDelivery }: OperationsProps): void {
    const behind = { period: oneMinute, statistic: Stats.MAXIMUM };
    this.alarm('LearningBehind', {
      metric: aiAssistance.learner.lambda.metric('IteratorAge', behind),
      threshold: 600_000,
      what: 'The AI index is more than ten minutes behind',
      section: 'learning-behind',
    });
    this.alarm('EventsBehind', {
      metric: eventPipeline.emitter.lambda.metric('IteratorAge', behind),
      threshold: 60_000,
      what: 'Events are more than a minute late',
      section: 'events-behind',
    });
    const { deadLetterQueue } = eventPipeline;
    this.alarmOnMessages(
      'ChangesPutAside',
      deadLetterQueue,
      'A change could not be processed',
      'changes-in-the-dead-letter-queue',
    );
    const { deadLetters, redrive } = webhookDelivery;
    this.alarmOnMessages('DeadDeliveries', deadLetters, 'A delivery could not be attempted', 'dead-deliveries');
    this.alarm('RetriesFailed', {
      metric: new Metric({
        namespace: 'AWS/States',
        metricName: 'ExecutionsFailed',
        dimensionsMap: { StateMachineArn: webhookDelivery.machine.attrArn },
        period: oneMinute,
        statistic: Stats.SUM,
      }),
      threshold: 1,
      what: 'Webhook deliveries cannot be retried',
      section: 'retries-failed',
      isRare: true,
    });
    const lost = 'Lost deliveries cannot be redriven';
    this.alarmOnErrors('DeliveryRedriveErrors', redrive, fiveMinutes, lost, 'delivery-redrive-errors');
  }

  private alarmOnErrors(id: string, { lambda }: ServiceFunction, period: Duration, what: string, section: string) {
    this.alarm(id, { metric: lambda.metricErrors({ period, statistic: Stats.SUM }), threshold: 1, what, section });
  }

  private alarmOnMessages(id: string, queue: Queue, what: string, section: string) {
    const metric = queue.metricApproximateNumberOfMessagesVisible({ period: oneMinute, statistic: Stats.MAXIMUM });
    this.alarm(id, { metric, threshold: 1, what, section });
  }

  private alarm(id: string, { metric, threshold, what, section, isRare = false }: Watch): Alarm {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: isRare ? 1 : 3,
      datapointsToAlarm: isRare ? 1 : 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${what}. See docs/runbook.md#${section}`,
    });
    alarm.addAlarmAction(this.action);
    alarm.addOkAction(this.action);
    return alarm;
  }
}
