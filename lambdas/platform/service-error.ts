import { type ErrorCode, errors } from '../../contract/errors.ts';

export interface ErrorExtra {
  /** Further members of the problem document, such as `errors` or `allowed_transitions`. */
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** The one error that callers get to see. Anything else that is thrown is a broken invariant and answers 500. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly extra: ErrorExtra;

  constructor(code: ErrorCode, detail: string, extra: ErrorExtra = {}) {
    super(detail, { cause: extra.cause });
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** One field is not valid for a reason that its schema alone cannot know. */
export function invalidField(field: string, message: string): ServiceError {
  return new ServiceError('invalid_input', `${field} ${message}.`, { members: { errors: [{ field, message }] } });
}
