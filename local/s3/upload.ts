// Decodes the body of an upload: removes the chunk encoding that the SDK uses for streams, and verifies checksums.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AwsError } from '../aws/error.ts';
import type { AwsHttpRequest } from '../aws/service.ts';

export function decodeUpload({ headers, body: encoded }: Pick<AwsHttpRequest, 'headers' | 'body'>): Buffer {
  const body = typeof encoded === 'string' ? Buffer.from(encoded) : encoded;
  const isChunked = (headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-');
  const { bytes, trailers } = isChunked ? decodeChunks(body) : { bytes: body, trailers: {} };
  const declared = headers['x-amz-decoded-content-length'];
  if (declared !== undefined && Number(declared) !== bytes.byteLength) {
    throw new AwsError('IncompleteBody', 'The request body terminated unexpectedly');
  }
  verifyChecksums({ ...headers, ...trailers }, bytes);
  return bytes;
}

/** Removes aws-chunked, an encoding of the transfer and not of the object. */
export function parseContentEncoding(header: string | undefined): string | undefined {
  const encodings = (header ?? '').split(',').map((encoding) => encoding.trim());
  return encodings.filter((encoding) => encoding !== '' && encoding !== 'aws-chunked').join(',') || undefined;
}

/** Format: `<hexadecimal length>[;extension]`, a line break, the bytes, a line break, …, a chunk of 0 bytes, trailers. */
function decodeChunks(body: Buffer): { bytes: Buffer; trailers: Record<string, string> } {
  const chunks: Buffer[] = [];
  for (let position = 0; position < body.byteLength; ) {
    const lineEnd = body.indexOf('\r\n', position);
    if (lineEnd < 0) break;
    const length = Number.parseInt(body.toString('latin1', position, lineEnd).split(';')[0] ?? '', 16);
    if (Number.isNaN(length)) break;
    if (length === 0)
      return { bytes: Buffer.concat(chunks), trailers: parseTrailers(body.toString('latin1', lineEnd + 2)) };
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + length));
    position = lineEnd + 2 + length + 2;
  }
  throw new AwsError('IncompleteBody', 'The request body terminated unexpectedly');
}

function parseTrailers(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function verifyChecksums(headers: Record<string, string | undefined>, bytes: Buffer): void {
  for (const [name, expected] of Object.entries(headers)) {
    if (expected === undefined || !isChecksum(name)) continue;
    const compute = checksums[name];
    if (!compute) {
      throw new AwsError('NotImplemented', `The local runtime does not implement ${name}.`, { status: 501 });
    }
    if (compute(bytes) !== expected) {
      throw new AwsError('BadDigest', `The ${name} you specified did not match what we received.`);
    }
  }
}

function isChecksum(name: string): boolean {
  const settings = ['x-amz-checksum-algorithm', 'x-amz-checksum-type', 'x-amz-checksum-mode'];
  return name === 'content-md5' || (name.startsWith('x-amz-checksum-') && !settings.includes(name));
}

const hash = (algorithm: string) => (bytes: Buffer) => createHash(algorithm).update(bytes).digest('base64');

const checksums: Record<string, (bytes: Buffer) => string> = {
  'content-md5': hash('md5'),
  'x-amz-checksum-sha1': hash('sha1'),
  'x-amz-checksum-sha256': hash('sha256'),
  'x-amz-checksum-crc32': (bytes) => {
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(crc32(bytes));
    return digest.toString('base64');
  },
};
