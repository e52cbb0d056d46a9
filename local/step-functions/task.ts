// Runs a Task, which sends a message to a queue, and records the attempt in the history of the execution. A Task that waits
// for its token ends when somebody reports its result, or with its timeout.
import { AwsError } from '../aws/error.ts';
import type { Caller } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import { requireValue } from '../require-value.ts';
import { type State, waitForTokenResource } from './definition.ts';
import type { HistoryEvent } from './execution-store.ts';
import { StateError } from './failure.ts';
import { fillParameters } from './reference.ts';

/** Calls an AWS service of this runtime; `service` is its signing name. */
export type CallAws = (service: string, operation: string, input: unknown, caller: Caller) => Promise<unknown>;

export type TaskResult = { events: HistoryEvent[] } & (
  | { kind: 'output'; output: unknown }
  | { kind: 'wait'; untilMs: number }
  | { kind: 'failure'; failure: StateError }
);

export async function runTask(
  state: State,
  { input, token }: { input: unknown; token: string },
  caller: Caller,
  { callAws, clock }: { callAws: CallAws; clock: Clock },
): Promise<TaskResult> {
  const integration = toIntegration(state);
  const parameters = fillParameters(state.Parameters, input, token) as Record<string, unknown>;
  const startMs = clock.now();
  const started: HistoryEvent[] = [
    {
      type: 'TaskScheduled',
      timeMs: startMs,
      details: { ...integration, region: '', parameters: JSON.stringify(parameters) },
    },
    { type: 'TaskStarted', timeMs: startMs, details: integration },
  ];
  try {
    const response = await callAws('sqs', 'SendMessage', toRequest(parameters), caller);
    const output = JSON.parse(JSON.stringify(response ?? {}));
    if (state.Resource !== waitForTokenResource)
      return { kind: 'output', ...toSuccess(state, output, clock.now(), started) };
    const details = { ...integration, output: JSON.stringify(output) };
    const submitted = { type: 'TaskSubmitted', timeMs: clock.now(), details };
    const untilMs = clock.now() + requireValue(state.TimeoutSeconds) * 1000;
    return { kind: 'wait', untilMs, events: [...started, submitted] };
  } catch (error) {
    return { kind: 'failure', ...toFailure(state, toStateError(error), clock.now(), started) };
  }
}

/** The output of a Task and its events, after those of its start. */
export function toSuccess(state: State, output: unknown, timeMs: number, started: HistoryEvent[] = []) {
  const details = { ...toIntegration(state), output: JSON.stringify(output) };
  return { output, events: [...started, { type: 'TaskSucceeded', timeMs, details }] };
}

export function toFailure(state: State, failure: StateError, timeMs: number, started: HistoryEvent[] = []) {
  const type = failure.error === 'States.Timeout' ? 'TaskTimedOut' : 'TaskFailed';
  const details = { ...toIntegration(state), error: failure.error, cause: failure.cause };
  return { failure, events: [...started, { type, timeMs, details }] };
}

function toIntegration({ Resource }: State) {
  return { resourceType: 'sqs', resource: requireValue(Resource).slice('arn:aws:states:::sqs:'.length) };
}

/** Step Functions sends a message body that is an object as JSON text. */
function toRequest(parameters: Record<string, unknown>): Record<string, unknown> {
  const { MessageBody: body } = parameters;
  if (body === undefined || typeof body === 'string') return parameters;
  return { ...parameters, MessageBody: JSON.stringify(body) };
}

/** Step Functions appends Exception to every error code of a service. */
function toStateError(error: unknown): StateError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof AwsError)) return new StateError('SQS.ServiceException', message);
  const name = error.code.endsWith('Exception') ? error.code : `${error.code}Exception`;
  return new StateError(`SQS.${name}`, `${message} (Status Code: ${error.status}; Error Code: ${error.code})`);
}
