// The rules that every response follows (docs/interface.md).
import { errors, problem } from '../../contract/errors.ts';
import { listErrorCodes } from '../../contract/operation.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import type { Draft } from './mutations.ts';

/** Returns the violated rule, or undefined. */
export function checkAnswer(draft: Draft, answer: RawAnswer): string | undefined {
  return checkStatus(draft, answer) ?? checkHeaders(draft, answer) ?? checkBody(draft, answer);
}

/** Statuses of the gateway, of the unmatched route, or of another operation at the same path, such as HEAD for its GET. */
const elsewhere = [200, 204, 400, 401, 403, 404, 405, 413];

function checkStatus({ operation, isElsewhere }: Draft, { status }: RawAnswer): string | undefined {
  if (status >= 500) return `status ${status}`;
  const documented = [
    ...Object.keys(operation.responses),
    ...listErrorCodes(operation).map((code) => errors[code].status),
  ];
  if (documented.map(Number).includes(status) || (isElsewhere && elsewhere.includes(status))) return undefined;
  return `status ${status} is not documented for ${operation.name}`;
}

function checkHeaders({ operation }: Draft, { status, headers }: RawAnswer): string | undefined {
  const missing = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].filter(
    (name) => headers[name] === undefined,
  );
  if (missing.length > 0) return `no ${missing.join(', ')}`;
  const mayCache = operation.name === 'getApiDocument' && status === 200;
  if (!mayCache && headers['cache-control'] !== 'no-store') return `Cache-Control is ${headers['cache-control']}`;
  return headers['x-content-type-options'] === 'nosniff' ? undefined : 'no X-Content-Type-Options';
}

function checkBody(draft: Draft, { status, headers, text }: RawAnswer): string | undefined {
  if (draft.method === 'HEAD' || status === 204 || status === 304) {
    return text === '' ? undefined : `a body on ${draft.method} with status ${status}`;
  }
  const isProblem = status >= 400;
  const textType = draft.operation.responses[status]?.contentType;
  const isPage = textType !== undefined && !draft.isElsewhere;
  const expectedType = isProblem && !isPage ? 'application/problem+json' : (textType ?? 'application/json');
  if (!headers['content-type']?.startsWith(expectedType)) return `Content-Type is ${headers['content-type']}`;
  if (isPage) return undefined;
  const body = parse(text);
  if (body === undefined) return 'the body is no JSON';
  if (!isProblem) return draft.isElsewhere ? undefined : checkSuccess(draft, status, body);
  const parsed = problem.safeParse(body);
  if (!parsed.success) return `not a problem document: ${parsed.error.message}`;
  if (parsed.data.status !== status) return `status ${parsed.data.status} in the body of a ${status}`;
  if (parsed.data.request_id !== headers['x-request-id']) return 'another request id in the body';
  if ((parsed.data.errors?.length ?? 0) > 100) return `${parsed.data.errors!.length} problems`;
  if (!draft.isElsewhere && !listErrorCodes(draft.operation).includes(parsed.data.code as never)) {
    return `code ${parsed.data.code} is not documented for ${draft.operation.name}`;
  }
  return undefined;
}

function checkSuccess({ operation }: Draft, status: number, body: unknown): string | undefined {
  const schema = operation.responses[status]?.body;
  if (!schema) return `a body where ${operation.name} documents none`;
  const parsed = schema.safeParse(body);
  return parsed.success ? undefined : `not what the contract says: ${parsed.error.message}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
