// A bucket as the origin of a distribution. Files are compressed on first use and cached in memory, like at
// CloudFront's edge locations.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { ObjectHeader, StoredObject } from '../s3/object-store.ts';

export type ReadObject = (bucket: string, key: string) => Promise<StoredObject | undefined>;

export interface BucketOriginOptions {
  bucket: string;
  readObject: ReadObject;
  compresses: boolean;
}

type Encoding = 'br' | 'gzip';

/** CloudFront compresses files of these sizes. */
const minCompressedBytes = 1_000;
const maxCompressedBytes = 10_000_000;
const maxCachedFiles = 200;

const compressedTypes = /^(?:text\/|application\/(?:json|javascript|xml|manifest\+json)|image\/svg\+xml|font\/)/;

const compressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

export class BucketOrigin {
  private readonly options: BucketOriginOptions;
  private readonly compressed = new Map<string, Promise<Buffer>>();

  constructor(options: BucketOriginOptions) {
    this.options = options;
  }

  async serve(request: IncomingMessage, response: ServerResponse, uri: string): Promise<void> {
    const object = await this.findObject(uri);
    if (!object) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
      return;
    }
    try {
      const encoding = this.chooseEncoding(object.header, request.headers['accept-encoding']);
      const headers = toHeaders(object.header, encoding);
      if (matchesTag(request.headers['if-none-match'], object.header.etag)) {
        response.writeHead(304, headers).end();
        return;
      }
      const bytes = encoding ? await this.compress(object, encoding) : await object.read();
      response.writeHead(200, { ...headers, 'content-length': bytes.byteLength });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    } finally {
      await object.close();
    }
  }

  private async findObject(uri: string): Promise<StoredObject | undefined> {
    try {
      return await this.options.readObject(this.options.bucket, decodeURIComponent(uri.slice(1)));
    } catch (error) {
      if (error instanceof URIError) return undefined;
      throw error;
    }
  }

  private chooseEncoding({ contentType, size }: ObjectHeader, accepted = ''): Encoding | undefined {
    if (!this.options.compresses || size < minCompressedBytes || size > maxCompressedBytes) return undefined;
    if (!compressedTypes.test(contentType)) return undefined;
    const names = String(accepted)
      .split(',')
      .map((part) => part.trim().split(';')[0]);
    return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding));
  }

  /** The cache key contains the ETag, so a changed file is compressed again. */
  private compress(object: StoredObject, encoding: Encoding): Promise<Buffer> {
    const name = `${object.header.etag}.${encoding}`;
    const cached = this.compressed.get(name);
    if (cached) return cached;
    const [oldest] = this.compressed.keys();
    if (this.compressed.size >= maxCachedFiles && oldest !== undefined) this.compressed.delete(oldest);
    const result = object.read().then(compressors[encoding]);
    this.compressed.set(name, result);
    result.catch(() => this.compressed.delete(name));
    return result;
  }
}

function toHeaders(header: ObjectHeader, encoding: Encoding | undefined): OutgoingHttpHeaders {
  return {
    'content-type': header.contentType,
    'last-modified': new Date(header.modifiedMs).toUTCString(),
    // Compression changes the bytes, so the ETag is weak.
    etag: encoding ? `W/"${header.etag}"` : `"${header.etag}"`,
    vary: 'Accept-Encoding',
    ...header.headers,
    ...(encoding && { 'content-encoding': encoding }),
  };
}

function matchesTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(`"${etag}"`);
}
