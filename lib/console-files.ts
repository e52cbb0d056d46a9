import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { type CfnResource, CustomResource, Names, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Functions } from './functions.ts';

/** CloudFormation waits an hour by default for the result of a custom resource. */
const maxDeploymentSeconds = 600;

export interface ConsoleFilesProps {
  functions: Functions;
  bucket: Bucket;
  /** The console's config.json. */
  config: Readonly<Record<string, string>>;
}

/**
 * Publishes the console to its bucket. The files are part of the function's code, so a deployment uploads them like all
 * other code, and the function needs access to no other bucket.
 */
export class ConsoleFiles extends Construct {
  constructor(scope: Construct, id: string, { functions, bucket, config }: ConsoleFilesProps) {
    super(scope, id);
    const publisher = functions.create({
      name: 'publish-console',
      capability: 'console',
      description: 'Publishes the console to its S3 bucket during a deployment.',
      timeoutSeconds: 120,
    });
    publisher.grant(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [bucket.arnForObjects('*')], {
      CONSOLE_BUCKET: bucket.bucketName,
    });
    publisher.allow(['s3:ListBucket'], [bucket.bucketArn]);
    // The bucket's ARN is a parameter of the function's stack, with this name of the CDK.
    const parameter = `referenceto${Names.nodeUniqueId((bucket.node.defaultChild as CfnBucket).node)}Arn`;
    Validations.of(publisher).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${parameter}>/*]`,
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
