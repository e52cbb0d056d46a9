/** May be undefined, because programs read them from the environment; the client then says which one is missing. */
export interface ClientCredentials {
  clientId: string | undefined;
  clientSecret: string | undefined;
}

/** A service account's key, as shown once when it was created: `itsm_…`. */
export interface ApiKeyCredentials {
  apiKey: string | undefined;
}

export interface TokenCredentials {
  /** Called before every request, and again after a 401 with the rejected token. */
  token(context: { rejected?: string }): string | Promise<string>;
}

export type Credentials = ClientCredentials | ApiKeyCredentials | TokenCredentials;

const keyPrefix = 'itsm_';

export type ParsedCredentials = { [Name in keyof ClientCredentials]: string };

/** An API key is an app client in one word: the prefix, then base64url of `client_id:client_secret`. */
export function parseCredentials(credentials: ApiKeyCredentials | ClientCredentials): ParsedCredentials {
  for (const [name, value] of Object.entries(credentials)) {
    if (value === undefined || value === null)
      throw new TypeError(`credentials.${name} is not set. Check the environment variable that it comes from.`);
  }
  return 'apiKey' in credentials ? parseApiKey(String(credentials.apiKey)) : (credentials as ParsedCredentials);
}

function parseApiKey(apiKey: string): ParsedCredentials {
  const [clientId, ...secret] = decodeKey(apiKey).split(':');
  const clientSecret = secret.join(':');
  if (!clientId || !clientSecret) throw new TypeError('The API key is not one of this service (itsm_…).');
  return { clientId, clientSecret };
}

function decodeKey(apiKey: string): string {
  const encoded = apiKey.startsWith(keyPrefix) ? apiKey.slice(keyPrefix.length) : '';
  if (!/^[\w-]+$/.test(encoded)) return '';
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
