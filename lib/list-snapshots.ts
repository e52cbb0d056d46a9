import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';
import { Schedule } from './schedule.ts';

export interface ListSnapshotsProps {
  functions: Functions;
  records: Records;
}

/** Snapshots that new instances of list and AI functions load, and the function that writes them. */
export class ListSnapshots extends Construct {
  readonly writer: ServiceFunction;
  readonly schedule: Schedule;
  private readonly bucket: Bucket;
  private readonly records: Records;

  constructor(scope: Construct, id: string, { functions, records }: ListSnapshotsProps) {
    super(scope, id);
    this.records = records;
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.KMS,
      encryptionKey: records.key,
      bucketKeyEnabled: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      // Snapshots are copies of records, and a new stack writes its own.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds copies that list and AI functions of this stack read and one function writes; nobody else has access.',
    });
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
  grantRead(fn: ServiceFunction): void {
    fn.grant(['s3:GetObject'], [this.bucket.arnForObjects('*')], { SNAPSHOTS_BUCKET: this.bucket.bucketName });
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
    this.allowKey(fn, ['kms:Decrypt']);
    this.acknowledgeObjects(fn);
  }

  /** Emptying the bucket when the stack is deleted. */
  grantDelete(fn: ServiceFunction): void {
    fn.grant(['s3:DeleteObject'], [this.bucket.arnForObjects('*')], { SNAPSHOTS_BUCKET: this.bucket.bucketName });
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
    this.acknowledgeObjects(fn);
  }

  private acknowledgeObjects(fn: ServiceFunction): void {
    const bucketId = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    Validations.of(fn).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`,
      reason: 'Each snapshot has objects of its own; everything in the bucket is a snapshot.',
    });
  }

  private allowKey(fn: ServiceFunction, actions: readonly string[]): void {
    const { region, urlSuffix } = Stack.of(this);
    fn.allow(actions, [this.records.key.keyArn], {
      StringEquals: { 'kms:ViaService': `s3.${region}.${urlSuffix}` },
    });
  }
}
