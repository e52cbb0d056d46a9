// Reads a definition before anything runs and lists, in full, what is wrong or not supported.

import {
  type Catcher,
  type Definition,
  type Report,
  type Retrier,
  type State,
  type StateScope,
  scopesOf,
} from './definition.ts';
import { checkChoices } from './definition-check-choice.ts';
import { checkExpression, checkPath, checkReferencePath, checkTemplate } from './definition-check-path.ts';
import { checkResource } from './task-resource.ts';

const flow = ['Next', 'End', 'InputPath', 'OutputPath'];
const always = ['Type', 'Comment', 'QueryLanguage'];
const work = ['Parameters', 'ResultPath', 'ResultSelector', 'Retry', 'Catch'];

const fields: Record<State['Type'], readonly string[]> = {
  Task: [...flow, ...work, 'Resource', 'TimeoutSeconds', 'TimeoutSecondsPath'],
  Parallel: [...flow, ...work, 'Branches'],
  Map: [
    ...flow,
    ...work,
    'ItemProcessor',
    'Iterator',
    'ItemsPath',
    'ItemSelector',
    'MaxConcurrency',
    'MaxConcurrencyPath',
  ],
  Pass: [...flow, 'Parameters', 'ResultPath', 'Result'],
  Wait: [...flow, 'Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'],
  Choice: ['InputPath', 'OutputPath', 'Choices', 'Default'],
  Succeed: ['InputPath', 'OutputPath'],
  Fail: ['Error', 'ErrorPath', 'Cause', 'CausePath'],
};

export function checkDefinition(definition: Definition): string[] {
  const problems: string[] = [];
  const report: Report = (problem) => problems.push(problem);
  const { TimeoutSeconds, ...scope } = definition as Definition & Record<string, unknown>;
  if (TimeoutSeconds !== undefined && !(Number.isInteger(TimeoutSeconds) && TimeoutSeconds > 0)) {
    report('TimeoutSeconds must be a positive integer');
  }
  checkScope(scope, ['StartAt', 'States', 'Comment', 'Version', 'QueryLanguage'], report, new Set());
  return problems;
}

function checkScope(scope: unknown, known: readonly string[], report: Report, names: Set<string>): void {
  const { StartAt, States } = (scope ?? {}) as StateScope;
  if (States === null || typeof States !== 'object') {
    report('States is missing');
    return;
  }
  for (const field of Object.keys(scope as object)) {
    if (!known.includes(field)) report(`the field ${field} beside States is not supported`);
  }
  checkLanguage(scope as { QueryLanguage?: string }, report);
  if (!Object.hasOwn(States, StartAt)) report(`StartAt names the unknown state ${StartAt}`);
  for (const [name, state] of Object.entries(States)) {
    const inState: Report = (problem) => report(`state ${name}: ${problem}`);
    if (names.has(name)) inState('another state has this name');
    names.add(name);
    checkState(state, States, inState, names);
  }
}

function checkState(state: State, siblings: Record<string, State>, report: Report, names: Set<string>): void {
  const known = fields[state.Type];
  if (!known) {
    report(`the type ${state.Type} is not supported`);
    return;
  }
  for (const field of Object.keys(state)) {
    if (!known.includes(field) && !always.includes(field)) report(`the field ${field} is not supported`);
  }
  checkLanguage(state as { QueryLanguage?: string }, report);
  checkTransition(state, siblings, report);
  checkDataFlow(state, report);
  for (const rule of state.Retry ?? []) checkRetrier(rule, report);
  for (const catcher of state.Catch ?? []) checkCatcher(catcher, siblings, report);
  if (state.Type === 'Task') checkTask(state, report);
  if (state.Type === 'Wait') checkWait(state, report);
  if (state.Type === 'Choice') checkChoices(state, siblings, report);
  if (state.Type === 'Fail') checkFail(state, report);
  if (state.Type === 'Map') checkMap(state, report);
  if (state.Type === 'Parallel' && !state.Branches?.length) report('Branches is missing');
  for (const inner of scopesOf(state)) {
    checkScope(inner, ['StartAt', 'States', 'Comment', 'ProcessorConfig', 'QueryLanguage'], report, names);
  }
}

function checkLanguage({ QueryLanguage }: { QueryLanguage?: string }, report: Report): void {
  if (QueryLanguage !== undefined && QueryLanguage !== 'JSONPath') {
    report(`the query language ${QueryLanguage} is not supported`);
  }
}

function checkTransition(state: State, siblings: Record<string, State>, report: Report): void {
  if (['Choice', 'Succeed', 'Fail'].includes(state.Type)) return;
  if ((state.Next === undefined) === (state.End !== true)) report('exactly one of Next and End: true is needed');
  if (state.Next !== undefined && !Object.hasOwn(siblings, state.Next))
    report(`Next names ${state.Next}, which is unknown`);
}

function checkDataFlow(state: State, report: Report): void {
  checkPath(state.InputPath, 'InputPath', report);
  checkPath(state.OutputPath, 'OutputPath', report);
  checkPath(state.ItemsPath, 'ItemsPath', report);
  checkReferencePath(state.ResultPath, 'ResultPath', report);
  checkTemplate(state.Parameters, 'Parameters', report);
  checkTemplate(state.ResultSelector, 'ResultSelector', report);
  checkTemplate(state.ItemSelector, 'ItemSelector', report);
}

function checkTask(state: State, report: Report): void {
  checkResource(state, report);
  checkPath(state.TimeoutSecondsPath, 'TimeoutSecondsPath', report);
  const seconds = state.TimeoutSeconds;
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds > 0)) {
    report('TimeoutSeconds must be a positive integer');
  }
}

function checkWait(state: State, report: Report): void {
  const given = ['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'].filter((field) => field in state);
  if (given.length !== 1) report('exactly one of Seconds, SecondsPath, Timestamp and TimestampPath is needed');
  checkPath(state.SecondsPath, 'SecondsPath', report);
  checkPath(state.TimestampPath, 'TimestampPath', report);
}

function checkFail(state: State, report: Report): void {
  for (const field of ['ErrorPath', 'CausePath'] as const) {
    if (state[field] !== undefined) checkExpression(state[field], field, report);
  }
}

function checkMap(state: State, report: Report): void {
  checkPath(state.MaxConcurrencyPath, 'MaxConcurrencyPath', report);
  const processor = (state.ItemProcessor ?? state.Iterator) as { ProcessorConfig?: { Mode?: string } } | undefined;
  if (!processor) report('ItemProcessor is missing');
  const mode = processor?.ProcessorConfig?.Mode;
  if (mode !== undefined && mode !== 'INLINE') report(`a Map in the mode ${mode} is not supported`);
}

function checkRetrier(rule: Retrier, report: Report): void {
  const known = [
    'ErrorEquals',
    'IntervalSeconds',
    'MaxAttempts',
    'BackoffRate',
    'MaxDelaySeconds',
    'JitterStrategy',
    'Comment',
  ];
  for (const field of Object.keys(rule))
    if (!known.includes(field)) report(`Retry: the field ${field} is not supported`);
  if (!rule.ErrorEquals?.length) report('Retry: ErrorEquals is missing');
  if ((rule.BackoffRate ?? 1) < 1) report('Retry: BackoffRate must be at least 1');
  if ((rule.IntervalSeconds ?? 1) < 1) report('Retry: IntervalSeconds must be at least 1');
  if (!['FULL', 'NONE'].includes(rule.JitterStrategy ?? 'NONE')) report('Retry: JitterStrategy is FULL or NONE');
}

function checkCatcher(catcher: Catcher, siblings: Record<string, State>, report: Report): void {
  const known = ['ErrorEquals', 'Next', 'ResultPath', 'Comment'];
  for (const field of Object.keys(catcher))
    if (!known.includes(field)) report(`Catch: the field ${field} is not supported`);
  if (!catcher.ErrorEquals?.length) report('Catch: ErrorEquals is missing');
  if (!Object.hasOwn(siblings, catcher.Next)) report(`Catch: Next names ${catcher.Next}, which is unknown`);
  checkReferencePath(catcher.ResultPath, 'Catch.ResultPath', report);
}
