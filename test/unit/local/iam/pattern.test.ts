// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policy variables are written ${like:this}.
import { compileArn, compileText, findResourceProblem } from '../../../../local/iam/pattern.ts';

describe('compileText', () => {
  it.each([
    ['dynamodb:GetItem', 'dynamodb:GetItem', true],
    ['dynamodb:*', 'dynamodb:GetItem', true],
    ['dynamodb:Get*', 'dynamodb:PutItem', false],
    ['dynamodb:?etItem', 'dynamodb:GetItem', true],
    ['dynamodb:?etItem', 'dynamodb:etItem', false],
    ['*', 'anything:AtAll', true],
    ['s3:Get*Version', 's3:GetObjectVersion', true],
    ['s3:Get*Version', 's3:GetObject', false],
    ['a.b', 'axb', false],
    ['a+(b)[c]', 'a+(b)[c]', true],
    ['*', 'two\nlines', true],
  ])('%s matches %s: %s', (pattern, text, expected) => {
    expect(compileText(pattern)(text)).toBe(expected);
  });

  it('is case-sensitive by default', () => {
    expect(compileText('SQS:sendmessage')('sqs:SendMessage')).toBe(false);
    expect(compileText('SQS:sendmessage', { ignoreCase: true })('sqs:SendMessage')).toBe(true);
  });
});

describe('compileArn', () => {
  it.each([
    ['*', 'arn:aws:sqs:eu-west-1:111122223333:jobs', true],
    ['*', '*', true],
    ['arn:aws:sqs:eu-west-1:111122223333:jobs', 'arn:aws:sqs:eu-west-1:111122223333:jobs', true],
    ['arn:aws:sqs:eu-west-1:111122223333:jobs', 'arn:aws:sqs:eu-west-1:111122223333:Jobs', false],
    ['arn:aws:sqs:*:111122223333:jobs', 'arn:aws:sqs:eu-west-1:111122223333:jobs', true],
    ['arn:aws:sqs:*:jobs', 'arn:aws:sqs:eu-west-1:111122223333:jobs', false],
    ['arn:aws:sqs:*:*:*:jobs', 'arn:aws:sqs:eu-west-1:111122223333:jobs', false],
    ['arn:aws:sqs:*', 'arn:aws:sqs:eu-west-1:111122223333:jobs', true],
    ['arn:aws:sqs:*', 'arn:aws:sns:eu-west-1:111122223333:jobs', false],
    ['arn:*:dynamodb:*:*:table/records/index/*', 'arn:aws:dynamodb:us-east-1:1:table/records/index/feed', true],
    ['arn:*:dynamodb:*:*:table/records/index/*', 'arn:aws:dynamodb:us-east-1:1:table/records', false],
    ['arn:aws:states:*:*:execution:retry:*', 'arn:aws:states:us-east-1:1:execution:retry:delivery-1', true],
    ['arn:aws:states:*:*:execution:*', 'arn:aws:states:us-east-1:1:execution:retry:delivery-1', true],
    ['arn:aws:s3:::bucket/*', 'arn:aws:s3:::bucket/a/b:c', true],
    ['arn:aws:s3:::bucke?', 'arn:aws:s3:::bucket', true],
    ['arn:aws:sqs:us-east-1:1:jobs', '*', false],
  ])('%s matches %s: %s', (pattern, arn, expected) => {
    expect(compileArn(pattern)(arn)).toBe(expected);
  });
});

describe('findResourceProblem', () => {
  it.each(['*', 'arn:aws:s3:::bucket', 'arn:aws:sqs:*'])('accepts %s', (text) => {
    expect(findResourceProblem(text)).toBeUndefined();
  });

  it.each(['records', 'arn:aws:sqs:queue', 'arn:aws:s3:::${aws:username}/*'])('rejects %s', (text) => {
    expect(findResourceProblem(text)).toMatch(text);
  });
});
