// The cost of an idle deployment: its resources, and one measured hour of its schedules.
import type { Service } from '../support/service.ts';
import { readUnits, resetCounters, type Units } from './measured-usage.ts';
import { priceData } from './operation-costs.ts';
import { freeTier, lambdaGbSecond, perMillion, perMonth } from './prices.ts';

export interface TemplateResources {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

export interface IdleLine {
  name: string;
  count: string;
  dollars: number;
  /** Includes the free tier of every account. */
  dollarsAfterFreeTier: number;
}

const hoursPerMonth = 730;

/** Lambda polls a queue with five connections, each waiting 20 seconds for a message. */
const pollsPerQueue = (5 * 3_600 * hoursPerMonth) / 20;

export async function measureIdleHour(service: Service, memoryMb: (name: string) => number): Promise<Units> {
  await service.advance('10m');
  await resetCounters(service);
  await service.advance('1h');
  return readUnits(service, memoryMb);
}

/** An alarm is charged for each metric that it reads. */
function countAlarmMetrics(alarms: readonly { Properties?: Record<string, unknown> }[]): number {
  const counts = alarms.map(({ Properties = {} }) => {
    const queries = Properties.Metrics as { MetricStat?: unknown }[] | undefined;
    return queries?.filter(({ MetricStat }) => MetricStat).length ?? 1;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

export function listIdleCosts({ Resources }: TemplateResources, hour: Units): IdleLine[] {
  const findByType = (type: string) => Object.values(Resources).filter(({ Type }) => Type === type);
  const priced = (name: string, count: number, price: number, free = 0): IdleLine => ({
    name,
    count: String(count),
    dollars: count * price,
    dollarsAfterFreeTier: Math.max(0, count - free) * price,
  });
  const queues = findByType('AWS::Lambda::EventSourceMapping').filter(({ Properties = {} }) =>
    JSON.stringify(Properties.EventSourceArn).includes('Queue'),
  ).length;
  const polls = queues * pollsPerQueue;
  const compute = hour.invocations * (perMillion.lambdaRequests / 1e6) + hour.gbSeconds * lambdaGbSecond;
  const schedules =
    hoursPerMonth * (compute + (priceData(hour) + hour.invocations * perMillion.schedulerInvocations) / 1e6);
  const lines = [
    priced('KMS keys', findByType('AWS::KMS::Key').length, perMonth.kmsKey),
    priced(
      'Metrics of alarms',
      countAlarmMetrics(findByType('AWS::CloudWatch::Alarm')),
      perMonth.alarm,
      freeTier.alarms,
    ),
    priced('Dashboards', findByType('AWS::CloudWatch::Dashboard').length, perMonth.dashboard, freeTier.dashboards),
    {
      name: `Polling of ${queues} queues by Lambda`,
      count: `${(polls / 1e6).toFixed(1)} million requests`,
      dollars: (polls * perMillion.sqsRequests) / 1e6,
      dollarsAfterFreeTier: (Math.max(0, polls - freeTier.sqsRequests) * perMillion.sqsRequests) / 1e6,
    },
    {
      name: 'Schedules: functions and capacity',
      count: `${Math.round(hour.invocations * hoursPerMonth).toLocaleString('en')} invocations`,
      dollars: schedules,
      dollarsAfterFreeTier: schedules,
    },
    ...findByType('AWS::WAFv2::WebACL').map(({ Properties = {} }) => {
      const rules = (Properties.Rules as unknown[]).length;
      return priced(`Web ACL with ${rules} rules`, 1, perMonth.webAcl + rules * perMonth.webAclRule);
    }),
  ];
  return lines.filter(({ dollars }) => dollars > 0);
}
