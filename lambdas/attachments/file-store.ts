import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AttachedFile } from '../../contract/attachments.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { env } from '../platform/env.ts';
import { requireValue } from '../platform/require-value.ts';

// Uploads and files have separate prefixes: a client can write the first, and only the service writes the second, after it
// has read the content. A URL that is still valid cannot replace a file, therefore.
//
// | Access pattern                     | Call         | Key             |
// |------------------------------------|--------------|-----------------|
// | a client uploads                   | PutObject    | `uploads/<id>`  |
// | check and publish an upload        | Get-, Put-, DeleteObject | both |
// | a client downloads                 | GetObject    | `files/<id>`    |

type File = Pick<AttachedFile, 'id' | 'filename' | 'content_type' | 'size_bytes'>;

export interface FileStore {
  presignUpload(file: File, seconds: number): Promise<string>;
  presignDownload(id: string, seconds: number): Promise<string>;
  /** Undefined when nothing was uploaded. */
  readUpload(id: string): Promise<Uint8Array | undefined>;
  publish(file: File, bytes: Uint8Array): Promise<void>;
  deleteUpload(id: string): Promise<void>;
  deleteFile(id: string): Promise<void>;
}

/** The store of the function's bucket. */
export function createFiles(): FileStore {
  const { ATTACHMENTS_BUCKET, ATTACHMENTS_URL } = env('ATTACHMENTS_BUCKET', 'ATTACHMENTS_URL');
  return createFileStore(s3Client(), ATTACHMENTS_BUCKET, ATTACHMENTS_URL);
}

/** `address` is the URL of the bucket for clients. */
export function createFileStore(client: S3Client, bucket: string, address: string): FileStore {
  const { region, credentials, sha256 } = client.config;
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  const presign = async (method: string, key: string, headers: Record<string, string>, expiresIn: number) => {
    const url = new URL(`${address}/${key}`);
    const { protocol, hostname, host, pathname: path } = url;
    const unsigned = { host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' };
    const request = { method, protocol, hostname, path, headers: { ...headers, ...unsigned } };
    const { query = {} } = await signer.presign(request, { expiresIn });
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url.href;
  };
  const remove = async (key: string) => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  };
  return {
    presignUpload({ id, content_type, size_bytes }, seconds) {
      const headers = { 'content-length': String(size_bytes), 'content-type': content_type };
      return presign('PUT', toUploadKey(id), headers, seconds);
    },
    presignDownload: (id, seconds) => presign('GET', toFileKey(id), {}, seconds),
    async readUpload(id) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: toUploadKey(id) }));
        return await requireValue(Body).transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async publish({ id, filename, content_type }, bytes) {
      const metadata = { ContentType: content_type, ContentDisposition: formatDisposition(filename) };
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: toFileKey(id), Body: bytes, ...metadata }));
    },
    deleteUpload: (id) => remove(toUploadKey(id)),
    deleteFile: (id) => remove(toFileKey(id)),
  };
}

function toUploadKey(id: string): string {
  return `uploads/${id}`;
}

function toFileKey(id: string): string {
  return `files/${id}`;
}

/** RFC 6266: a name in ASCII, and the exact name. */
function formatDisposition(filename: string): string {
  const ascii = filename.replace(/[^ -~]|["%\\]/g, '_');
  const exact = encodeURIComponent(Buffer.from(filename).toString()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
