import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Operation } from '../../../contract/operation.ts';
import type { Caller } from '../caller.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Verdict } from '../rate-limit/limiter.ts';
import { checkedJson } from './json.ts';

// What a use case gets and gives. Both are derived from the operation in the contract, so a use case that reads a
// parameter the interface does not have, or answers with a status it does not name, does not compile.

export type Input<O extends Operation> = {
  params: Parsed<O['params']>;
  query: Parsed<O['query']>;
  headers: Parsed<O['headers']>;
  body: Parsed<O['body']>;
};

export type Answer<O extends Operation> = {
  [Status in keyof O['responses'] & number]: {
    status: Status;
    headers?: Readonly<Record<string, string>>;
  } & (O['responses'][Status] extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : unknown);
}[keyof O['responses'] & number];

export interface RequestContext<O extends Operation = Operation> {
  requestId: string;
  caller: O['access'] extends 'public' ? null : Caller;
  clock: Clock;
  log: Log;
}

export type UseCase<O extends Operation> = (input: Input<O>, context: RequestContext<O>) => Promise<Answer<O>>;

/** What the steps of the pipeline tell each other about one request. */
export interface Exchange {
  requestId: string;
  startedAtMs: number;
  caller: Caller | null;
  /** The count runs beside the use case's reads, hence a promise. It never rejects. */
  verdict: Promise<Verdict>;
  input?: Input<Operation>;
}

export type GatewayEvent = APIGatewayProxyEvent;
export type GatewayResult = APIGatewayProxyResult;
export type PipelineContext = Context & { exchange: Exchange };

/** An answer that the contract does not allow is a bug of ours and must not leave the service. */
export function toResult(operation: Operation, answer: Answer<Operation>): GatewayResult {
  const { status, headers = {}, body } = answer as { status: number; headers?: Record<string, string>; body?: unknown };
  const spec = operation.responses[status];
  if (!spec) throw new Error(`${operation.name} answered with status ${status}, which its contract does not name`);
  if (!spec.body) return { statusCode: status, headers: { ...headers }, body: '' };
  const json = checkedJson(spec.body, body, (why) => {
    throw new Error(`${operation.name} answered with a body that its contract forbids: ${why}`);
  });
  return { statusCode: status, headers: { 'Content-Type': 'application/json', ...headers }, body: json };
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
