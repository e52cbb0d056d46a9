import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { type CfnResource, CustomResource, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Functions } from './functions.ts';

/** CloudFormation would wait for an hour for a function that cannot send its result. */
const maxDeploymentSeconds = 600;

export interface ConsoleFilesProps {
  functions: Functions;
  bucket: Bucket;
  /** The console's config.json. */
  config: Readonly<Record<string, string>>;
}

/**
 * The files of the console in its bucket. They travel in the code of the function that writes them, so that a deployment
 * uploads them like all other code and the function needs no access to any other bucket.
 */
export class ConsoleFiles extends Construct {
  constructor(scope: Construct, id: string, { functions, bucket, config }: ConsoleFilesProps) {
    super(scope, id);
    const publisher = functions.create({
      name: 'publish-console',
      capability: 'console',
      description: 'Writes the files of the console to its bucket during a deployment.',
      timeoutSeconds: 120,
    });
    publisher.grant(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [bucket.arnForObjects('*')], {
      CONSOLE_BUCKET: bucket.bucketName,
    });
    publisher.allow(['s3:ListBucket'], [bucket.bucketArn]);
    const bucketId = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnBucket);
    Validations.of(publisher).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`,
      reason:
        'The names of the files contain hashes of their contents; everything in the bucket belongs to the console.',
    });
    const { code } = publisher.lambda.node.defaultChild as CfnFunction;
    const files = new CustomResource(this, 'Files', {
      serviceToken: publisher.lambda.functionArn,
      // CloudFormation runs the function whenever a property changes; new files change the name of the code.
      properties: { Release: (code as CfnFunction.CodeProperty).s3Key, Config: config },
    });
    (files.node.defaultChild as CfnResource).addPropertyOverride('ServiceTimeout', maxDeploymentSeconds);
  }
}
