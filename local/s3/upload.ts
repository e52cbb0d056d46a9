// The bytes of an upload as they were meant: unwrapped from the chunks that the SDK sends streams in, and compared with
// the checksums that came with them.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AwsError } from '../aws/error.ts';
import type { AwsHttpRequest } from '../aws/service.ts';

export function uploadedBytes({ headers, body: given }: Pick<AwsHttpRequest, 'headers' | 'body'>): Buffer {
  const body = typeof given === 'string' ? Buffer.from(given) : given;
  const isChunked = (headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-');
  const { bytes, trailers } = isChunked ? unwrapped(body) : { bytes: body, trailers: {} };
  const declared = headers['x-amz-decoded-content-length'];
  if (declared !== undefined && Number(declared) !== bytes.byteLength) {
    throw new AwsError('IncompleteBody', 'The request body terminated unexpectedly');
  }
  checkDigests({ ...headers, ...trailers }, bytes);
  return bytes;
}

/** What encodes the transfer and not the object is no part of it. */
export function contentEncoding(given: string | undefined): string | undefined {
  const encodings = (given ?? '').split(',').map((encoding) => encoding.trim());
  return encodings.filter((encoding) => encoding !== '' && encoding !== 'aws-chunked').join(',') || undefined;
}

/** `<hexadecimal length>[;extension]`, a line break, the bytes, a line break …, a chunk of 0 bytes, trailers. */
function unwrapped(body: Buffer): { bytes: Buffer; trailers: Record<string, string> } {
  const chunks: Buffer[] = [];
  for (let position = 0; position < body.byteLength; ) {
    const lineEnd = body.indexOf('\r\n', position);
    if (lineEnd < 0) break;
    const length = Number.parseInt(body.toString('latin1', position, lineEnd).split(';')[0]!, 16);
    if (Number.isNaN(length)) break;
    if (length === 0)
      return { bytes: Buffer.concat(chunks), trailers: trailersIn(body.toString('latin1', lineEnd + 2)) };
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + length));
    position = lineEnd + 2 + length + 2;
  }
  throw new AwsError('IncompleteBody', 'The request body terminated unexpectedly');
}

function trailersIn(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function checkDigests(headers: Record<string, string | undefined>, bytes: Buffer): void {
  for (const [name, given] of Object.entries(headers)) {
    if (given === undefined || !isDigest(name)) continue;
    const digest = digests[name];
    if (!digest) throw new AwsError('NotImplemented', `${name} is not checked here`, { status: 501 });
    if (digest(bytes) !== given) {
      throw new AwsError('BadDigest', `The ${name} you specified did not match what we received.`);
    }
  }
}

function isDigest(name: string): boolean {
  const settings = ['x-amz-checksum-algorithm', 'x-amz-checksum-type', 'x-amz-checksum-mode'];
  return name === 'content-md5' || (name.startsWith('x-amz-checksum-') && !settings.includes(name));
}

const hash = (algorithm: string) => (bytes: Buffer) => createHash(algorithm).update(bytes).digest('base64');

const digests: Record<string, (bytes: Buffer) => string> = {
  'content-md5': hash('md5'),
  'x-amz-checksum-sha1': hash('sha1'),
  'x-amz-checksum-sha256': hash('sha256'),
  'x-amz-checksum-crc32': (bytes) => {
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(crc32(bytes));
    return digest.toString('base64');
  },
};
