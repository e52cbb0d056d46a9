import type { ErrorCode, FieldProblem } from './api-types.ts';

// One error class for all failures between the caller and the service, so that one `catch` handles them, with a subclass
// for each kind that programs handle differently. `status` is 0 when there was no response.

/** Codes of failures that the service did not report itself. */
export type ClientErrorCode = 'timeout' | 'network_error' | 'unexpected_response' | 'invalid_signature';

/** Codes of the service, of the OAuth token endpoint and of this client. Unknown codes are passed through. */
export type ProblemCode = ErrorCode | ClientErrorCode | (string & {});

export interface ProblemDetails {
  status: number;
  code: ProblemCode;
  title: string;
  detail: string;
  errors?: readonly FieldProblem[];
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** Every member of the problem document, such as `allowed_transitions`. */
  document?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

export class ServiceProblem extends Error {
  override readonly name: string = 'ServiceProblem';
  readonly status: number;
  readonly code: ProblemCode;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldProblem[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly document: Readonly<Record<string, unknown>>;

  constructor(facts: ProblemDetails) {
    super(formatMessage(facts), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.title = facts.title;
    this.detail = facts.detail;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.document = facts.document ?? {};
  }
}

/** No response: the service is not reachable or did not respond in time. */
export class ConnectionProblem extends ServiceProblem {
  override readonly name = 'ConnectionProblem';
}

/** 400: `errors` has the fields. */
export class ValidationProblem extends ServiceProblem {
  override readonly name = 'ValidationProblem';
}

/** 401: the credentials or the token are not valid. */
export class AuthenticationProblem extends ServiceProblem {
  override readonly name = 'AuthenticationProblem';
}

/** 403: the role is too low. */
export class PermissionProblem extends ServiceProblem {
  override readonly name = 'PermissionProblem';
}

export class NotFoundProblem extends ServiceProblem {
  override readonly name = 'NotFoundProblem';
}

/** 409: the state of the record does not allow the request. */
export class ConflictProblem extends ServiceProblem {
  override readonly name: string = 'ConflictProblem';
}

/** 409 `invalid_transition`: the record can move to `allowedTransitions` only. */
export class TransitionProblem extends ConflictProblem {
  override readonly name = 'TransitionProblem';
  get allowedTransitions(): readonly string[] {
    const { allowed_transitions: allowed } = this.document;
    return Array.isArray(allowed) ? allowed : [];
  }
}

/** 412: the record has changed since the version in `ifMatch`. */
export class PreconditionProblem extends ServiceProblem {
  override readonly name = 'PreconditionProblem';
}

/** 429: `retryAfterSeconds` says when to try again. */
export class RateLimitProblem extends ServiceProblem {
  override readonly name = 'RateLimitProblem';
}

/** 502, 503 and 504. */
export class UnavailableProblem extends ServiceProblem {
  override readonly name = 'UnavailableProblem';
}

const classes: Readonly<Record<number, typeof ServiceProblem>> = {
  400: ValidationProblem,
  401: AuthenticationProblem,
  403: PermissionProblem,
  404: NotFoundProblem,
  409: ConflictProblem,
  412: PreconditionProblem,
  429: RateLimitProblem,
  502: UnavailableProblem,
  503: UnavailableProblem,
  504: UnavailableProblem,
};

function createProblem(facts: ProblemDetails): ServiceProblem {
  const Class = facts.code === 'invalid_transition' ? TransitionProblem : (classes[facts.status] ?? ServiceProblem);
  return new Class(facts);
}

/** Parses problem details, OAuth errors, and responses of proxies in between. */
export function toProblem(status: number, headers: Headers, text: string): ServiceProblem {
  const document = parseObject(text);
  const facts = {
    status,
    requestId: parseText(document.request_id) ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: parseSeconds(headers.get('retry-after')),
    document,
  };
  const code = parseText(document.code);
  if (code) {
    const title = parseText(document.title) ?? code;
    const detail = parseText(document.detail) ?? title;
    return createProblem({ ...facts, code, title, detail, errors: parseFieldProblems(document.errors) });
  }
  const oauthCode = parseText(document.error);
  if (oauthCode) {
    const detail = parseSignInError(document.error_description) ?? `The token endpoint returned ${oauthCode}.`;
    const title = 'No access token issued';
    // The token endpoint rejects credentials with 400.
    if (oauthCode === 'invalid_client') return new AuthenticationProblem({ ...facts, code: oauthCode, title, detail });
    return new ServiceProblem({ ...facts, code: oauthCode, title, detail });
  }
  return createProblem({ ...facts, ...toUnexpected(`The server returned ${status} without problem details.`) });
}

/** The sentence of a function that ended a sign-in: Cognito adds the name of its trigger and a period. */
export function parseSignInError(description: unknown): string | undefined {
  return parseText(description)
    ?.replace(/^\w+ failed with error /, '')
    .replace(/\.\.$/, '.');
}

/** A successful status with a body that cannot be parsed. */
export function createUnreadableProblem(status: number, headers: Headers, cause: unknown): ServiceProblem {
  const requestId = headers.get('x-request-id') ?? undefined;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ServiceProblem({
    status,
    requestId,
    cause,
    ...toUnexpected(`The response could not be parsed: ${reason}`),
  });
}

function toUnexpected(detail: string): Pick<ProblemDetails, 'code' | 'title' | 'detail'> {
  return { code: 'unexpected_response', title: 'Unexpected response', detail };
}

function formatMessage({ status, code, detail, errors, requestId }: ProblemDetails): string {
  const fields = errors?.map(({ field, message }) => `${field} ${message}`).join('; ');
  const request = requestId ? ` (request ${requestId})` : '';
  return `${status || 'no response'} ${code}: ${detail}${fields ? ` [${fields}]` : ''}${request}`;
}

/** Returns an empty object for anything else. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function parseText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function parseFieldProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is FieldProblem => typeof one?.field === 'string' && typeof one?.message === 'string');
}

/** The service sends whole seconds. Only intermediaries send dates, which are ignored. */
function parseSeconds(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value.trim()) ? Number(value) : undefined;
}
