import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';
import { Schedule } from './schedule.ts';

/** Snapshots are in the stack of the records, whose copies they are. */
export function createSnapshotBucket(scope: Construct, { key }: Records): Bucket {
  const bucket = new Bucket(new Construct(scope, 'ListSnapshots'), 'Bucket', {
    encryption: BucketEncryption.KMS,
    encryptionKey: key,
    bucketKeyEnabled: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    // A new stack writes its own.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'It holds copies that list and AI functions of this instance read and one function writes; nobody else has access.',
  });
  return bucket;
}

export interface ListSnapshotsProps {
  bucket: Bucket;
  functions: Functions;
  records: Records;
}

/** Snapshots that new instances of list and AI functions load, and the function that writes them. */
export class ListSnapshots extends Construct {
  readonly writer: ServiceFunction;
  readonly schedule: Schedule;
  private readonly bucket: Bucket;
  private readonly records: Records;

  constructor(scope: Construct, id: string, { bucket, functions, records }: ListSnapshotsProps) {
    super(scope, id);
    this.records = records;
    this.bucket = bucket;
    this.writer = functions.create({
      name: 'write-list-snapshots',
      capability: 'lists',
      description: 'Writes snapshots of the lists and the AI index to S3. New function instances load them.',
      memoryMb: 1_536,
      timeoutSeconds: 900,
    });
    records.grantFeed(this.writer);
    this.grantRead(this.writer);
    this.writer.allow(['s3:PutObject', 's3:DeleteObject'], [this.bucket.arnForObjects('*')]);
    this.allowKey(this.writer, ['kms:GenerateDataKey']);
    this.schedule = new Schedule(this, 'EveryFiveMinutes', {
      minutes: 5,
      description: 'Writes a snapshot every five minutes if enough records changed.',
      target: this.writer,
    });
  }

  /** Allows loading snapshots. Without the permission to list, S3 does not report a missing object as such. */
  readonly grantRead = (fn: ServiceFunction): void => {
    fn.grant(['s3:GetObject'], [this.bucket.arnForObjects('*')], { SNAPSHOTS_BUCKET: this.bucket.bucketName });
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
    this.allowKey(fn, ['kms:Decrypt']);
    this.acknowledgeObjects(fn);
  };

  /** Emptying the bucket when the stack is deleted. */
  readonly grantDelete = (fn: ServiceFunction): void => {
    fn.grant(['s3:DeleteObject'], [this.bucket.arnForObjects('*')], { SNAPSHOTS_BUCKET: this.bucket.bucketName });
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
    this.acknowledgeObjects(fn);
  };

  private readonly acknowledgeObjects = (fn: ServiceFunction): void => {
    const { 'Fn::ImportValue': exported } = Stack.of(this).resolve(
      Stack.of(this.bucket).exportValue(this.bucket.bucketArn),
    );
    Validations.of(fn).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${exported}/*]`,
      reason: 'Each snapshot has objects of its own; everything in the bucket is a snapshot.',
    });
  };

  private allowKey(fn: ServiceFunction, actions: readonly string[]): void {
    const { region, urlSuffix } = Stack.of(this);
    fn.allow(actions, [this.records.key.keyArn], {
      StringEquals: { 'kms:ViaService': `s3.${region}.${urlSuffix}` },
    });
  }
}
