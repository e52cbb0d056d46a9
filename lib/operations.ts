import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type MetricName, metricsNamespace } from '../contract/metrics.ts';
import type { OperationName } from '../contract/routes.ts';
import type { Canary } from './canary.ts';
import { createDashboard, createExecutionMetric, type DashboardProps } from './dashboard.ts';
import { toInstanceName } from './environments.ts';
import type { ServiceFunction } from './functions.ts';
import { OperationsTopic } from './operations-topic.ts';
import type { Pages } from './pages.ts';
import type { Routes } from './routes.ts';

// Alarms, traces and the dashboard for people on call. Each alarm notifies the operations topic and links to a section of
// the runbook.

export interface OperationsProps extends DashboardProps {
  routes: Routes;
  canary: Canary;
  /** The rebuilds of the OpenSearch indexes, and the records that wait for being indexed. */
  search?: { machine: CfnStateMachine; retries: Queue } | undefined;
  pages: Pages;
  tables: readonly Table[];
}

const oneMinute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

/** What people and monitoring systems wait for. AI operations are slow by nature. */
const watchedOperations: readonly OperationName[] = [
  'createIncident',
  'getIncident',
  'updateIncident',
  'listIncidents',
  'receiveInboundEvent',
];

/** Of one alarm; CloudWatch accepts ten. */
const maxMetrics = 10;

interface Watch extends Partial<AlarmProps> {
  metric: IMetric;
  threshold: number;
  /** Completes the description. */
  what: string;
  /** A heading of docs/runbook.md. */
  section: string;
}

/** For what happens once, not in two of three periods. */
const afterOnePeriod = { evaluationPeriods: 1, datapointsToAlarm: 1 };

/** For functions on a schedule: no metric means that they do not run. */
const alsoIfMissing = { treatMissingData: TreatMissingData.BREACHING };

export class Operations extends Construct {
  private readonly action: SnsAction;
  private readonly props: OperationsProps;

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    this.props = props;
    const { environment } = props;
    const { topic } = new OperationsTopic(this, 'Topic', { alarmEmail: environment.alarmEmail });
    this.action = new SnsAction(topic);
    this.watchRequests(props);
    this.watchQuotas(props);
    this.watchBackground(props);
    this.watchEvents(props);
    if (props.search) this.watchSearch(props.search, props.eventPipeline.emitter);
    this.watchPages(props);
    if (environment.canary) this.watchCanary(props.canary);
    if (environment.dashboard) createDashboard(this, props);
    this.sampleTraces();
  }

  /**
   * Creates the alarms that guard gradual deployments, and returns a function that finds the alarm of a function. They count
   * crashes, timeouts and unexpected errors of these functions only: an outage elsewhere must not prevent a fix. The scope is
   * in the stack of the functions, whose aliases refer to their alarms through CodeDeploy.
   */
  watchDeployments(scope: Construct, functions: readonly ServiceFunction[]): (fn: ServiceFunction) => Alarm {
    const unexpected = this.createMetric('UnexpectedErrors', { deployment: 'gradual' });
    const alarms = new Map<ServiceFunction, Alarm>();
    for (let start = 0; start < functions.length; start += maxMetrics - 1) {
      const group = functions.slice(start, start + maxMetrics - 1);
      const alarm = this.alarm(scope, `Errors${start / (maxMetrics - 1) + 1}`, {
        metric: combine('SUM', [...group.map(countErrors), unexpected]),
        threshold: 1,
        what: 'Functions with gradual deployment fail',
        section: 'a-deployment-was-rolled-back',
        evaluationPeriods: 5,
      });
      for (const fn of group) alarms.set(fn, alarm);
    }
    return (fn) => {
      const alarm = alarms.get(fn);
      if (!alarm) throw new Error(`no alarm watches ${fn.name}`);
      return alarm;
    };
  }

  private watchRequests({ api, authorizer, routes }: OperationsProps): void {
    const what = 'API requests fail with 5xx errors';
    const section = 'server-errors';
    const metric = api.metricServerError({ period: oneMinute, statistic: Stats.SUM });
    this.alarm(this, 'ServerErrors', { metric, threshold: 5, what, section });
    // With little traffic, an outage makes less than five errors a minute.
    this.alarm(this, 'ErrorRate', { metric: metric.with({ statistic: Stats.AVERAGE }), threshold: 0.5, what, section });
    for (const name of watchedOperations) {
      this.alarm(this, `SlowResponses-${name}`, {
        metric: routes.functions[name].lambda.metricDuration({ period: oneMinute, statistic: Stats.p(99) }),
        threshold: 2_000,
        what: `The p99 latency of ${name} exceeds 2 seconds`,
        section: 'slow-responses',
        // One slow request of ten is no percentile.
        evaluateLowSampleCountPercentile: 'ignore',
      });
    }
    this.alarmOnErrors(
      'AuthorizerErrors',
      authorizer,
      oneMinute,
      'The authorizer fails, so requests are rejected with 503',
      'authorizer-errors',
    );
    this.alarm(this, 'ModelErrors', {
      metric: this.createMetric('ModelErrors', {}, fiveMinutes),
      threshold: 5,
      what: 'Calls of the language model fail or are throttled',
      section: 'language-model-errors',
      ...afterOnePeriod,
    });
  }

  private watchQuotas({ tables }: OperationsProps): void {
    this.alarm(this, 'ThrottledFunctions', {
      metric: new Metric({ ...sum(oneMinute), namespace: 'AWS/Lambda', metricName: 'Throttles' }),
      threshold: 1,
      what: 'Lambda throttles functions of this account',
      section: 'throttling',
    });
    const throttles = tables.flatMap((table) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => table.metric(name, sum(oneMinute))),
    );
    this.alarm(this, 'ThrottledTables', {
      metric: combine('SUM', throttles),
      threshold: 10,
      what: 'DynamoDB throttles tables of this instance',
      section: 'throttling',
    });
    const queues = Stack.of(this)
      .node.findAll()
      .filter((each) => each instanceof Queue)
      .filter(({ deadLetterQueue }) => deadLetterQueue);
    this.alarm(this, 'QueuesBehind', {
      metric: combine(
        'MAX',
        queues.map((queue) => queue.metricApproximateAgeOfOldestMessage(maximum)),
      ),
      threshold: 1_800,
      what: 'A queue message has waited for more than 30 minutes',
      section: 'queues-behind',
    });
  }

  private watchCanary({ fn }: Canary): void {
    // The canary itself tries twice, so that one failed run is enough.
    this.alarm(this, 'CanaryFailed', {
      metric: countErrors(fn),
      threshold: 1,
      what: 'The canary failed: the public API does not work',
      section: 'canary-failed',
      ...afterOnePeriod,
      ...alsoIfMissing,
    });
  }

  private watchBackground({ apiKeys, audit, serviceLevels, bulkJobs, listSnapshots }: OperationsProps): void {
    this.alarmOnErrors(
      'ApiKeyErrors',
      apiKeys.sweep,
      fiveMinutes,
      'Incomplete API keys cannot be cleaned up',
      'api-key-errors',
      alsoIfMissing,
    );
    this.alarmOnErrors(
      'AuditErrors',
      audit.directoryChanges,
      fiveMinutes,
      'Changes to users or clients are missing from the audit log',
      'audit-errors',
      afterOnePeriod,
    );
    this.alarmOnErrors(
      'SweepErrors',
      serviceLevels.sweep,
      oneMinute,
      'SLA warnings and breaches cannot be recorded',
      'sweep-errors',
      alsoIfMissing,
    );
    this.alarmOnMessages(
      'DeadJobs',
      bulkJobs.deadLetters,
      'Workers crashed on a bulk job message; it is in the dead-letter queue',
      'dead-jobs',
    );
    this.alarmOnFailedExecutions(
      'JobsFailed',
      bulkJobs.machine,
      'Records of bulk jobs could not be processed',
      'failed-jobs',
    );
    const unwritten = 'Snapshots of lists cannot be written';
    this.alarmOnErrors(
      'SnapshotErrors',
      listSnapshots.writer,
      fiveMinutes,
      unwritten,
      'snapshot-errors',
      alsoIfMissing,
    );
  }

  private watchEvents({ aiAssistance, eventPipeline, messages, webhookDelivery }: OperationsProps): void {
    this.alarm(this, 'LearningBehind', {
      metric: aiAssistance.learner.lambda.metric('IteratorAge', maximum),
      threshold: 600_000,
      what: 'The AI index is more than ten minutes behind',
      section: 'learning-behind',
    });
    this.alarm(this, 'EventsBehind', {
      metric: eventPipeline.emitter.lambda.metric('IteratorAge', maximum),
      threshold: 60_000,
      what: 'Events are more than one minute late',
      section: 'events-behind',
    });
    const { deadLetterQueue } = eventPipeline;
    this.alarmOnMessages(
      'DeadChanges',
      deadLetterQueue,
      'A stream record is in the dead-letter queue: its change was not processed',
      'changes-in-the-dead-letter-queue',
    );
    const { deadLetters, redrive } = webhookDelivery;
    this.alarmOnMessages(
      'DeadDeliveries',
      deadLetters,
      'A webhook delivery message is in the dead-letter queue',
      'dead-deliveries',
    );
    this.alarmOnMessages(
      'DeadMessages',
      messages.deadLetters,
      'A message to a person is in the dead-letter queue',
      'dead-messages',
    );
    this.alarmOnFailedExecutions(
      'RetriesFailed',
      webhookDelivery.machine,
      'Step Functions cannot queue retries of webhook deliveries',
      'retries-failed',
    );
    const lost = 'Lost webhook deliveries are not requeued';
    this.alarmOnErrors('DeliveryRedriveErrors', redrive, fiveMinutes, lost, 'delivery-redrive-errors', alsoIfMissing);
  }

  /** A change that is not indexed is in the stream, or in the queue of rejected records. */
  private watchSearch({ machine, retries }: NonNullable<OperationsProps['search']>, emitter: ServiceFunction): void {
    const usingMetrics = {
      stream: emitter.lambda.metric('IteratorAge', maximum),
      queue: retries.metricApproximateAgeOfOldestMessage(maximum),
    };
    this.alarm(this, 'ListsBehind', {
      metric: new MathExpression({
        expression: 'MAX([FILL(stream, 0) / 1000, FILL(queue, 0)])',
        usingMetrics,
        period: oneMinute,
        label: 'seconds between the table and the OpenSearch indexes',
      }),
      threshold: 120,
      what: 'Lists show changes more than two minutes late',
      section: 'lists-behind',
    });
    this.alarmOnFailedExecutions(
      'ReindexFailed',
      machine,
      'A rebuild of the OpenSearch indexes failed; lists use the former indexes',
      'a-rebuild-of-the-indexes-failed',
    );
  }

  private watchPages({ pages }: OperationsProps): void {
    this.alarm(this, 'PagesUnanswered', {
      metric: this.createMetric('PagesUnanswered'),
      threshold: 1,
      what: 'Nobody answered a page, or it reached nobody',
      section: 'pages-unanswered',
      ...afterOnePeriod,
    });
    this.alarmOnMessages(
      'DeadPages',
      pages.deadLetters,
      'The worker of pages failed repeatedly; a message is in the dead-letter queue',
      'dead-pages',
    );
    this.alarmOnFailedExecutions('PagesFailed', pages.machine, 'Step Functions cannot continue a page', 'failed-pages');
    this.alarmOnErrors(
      'PageSweepErrors',
      pages.sweep,
      oneMinute,
      'Overdue pages are not continued',
      'page-sweep-errors',
      alsoIfMissing,
    );
  }

  /** The first request of every second is traced by default, which is nearly all of them in a small team. */
  private sampleTraces(): void {
    const name = toInstanceName(this.props.environment);
    const any = { serviceType: '*', host: '*', httpMethod: '*', urlPath: '*', resourceArn: '*' };
    const rate = { fixedRate: 0.05, reservoirSize: 0, priority: 100, version: 1 };
    new CfnSamplingRule(this, 'Traces', {
      samplingRule: { ruleName: name, serviceName: `${name}*`, ...any, ...rate },
    });
  }

  private alarmOnErrors(
    id: string,
    { lambda }: ServiceFunction,
    period: Duration,
    what: string,
    section: string,
    options: Partial<AlarmProps> = {},
  ): void {
    this.alarm(this, id, { metric: lambda.metricErrors(sum(period)), threshold: 1, what, section, ...options });
  }

  private alarmOnFailedExecutions(id: string, machine: CfnStateMachine, what: string, section: string): void {
    const metric = createExecutionMetric(machine, 'Failed').with({ period: oneMinute });
    this.alarm(this, id, { metric, threshold: 1, what, section, ...afterOnePeriod });
  }

  private alarmOnMessages(id: string, queue: Queue, what: string, section: string): void {
    const metric = queue.metricApproximateNumberOfMessagesVisible(maximum);
    this.alarm(this, id, { metric, threshold: 1, what, section });
  }

  private alarm(scope: Construct, id: string, { what, section, ...watch }: Watch): Alarm {
    const alarm = new Alarm(scope, id, {
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...watch,
      alarmDescription: `${what}. See docs/runbook.md#${section}`,
    });
    alarm.addAlarmAction(this.action);
    alarm.addOkAction(this.action);
    return alarm;
  }

  private createMetric(metricName: MetricName, dimensions: Record<string, string> = {}, period = oneMinute): Metric {
    const dimensionsMap = { service: this.props.environment.serviceInstance, ...dimensions };
    return new Metric({ ...sum(period), namespace: metricsNamespace, metricName, dimensionsMap });
  }
}

const maximum = { period: oneMinute, statistic: Stats.MAXIMUM };

function sum(period: Duration) {
  return { period, statistic: Stats.SUM };
}

function countErrors({ lambda }: ServiceFunction): Metric {
  return lambda.metricErrors(sum(oneMinute));
}

function combine(operator: 'SUM' | 'MAX', metrics: readonly IMetric[]): MathExpression {
  if (metrics.length > maxMetrics) throw new Error(`an alarm has at most ${maxMetrics} metrics, not ${metrics.length}`);
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  const expression = `${operator}([${Object.keys(usingMetrics)}])`;
  return new MathExpression({ expression, usingMetrics, period: oneMinute });
}
