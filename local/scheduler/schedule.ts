// The rules and schedules of a template, read into one shape, with a list of what cannot be honoured.
import type { Properties, Resource } from '../template/resource-type.ts';
import { isEventRule } from './event-rules.ts';
import { readScheduleExpression } from './schedule-expression.ts';

export interface Target {
  kind: 'function' | 'queue' | 'machine';
  arn: string;
  /** JSON text that replaces the event. */
  input?: string;
  roleArn?: string;
  mostRetries: number;
  mostAgeSeconds: number;
  deadLetterArn?: string;
}

export interface Schedule {
  arn: string;
  name: string;
  source: 'aws.events' | 'aws.scheduler';
  expression: string;
  enabled: boolean;
  targets: readonly Target[];
}

type Report = (problem: string) => void;

const kinds: Record<string, Target['kind']> = { lambda: 'function', sqs: 'queue', states: 'machine' };

export function readSchedules(resources: readonly Resource[]): Schedule[] {
  const problems: string[] = [];
  const schedules = resources.flatMap((resource) => {
    const report: Report = (problem) => problems.push(`${resource.logicalId}: ${problem}`);
    if (isEventRule(resource)) return [];
    if (resource.type === 'AWS::Events::Rule') return [readRule(resource, report)];
    if (resource.type === 'AWS::Scheduler::Schedule') return [readSchedule(resource, report)];
    return [];
  });
  if (problems.length > 0) throw new Error(`the scheduler cannot honour the template:\n- ${problems.join('\n- ')}`);
  return schedules;
}

function readRule({ properties, physicalId, attributes }: Resource, report: Report): Schedule {
  const targets: Properties[] = properties.Targets ?? [];
  return {
    arn: attributes.Arn!,
    name: physicalId,
    source: 'aws.events',
    expression: readExpression(properties, ['rate', 'cron'], report),
    enabled: properties.State !== 'DISABLED',
    targets: targets.map((target) => readTarget(target, report)),
  };
}

function readSchedule({ properties, physicalId, attributes }: Resource, report: Report): Schedule {
  if ((properties.ScheduleExpressionTimezone ?? 'UTC') !== 'UTC') {
    report(`the time zone ${properties.ScheduleExpressionTimezone} is not supported, only UTC is`);
  }
  if ((properties.FlexibleTimeWindow?.Mode ?? 'OFF') !== 'OFF') report('flexible time windows are not supported');
  for (const field of ['StartDate', 'EndDate']) {
    if (properties[field] !== undefined) report(`${field} is not supported`);
  }
  return {
    arn: attributes.Arn!,
    name: physicalId,
    source: 'aws.scheduler',
    expression: readExpression(properties, ['rate', 'cron', 'at'], report),
    enabled: properties.State !== 'DISABLED',
    targets: [readTarget(properties.Target ?? {}, report)],
  };
}

function readExpression({ ScheduleExpression: text }: Properties, known: readonly string[], report: Report): string {
  try {
    readScheduleExpression(String(text));
    if (!known.some((kind) => String(text).startsWith(`${kind}(`)))
      report(`the schedule ${text} is not supported here`);
  } catch (error) {
    report((error as Error).message);
  }
  return String(text);
}

function readTarget(target: Properties, report: Report): Target {
  for (const field of ['InputPath', 'InputTransformer', 'SqsParameters']) {
    if (target[field] !== undefined) report(`${field} of a target is not supported`);
  }
  const kind = kinds[String(target.Arn).split(':')[2] ?? ''];
  if (!kind) report(`the target ${target.Arn} is not supported`);
  if (kind === 'machine' && !target.RoleArn) report('a state machine as target needs a RoleArn');
  if (target.Input !== undefined && kind !== 'queue') checkJson(target.Input, report);
  return {
    kind: kind ?? 'function',
    arn: String(target.Arn),
    ...(target.Input === undefined ? {} : { input: String(target.Input) }),
    ...(target.RoleArn === undefined ? {} : { roleArn: String(target.RoleArn) }),
    mostRetries: Number(target.RetryPolicy?.MaximumRetryAttempts ?? 185),
    mostAgeSeconds: Number(target.RetryPolicy?.MaximumEventAgeInSeconds ?? 86_400),
    ...(target.DeadLetterConfig?.Arn === undefined ? {} : { deadLetterArn: String(target.DeadLetterConfig.Arn) }),
  };
}

function checkJson(text: unknown, report: Report): void {
  try {
    JSON.parse(String(text));
  } catch {
    report(`the Input ${text} is not JSON`);
  }
}
