// A token is valid by its signature until it expires, also after its holder signed out. Only the user pool knows of
// revoked sessions, and its userInfo endpoint is the one place that tells: it refuses the token of a revoked session, of
// a person who was signed out everywhere, disabled or deleted.

/** False when the session that a person's token belongs to has ended. Throws when the user pool does not answer. */
export type SessionCheck = (token: string) => Promise<boolean>;

export function userInfoCheck(url: string): SessionCheck {
  return async (token) => {
    const status = await ask(url, token);
    if (status === 200 || status === 401) return status === 200;
    throw new Error(`the userInfo endpoint answered ${status}`);
  };
}

const maxAttempts = 2;
const timeoutMs = 3_000;

async function ask(url: string, token: string): Promise<number | string> {
  let outcome: number | string = 'nothing';
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    outcome = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      (error: unknown) => String(error),
    );
    if (outcome === 200 || outcome === 401) break;
  }
  return outcome;
}
