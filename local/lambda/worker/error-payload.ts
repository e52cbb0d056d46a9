import { types } from 'node:util';
import type { ErrorPayload } from './protocol.ts';

/** What a thrown value looks like in Lambda's answer. */
export function errorPayload(thrown: unknown): ErrorPayload {
  try {
    if (looksLikeError(thrown)) {
      return {
        errorType: thrown.name,
        errorMessage: thrown.message,
        trace: String(thrown.stack ?? '').split('\n'),
      };
    }
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  } catch {
    // A hostile getter or a value without a string form must not keep the call from being answered.
    return {
      errorType: 'handled',
      errorMessage: 'callback called with Error argument, but there was a problem',
      trace: [],
    };
  }
}

function looksLikeError(thrown: unknown): thrown is Error {
  if (types.isNativeError(thrown)) return true;
  const candidate = thrown as { name?: unknown; message?: unknown; stack?: unknown } | null | undefined;
  return Boolean(candidate?.name && candidate.message && candidate.stack);
}
