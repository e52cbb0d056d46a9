// Buckets as folders of files, with S3's operations to store, read, list and delete whole objects. Any other parameter or
// header of a request is rejected as not implemented, never ignored.
import { join } from 'node:path';
import { AwsError } from '../aws/error.ts';
import { toS3Error } from '../aws/error-response.ts';
import { type AwsService, unsupportedOperationError } from '../aws/service.ts';
import type { Clock, Timer } from '../clock/clock.ts';
import { formatError, type Log } from '../log.ts';
import type { RuntimeService } from '../runtime-service.ts';
import { StorageUnavailable, toStorageError } from '../storage/errors.ts';
import type { StorageFaults } from '../storage/storage-faults.ts';
import type { Properties, Resource, StackEnvironment } from '../template/resource-type.ts';
import { ObjectStore, type StoredObject } from './object-store.ts';
import { handleRequest } from './operations.ts';

export interface S3Options {
  dataFolder: string;
  faults?: StorageFaults;
  environment: StackEnvironment;
  clock: Clock;
  log: Log;
}

interface PutObjectInput {
  Bucket: string;
  Key: string;
  Body: Buffer;
  ContentType: string;
}

export interface S3 extends RuntimeService {
  readonly service: AwsService;
  /** Reads an object for another service of the account; the caller must close it. */
  readObject(bucket: string, key: string): Promise<StoredObject | undefined>;
  /** Whether a URL of the public server is a presigned one of an object: /bucket/key with a signature. */
  isPresigned(url: string): boolean;
  /** Sets up the buckets of the template. */
  load(resources: readonly Resource[]): void;
}

export function createS3({ dataFolder, faults, environment, clock, log }: S3Options): S3 {
  const buckets = new Map<string, ObjectStore>();
  const expirations: Expiration[] = [];
  let timer: Timer | undefined;
  /** S3 also applies lifecycle rules once a day. */
  const expire = async () => {
    timer = clock.after(dayMs, () => clock.track(expire));
    for (const { store, prefix, days } of expirations) await store.deleteOlder(prefix, clock.now() - days * dayMs);
  };
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
      /** Only PutObject, for seeds. */
      async call(operation, input, authorize) {
        const { Bucket, Key, Body, ContentType } = input as PutObjectInput;
        const store = buckets.get(Bucket);
        if (operation !== 'PutObject' || !store) throw unsupportedOperationError('s3', operation);
        authorize([{ action: 's3:PutObject', resource: `arn:aws:s3:::${Bucket}/${Key}` }]);
        await store.put({ key: Key, modifiedMs: clock.now(), contentType: ContentType, headers: {} }, Body);
        return {};
      },
    },
    async readObject(bucket, key) {
      return buckets.get(bucket)?.get(key);
    },
    isPresigned(url) {
      return url.includes('X-Amz-Signature=') && buckets.has(url.slice(1, url.indexOf('/', 1)));
    },
    load(resources) {
      for (const { type, physicalId, logicalId, properties } of resources) {
        if (type !== 'AWS::S3::Bucket') continue;
        if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(physicalId)) {
          throw new Error(`${logicalId} (AWS::S3::Bucket): ${physicalId} is not a valid bucket name`);
        }
        const store = new ObjectStore(join(dataFolder, 's3', physicalId), faults);
        buckets.set(physicalId, store);
        expirations.push(...parseExpirations(properties).map((rule) => ({ ...rule, store })));
      }
    },
    async start() {
      for (const store of buckets.values()) await store.deleteTemporaryFiles();
      await expire();
    },
    async stop() {
      timer?.cancel();
    },
  };
}

const dayMs = 86_400_000;

interface Expiration {
  store: ObjectStore;
  prefix: string;
  days: number;
}

/** The rules that delete current objects; there are no former versions. */
function parseExpirations({ LifecycleConfiguration: configuration }: Properties): Omit<Expiration, 'store'>[] {
  const rules: { Prefix?: string; ExpirationInDays?: number }[] = configuration?.Rules ?? [];
  return rules.flatMap(({ Prefix: prefix = '', ExpirationInDays: days }) => (days ? [{ prefix, days }] : []));
}
