// Buckets as folders of files, with S3's operations to store, read, list and delete whole objects. Any other parameter or
// header of a request is rejected as not implemented, never ignored.
import { join } from 'node:path';
import { AwsError } from '../aws/error.ts';
import { toS3Error } from '../aws/error-response.ts';
import type { AwsService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import { formatError, type Log } from '../log.ts';
import type { RuntimeService } from '../runtime-service.ts';
import { StorageUnavailable, toStorageError } from '../storage/errors.ts';
import type { StorageFaults } from '../storage/storage-faults.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { ObjectStore, type StoredObject } from './object-store.ts';
import { handleRequest } from './operations.ts';

export interface S3Options {
  dataFolder: string;
  faults?: StorageFaults;
  environment: StackEnvironment;
  clock: Clock;
  log: Log;
}

export interface S3 extends RuntimeService {
  readonly service: AwsService;
  /** Reads an object for another service of the account; the caller must close it. */
  readObject(bucket: string, key: string): Promise<StoredObject | undefined>;
  /** Sets up the buckets of the template. */
  load(resources: readonly Resource[]): void;
}

export function createS3({ dataFolder, faults, environment, clock, log }: S3Options): S3 {
  const buckets = new Map<string, ObjectStore>();
  return {
    name: 's3',
    service: {
      signingName: 's3',
      async handle(request, authorize) {
        try {
          return await clock.track(() => handleRequest(request, { buckets, environment, clock, authorize }));
        } catch (error) {
          if (error instanceof AwsError) return toS3Error(error, request.method);
          const isDiskError = toStorageError(error) instanceof StorageUnavailable;
          if (!isDiskError) log.error('S3 call failed with an internal error', { error: formatError(error) });
          const internalError = new AwsError('InternalError', 'The local runtime failed.', { status: 500 });
          return toS3Error(internalError, request.method);
        }
      },
    },
    async readObject(bucket, key) {
      return buckets.get(bucket)?.get(key);
    },
    load(resources) {
      for (const { type, physicalId, logicalId } of resources) {
        if (type !== 'AWS::S3::Bucket') continue;
        if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(physicalId)) {
          throw new Error(`${logicalId} (AWS::S3::Bucket): ${physicalId} is not a valid bucket name`);
        }
        buckets.set(physicalId, new ObjectStore(join(dataFolder, 's3', physicalId), faults));
      }
    },
    async start() {
      for (const store of buckets.values()) await store.deleteTemporaryFiles();
    },
    async stop() {},
  };
}
