// Requests whose query contains the signature (Signature Version 4): whoever has the URL can send the request until it
// expires. The body is not signed, so the signature is verified before the body is read.
import { AwsError } from './error.ts';
import { type CredentialScope, isSignedWith, parseAuthorization, type SignedRequest } from './signature.ts';

interface PresignedUrl extends CredentialScope {
  date: string;
  expiresSeconds: number;
}

/** Undefined when the URL has no signature. */
export function parsePresigned(query: URLSearchParams): PresignedUrl | undefined {
  const get = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  const fields = `Credential=${get('Credential')}, SignedHeaders=${get('SignedHeaders')}, Signature=${get('Signature')}`;
  const scope = parseAuthorization(fields);
  return scope && { ...scope, date: get('Date'), expiresSeconds: Number(get('Expires')) };
}

const maxExpiresSeconds = 7 * 86_400;

/** Throws unless the request is the one that was signed. */
export function verifyPresigned(
  secret: string,
  url: PresignedUrl,
  request: Omit<SignedRequest, 'body'>,
  nowMs: number,
): void {
  const { headers } = request;
  const unsigned = Object.keys(headers).find((name) => name.startsWith('x-amz-') && !url.signedHeaders.includes(name));
  if (unsigned) throw createDenial(`There were headers present in the request which were not signed: ${unsigned}`);
  const query = new URLSearchParams([...request.query].filter(([name]) => name !== 'X-Amz-Signature'));
  const signed = { ...headers, 'x-amz-date': url.date, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  if (!isSignedWith(secret, url, { ...request, query, headers: signed, body: '' })) {
    throw new AwsError('SignatureDoesNotMatch', 'The request signature does not match the signature you provided.', {
      status: 403,
    });
  }
  const { expiresSeconds } = url;
  const isPeriod = expiresSeconds >= 1 && expiresSeconds <= maxExpiresSeconds;
  const expiresMs = parseDate(url.date) + expiresSeconds * 1_000;
  if (!isPeriod || !(nowMs < expiresMs)) throw createDenial('Request has expired');
}

/** The parameters of the operation, and the headers that the signer moved into the query, such as checksums. */
export function splitQuery(query: URLSearchParams): { query: URLSearchParams; headers: Record<string, string> } {
  const isHeader = ([name]: [string, string]) => name.toLowerCase().startsWith('x-amz-');
  const headers = [...query].filter(isHeader).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    query: new URLSearchParams([...query].filter((pair) => !isHeader(pair))),
    headers: Object.fromEntries(headers),
  };
}

/** Format: 20260301T093000Z. */
function parseDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function createDenial(message: string): AwsError {
  return new AwsError('AccessDenied', message, { status: 403 });
}
