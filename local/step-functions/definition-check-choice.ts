import { comparisonOf, isComparison, readTimestamp } from './choice-rule.ts';
import type { ChoiceRule, Report, State } from './definition.ts';
import { checkPath } from './definition-check-path.ts';

export function checkChoices(state: State, siblings: Record<string, State>, report: Report): void {
  if (!state.Choices?.length) report('Choices is missing');
  for (const rule of state.Choices ?? []) {
    if (!rule.Next || !Object.hasOwn(siblings, rule.Next)) report(`a choice leads to ${rule.Next}, which is unknown`);
    checkRule(rule, report);
  }
  if (state.Default !== undefined && !Object.hasOwn(siblings, state.Default)) {
    report(`Default names ${state.Default}, which is unknown`);
  }
}

function checkRule(rule: ChoiceRule, report: Report): void {
  if ('Assign' in rule || 'Condition' in rule) {
    report('variables and conditions of JSONata are not supported');
    return;
  }
  const parts = rule.And ?? rule.Or ?? (rule.Not ? [rule.Not] : undefined);
  if (parts) {
    if (parts.length === 0) report('And and Or need at least one rule');
    for (const part of parts) checkRule(part, report);
    return;
  }
  if (typeof rule.Variable !== 'string') {
    report('a choice without Variable');
    return;
  }
  checkPath(rule.Variable, 'Variable', report);
  const comparison = comparisonOf(rule);
  if (!comparison) {
    const unknown = Object.keys(rule).filter(
      (name) => !['Variable', 'Next', 'Comment'].includes(name) && !isComparison(name),
    );
    report(`a choice needs exactly one known comparison${unknown.length > 0 ? `, not ${unknown.join(', ')}` : ''}`);
    return;
  }
  const value = rule[comparison];
  if (comparison.endsWith('Path')) checkPath(String(value), comparison, report);
  else if (comparison.startsWith('Timestamp') && readTimestamp(value) === undefined) {
    report(`${comparison}: ${JSON.stringify(value)} is not a timestamp`);
  } else if (comparison.startsWith('Is') && typeof value !== 'boolean') report(`${comparison} is true or false`);
}
