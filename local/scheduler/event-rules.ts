// Rules with an EventPattern. An event on the default bus, published by a service of this runtime, invokes the functions
// of every matching rule.

import { type Matches, parseFilters } from '../lambda/event-sources/mapping.ts';
import { requireValue } from '../require-value.ts';
import type { Resource } from '../template/resource-type.ts';
import { assertSupported } from '../template/template.ts';

/** An event as EventBridge delivers it. */
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

/** Throws an error that lists all unsupported features. */
export function readEventRules(resources: readonly Resource[]): EventRule[] {
  const problems: string[] = [];
  const declared = resources.filter(({ type }) => type === 'AWS::Events::Rule');
  const rules = declared.map(({ logicalId, properties }): EventRule => {
    const report = (problem: string) => problems.push(`${logicalId}: ${problem}`);
    const functionArns = (properties.Targets ?? []).map(({ Arn }: { Arn: unknown }) => String(Arn));
    for (const arn of functionArns) {
      if (!arn.startsWith('arn:aws:lambda:')) report(`the target ${arn} is not supported`);
    }
    return { matches: readPattern(properties.EventPattern, report), functionArns };
  });
  assertSupported('EventBridge', problems);
  return rules;
}

function readPattern(pattern: unknown, report: (problem: string) => void): Matches {
  try {
    return requireValue(parseFilters({ Filters: [{ Pattern: JSON.stringify(pattern) }] }));
  } catch (error) {
    report((error as Error).message);
    return () => false;
  }
}
