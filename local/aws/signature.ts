// Verifies Signature Version 4. The request's date is not compared with the clock, because the runtime's clock can be
// moved.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedRequest {
  method: string;
  /** As it was sent. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: Buffer | string;
}

/** The fields of an Authorization header, before verification. */
export interface CredentialScope {
  accessKeyId: string;
  /** <date>/<region>/<service>/aws4_request */
  scope: string;
  service: string;
  signedHeaders: readonly string[];
  signature: string;
}

export function parseAuthorization(authorization: string | undefined): CredentialScope | undefined {
  const text = authorization ?? '';
  const credential = /Credential=([^/,\s]+)\/(\d+\/[^/,\s]+\/([^/,\s]+)\/aws4_request)/.exec(text);
  const [, accessKeyId, scope, service] = credential ?? [];
  if (!accessKeyId || !scope || !service) return undefined;
  const signedHeaders = /SignedHeaders=([^,\s]+)/.exec(text)?.[1]?.split(';') ?? [];
  return { accessKeyId, scope, service, signedHeaders, signature: /Signature=([0-9a-f]+)/.exec(text)?.[1] ?? '' };
}

export function isSignedWith(secret: string, given: CredentialScope, request: SignedRequest): boolean {
  const { signature } = given;
  const expected = computeSignature(secret, given, request);
  return expected.length === signature.length && timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
}

export function computeSignature(
  secret: string,
  given: Omit<CredentialScope, 'signature'>,
  request: SignedRequest,
): string {
  const { scope } = given;
  const canonical = sha256(formatCanonicalRequest(given, request));
  const text = `AWS4-HMAC-SHA256\n${request.headers['x-amz-date'] ?? ''}\n${scope}\n${canonical}`;
  const key = scope.split('/').reduce<Buffer>((above, part) => hmac(above, part), Buffer.from(`AWS4${secret}`));
  return hmac(key, text).toString('hex');
}

function formatCanonicalRequest(
  { signedHeaders, service }: Omit<CredentialScope, 'signature'>,
  request: SignedRequest,
): string {
  const { method, path, query, headers, body } = request;
  const values: SignedRequest['headers'] = { ...headers, host: headers.host ?? headers[':authority'] };
  const lines = signedHeaders.map((name) => `${name}:${(values[name] ?? '').trim().replace(/ +/g, ' ')}\n`);
  return [
    method,
    // All services but S3 encode the already encoded path again.
    service === 's3' ? path : path.split('/').map(encode).join('/'),
    formatCanonicalQuery(query),
    lines.join(''),
    signedHeaders.join(';'),
    hashPayload(headers['x-amz-content-sha256'], body),
  ].join('\n');
}

function formatCanonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.sort().join('&');
}

/** S3 clients send the hash, or a marker for an unsigned body. */
function hashPayload(named: string | undefined, body: Buffer | string): string {
  return named !== undefined && !/^[0-9a-f]{64}$/.test(named) ? named : sha256(body);
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
