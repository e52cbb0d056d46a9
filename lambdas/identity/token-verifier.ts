import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../platform/clock.ts';
import { InvalidToken } from './access-token.ts';

/** Resolves to the claims of a token that the user pool signed and that has not expired; rejects with InvalidToken. */
export type TokenVerifier = (token: string) => Promise<unknown>;

export function tokenVerifier(keys: JWTVerifyGetKey, issuer: string, clock: Clock): TokenVerifier {
  return async (token) => {
    try {
      const options = { issuer, algorithms: ['RS256'], currentDate: new Date(clock.now()) };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (isTokensFault(error)) throw new InvalidToken(error.message, { cause: error });
      throw error;
    }
  };
}

/** The pool's public keys, fetched when an unknown key id turns up and at most every 30 seconds. */
export function remoteKeys(jwksUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: 3_000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: fetchTwice,
  });
}

const fetchTwice: typeof fetch = async (...request) => {
  const first = await fetch(...request).catch(() => undefined);
  if (first?.ok) return first;
  await first?.body?.cancel();
  return fetch(...request);
};

/** Everything jose finds wrong with the token itself, as opposed to trouble with getting the keys. */
function isTokensFault(error: unknown): error is errors.JOSEError {
  if (!(error instanceof errors.JOSEError)) return false;
  return error.code !== 'ERR_JWKS_TIMEOUT' && error.code !== 'ERR_JWKS_INVALID' && error.code !== 'ERR_JOSE_GENERIC';
}
