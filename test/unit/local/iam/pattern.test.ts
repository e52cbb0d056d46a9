// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policy variables are written ${like:this}.
import { arnPattern, resourceProblem, textPattern } from '../../../../local/iam/pattern.ts';

const nothing = () => undefined;

describe('textPattern', () => {
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
  ])('%s covers %s: %s', (pattern, text, expected) => {
    expect(textPattern(pattern).matches(text, nothing)).toBe(expected);
  });

  it('minds the case unless told otherwise', () => {
    expect(textPattern('SQS:sendmessage').matches('sqs:SendMessage', nothing)).toBe(false);
    expect(textPattern('SQS:sendmessage', { ignoreCase: true }).matches('sqs:SendMessage', nothing)).toBe(true);
  });

  it.each([
    ['home/${aws:username}/*', 'home/ada/notes', true],
    ['home/${aws:username}/*', 'home/bob/notes', false],
    ['home/${aws:PrincipalTag/team}/*', 'home/x/notes', false],
    ["home/${aws:PrincipalTag/team, 'none'}/*", 'home/none/notes', true],
    ['a${*}b', 'a*b', true],
    ['a${*}b', 'axb', false],
    ['a${?}b', 'a?b', true],
    ['${$}x', '$x', true],
  ])('%s with variables covers %s: %s', (pattern, text, expected) => {
    const lookup = (key: string) => (key === 'aws:username' ? ['ada'] : undefined);
    expect(textPattern(pattern).matches(text, lookup)).toBe(expected);
  });

  it('takes the value of a variable literally', () => {
    expect(textPattern('home/${aws:username}').matches('home/ada', () => ['*'])).toBe(false);
  });

  it('leaves variables alone when told so', () => {
    expect(textPattern('${aws:username}', { variables: false }).matches('${aws:username}', () => ['ada'])).toBe(true);
  });
});

describe('arnPattern', () => {
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
  ])('%s covers %s: %s', (pattern, arn, expected) => {
    expect(arnPattern(pattern).matches(arn, nothing)).toBe(expected);
  });

  it('finds the segments around a variable that has a colon in its name', () => {
    const pattern = arnPattern('arn:aws:s3:::${aws:username}/*');
    expect(pattern.dynamic).toBe(true);
    expect(pattern.matches('arn:aws:s3:::ada/x', () => ['ada'])).toBe(true);
    expect(pattern.matches('arn:aws:s3:::bob/x', () => ['ada'])).toBe(false);
  });
});

describe('resourceProblem', () => {
  it.each(['*', 'arn:aws:s3:::bucket', 'arn:aws:sqs:*', 'arn:aws:s3:::${aws:username}/*'])('accepts %s', (text) => {
    expect(resourceProblem(text)).toBeUndefined();
  });

  it.each(['records', 'arn:aws:sqs:queue'])('refuses %s', (text) => {
    expect(resourceProblem(text)).toMatch(text);
  });
});
