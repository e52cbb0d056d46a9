// Runs a Task, which sends a message to a queue, and records the attempt in the history of the execution.
import { AwsError } from '../aws/error.ts';
import type { Caller } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { State } from './definition.ts';
import type { HistoryEvent } from './execution-store.ts';
import { StateError } from './failure.ts';
import { fillParameters } from './reference.ts';

/** Calls an AWS service of this runtime; `service` is its signing name. */
export type CallAws = (service: string, operation: string, input: unknown, caller: Caller) => Promise<unknown>;

export type TaskResult = { events: HistoryEvent[] } & ({ output: unknown } | { failure: StateError });

const integration = { resourceType: 'sqs', resource: 'sendMessage' };

export async function runTask(
  state: State,
  input: unknown,
  caller: Caller,
  { callAws, clock }: { callAws: CallAws; clock: Clock },
): Promise<TaskResult> {
  const parameters = fillParameters(state.Parameters, input) as Record<string, unknown>;
  const startMs = clock.now();
  const started: HistoryEvent[] = [
    {
      type: 'TaskScheduled',
      timeMs: startMs,
      details: { ...integration, region: '', parameters: JSON.stringify(parameters) },
    },
    { type: 'TaskStarted', timeMs: startMs, details: integration },
  ];
  const end = (type: string, details: Record<string, unknown>): HistoryEvent[] => [
    ...started,
    { type, timeMs: clock.now(), details: { ...integration, ...details } },
  ];
  try {
    const response = await callAws('sqs', 'SendMessage', toRequest(parameters), caller);
    const output = JSON.parse(JSON.stringify(response ?? {}));
    return { output, events: end('TaskSucceeded', { output: JSON.stringify(output) }) };
  } catch (error) {
    const failure = toStateError(error);
    return { failure, events: end('TaskFailed', { error: failure.error, cause: failure.cause }) };
  }
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
