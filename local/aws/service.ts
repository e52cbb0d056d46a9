// The interface between the endpoint and the AWS services of the runtime.
import { AwsError } from './error.ts';

/** Who signed a call: a role of the template, or the operator of this machine, who has full access. */
export interface Caller {
  /** ARN of the role in the template; undefined for the operator. */
  roleArn: string | undefined;
  /** For logs: the function's or state machine's name. */
  name: string;
}

export const operator: Caller = { roleArn: undefined, name: 'operator' };

/** One permission that a call needs. `context` holds the service's condition keys, such as dynamodb:LeadingKeys. */
export interface Access {
  action: string;
  resource: string;
  context?: Record<string, string | readonly string[]>;
}

export interface AwsHttpRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  /** A string when the call came as a message with a text body. */
  body: Buffer | string;
}

export interface AwsHttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Throws AccessDeniedException (an AwsError) unless the caller's role allows every access. */
export type Authorize = (accesses: readonly Access[]) => void;

export interface AwsService {
  /** The service in the credential scope of a signed request: dynamodb, sqs, states, sns, cognito-idp, lambda, … */
  readonly signingName: string;
  handle(request: AwsHttpRequest, authorize: Authorize, caller?: Caller): Promise<AwsHttpResponse>;
  /** The same call in-process (Step Functions' service integrations); only services that need it have it. */
  call?(operation: string, input: unknown, authorize: Authorize, caller?: Caller): Promise<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: the input of an AWS call is whatever the SDK sent; each service checks its own.
export type Input = any;

/** An output that is already serialized. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A service that speaks the AWS JSON protocol: POST / with the operation in X-Amz-Target. */
export function jsonService(service: {
  signingName: string;
  jsonVersion: '1.0' | '1.1';
  /** Put before an error's name in __type, for example com.amazonaws.dynamodb.v20120810#. */
  errorPrefix?: string;
  access(operation: string, input: Input): readonly Access[];
  call(operation: string, input: Input, caller: Caller): Promise<unknown>;
}): Required<AwsService> {
  const contentType = `application/x-amz-json-${service.jsonVersion}`;
  const call = async (operation: string, input: unknown, authorize: Authorize, caller: Caller = operator) => {
    authorize(service.access(operation, input));
    return service.call(operation, input, caller);
  };
  return {
    signingName: service.signingName,
    async call(operation, input, authorize, caller) {
      const output = await call(operation, input, authorize, caller);
      return output instanceof JsonText ? JSON.parse(output.text) : output;
    },
    async handle(request, authorize, caller) {
      const target = request.headers['x-amz-target'] ?? '';
      const operation = target.slice(target.lastIndexOf('.') + 1);
      try {
        const output = await call(operation, parseInput(request.body), authorize, caller);
        return {
          status: 200,
          headers: { 'content-type': contentType },
          body: output instanceof JsonText ? output.text : JSON.stringify(output ?? {}),
        };
      } catch (error) {
        return jsonError(error, contentType, service.errorPrefix ?? '');
      }
    },
  };
}

function parseInput(body: AwsHttpRequest['body']): Input {
  const text = body.toString('utf8') || '{}';
  try {
    const input = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  } catch {
    // Rejected below, like every other body that is not an object.
  }
  throw new AwsError('SerializationException', 'The body must be a JSON object');
}

function jsonError(error: unknown, contentType: string, prefix: string): AwsHttpResponse {
  if (!isAwsError(error)) throw error;
  return {
    status: error.status,
    headers: { 'content-type': contentType, 'x-amzn-errortype': error.code, ...error.headers },
    body: JSON.stringify({ __type: `${prefix}${error.code}`, message: error.message, ...error.fields }),
  };
}

function isAwsError(error: unknown): error is AwsError {
  return error instanceof Error && error.name === 'AwsError';
}
