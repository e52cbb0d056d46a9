import { listStatements, local, prod, resources, withOptions } from './stack.ts';

const findStatements = (template: typeof prod, handler: string, action: string) =>
  listStatements(template, handler).filter(({ Action }) => [Action].flat().includes(action));

describe('messages', () => {
  it('use one sender of one identity', async () => {
    const template = await withOptions();
    for (const name of ['send-messages', 'send-contact-code', 'create-contact-method']) {
      const statements = findStatements(template, name, 'ses:SendEmail');
      expect(statements).toHaveLength(1);
      expect(JSON.stringify(statements[0]!.Resource)).toContain(':identity/acme.org');
      expect(statements[0]!.Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'incidents@acme.org' } });
    }
  });

  it('cannot be published to topics', async () => {
    const statements = findStatements(await withOptions(), 'send-messages', 'sns:Publish') as { Effect?: string }[];
    expect(statements.map(({ Effect }) => Effect).sort()).toEqual(['Allow', 'Deny']);
  });

  it('send neither e-mail nor SMS without their options', () => {
    expect(findStatements(prod, 'send-messages', 'ses:SendEmail')).toEqual([]);
    expect(findStatements(prod, 'send-messages', 'sns:Publish')).toEqual([]);
    const [, { Properties }] = resources(prod, 'AWS::Lambda::Function').find(([id]) => /SendMessages/.test(id))!;
    expect((Properties.Environment as { Variables: object }).Variables).toMatchObject({
      MAIL_SENDER: 'none',
      TEXT_MESSAGES: 'off',
    });
  });

  it('have a monthly spending limit', async () => {
    const [limit] = resources(await withOptions(), 'AWS::CloudFormation::CustomResource').filter(([id]) =>
      /TextLimit/.test(id),
    );
    expect(limit![1].Properties).toMatchObject({ LimitUsd: '50' });
  });

  it('that fail are retried five times and then go to a dead-letter queue', () => {
    const [, { Properties }] = resources(local, 'AWS::SQS::Queue').find(([id]) => /^MessagesQueue/.test(id))!;
    expect(Properties).toMatchObject({ VisibilityTimeout: 180, RedrivePolicy: { maxReceiveCount: 5 } });
  });
});

describe('files of notes', () => {
  it('cannot be downloaded until a scanner has tagged them, with attachmentScan', async () => {
    const formatPolicies = (template: typeof prod) => JSON.stringify(resources(template, 'AWS::S3::BucketPolicy'));
    expect(formatPolicies(await withOptions())).toContain('GuardDutyMalwareScanStatus');
    expect(formatPolicies(prod)).not.toContain('GuardDutyMalwareScanStatus');
  });
});
