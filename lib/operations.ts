import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { AiAssistance } from './ai-assistance.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Audit } from './audit.ts';
import type { BulkJobs } from './bulk-jobs.ts';
import type { EventPipeline } from './event-pipeline.ts';
import type { ServiceFunction } from './functions.ts';
import type { ListSnapshots } from './list-snapshots.ts';
import type { ServiceLevels } from './service-levels.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

// What a person on call looks at. Every alarm names the section of the runbook that says what to do.

export interface OperationsProps {
  aiAssistance: AiAssistance;
  api: SpecRestApi;
  authorizer: ServiceFunction;
  apiKeys: ApiKeys;
  audit: Audit;
  serviceLevels: ServiceLevels;
  bulkJobs: BulkJobs;
  listSnapshots: ListSnapshots;
  eventPipeline: EventPipeline;
  webhookDelivery: WebhookDelivery;
}

export class Operations extends Construct {
  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { api, authorizer, apiKeys, audit, serviceLevels, bulkJobs, listSnapshots } = props;
    const period = Duration.minutes(1);
    const fiveMinutes = Duration.minutes(5);
    const serverErrors = api.metricServerError({ period, statistic: Stats.SUM });
    const latency = api.metricLatency({ period, statistic: Stats.p(99) });
    const authorizerErrors = authorizer.lambda.metricErrors({ period, statistic: Stats.SUM });
    this.alarm('ServerErrors', serverErrors, 5, 'Requests are answered with 5xx', 'server-errors');
    this.alarm('SlowAnswers', latency, 2_000, 'The slowest percent of requests takes over 2 s', 'slow-answers');
    this.alarm('AuthorizerErrors', authorizerErrors, 1, 'Tokens cannot be checked', 'authorizer-errors');
    const keyErrors = apiKeys.sweep.lambda.metricErrors({ period: fiveMinutes, statistic: Stats.SUM });
    this.alarm('ApiKeyErrors', keyErrors, 1, 'Half-made API keys cannot be taken back', 'api-key-errors');
    const auditErrors = audit.directoryChanges.lambda.metricErrors({ period: fiveMinutes, statistic: Stats.SUM });
    this.alarm('AuditErrors', auditErrors, 1, 'Changes of people or clients are not audited', 'audit-errors');
    const sweepErrors = serviceLevels.sweep.lambda.metricErrors({ period, statistic: Stats.SUM });
    this.alarm('SweepErrors', sweepErrors, 1, 'Service levels cannot be marked', 'sweep-errors');
    const deadJobs = bulkJobs.deadLetters.metricApproximateNumberOfMessagesVisible({
      period,
      statistic: Stats.MAXIMUM,
    });
    this.alarm('DeadJobs', deadJobs, 1, 'A bulk job failed five times', 'dead-jobs');
    const redriveErrors = bulkJobs.redrive.lambda.metricErrors({ period, statistic: Stats.SUM });
    this.alarm('RedriveErrors', redriveErrors, 1, 'Lost jobs cannot be sent again', 'redrive-errors');
    const snapshotErrors = listSnapshots.writer.lambda.metricErrors({ period: fiveMinutes, statistic: Stats.SUM });
    this.alarm('SnapshotErrors', snapshotErrors, 1, 'Snapshots for lists cannot be written', 'snapshot-errors');
    this.watchEvents(props);
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          new GraphWidget({ title: 'Requests', left: [api.metricCount({ period })] }),
          new GraphWidget({
            title: 'Errors',
            left: [serverErrors, api.metricClientError({ period }), authorizerErrors],
          }),
          new GraphWidget({
            title: 'Latency (p99)',
            left: [latency, api.metricIntegrationLatency({ period, statistic: Stats.p(99) })],
          }),
        ],
      ],
    });
  }

  private watchEvents({ aiAssistance, eventPipeline, webhookDelivery }: OperationsProps): void {
    const period = Duration.minutes(1);
    const behind = eventPipeline.emitter.lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM });
    const unlearned = aiAssistance.learner.lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM });
    this.alarm('LearningBehind', unlearned, 600_000, 'Articles and incidents are learned late', 'learning-behind');
    this.alarm('EventsBehind', behind, 60_000, 'Events come more than a minute late', 'events-behind');
    const waiting = { period, statistic: Stats.MAXIMUM };
    const putAside = eventPipeline.putAside.metricApproximateNumberOfMessagesVisible(waiting);
    this.alarm('ChangesPutAside', putAside, 1, 'A change was put aside without its events', 'changes-put-aside');
    const dead = webhookDelivery.deadLetters.metricApproximateNumberOfMessagesVisible(waiting);
    this.alarm('DeadDeliveries', dead, 1, 'A delivery could not be attempted', 'dead-deliveries');
    const failed = new Metric({
      namespace: 'AWS/States',
      metricName: 'ExecutionsFailed',
      dimensionsMap: { StateMachineArn: webhookDelivery.machine.attrArn },
      period,
      statistic: Stats.SUM,
    });
    this.alarm('RetriesFailed', failed, 1, 'Later attempts at deliveries cannot be made', 'retries-failed');
    const redriveErrors = webhookDelivery.redrive.lambda.metricErrors({ period, statistic: Stats.SUM });
    this.alarm(
      'DeliveryRedriveErrors',
      redriveErrors,
      1,
      'Lost deliveries cannot be redriven',
      'delivery-redrive-errors',
    );
  }

  private alarm(id: string, metric: Metric, threshold: number, what: string, section: string): void {
    new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${what}. See docs/runbook.md#${section}`,
    });
  }
}
