// Runs the work of a Task and gives its failures the names that Retry and Catch know them by.
import { AwsError } from '../aws/error.ts';
import type { Caller } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { runtimeError, StateError } from './state-error.ts';
import type { TaskResource } from './task-resource.ts';

/** Invokes a function synchronously; rejects with an AwsError when the call itself is refused. */
export type Invoke = (
  functionArn: string,
  payload: unknown,
  caller: Caller,
) => Promise<{ payload: unknown; functionError?: string }>;

/** Calls an AWS service of this runtime; `service` is its signing name, `operation` in PascalCase. */
export type CallAws = (service: string, operation: string, input: unknown, caller: Caller) => Promise<unknown>;

export interface TaskDependencies {
  invoke: Invoke;
  callAws: CallAws;
  environment: StackEnvironment;
}

export async function runTask(
  resource: TaskResource,
  input: unknown,
  caller: Caller,
  dependencies: TaskDependencies,
): Promise<unknown> {
  switch (resource.kind) {
    case 'function':
      return callFunction(resource.functionArn, input, caller, dependencies);
    case 'invoke': {
      const { FunctionName, Payload } = input as { FunctionName: unknown; Payload?: unknown };
      const arn = functionArn(FunctionName, dependencies.environment);
      const payload = await callFunction(arn, Payload ?? {}, caller, dependencies);
      return {
        ExecutedVersion: '$LATEST',
        Payload: payload,
        SdkHttpMetadata: { HttpStatusCode: 200 },
        StatusCode: 200,
      };
    }
    case 'service':
      return callService(resource, input, caller, dependencies);
  }
}

async function callFunction(arn: string, payload: unknown, caller: Caller, { invoke }: TaskDependencies) {
  const result = await invoke(unqualified(arn), payload, caller).catch((error: unknown) => {
    throw serviceFailure('Lambda', error);
  });
  if (result.functionError === undefined) return result.payload ?? null;
  const failure = result.payload as { errorType?: unknown } | null;
  const cause = JSON.stringify(result.payload ?? null);
  if (typeof failure?.errorType === 'string') throw new StateError(failure.errorType, cause);
  throw new StateError(
    'Lambda.Unknown',
    `The cause could not be determined because Lambda did not return an error type. Returned payload: ${cause}`,
  );
}

async function callService(
  resource: Extract<TaskResource, { kind: 'service' }>,
  input: unknown,
  caller: Caller,
  { callAws }: TaskDependencies,
): Promise<unknown> {
  const request: Record<string, unknown> = { ...(input as object) };
  for (const field of resource.textFields) {
    if (request[field] !== undefined && typeof request[field] !== 'string')
      request[field] = JSON.stringify(request[field]);
  }
  // In definitions every field is in PascalCase; Step Functions is the one service here whose API is not.
  const camel = resource.service === 'states';
  const sent = camel ? renameKeys(request, (first) => first.toLowerCase()) : request;
  const output = await callAws(resource.service, resource.operation, sent, caller).catch((error: unknown) => {
    throw serviceFailure(resource.errorPrefix, error);
  });
  const answer = output === undefined ? {} : JSON.parse(JSON.stringify(output));
  return camel ? renameKeys(answer, (first) => first.toUpperCase()) : answer;
}

function renameKeys(object: Record<string, unknown>, change: (first: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [change(key[0]!) + key.slice(1), value]));
}

/** The States Language spells every service error with Exception at its end. */
function serviceFailure(prefix: string, error: unknown): StateError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof AwsError)) return new StateError(`${prefix}.ServiceException`, message);
  const name = error.code.endsWith('Exception') ? error.code : `${error.code}Exception`;
  return new StateError(`${prefix}.${name}`, `${message} (Status Code: ${error.status}; Error Code: ${error.code})`);
}

function functionArn(name: unknown, { region, accountId }: StackEnvironment): string {
  if (typeof name !== 'string' || name === '')
    throw runtimeError('FunctionName must be the name or ARN of a function.');
  return name.startsWith('arn:') ? name : `arn:aws:lambda:${region}:${accountId}:function:${name}`;
}

/** There is one version of every function here: the one in the template. */
function unqualified(arn: string): string {
  return arn.split(':').slice(0, 7).join(':');
}
