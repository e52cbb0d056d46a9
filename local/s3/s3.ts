// Buckets as folders of files: the calls of S3 that store, read, list and delete whole objects. Anything else that a
// call asks for is refused as not implemented, never ignored.
import { join } from 'node:path';
import { AwsError } from '../aws/error.ts';
import type { AwsService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { Part } from '../part.ts';
import { StorageUnavailable, toStorageError } from '../storage/errors.ts';
import type { StorageFaults } from '../storage/storage-faults.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { ObjectStore } from './object-store.ts';
import { answer } from './operations.ts';
import { xmlError } from './xml.ts';

export interface S3Options {
  dataFolder: string;
  faults?: StorageFaults;
  environment: StackEnvironment;
  clock: Clock;
  log: Log;
}

export interface S3 extends Part {
  readonly service: AwsService;
  /** Sets up the buckets that the template declares. */
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
          return await clock.busy(() => answer(request, { buckets, environment, clock, authorize }));
        } catch (error) {
          if (error instanceof AwsError) return xmlError(error, request.method);
          const isDisk = toStorageError(error) instanceof StorageUnavailable;
          if (!isDisk) log.error('a call to S3 failed', { error: String((error as Error)?.stack ?? error) });
          return xmlError(new AwsError('InternalError', 'The runtime failed.', { status: 500 }), request.method);
        }
      },
    },
    load(resources) {
      for (const { type, physicalId, logicalId } of resources) {
        if (type !== 'AWS::S3::Bucket') continue;
        if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(physicalId)) {
          throw new Error(`${logicalId} (AWS::S3::Bucket): ${physicalId} is not a name for a bucket`);
        }
        buckets.set(physicalId, new ObjectStore(join(dataFolder, 's3', physicalId), faults));
      }
    },
    async start() {
      for (const store of buckets.values()) await store.tidy();
    },
    async stop() {},
  };
}
