// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policy variables are written ${like:this}.

import type { Caller } from '../../../../local/aws/service.ts';
import { compileCondition } from '../../../../local/iam/condition.ts';
import { createIam, type Iam } from '../../../../local/iam/iam.ts';
import { compileArn, compileText, findResourceProblem } from '../../../../local/iam/pattern.ts';
import { resourceTypes } from '../../../../local/iam/resource-types.ts';
import { createJsonLog } from '../../../../local/log.ts';
import type { Properties, Resource, StackEnvironment } from '../../../../local/template/resource-type.ts';

const environment: StackEnvironment = {
  stackName: 'service',
  region: 'eu-west-1',
  accountId: '111122223333',
  publicUrl: 'http://localhost:3000',
  awsUrl: 'http://localhost:3001',
};
const table = 'arn:aws:dynamodb:eu-west-1:111122223333:table/records';
const trust = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
};

let lines: Record<string, unknown>[];

function newIam(): Iam {
  lines = [];
  return createIam({ environment, log: createJsonLog((line) => lines.push(JSON.parse(line))) });
}

function resource(type: string, logicalId: string, properties: Properties): Resource {
  const resourceType = resourceTypes[type]!;
  return {
    logicalId,
    type,
    properties,
    physicalId: resourceType.ref(logicalId, properties, environment),
    attributes: resourceType.attributes?.(logicalId, properties, environment) ?? {},
    metadata: {},
  };
}

function aRole(statements: unknown[], more: Properties = {}): Resource {
  return resource('AWS::IAM::Role', 'Role', {
    RoleName: 'reader',
    AssumeRolePolicyDocument: trust,
    Policies: [{ PolicyName: 'inline', PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
    ...more,
  });
}

const caller: Caller = { roleArn: 'arn:aws:iam::111122223333:role/reader', name: 'get-record' };

function decide(statements: unknown[], access: { action: string; resource: string; context?: Record<string, string> }) {
  const iam = newIam();
  iam.load([aRole(statements)]);
  try {
    iam.authorize(caller, [access]);
    return 'allowed';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('authorize', () => {
  const get = { action: 'dynamodb:GetItem', resource: table };
  const allow = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table };

  it('allows an action of a statement', () => {
    expect(decide([allow], get)).toBe('allowed');
  });

  it('ignores the case of actions but not of resources', () => {
    expect(decide([{ ...allow, Action: 'DynamoDB:getitem' }], get)).toBe('allowed');
    expect(decide([{ ...allow, Resource: table.toUpperCase().replace('ARN:AWS', 'arn:aws') }], get)).toMatch(
      'not authorized',
    );
  });

  it('denies what no statement allows, and logs the missing statement', () => {
    const iam = newIam();
    iam.load([aRole([allow])]);
    expect(() => iam.authorize(caller, [get, { action: 'dynamodb:PutItem', resource: table }])).toThrow(
      expect.objectContaining({
        code: 'AccessDeniedException',
        status: 400,
        message:
          'User: arn:aws:sts::111122223333:assumed-role/reader/get-record is not authorized to perform: dynamodb:PutItem ' +
          `on resource: ${table} because no identity-based policy allows the dynamodb:PutItem action`,
      }),
    );
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!.missing_statement as string)).toEqual({
      Effect: 'Allow',
      Action: 'dynamodb:PutItem',
      Resource: table,
    });
  });

  it('denies when a Deny and an Allow match', () => {
    expect(decide([allow, { Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' }], get)).toMatch(
      'with an explicit deny in an identity-based policy',
    );
  });

  it('evaluates condition keys of the service and global ones', () => {
    const conditional = (Condition: unknown) => [{ ...allow, Condition }];
    const leading = conditional({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'inc-*' } });
    expect(decide(leading, { ...get, context: { 'dynamodb:LeadingKeys': 'inc-1' } })).toBe('allowed');
    expect(decide(leading, { ...get, context: { 'dynamodb:LeadingKeys': 'chg-1' } })).toMatch('not authorized');
    expect(decide(conditional({ StringEquals: { 'aws:PrincipalArn': caller.roleArn } }), get)).toBe('allowed');
    expect(decide(conditional({ StringEquals: { 'aws:RequestedRegion': 'us-east-1' } }), get)).toMatch(
      'not authorized',
    );
    expect(decide(conditional({ StringEquals: { 'aws:SourceAccount': '111122223333' } }), get)).toBe('allowed');
    expect(decide(conditional({ Bool: { 'aws:SecureTransport': 'true' } }), get)).toBe('allowed');
  });

  it('does not cache conditional decisions', () => {
    const iam = newIam();
    iam.load([aRole([{ ...allow, Condition: { StringEquals: { 'dynamodb:Select': 'COUNT' } } }])]);
    iam.authorize(caller, [{ ...get, context: { 'dynamodb:Select': 'COUNT' } }]);
    expect(() => iam.authorize(caller, [{ ...get, context: { 'dynamodb:Select': 'ALL_ATTRIBUTES' } }])).toThrow(
      'not authorized',
    );
  });

  it('allows the operator everything and an unknown role nothing', () => {
    const iam = newIam();
    iam.load([]);
    expect(() => iam.authorize({ roleArn: undefined, name: 'operator' }, [get])).not.toThrow();
    expect(() => iam.authorize(caller, [get])).toThrow('security token');
  });

  it('applies a new template', () => {
    const iam = newIam();
    iam.load([aRole([allow])]);
    iam.authorize(caller, [get]);
    iam.load([aRole([{ ...allow, Action: 'dynamodb:Query' }])]);
    expect(() => iam.authorize(caller, [get])).toThrow('not authorized');
  });

  it('combines inline and managed policies', () => {
    const iam = newIam();
    iam.load([
      aRole([allow], {
        ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'],
      }),
    ]);
    for (const action of ['dynamodb:GetItem', 'logs:PutLogEvents']) {
      iam.authorize(caller, [{ action, resource: table }]);
    }
    expect(() => iam.authorize(caller, [{ action: 'sqs:DeleteMessage', resource: '*' }])).toThrow('sqs:DeleteMessage');
  });

  it('caches decisions', () => {
    const iam = newIam();
    iam.load([aRole([allow])]);
    const started = performance.now();
    for (let i = 0; i < 20_000; i++) iam.authorize(caller, [get]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('load', () => {
  it('lists everything that it does not support', () => {
    const iam = newIam();
    const bad = [
      { Effect: 'Maybe', Action: 'sqs:SendMessage', Resource: '*' },
      { Sid: 'Odd', Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*', Unless: {} },
      { Effect: 'Allow', Action: 'SendMessage', Resource: 'queue' },
      { Effect: 'Allow', Action: 'sqs:SendMessage', NotAction: 'sqs:*', NotResource: '*', Resource: '*' },
      { Effect: 'Allow', Action: 'sqs:SendMessage' },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*', Condition: { StringSounds: { 'aws:x': 'a' } } },
    ];
    const load = () => iam.load([aRole(bad, { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] })]);
    let message = '';
    try {
      load();
    } catch (error) {
      message = (error as Error).message;
    }
    for (const part of [
      'Role.inline: statement 0: Effect must be Allow or Deny',
      'Role.inline: Odd: element Unless is not supported',
      'statement 2: action SendMessage is not of the form service:Action',
      'statement 2: resource queue must be in ARN format or "*"',
      'statement 3: element NotAction is not supported',
      'statement 4: Resource must contain text',
      'statement 5: condition operator StringSounds is not supported',
      'Role.ManagedPolicyArns: the managed policy arn:aws:iam::aws:policy/AdministratorAccess is not supported',
    ]) {
      expect(message).toContain(part);
    }
  });

  it('rejects an unknown policy version', () => {
    const iam = newIam();
    const policy = { PolicyName: 'p', PolicyDocument: { Version: '2024-01-01', Statement: [] } };
    expect(() => iam.load([aRole([], { Policies: [policy] })])).toThrow('unknown policy version 2024-01-01');
  });
});

describe('mayAssume', () => {
  it('follows the role trust policy', () => {
    const iam = newIam();
    iam.load([aRole([])]);
    expect(iam.mayAssume(caller.roleArn!, 'lambda.amazonaws.com')).toBe(true);
    expect(iam.mayAssume(caller.roleArn!, 'states.amazonaws.com')).toBe(false);
    expect(iam.mayAssume('arn:aws:iam::111122223333:role/nobody', 'lambda.amazonaws.com')).toBe(false);
  });

  it('checks the conditions of the trust policy', () => {
    const iam = newIam();
    const statement = {
      Effect: 'Allow',
      Principal: { Service: ['scheduler.amazonaws.com'] },
      Action: 'sts:AssumeRole',
      Condition: {
        StringEquals: { 'aws:SourceAccount': '111122223333' },
        StringLike: { 'aws:SourceArn': 'arn:aws:scheduler:*' },
      },
    };
    iam.load([aRole([], { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [statement] } })]);
    const source = { 'aws:SourceArn': 'arn:aws:scheduler:eu-west-1:111122223333:schedule/default/tick' };
    expect(iam.mayAssume(caller.roleArn!, 'scheduler.amazonaws.com', source)).toBe(true);
    expect(iam.mayAssume(caller.roleArn!, 'scheduler.amazonaws.com')).toBe(false);
  });
});

describe('IAM resource types', () => {
  it('generates stable role names of at most 64 characters', () => {
    const role = resource('AWS::IAM::Role', `Handler${'x'.repeat(80)}`, {});
    expect(role.physicalId).toHaveLength(64);
    expect(role.physicalId).toMatch(/^service-Handlerx+-[A-Z0-9]{12}$/);
    expect(role.attributes.Arn).toBe(`arn:aws:iam::111122223333:role/${role.physicalId}`);
    expect(role.attributes.RoleId).toMatch(/^AROA[A-Z0-9]{17}$/);
    expect(resource('AWS::IAM::Role', role.logicalId, {})).toEqual(role);
  });
});

type Context = Record<string, readonly string[]>;

function matches(block: unknown, context: Context): boolean {
  const problems: string[] = [];
  const condition = compileCondition(block, (problem) => problems.push(problem));
  expect(problems).toEqual([]);
  const keys = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return condition((key) => keys.get(key.toLowerCase()));
}

function listProblems(block: unknown): string[] {
  const problems: string[] = [];
  compileCondition(block, (problem) => problems.push(problem));
  return problems;
}

describe('condition', () => {
  const cases: [unknown, Context, boolean][] = [
    [{ StringEquals: { 'aws:x': 'a' } }, { 'aws:x': ['a'] }, true],
    [{ StringEquals: { 'aws:x': 'a' } }, { 'aws:x': ['A'] }, false],
    [{ StringEquals: { 'AWS:X': ['b', 'a'] } }, { 'aws:x': ['a'] }, true],
    [{ StringEquals: { 'aws:x': 'a' } }, {}, false],
    [{ StringLike: { 'aws:x': 'inc-*' } }, { 'aws:x': ['inc-1'] }, true],
    [{ StringLike: { 'aws:x': 'inc-?' } }, { 'aws:x': ['inc-12'] }, false],
    [{ Bool: { 'aws:SecureTransport': 'true' } }, { 'aws:SecureTransport': ['true'] }, true],
    [{ Bool: { 'aws:SecureTransport': false } }, { 'aws:SecureTransport': ['true'] }, false],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a', 'b'] } }, { 'd:k': ['a', 'b'] }, true],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a'] } }, { 'd:k': ['a', 'b'] }, false],
    [{ 'ForAllValues:StringEquals': { 'd:k': ['a'] } }, {}, true],
    [{ 'ForAllValues:StringLike': { 'd:k': ['inc-*'] } }, { 'd:k': ['inc-1', 'inc-2'] }, true],
    [{ StringEquals: { 'aws:x': 'a', 'aws:y': 'b' } }, { 'aws:x': ['a'], 'aws:y': ['c'] }, false],
    [{ StringEquals: { 'aws:x': 'a' }, Bool: { 'aws:b': 'true' } }, { 'aws:x': ['a'], 'aws:b': ['true'] }, true],
    [{ StringEquals: { 'aws:x': 'a' }, Bool: { 'aws:b': 'true' } }, { 'aws:x': ['a'], 'aws:b': ['false'] }, false],
  ];

  it.each(cases)('%j with %j: %s', (block, context, expected) => {
    expect(matches(block, context)).toBe(expected);
  });

  it.each([
    [{ StringMatches: { 'aws:x': 'a' } }, 'condition operator StringMatches is not supported'],
    [{ constructor: { 'aws:x': 'a' } }, 'condition operator constructor is not supported'],
    [{ StringNotEquals: { 'aws:x': 'a' } }, 'condition operator StringNotEquals is not supported'],
    [{ NumericLessThan: { 'aws:x': 5 } }, 'condition operator NumericLessThan is not supported'],
    [{ StringEqualsIfExists: { 'aws:x': 'a' } }, 'condition operator StringEqualsIfExists is not supported'],
    [{ 'ForSomeValues:StringEquals': { 'aws:x': 'a' } }, 'ForSomeValues:StringEquals is not supported'],
    [{ StringEquals: 'a' }, 'condition operator StringEquals must contain an object'],
    [{ StringEquals: { 'dynamodb:LeadingKeys': 'a' } }, 'requires ForAllValues'],
    ['always', 'Condition must be an object'],
  ])('reports %j', (block, problem) => {
    expect(listProblems(block).join()).toContain(problem);
  });
});

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
