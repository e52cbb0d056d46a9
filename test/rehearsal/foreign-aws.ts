// Runs the calls of the functions on another implementation of AWS, too. The functions get its responses; the local services
// get the same calls, because their queues, streams and sign-ins start what happens next. A different response is a finding.

import { AwsError } from '../../local/aws/error.ts';
import { toErrorResponse } from '../../local/aws/error-response.ts';
import type { Authorize, AwsHttpRequest, AwsHttpResponse, AwsService } from '../../local/aws/service.ts';
import { operator } from '../../local/aws/service.ts';

export interface Difference {
  caller: string;
  operation: string;
  detail: string;
}

export interface ForeignAws {
  wrapService(service: AwsService): AwsService;
  /** Calls that the other implementation answered, by service. */
  calls: Record<string, number>;
  /** Calls of functions that the policy of the function allowed, on any implementation. */
  allowed: number;
  /** Calls of functions that the policy of the function denied. */
  denied: string[];
  /** Calls of functions that were compared with no policy. */
  unchecked: string[];
  differences: Difference[];
}

export interface ForeignResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends a request to the other implementation. */
export type Send = (request: Pick<AwsHttpRequest, 'method' | 'path' | 'headers' | 'body'>) => Promise<ForeignResponse>;

export interface Tools {
  /** Sends `<prefix>.<operation>` with JSON, `<method> <path>`, or an operation with a form, and reads the response. */
  call(target: string, input?: object): Promise<Record<string, unknown>>;
  own: AwsService;
  ids: Ids;
}

export interface ForeignService {
  /** Operations that stay on the local runtime alone are not matched. */
  operations: RegExp;
  /** Creates what the call needs on the other implementation. */
  prepare?(request: AwsHttpRequest, tools: Tools): Promise<void>;
  /** Says how the responses differ; undefined if they do not. */
  compare(own: AwsHttpResponse, theirs: ForeignResponse, ids: Ids): string | undefined;
}

/** Ids that both implementations choose themselves, such as the id of an app client. */
export class Ids {
  private readonly pairs = new Map<string, string>();

  add(own: unknown, theirs: unknown): void {
    if (typeof own === 'string' && typeof theirs === 'string' && own !== theirs) this.pairs.set(own, theirs);
  }

  has(own: string): boolean {
    return this.pairs.has(own);
  }

  toTheirs(text: string): string {
    return [...this.pairs].reduce((result, [own, theirs]) => result.replaceAll(own, theirs), text);
  }

  toOwn(text: string): string {
    return [...this.pairs].reduceRight((result, [own, theirs]) => result.replaceAll(theirs, own), text);
  }
}

export function createForeignAws(url: string, services: Readonly<Record<string, ForeignService>>): ForeignAws {
  const send: Send = async ({ method, path, headers, body }) => {
    const response = await fetch(url + path, {
      method,
      headers: toSentHeaders(headers),
      ...(body.length > 0 && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const kept = [...response.headers].filter(([name]) => !transportHeaders.test(name));
    return {
      status: response.status,
      headers: Object.fromEntries(kept),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  /** One call at a time, so that both implementations get the same order. */
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };

  const foreign: ForeignAws = {
    calls: {},
    allowed: 0,
    denied: [],
    unchecked: [],
    differences: [],
    wrapService(service) {
      const { signingName } = service;
      const other = services[signingName];
      const ids = new Ids();
      const tools: Tools = {
        own: service,
        ids,
        call: (target, input) => callForeign(send, signingName, target, input),
      };
      const handle: AwsService['handle'] = async (request, authorize, caller = operator) => {
        const operation = readOperation(request);
        let checks = 0;
        let isDenied = false;
        const check: Authorize = (accesses) => {
          checks += accesses.length;
          try {
            authorize(accesses);
          } catch (error) {
            isDenied = true;
            foreign.denied.push(`${caller.name} ${signingName} ${operation}`);
            throw error;
          }
        };
        const handleOwn = async () => {
          const response = await service.handle(request, check, caller).catch((error: unknown) => {
            if (error instanceof AwsError) return toErrorResponse(error, request, signingName);
            throw error;
          });
          if (caller.roleArn === undefined || isDenied) return response;
          if (checks > 0) foreign.allowed++;
          else foreign.unchecked.push(`${caller.name} ${signingName} ${operation}`);
          return response;
        };
        if (!other?.operations.test(operation)) return handleOwn();
        return inOrder(async () => {
          await other.prepare?.(request, tools);
          const own = await handleOwn();
          if (isDenied) return own;
          foreign.calls[signingName] = (foreign.calls[signingName] ?? 0) + 1;
          const query = request.query.size > 0 ? `?${request.query}` : '';
          const theirs = await send({
            ...request,
            path: ids.toTheirs(request.path) + query,
            body: signingName === 's3' ? request.body : ids.toTheirs(request.body.toString()),
          });
          const detail = other.compare(own, theirs, ids);
          if (detail !== undefined) {
            const sent = `${request.path}${query} ${request.body.toString().slice(0, 500)}`;
            foreign.differences.push({ caller: caller.name, operation, detail: `${detail} for ${sent}` });
            return own;
          }
          return { ...theirs, body: signingName === 's3' ? theirs.body : ids.toOwn(theirs.body.toString()) };
        });
      };
      return { ...service, handle };
    },
  };
  return foreign;
}

const transportHeaders =
  /^(?:connection|content-length|content-encoding|expect|host|keep-alive|transfer-encoding|x-amz-crc32)$/;

function toSentHeaders(headers: AwsHttpRequest['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && (name === 'content-encoding' || !transportHeaders.test(name)),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

function readOperation({ headers, method, path, body }: AwsHttpRequest): string {
  const target = headers['x-amz-target'];
  if (target) return target.slice(target.indexOf('.') + 1);
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return (isForm && new URLSearchParams(body.toString()).get('Action')) || `${method} ${path}`;
}

async function callForeign(send: Send, service: string, target: string, input?: object) {
  const isForm = input instanceof URLSearchParams;
  const isRest = target.includes(' ');
  const [method = '', path = '/'] = isRest ? target.split(' ') : ['POST'];
  const scope = `Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  const headers = {
    authorization: `AWS4-HMAC-SHA256 ${scope}`,
    'content-type': isForm
      ? 'application/x-www-form-urlencoded'
      : isRest
        ? 'application/json'
        : 'application/x-amz-json-1.0',
    ...(target.includes('.') && { 'x-amz-target': target }),
  };
  const body = isForm ? `Action=${target}&${input}` : input ? JSON.stringify(input) : '';
  const response = await send({ method, path, headers, body });
  const text = response.body.toString();
  if (response.status >= 400) throw new Error(`${service} ${target}: ${response.status} ${text.slice(0, 300)}`);
  return text.startsWith('{') ? JSON.parse(text) : {};
}
