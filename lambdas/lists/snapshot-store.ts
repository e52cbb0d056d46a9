import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { requireValue } from '../platform/require-value.ts';
import type { SnapshotStore } from './snapshot.ts';

// | Access pattern            | Call          | Key                       |
// |---------------------------|---------------|---------------------------|
// | the newest snapshot       | GetObject     | `<type>/manifest`         |
// | its chunks                | GetObject     | `<type>/<snapshot>/<n>`   |
// | what older snapshots left | ListObjectsV2 | prefix `<type>/`          |

export function createSnapshotStore(client: S3Client, bucket: string): SnapshotStore {
  return {
    async read(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return await requireValue(Body).transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async write(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }));
    },
    async keys(prefix) {
      // One page holds far more than two snapshots; the next run removes the rest.
      const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return (Contents ?? []).flatMap(({ Key = [] }) => Key);
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}
