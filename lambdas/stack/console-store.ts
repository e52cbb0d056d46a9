import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import * as z from 'zod';

// Writes the console to its bucket. Browsers cache files with a content hash in their name for a year, and revalidate
// index.html and config.json. The files of the previous release remain for open tabs.

export interface ConsoleStore {
  write(file: { key: string; bytes: Uint8Array; contentType: string; cacheControl: string }): Promise<void>;
  read(key: string): Promise<string | undefined>;
  /** The MD5 of every object, by key. */
  list(): Promise<ReadonlyMap<string, string>>;
  delete(key: string): Promise<void>;
}

const maxParallelWrites = 8;
const releaseKey = 'release.json';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

const propertiesSchema = z.object({ Config: z.record(z.string(), z.string()) });
const releaseSchema = z.array(z.string());

/** `folder` contains the files of this release. */
export function createPublisher(folder: string, store: ConsoleStore) {
  return {
    async publish(properties: unknown): Promise<void> {
      const { Config } = propertiesSchema.parse(properties);
      const existing = await store.list();
      const previous = releaseSchema.parse(JSON.parse((await store.read(releaseKey)) ?? '[]'));
      const names = readdirSync(folder).filter((name) => name !== 'index.html');
      const assets = names.map((name) => toFile(name, readFileSync(join(folder, name))));
      // The page comes last, because it refers to the others.
      const pages = [
        toFile('config.json', Buffer.from(JSON.stringify(Config))),
        toFile('index.html', readFileSync(join(folder, 'index.html'))),
      ];
      const current = [...assets, ...pages].map(({ key }) => key);
      const changed = assets.filter(({ key, bytes }) => existing.get(key) !== md5(bytes));
      while (changed.length > 0) await Promise.all(changed.splice(0, maxParallelWrites).map(store.write));
      for (const page of pages) await store.write(page);
      const kept = new Set([...current, ...previous, releaseKey]);
      for (const key of existing.keys()) if (!kept.has(key)) await store.delete(key);
      await store.write({ ...toFile(releaseKey, Buffer.from(JSON.stringify(current))), key: releaseKey });
    },
    /** CloudFormation deletes only empty buckets. */
    async remove(): Promise<void> {
      for (const key of (await store.list()).keys()) await store.delete(key);
    },
  };
}

function toFile(name: string, bytes: Buffer) {
  return {
    key: `console/${name}`,
    bytes,
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    cacheControl: /-[0-9a-f]{8}\./i.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

/** S3's ETag of an object that was written in one part. */
function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

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
