// The part of the Amazon States Language that this runtime supports: Task (sqs:sendMessage), Wait and Fail states, Retry
// and Catch, and plain JSONPath references. checkDefinition reports everything else when the template is loaded.

export interface Definition {
  StartAt: string;
  States: Record<string, State>;
}

export interface State {
  Type: 'Task' | 'Wait' | 'Fail';
  Next?: string;
  End?: boolean;
  Resource?: string;
  Parameters?: Record<string, unknown>;
  Retry?: Retrier[];
  Catch?: Catcher[];
  Seconds?: number;
  SecondsPath?: string;
  Error?: string;
  Cause?: string;
}

export interface Retrier {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  MaxAttempts?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: 'FULL' | 'NONE';
}

export interface Catcher {
  ErrorEquals: string[];
  Next: string;
}

type Report = (problem: string) => void;

export const sendMessageResource = 'arn:aws:states:::sqs:sendMessage';

const definitionFields = ['StartAt', 'States', 'Comment', 'Version', 'QueryLanguage'];
const commonFields = ['Type', 'Comment', 'QueryLanguage'];
const stateFields: Record<State['Type'], readonly string[]> = {
  Task: [...commonFields, 'Next', 'End', 'Resource', 'Parameters', 'Retry', 'Catch'],
  Wait: [...commonFields, 'Next', 'End', 'Seconds', 'SecondsPath'],
  Fail: [...commonFields, 'Error', 'Cause'],
};
const retrierFields = [
  'ErrorEquals',
  'IntervalSeconds',
  'MaxAttempts',
  'BackoffRate',
  'MaxDelaySeconds',
  'JitterStrategy',
  'Comment',
];
const catcherFields = ['ErrorEquals', 'Next', 'Comment'];

/** Lists every problem of a definition; an empty list means that it can run. */
export function checkDefinition(definition: Definition): string[] {
  const problems: string[] = [];
  const { StartAt, States } = definition ?? {};
  if (States === null || typeof States !== 'object') return ['States is missing'];
  checkFields(definition, definitionFields, (problem) => problems.push(problem));
  if (!Object.hasOwn(States, StartAt)) problems.push(`StartAt names the unknown state ${StartAt}`);
  for (const [name, state] of Object.entries(States)) {
    checkState(state, States, (problem) => problems.push(`state ${name}: ${problem}`));
  }
  return problems;
}

/** Returns the field names of a path; undefined for paths that this runtime does not support. */
export function parseReference(path: string): string[] | undefined {
  return /^\$(\.[A-Za-z_][\w-]*)*$/.test(path) ? path.split('.').slice(1) : undefined;
}

function checkState(state: State, states: Record<string, State>, report: Report): void {
  if (!Object.hasOwn(stateFields, state.Type)) {
    report(`the type ${state.Type} is not supported`);
    return;
  }
  checkFields(state, stateFields[state.Type], report);
  if (state.Type !== 'Fail') checkNext(state, states, report);
  if (state.Type === 'Wait') checkWait(state, report);
  if (state.Type === 'Task') checkTask(state, states, report);
}

function checkFields(value: object, supported: readonly string[], report: Report, prefix = ''): void {
  for (const field of Object.keys(value)) {
    if (!supported.includes(field)) report(`${prefix}the field ${field} is not supported`);
  }
  const { QueryLanguage = 'JSONPath' } = value as { QueryLanguage?: string };
  if (QueryLanguage !== 'JSONPath') report(`${prefix}the query language ${QueryLanguage} is not supported`);
}

function checkNext({ Next, End }: State, states: Record<string, State>, report: Report): void {
  if ((Next === undefined) === (End !== true)) report('requires either Next or End: true');
  if (Next !== undefined && !Object.hasOwn(states, Next)) report(`Next names the unknown state ${Next}`);
}

function checkWait({ Seconds, SecondsPath }: State, report: Report): void {
  if ((Seconds === undefined) === (SecondsPath === undefined)) report('requires either Seconds or SecondsPath');
  if (SecondsPath !== undefined) checkReference(SecondsPath, 'SecondsPath', report);
}

function checkTask(state: State, states: Record<string, State>, report: Report): void {
  if (state.Resource !== sendMessageResource) report(`the resource ${state.Resource} is not supported`);
  if (state.Parameters === undefined) report('Parameters is missing');
  checkParameters(state.Parameters, 'Parameters', report);
  for (const retrier of state.Retry ?? []) checkRetrier(retrier, report);
  for (const catcher of state.Catch ?? []) {
    checkFields(catcher, catcherFields, report, 'Catch: ');
    if (!catcher.ErrorEquals?.length) report('Catch: ErrorEquals is missing');
    if (!Object.hasOwn(states, catcher.Next)) report(`Catch: Next names the unknown state ${catcher.Next}`);
  }
}

function checkRetrier(retrier: Retrier, report: Report): void {
  const { ErrorEquals, BackoffRate = 1, IntervalSeconds = 1, JitterStrategy = 'NONE' } = retrier;
  checkFields(retrier, retrierFields, report, 'Retry: ');
  if (!ErrorEquals?.length) report('Retry: ErrorEquals is missing');
  if (BackoffRate < 1) report('Retry: BackoffRate must be at least 1');
  if (IntervalSeconds < 1) report('Retry: IntervalSeconds must be at least 1');
  if (!['FULL', 'NONE'].includes(JitterStrategy)) report('Retry: JitterStrategy must be FULL or NONE');
}

function checkParameters(value: unknown, field: string, report: Report): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    if (key.endsWith('.$')) checkReference(inner, `${field}.${key}`, report);
    else checkParameters(inner, `${field}.${key}`, report);
  }
}

function checkReference(path: unknown, field: string, report: Report): void {
  if (typeof path !== 'string' || !parseReference(path)) report(`${field}: the path ${path} is not supported`);
}
