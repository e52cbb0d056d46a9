// The interface between the endpoint and the AWS services of the runtime.
import { randomUUID } from 'node:crypto';
import { AwsError } from './error.ts';
import { type AwsHttpResponse, toJsonError, toQueryError } from './error-response.ts';
import { formatXml, type XmlElement } from './xml.ts';

export type { AwsHttpResponse };

/** The signer of a call: a role of the template, or the operator of this machine, who has full access. */
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

/** Throws AccessDeniedException (an AwsError) unless the caller's role allows every access. */
export type Authorize = (accesses: readonly Access[]) => void;

export interface AwsService {
  /** The service in the credential scope of a signed request: dynamodb, sqs, states, sns, cognito-idp, lambda, … */
  readonly signingName: string;
  handle(request: AwsHttpRequest, authorize: Authorize, caller?: Caller): Promise<AwsHttpResponse>;
  /** The same call in-process. Only the services that Step Functions or seeds call implement it. */
  call?(operation: string, input: unknown, authorize: Authorize, caller?: Caller): Promise<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK can send any input; each service validates it.
export type Input = any;

/** An output that is already serialized. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A service that speaks the AWS JSON protocol: POST / with the operation in X-Amz-Target. */
export function createJsonService(service: {
  signingName: string;
  jsonVersion: '1.0' | '1.1';
  /** Put before an error's name in __type, for example com.amazonaws.dynamodb.v20120810#. */
  errorPrefix?: string;
  /** Members of another type are rejected before the service reads them. */
  memberTypes?: MemberTypes;
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
        const input = parseInput(request.body);
        if (service.memberTypes) assertMemberTypes(input, service.memberTypes);
        const output = await call(operation, input, authorize, caller);
        return {
          status: 200,
          headers: { 'content-type': contentType },
          body: output instanceof JsonText ? output.text : JSON.stringify(output ?? {}),
        };
      } catch (error) {
        if (!isAwsError(error)) throw error;
        return toJsonError(error, contentType, service.errorPrefix);
      }
    },
  };
}

export type MemberTypes = ReadonlyMap<string, 'string' | 'integer' | 'object' | 'strings' | 'objects'>;

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const typeChecks = {
  string: (value: unknown) => typeof value === 'string',
  integer: Number.isSafeInteger,
  object: isObject,
  strings: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  objects: (value: unknown) => Array.isArray(value) && value.every(isObject),
};

/** Deletes null members, because AWS treats them as absent. */
export function assertMemberTypes(input: Input, types: MemberTypes): void {
  for (const name in input) {
    const type = types.get(name);
    if (input[name] === null) delete input[name];
    else if (type && !typeChecks[type](input[name])) {
      throw new AwsError('SerializationException', `${name} must be of the type ${type}`);
    }
  }
}

/** Reads the body of a JSON request; an empty body is an empty object. */
export function parseInput(body: AwsHttpRequest['body']): Input {
  const text = body.toString('utf8') || '{}';
  try {
    const input = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  } catch {
    // Rejected below, like every other body that is not an object.
  }
  throw new AwsError('SerializationException', 'The body must be a JSON object');
}

/**
 * A service that speaks the AWS query protocol: requests are forms, responses are XML. `call` returns the content of the
 * operation's result element.
 */
export function createQueryService(service: {
  signingName: string;
  namespace: string;
  /** The service's error codes that differ from the defaults of the query protocol. */
  errorCodes?: Readonly<Record<string, string>>;
  access(operation: string, input: Input): readonly Access[];
  call(operation: string, input: Input, caller: Caller): XmlElement | Promise<XmlElement>;
}): Required<AwsService> {
  const call = async (operation: string, input: unknown, authorize: Authorize, caller: Caller = operator) => {
    authorize(service.access(operation, input));
    return service.call(operation, input, caller);
  };
  return {
    signingName: service.signingName,
    call,
    async handle(request, authorize, caller) {
      const input = Object.fromEntries(new URLSearchParams(request.body.toString('utf8')));
      const operation = input.Action ?? '';
      try {
        const result = formatXml({ [`${operation}Result`]: await call(operation, input, authorize, caller) });
        const metadata = formatXml({ ResponseMetadata: { RequestId: randomUUID() } });
        const root = `${operation}Response`;
        const body = `<${root} xmlns="${service.namespace}">${result}${metadata}</${root}>`;
        return { status: 200, headers: { 'content-type': 'text/xml' }, body };
      } catch (error) {
        if (!isAwsError(error)) throw error;
        return toQueryError(error, service.errorCodes);
      }
    },
  };
}

export function unsupportedOperationError(service: string, operation: string): AwsError {
  return new AwsError('UnknownOperationException', `The local runtime does not implement ${service}:${operation}.`);
}

function isAwsError(error: unknown): error is AwsError {
  return error instanceof Error && error.name === 'AwsError';
}
