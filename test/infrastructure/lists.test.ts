import { listStatements, prod, resources } from './stack.ts';

describe('lists', () => {
  it('keep snapshots private and encrypted with the key of the records', () => {
    const buckets = resources(prod, 'AWS::S3::Bucket').map(([id, { Properties }]) => [id, Properties] as const);
    expect(buckets.find(([id]) => id.startsWith('ListSnapshots'))?.[1]).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } },
        ],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it('write a snapshot every five minutes', () => {
    const schedules = resources(prod, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties);
    const writers = schedules.filter(({ Target }) => JSON.stringify(Target).includes('WriteListSnapshots'));
    expect(writers).toMatchObject([{ ScheduleExpression: 'rate(5 minutes)' }]);
  });

  it('read only the feed of the index', () => {
    for (const handler of ['list-incidents', 'write-list-snapshots']) {
      const queries = listStatements(prod, handler).filter(({ Action }) => [Action].flat().includes('dynamodb:Query'));
      expect(queries).toHaveLength(1);
      expect(JSON.stringify(queries[0]!.Resource)).toContain('/index/feed');
    }
  });

  it('use the key of the records only through DynamoDB and S3', () => {
    const uses = listStatements(prod, 'list-incidents').filter(({ Action }) => [Action].flat().includes('kms:Decrypt'));
    expect(uses).toHaveLength(2);
    for (const { Condition } of uses) expect(JSON.stringify(Condition)).toMatch(/kms:ViaService.*"(dynamodb|s3)\./);
  });
});
