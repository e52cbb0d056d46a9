// The Lambda API: Invoke as RequestResponse, Event or DryRun, and ListFunctions.
import { AwsError } from '../aws/error.ts';
import {
  type Authorize,
  type AwsHttpRequest,
  type AwsHttpResponse,
  type AwsService,
  type Input,
  unsupportedOperationError,
} from '../aws/service.ts';
import { type FunctionDefinition, parseFunctionReference } from './function-definition.ts';
import type { InvokeOptions, InvokeTextResult } from './invocation.ts';

const maxEventBytes = 1024 * 1024;

export interface Invocable {
  find(reference: string): FunctionDefinition;
  list(): FunctionDefinition[];
  invokeText(reference: string, payload: string, options?: InvokeOptions): Promise<InvokeTextResult>;
  invokeEvent(reference: string, payload: unknown): Promise<void>;
}

interface Invocation {
  reference: string;
  type: string;
  payload: string;
  tail: boolean;
}

interface Outcome {
  status: number;
  invoked?: InvokeTextResult;
}

export function createLambdaService(functions: Invocable): Required<AwsService> {
  const invokeAuthorized = async (invocation: Invocation, authorize: Authorize): Promise<Outcome> => {
    const { arn } = functions.find(invocation.reference);
    const qualifier = parseFunctionReference(invocation.reference)?.qualifier;
    authorize([{ action: 'lambda:InvokeFunction', resource: qualifier ? `${arn}:${qualifier}` : arn }]);
    return invokeAs(functions, invocation);
  };
  return {
    signingName: 'lambda',
    async handle(request, authorize) {
      try {
        if (request.method === 'GET' && listPath.test(request.path)) {
          authorize([{ action: 'lambda:ListFunctions', resource: '*' }]);
          return listFunctions(functions, request.query);
        }
        return toHttpResponse(await invokeAuthorized(parseRequest(request), authorize));
      } catch (error) {
        return toHttpError(error);
      }
    },
    async call(operation, input, authorize) {
      if (operation.toLowerCase() !== 'invoke') throw unsupportedOperationError('lambda', operation);
      const { status, invoked } = await invokeAuthorized(parseInput(input), authorize);
      return {
        StatusCode: status,
        ExecutedVersion: '$LATEST',
        ...(invoked ? { Payload: JSON.parse(invoked.payload) } : {}),
        ...(invoked?.functionError ? { FunctionError: invoked.functionError } : {}),
      };
    },
  };
}

const listPath = /^\/2015-03-31\/functions\/?$/;
const maxListed = 50;

/** Sorted by name; the marker is the last name of the previous page. */
function listFunctions(functions: Invocable, query: URLSearchParams): AwsHttpResponse {
  const limit = Math.min(Number(query.get('MaxItems') ?? maxListed), maxListed);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new AwsError('InvalidParameterValueException', 'MaxItems must be an integer from 1 to 10000');
  }
  const marker = query.get('Marker') ?? '';
  const remaining = functions.list().filter(({ name }) => name > marker);
  const page = remaining.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit);
  const NextMarker = remaining.length > limit ? page.at(-1)?.name : undefined;
  const body = JSON.stringify({ Functions: page.map(toConfiguration), NextMarker });
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function toConfiguration(definition: FunctionDefinition) {
  return {
    FunctionName: definition.name,
    FunctionArn: definition.arn,
    Runtime: definition.runtime,
    Role: definition.roleArn,
    Handler: definition.handler,
    Timeout: definition.timeoutMs / 1000,
    MemorySize: definition.memorySizeMb,
    Environment: { Variables: definition.variables },
    Version: '$LATEST',
    PackageType: 'Zip',
    LoggingConfig: { LogGroup: definition.logGroupName },
  };
}

async function invokeAs(functions: Invocable, { reference, type, payload, tail }: Invocation): Promise<Outcome> {
  assertJson(payload);
  switch (type) {
    case 'RequestResponse':
      return { status: 200, invoked: await functions.invokeText(reference, payload, tail ? { logs: 'tail' } : {}) };
    case 'Event':
      if (Buffer.byteLength(payload) > maxEventBytes) {
        const message = `${Buffer.byteLength(payload)} byte payload is too large for the Event invocation type (limit ${maxEventBytes} bytes)`;
        throw new AwsError('RequestTooLargeException', message, { status: 413 });
      }
      await functions.invokeEvent(reference, JSON.parse(payload));
      return { status: 202 };
    case 'DryRun':
      return { status: 204 };
    default:
      throw new AwsError(
        'ValidationException',
        `1 validation error detected: Value '${type}' at 'invocationType' failed to satisfy constraint: Member must satisfy enum value set: [Event, RequestResponse, DryRun]`,
      );
  }
}

function parseRequest(request: AwsHttpRequest): Invocation {
  const match = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/.exec(request.path);
  if (!match || request.method !== 'POST')
    throw unsupportedOperationError('lambda', `${request.method} ${request.path}`);
  return {
    reference: addQualifier(decodeURIComponent(match[1] ?? ''), request.query.get('Qualifier')),
    type: request.headers['x-amz-invocation-type'] ?? 'RequestResponse',
    payload: request.body.length > 0 ? request.body.toString('utf8') : '{}',
    tail: request.headers['x-amz-log-type'] === 'Tail',
  };
}

function parseInput(input: Input): Invocation {
  const { FunctionName: name, Qualifier: qualifier, InvocationType: type, Payload: payload = {} } = input ?? {};
  if (typeof name !== 'string') throw new AwsError('ValidationException', 'FunctionName is missing');
  return {
    reference: addQualifier(name, qualifier),
    type: type ?? 'RequestResponse',
    payload: JSON.stringify(payload),
    tail: false,
  };
}

function addQualifier(reference: string, qualifier: string | null | undefined): string {
  if (!qualifier || parseFunctionReference(reference)?.qualifier !== undefined) return reference;
  return `${reference}:${qualifier}`;
}

function assertJson(payload: string): void {
  try {
    JSON.parse(payload);
  } catch (error) {
    throw new AwsError(
      'InvalidRequestContentException',
      `Could not parse request body into json: ${(error as Error).message}`,
    );
  }
}

function toHttpResponse({ status, invoked }: Outcome): AwsHttpResponse {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  if (invoked?.functionError) headers['x-amz-function-error'] = invoked.functionError;
  if (invoked?.logs !== undefined) headers['x-amz-log-result'] = Buffer.from(invoked.logs).toString('base64');
  return { status, headers, body: invoked?.payload ?? '' };
}

function toHttpError(error: unknown): AwsHttpResponse {
  if (!(error instanceof AwsError)) throw error;
  return {
    status: error.status,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': error.code, ...error.headers },
    body: JSON.stringify({ Type: 'User', Message: error.message, message: error.message, ...error.fields }),
  };
}
