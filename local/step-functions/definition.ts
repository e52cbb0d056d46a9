// The part of the Amazon States Language that this runtime supports: Task (sqs:sendMessage, also with a task token), Wait,
// Choice (BooleanEquals), Succeed, Fail and inline Map states, Retry and Catch, and plain JSONPath references.
// checkDefinition reports everything else when the template is loaded.

export interface Definition {
  StartAt: string;
  States: States;
}

type States = Record<string, State>;

export interface State {
  Type: 'Task' | 'Wait' | 'Choice' | 'Succeed' | 'Fail' | 'Map';
  Next?: string;
  End?: boolean;
  Resource?: string;
  Parameters?: Record<string, unknown>;
  /** Of a Task that waits for its token. */
  TimeoutSeconds?: number;
  Retry?: Retrier[];
  Catch?: Catcher[];
  Seconds?: number;
  SecondsPath?: string;
  TimestampPath?: string;
  Choices?: ChoiceRule[];
  /** Of a Choice: the next state if no rule matches. */
  Default?: string;
  ItemsPath?: string;
  /** 0: all iterations at once. */
  MaxConcurrency?: number;
  ItemProcessor?: Definition;
  Error?: string;
  Cause?: string;
}

export interface ChoiceRule {
  Variable: string;
  BooleanEquals: boolean;
  Next: string;
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
  /** null: the next state gets the input of the failed state instead of the error. */
  ResultPath?: null;
  Next: string;
}

type Report = (problem: string) => void;

export const sendMessageResource = 'arn:aws:states:::sqs:sendMessage';
/** The Task lasts until somebody reports its result with the token in the message. */
export const waitForTokenResource = `${sendMessageResource}.waitForTaskToken`;
export const tokenReference = '$$.Task.Token';

const definitionFields = ['StartAt', 'States', 'Comment', 'Version', 'QueryLanguage'];
const commonFields = ['Type', 'Comment', 'QueryLanguage'];
const stateFields: Record<State['Type'], readonly string[]> = {
  Task: [...commonFields, 'Next', 'End', 'Resource', 'Parameters', 'TimeoutSeconds', 'Retry', 'Catch'],
  Wait: [...commonFields, 'Next', 'End', 'Seconds', 'SecondsPath', 'TimestampPath'],
  Choice: [...commonFields, 'Choices', 'Default'],
  Succeed: commonFields,
  Fail: [...commonFields, 'Error', 'Cause'],
  Map: [...commonFields, 'Next', 'End', 'ItemsPath', 'MaxConcurrency', 'ItemProcessor'],
};
const choiceFields = ['Variable', 'BooleanEquals', 'Next', 'Comment'];
const processorFields = ['ProcessorConfig', 'StartAt', 'States'];
const retrierFields = [
  'ErrorEquals',
  'IntervalSeconds',
  'MaxAttempts',
  'BackoffRate',
  'MaxDelaySeconds',
  'JitterStrategy',
  'Comment',
];
const catcherFields = ['ErrorEquals', 'ResultPath', 'Next', 'Comment'];

/** Lists every problem of a definition; an empty list means that it can run. */
export function checkDefinition(definition: Definition): string[] {
  const problems: string[] = [];
  checkStates(definition, definitionFields, (problem) => problems.push(problem));
  return problems;
}

/** State names are unique in the whole definition, so the name alone identifies a state inside a Map. */
export function findState({ States }: Definition, name: string): State | undefined {
  if (Object.hasOwn(States, name)) return States[name];
  return Object.values(States)
    .flatMap(({ ItemProcessor }) => (ItemProcessor ? [findState(ItemProcessor, name)] : []))
    .find((state) => state !== undefined);
}

function checkStates(definition: Definition, supported: readonly string[], report: Report): void {
  const { StartAt, States } = definition ?? {};
  if (typeof States !== 'object' || States === null) {
    report('States is missing');
    return;
  }
  checkFields(definition, supported, report);
  if (!Object.hasOwn(States, StartAt)) report(`StartAt names the unknown state ${StartAt}`);
  for (const [name, state] of Object.entries(States)) {
    checkState(state, States, (problem) => report(`state ${name}: ${problem}`));
  }
}

/** Returns the field names of a path; undefined for paths that this runtime does not support. */
export function parseReference(path: string): string[] | undefined {
  return /^\$(\.[A-Za-z_][\w-]*)*$/.test(path) ? path.split('.').slice(1) : undefined;
}

function checkState(state: State, states: States, report: Report): void {
  if (!Object.hasOwn(stateFields, state.Type)) {
    report(`the type ${state.Type} is not supported`);
    return;
  }
  checkFields(state, stateFields[state.Type], report);
  if (!statesWithoutNext.includes(state.Type)) checkNext(state, states, report);
  if (state.Type === 'Choice') checkChoice(state, states, report);
  if (state.Type === 'Wait') checkWait(state, report);
  if (state.Type === 'Task') checkTask(state, states, report);
  if (state.Type === 'Map') checkMap(state, states, report);
}

const statesWithoutNext: readonly State['Type'][] = ['Choice', 'Succeed', 'Fail'];

function checkFields(value: object, supported: readonly string[], report: Report, prefix = ''): void {
  for (const field of Object.keys(value)) {
    if (!supported.includes(field)) report(`${prefix}the field ${field} is not supported`);
  }
  const { QueryLanguage = 'JSONPath' } = value as { QueryLanguage?: string };
  if (QueryLanguage !== 'JSONPath') report(`${prefix}the query language ${QueryLanguage} is not supported`);
}

function checkNext({ Next, End }: State, states: States, report: Report): void {
  if ((Next === undefined) === (End !== true)) report('requires either Next or End: true');
  if (Next !== undefined && !Object.hasOwn(states, Next)) report(`Next names the unknown state ${Next}`);
}

function checkWait({ Seconds, SecondsPath, TimestampPath }: State, report: Report): void {
  const given = [Seconds, SecondsPath, TimestampPath].filter((each) => each !== undefined);
  if (given.length !== 1) report('requires one of Seconds, SecondsPath and TimestampPath');
  if (SecondsPath !== undefined) checkReference(SecondsPath, 'SecondsPath', report);
  if (TimestampPath !== undefined) checkReference(TimestampPath, 'TimestampPath', report);
}

function checkChoice({ Choices = [], Default }: State, states: States, report: Report): void {
  if (Choices.length === 0) report('Choices is missing');
  for (const rule of Choices) {
    checkFields(rule, choiceFields, report, 'Choices: ');
    checkReference(rule.Variable, 'Choices: Variable', report);
    if (typeof rule.BooleanEquals !== 'boolean') report('Choices: BooleanEquals is missing');
    if (!Object.hasOwn(states, rule.Next)) report(`Choices: Next names the unknown state ${rule.Next}`);
  }
  if (Default !== undefined && !Object.hasOwn(states, Default)) report(`Default names the unknown state ${Default}`);
}

function checkTask(state: State, states: States, report: Report): void {
  const hasToken = state.Resource === waitForTokenResource;
  if (!hasToken && state.Resource !== sendMessageResource) report(`the resource ${state.Resource} is not supported`);
  if (hasToken !== Number.isInteger(state.TimeoutSeconds)) {
    report(hasToken ? 'TimeoutSeconds is missing' : 'the field TimeoutSeconds is not supported without a task token');
  }
  if (state.Parameters === undefined) report('Parameters is missing');
  checkParameters(state.Parameters, 'Parameters', hasToken, report);
  for (const retrier of state.Retry ?? []) checkRetrier(retrier, report);
  for (const catcher of state.Catch ?? []) {
    checkFields(catcher, catcherFields, report, 'Catch: ');
    if (!catcher.ErrorEquals?.length) report('Catch: ErrorEquals is missing');
    const { ResultPath = null } = catcher;
    if (ResultPath !== null) report(`Catch: the ResultPath ${ResultPath} is not supported`);
    if (!Object.hasOwn(states, catcher.Next)) report(`Catch: Next names the unknown state ${catcher.Next}`);
  }
}

function checkMap({ ItemsPath = '$', ItemProcessor, MaxConcurrency = 0 }: State, states: States, report: Report): void {
  checkReference(ItemsPath, 'ItemsPath', report);
  if (!Number.isInteger(MaxConcurrency) || MaxConcurrency < 0) report('MaxConcurrency must be a non-negative integer');
  if (!ItemProcessor) {
    report('ItemProcessor is missing');
    return;
  }
  const { ProcessorConfig: { Mode = 'INLINE' } = {} } = ItemProcessor as { ProcessorConfig?: { Mode?: string } };
  if (Mode !== 'INLINE') report(`ItemProcessor: the mode ${Mode} is not supported`);
  checkStates(ItemProcessor, processorFields, (problem) => report(`ItemProcessor: ${problem}`));
  for (const [name, { Type }] of Object.entries(ItemProcessor.States ?? {})) {
    if (Type === 'Map') report('a Map inside a Map is not supported');
    if (Object.hasOwn(states, name)) report(`ItemProcessor: the name of the state ${name} is not unique`);
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

function checkParameters(value: unknown, field: string, hasToken: boolean, report: Report): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    if (hasToken && key.endsWith('.$') && inner === tokenReference) continue;
    if (key.endsWith('.$')) checkReference(inner, `${field}.${key}`, report);
    else checkParameters(inner, `${field}.${key}`, hasToken, report);
  }
}

function checkReference(path: unknown, field: string, report: Report): void {
  if (typeof path !== 'string' || !parseReference(path)) report(`${field}: the path ${path} is not supported`);
}
