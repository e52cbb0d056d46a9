import { type ErrorCode, errors, type FieldProblem } from '../../contract/errors.ts';

export interface ErrorExtra {
  /** Further members of the problem document, such as `errors` or `allowed_transitions`. */
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** The only error whose text callers see. Any other error is a bug and becomes a 500 response. */
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

/** A field that is invalid for a reason that its schema cannot check. */
export function invalidField(field: string, message: string): ServiceError {
  return new ServiceError('invalid_input', `${field} ${message}.`, { members: { errors: [{ field, message }] } });
}

/** A longer list would not help, and a small request must not get a large response. */
const maxListedProblems = 100;

export function truncateProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.slice(0, maxListedProblems);
}

/** All problems in one sentence, with their number if `errors` does not list all of them. */
export function summarize(problems: readonly FieldProblem[]): string {
  const [first] = problems;
  if (first && problems.length === 1) return `${first.field} ${first.message}.`;
  const left = problems.length - maxListedProblems;
  const which = left > 0 ? `the first ${maxListedProblems} of them, ${left} more are not listed` : 'them';
  return `${problems.length} fields are not valid; errors lists ${which}.`;
}

/** All problems in one response; nothing if there are none. */
export function assertNoProblems(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  throw new ServiceError('invalid_input', summarize(problems), { members: { errors: truncateProblems(problems) } });
}
