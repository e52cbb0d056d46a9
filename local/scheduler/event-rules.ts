// Rules with an EventPattern: what a part of the runtime publishes on the default bus goes to the functions of every rule
// that it matches.
import { type Matches, readFilters } from '../lambda/event-sources/filter-pattern.ts';
import type { Resource } from '../template/resource-type.ts';

/** An event as EventBridge passes it on. */
export interface BusEvent {
  version: '0';
  id: string;
  source: string;
  'detail-type': string;
  account: string;
  time: string;
  region: string;
  resources: readonly string[];
  detail: unknown;
}

export interface EventRule {
  matches: Matches;
  functionArns: readonly string[];
}

export function isEventRule({ type, properties }: Resource): boolean {
  return type === 'AWS::Events::Rule' && properties.EventPattern !== undefined;
}

/** Throws a list of what it cannot honour. */
export function readEventRules(resources: readonly Resource[]): EventRule[] {
  const problems: string[] = [];
  const rules = resources.filter(isEventRule).flatMap(({ logicalId, properties }) => {
    const report = (problem: string) => problems.push(`${logicalId}: ${problem}`);
    if (properties.ScheduleExpression !== undefined) report('a rule has either a pattern or a schedule here');
    const targets: { Arn: unknown }[] = properties.Targets ?? [];
    for (const { Arn, ...target } of targets) {
      if (!String(Arn).startsWith('arn:aws:lambda:')) report(`the target ${Arn} is not supported with a pattern`);
      for (const field of ['RoleArn', 'Input', 'InputPath', 'InputTransformer', 'SqsParameters', 'DeadLetterConfig']) {
        if (field in target) report(`${field} of a target is not supported with a pattern`);
      }
    }
    if (properties.State === 'DISABLED') return [];
    return [
      { matches: readPattern(properties.EventPattern, report), functionArns: targets.map(({ Arn }) => String(Arn)) },
    ];
  });
  if (problems.length > 0) throw new Error(`the event bus cannot honour the template:\n- ${problems.join('\n- ')}`);
  return rules;
}

function readPattern(pattern: unknown, report: (problem: string) => void): Matches {
  try {
    return readFilters({ Filters: [{ Pattern: JSON.stringify(pattern) }] })!;
  } catch (error) {
    report((error as Error).message);
    return () => false;
  }
}
