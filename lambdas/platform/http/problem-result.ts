import { problemContentType, toProblem } from '../../../contract/errors.ts';
import { ServiceError } from '../service-error.ts';
import type { GatewayResult } from './answer.ts';

/** The one place where an error becomes an answer. */
export function problemResult(error: ServiceError, requestId: string): GatewayResult {
  return {
    statusCode: error.status,
    headers: { ...statusHeaders[error.status], ...error.extra.headers, 'Content-Type': problemContentType },
    body: JSON.stringify({ ...toProblem(error.code, error.message, requestId), ...error.extra.members }),
  };
}

/** What a caller may know of an error: a temporary failure is worth a retry; everything else only goes to the log. */
export function visibleError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isPassing(error)) {
    return new ServiceError('unavailable', 'The request could not be completed in time. Try again.', { cause: error });
  }
  return new ServiceError('internal_error', 'The request failed. Include the request ID when you report the problem.', {
    cause: error,
  });
}

const statusHeaders: Readonly<Record<number, Record<string, string>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  503: { 'Retry-After': '1' },
};

const passingNames = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
]);

const passingCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Errors of the SDK after its retries, and our own early timeout. A 5xx is a failure of AWS. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  if (($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return passingNames.has(error.name) || passingCodes.has((error as { code?: string }).code ?? '');
}
