import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Duration, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Environment } from './environments.ts';
import { grantAll, type ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';

// Files of notes. Clients upload and download with presigned URLs of the bucket, which is another origin than the console.

const uploads = 'uploads/*';
const files = 'files/*';

/** The tag with which GuardDuty Malware Protection, or another scanner in its place, marks an object. */
const scanTag = 's3:ExistingObjectTag/GuardDutyMalwareScanStatus';

export function createAttachmentBucket(scope: Construct, { key }: Records, environment: Environment): Bucket {
  const { removalPolicy, domain, corsOrigins = [], attachmentScan } = environment;
  const bucket = new Bucket(new Construct(scope, 'Attachments'), 'Bucket', {
    encryption: BucketEncryption.KMS,
    encryptionKey: key,
    bucketKeyEnabled: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    versioned: true,
    cors: [
      {
        // CloudFront's host name is not known to this stack. The signature in the URL grants access, not the origin.
        allowedOrigins: domain ? [`https://${domain.name}`, ...corsOrigins] : ['*'],
        allowedMethods: [HttpMethods.PUT, HttpMethods.GET],
        allowedHeaders: ['content-type'],
        maxAge: 3_600,
      },
    ],
    lifecycleRules: [
      { prefix: 'uploads/', expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
      { noncurrentVersionExpiration: Duration.days(30), abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy,
  });
  if (attachmentScan) {
    bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject', 's3:GetObjectVersion'],
        resources: [bucket.arnForObjects(files)],
        conditions: {
          StringNotEquals: { [scanTag]: 'NO_THREATS_FOUND' },
          ArnNotEquals: { 'aws:PrincipalArn': attachmentScan },
        },
      }),
    );
  }
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Every URL is issued by an operation that the gateway logs with its caller.',
  });
  return bucket;
}

export interface AttachmentsProps {
  bucket: Bucket;
  records: Records;
  /** The address of the bucket for clients. */
  url: string;
}

/** The permissions of the operations. A presigned URL has those of the function that signed it. */
export class Attachments {
  private readonly props: AttachmentsProps;

  constructor(props: AttachmentsProps) {
    this.props = props;
  }

  get permissions() {
    const { records } = this.props;
    return {
      createAttachment: grantAll(records.grantGet, records.grantWrite, records.grantCheck, (fn) =>
        this.grant(fn, ['s3:PutObject'], [uploads], ['kms:GenerateDataKey']),
      ),
      completeAttachment: (fn: ServiceFunction) => {
        records.grantGet(fn);
        records.grantWrite(fn);
        this.grant(fn, ['s3:GetObject'], [uploads], ['kms:Decrypt', 'kms:GenerateDataKey']);
        this.grant(fn, ['s3:PutObject'], [files]);
        this.grant(fn, ['s3:DeleteObject'], [uploads, files]);
        // Without the permission to list, S3 does not report a missing object as such.
        fn.allow(['s3:ListBucket'], [this.props.bucket.bucketArn]);
      },
      getAttachment: grantAll(records.grantGet, (fn) => this.grant(fn, ['s3:GetObject'], [files], ['kms:Decrypt'])),
      deleteAttachment: grantAll(records.grantGet, records.grantWrite, (fn) =>
        this.grant(fn, ['s3:DeleteObject'], [uploads, files]),
      ),
    };
  }

  /** Allows deleting files that no note has. */
  readonly grantDelete = (fn: ServiceFunction): void => {
    this.grant(fn, ['s3:DeleteObject'], [files]);
  };

  private grant(fn: ServiceFunction, actions: string[], prefixes: string[], keyActions: string[] = []): void {
    const { bucket, records, url } = this.props;
    const variables = { ATTACHMENTS_BUCKET: bucket.bucketName, ATTACHMENTS_URL: url };
    fn.grant(
      actions,
      prefixes.map((prefix) => bucket.arnForObjects(prefix)),
      variables,
    );
    const { region, urlSuffix } = Stack.of(bucket);
    const viaS3 = { StringEquals: { 'kms:ViaService': `s3.${region}.${urlSuffix}` } };
    if (keyActions.length > 0) fn.allow(keyActions, [records.key.keyArn], viaS3);
    const { 'Fn::ImportValue': exported } = Stack.of(fn).resolve(Stack.of(bucket).exportValue(bucket.bucketArn));
    for (const prefix of prefixes) {
      Validations.of(fn).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${exported}/${prefix}]`,
        reason: 'Each file is an object of its own.',
      });
    }
  }
}
