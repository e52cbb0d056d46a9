import { type ErrorCode, errors, type FieldProblem } from '../../contract/errors.ts';

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

/** A longer list helps nobody, and would make the answer to a small request a large one. */
const maxListedProblems = 100;

export function truncateProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.slice(0, maxListedProblems);
}

/** All problems in one sentence; it tells how many there are when `errors` does not list them all. */
export function summarize(problems: readonly FieldProblem[]): string {
  const [first] = problems;
  if (first && problems.length === 1) return `${first.field} ${first.message}.`;
  const left = problems.length - maxListedProblems;
  const which = left > 0 ? `the first ${maxListedProblems} of them, ${left} more are not listed` : 'them';
  return `${problems.length} fields are not valid; errors lists ${which}.`;
}
