import {
  createTokenEndpoint,
  requestTokens,
  ServiceProblem,
  type TokenCredentials,
  type TokenSet,
} from '../client/index.ts';

// The session of a person who signed in with the browser. The refresh token renews the access token until it expires or
// `itsm logout` revokes it.

export interface SavedSession {
  clientId: string;
  refreshToken: string;
  accessToken: string;
  /** Milliseconds since 1970. */
  renewAt: number;
}

const maxMarginMs = 60_000;

export function toSavedSession(clientId: string, tokens: TokenSet, refreshToken = tokens.refresh_token): SavedSession {
  if (!refreshToken) throw new Error('The sign-in returned no refresh token.');
  const lifeMs = tokens.expires_in * 1000;
  const renewAt = Date.now() + lifeMs - Math.min(maxMarginMs, lifeMs / 10);
  return { clientId, refreshToken, accessToken: tokens.access_token, renewAt };
}

/** Renews the access token when it is about to expire or the service rejects it. Concurrent calls share one renewal. */
export function createSessionCredentials(
  saved: SavedSession,
  authUrl: string,
  save: (before: SavedSession, after: SavedSession) => void,
): TokenCredentials {
  let session = saved;
  let renewal: Promise<string> | undefined;
  const renew = async (): Promise<string> => {
    const before = session;
    session = await renewSession(before, authUrl);
    save(before, session);
    return session.accessToken;
  };
  return {
    token({ rejected }) {
      if (session.accessToken !== rejected && Date.now() < session.renewAt) return session.accessToken;
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
  };
}

async function renewSession({ clientId, refreshToken }: SavedSession, authUrl: string): Promise<SavedSession> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
  try {
    const tokens = await requestTokens(form, 'idempotent', createTokenEndpoint(authUrl));
    // Without a new refresh token in the response, the old one stays valid.
    return toSavedSession(clientId, tokens, tokens.refresh_token ?? refreshToken);
  } catch (error) {
    // Cognito reports a trigger that ended the session as an invalid request.
    const hasEnded = error instanceof ServiceProblem && /^invalid_(?:grant|request)$/.test(error.code);
    if (!hasEnded) throw error;
    const detail = 'Your session has ended. Run itsm login.';
    throw new ServiceProblem({ status: 401, code: 'signed_out', title: 'Signed out', detail, cause: error });
  }
}
