import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Dashboard, GraphWidget, type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type MetricName, metricsNamespace } from '../contract/metrics.ts';
import { priorities } from '../contract/states.ts';
import type { AiAssistance } from './ai-assistance.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Audit } from './audit.ts';
import type { BulkJobs } from './bulk-jobs.ts';
import type { Environment } from './environments.ts';
import type { EventPipeline } from './event-pipeline.ts';
import type { ServiceFunction } from './functions.ts';
import type { ListSnapshots } from './list-snapshots.ts';
import type { Messages } from './messages.ts';
import type { ServiceLevels } from './service-levels.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

/** The dashboard shows load, failures and business metrics, one row per capability. */
export interface DashboardProps {
  environment: Environment;
  aiAssistance: AiAssistance;
  api: SpecRestApi;
  authorizer: ServiceFunction;
  apiKeys: ApiKeys;
  audit: Audit;
  serviceLevels: ServiceLevels;
  bulkJobs: BulkJobs;
  listSnapshots: ListSnapshots;
  eventPipeline: EventPipeline;
  messages: Messages;
  webhookDelivery: WebhookDelivery;
}

const period = Duration.minutes(5);
const sum = { period, statistic: Stats.SUM };
const max = { period, statistic: Stats.MAXIMUM };

export function createDashboard(scope: Construct, props: DashboardProps): void {
  const { environment, api } = props;
  const business = (name: MetricName, dimensions: Record<string, string> = {}) =>
    new Metric({
      namespace: metricsNamespace,
      metricName: name,
      dimensionsMap: { service: environment.serviceInstance, ...dimensions },
      ...sum,
    });
  const byPriority = (name: MetricName) => priorities.map((priority) => business(name, { priority }));
  const byModel = (name: MetricName) => Object.keys(environment.models).map((model) => business(name, { model }));
  const dashboard = new Dashboard(scope, 'Dashboard');
  const add = (capability: string, widgets: Record<string, IMetric[]>) =>
    dashboard.addWidgets(
      ...Object.entries(widgets).map(([title, left]) => new GraphWidget({ title: `${capability}: ${title}`, left })),
    );

  add('API', {
    Requests: [api.metricCount(sum)],
    Errors: [api.metricServerError(sum), api.metricClientError(sum)],
    'Latency (p50, p99)': [latencyMetric(api, 50), latencyMetric(api, 99)],
  });
  add('Identity', {
    Invocations: invocationMetrics(props.authorizer, props.audit.directoryChanges),
    Errors: errorMetrics(props.authorizer, props.apiKeys.sweep, props.audit.directoryChanges),
  });
  add('Incidents', {
    'Incidents created': byPriority('IncidentsCreated'),
    'SLA breaches': byPriority('SlaBreaches'),
    'Sweep errors': errorMetrics(props.serviceLevels.sweep),
  });
  add('Webhooks', {
    Deliveries: [business('DeliveryAttempts'), business('DeliveriesSucceeded'), business('DeliveriesFailed')],
    'Event delay': [props.eventPipeline.emitter.lambda.metric('IteratorAge', max)],
    'Dead-letter queues': [
      props.webhookDelivery.deadLetters.metricApproximateNumberOfMessagesVisible(max),
      props.eventPipeline.deadLetterQueue.metricApproximateNumberOfMessagesVisible(max),
    ],
  });
  add('AI', {
    'Answer cache': [business('AnswerCacheHits'), business('AnswerCacheMisses')],
    Tokens: [...byModel('InputTokens'), ...byModel('OutputTokens')],
    'Learning delay': [props.aiAssistance.learner.lambda.metric('IteratorAge', max)],
  });
  add('Messages', {
    Sent: [business('MessagesSent'), business('MessagesFailed')],
    Errors: errorMetrics(props.messages.worker),
    'Dead-letter queue': [props.messages.deadLetters.metricApproximateNumberOfMessagesVisible(max)],
  });
  add('Jobs', {
    Executions: [
      createExecutionMetric(props.bulkJobs.machine, 'Started'),
      createExecutionMetric(props.bulkJobs.machine, 'Failed'),
    ],
    Errors: errorMetrics(props.bulkJobs.worker, props.listSnapshots.writer),
    'Dead-letter queue': [props.bulkJobs.deadLetters.metricApproximateNumberOfMessagesVisible(max)],
  });
}

export function createExecutionMetric(machine: CfnStateMachine, outcome: 'Started' | 'Failed'): Metric {
  const dimensionsMap = { StateMachineArn: machine.attrArn };
  return new Metric({ ...sum, namespace: 'AWS/States', metricName: `Executions${outcome}`, dimensionsMap });
}

function latencyMetric(api: SpecRestApi, percentile: number): Metric {
  return api.metricLatency({ period, statistic: Stats.p(percentile) });
}

function invocationMetrics(...functions: readonly ServiceFunction[]): IMetric[] {
  return functions.map(({ lambda }) => lambda.metricInvocations(sum));
}

function errorMetrics(...functions: readonly ServiceFunction[]): IMetric[] {
  return functions.map(({ lambda }) => lambda.metricErrors(sum));
}
