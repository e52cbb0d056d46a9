import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ConsoleStore } from './publish-console.ts';

// | Access pattern                     | Call          | Key              |
// |------------------------------------|---------------|------------------|
// | write a file of the console        | PutObject     | `console/<name>` |
// | the names of the previous release  | GetObject     | `release.json`   |
// | existing files                     | ListObjectsV2 | all              |

/** A release has a few dozen files, so this is far more than any bucket contains. */
const maxPages = 20;

export function createConsoleStore(client: S3Client, bucket: string): ConsoleStore {
  return {
    async write({ key, bytes, contentType, cacheControl }) {
      const metadata = { ContentType: contentType, CacheControl: cacheControl };
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ...metadata }));
    },
    async read(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return await Body?.transformToString();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async list() {
      const tags = new Map<string, string>();
      let token: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const { Contents = [], NextContinuationToken } = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }),
        );
        for (const { Key, ETag = '' } of Contents) if (Key) tags.set(Key, ETag.replaceAll('"', ''));
        if (!NextContinuationToken) break;
        token = NextContinuationToken;
      }
      return tags;
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}
