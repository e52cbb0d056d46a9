import { dynamodbClient } from '../../../lambdas/platform/clients/dynamodb.ts';
import { s3Client } from '../../../lambdas/platform/clients/s3.ts';
import { sqsClient } from '../../../lambdas/platform/clients/sqs.ts';

describe('clients', () => {
  it.each([
    ['DynamoDB', dynamodbClient],
    ['S3', s3Client],
    ['SQS', sqsClient],
  ])('of %s are shared, bounded, and prepare no log entries', async (_name, client) => {
    process.env.AWS_REGION ??= 'us-east-1';
    expect(client()).toBe(client());
    expect(await client().config.maxAttempts()).toBe(3);
    expect(client().middlewareStack.identify().join()).not.toContain('logger');
  });
});
