// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policy variables are written ${like:this}.
import type { Caller } from '../../../../local/aws/service.ts';
import { createIam, type Iam } from '../../../../local/iam/iam.ts';
import { jsonLog } from '../../../../local/log.ts';
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
  return createIam({ environment, log: jsonLog((line) => lines.push(JSON.parse(line))) });
}

function resource(iam: Iam, type: string, logicalId: string, properties: Properties): Resource {
  const resourceType = iam.resourceTypes[type]!;
  return {
    logicalId,
    type,
    properties,
    physicalId: resourceType.ref(logicalId, properties, environment),
    attributes: resourceType.attributes?.(logicalId, properties, environment) ?? {},
    metadata: {},
  };
}

function aRole(iam: Iam, statements: unknown[], more: Properties = {}): Resource {
  return resource(iam, 'AWS::IAM::Role', 'Role', {
    RoleName: 'reader',
    AssumeRolePolicyDocument: trust,
    Policies: [{ PolicyName: 'inline', PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
    ...more,
  });
}

const caller: Caller = { roleArn: 'arn:aws:iam::111122223333:role/reader', name: 'get-record' };

function verdict(
  statements: unknown[],
  access: { action: string; resource: string; context?: Record<string, string> },
) {
  const iam = newIam();
  iam.load([aRole(iam, statements)]);
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

  it('lets a role do what a statement allows', () => {
    expect(verdict([allow], get)).toBe('allowed');
  });

  it('compares actions without case, resources with it', () => {
    expect(verdict([{ ...allow, Action: 'DynamoDB:getitem' }], get)).toBe('allowed');
    expect(verdict([{ ...allow, Resource: table.toUpperCase().replace('ARN:AWS', 'arn:aws') }], get)).toMatch(
      'not authorized',
    );
  });

  it('refuses as AWS does what nothing allows, and logs the missing statement', () => {
    const iam = newIam();
    iam.load([aRole(iam, [allow])]);
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

  it('lets an explicit deny win over an allow', () => {
    expect(verdict([allow, { Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' }], get)).toMatch(
      'with an explicit deny in an identity-based policy',
    );
  });

  it.each([
    ['NotAction leaves the named action out', { Effect: 'Allow', NotAction: 'dynamodb:Get*', Resource: '*' }, false],
    ['NotAction covers the others', { Effect: 'Allow', NotAction: 'sqs:*', Resource: '*' }, true],
    ['NotResource leaves the named resource out', { Effect: 'Allow', Action: '*', NotResource: [table] }, false],
    ['NotResource covers the others', { Effect: 'Allow', Action: '*', NotResource: `${table}2` }, true],
  ])('%s', (_name, statement, expected) => {
    expect(verdict([statement], get) === 'allowed').toBe(expected);
  });

  it('gives conditions the keys of the service and of the request', () => {
    const conditional = (Condition: unknown) => [{ ...allow, Condition }];
    const leading = conditional({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'inc-*' } });
    expect(verdict(leading, { ...get, context: { 'dynamodb:LeadingKeys': 'inc-1' } })).toBe('allowed');
    expect(verdict(leading, { ...get, context: { 'dynamodb:LeadingKeys': 'chg-1' } })).toMatch('not authorized');
    expect(verdict(conditional({ ArnEquals: { 'aws:PrincipalArn': caller.roleArn } }), get)).toBe('allowed');
    expect(verdict(conditional({ StringEquals: { 'aws:RequestedRegion': 'us-east-1' } }), get)).toMatch(
      'not authorized',
    );
    expect(verdict(conditional({ StringEquals: { 'aws:SourceAccount': '111122223333' } }), get)).toBe('allowed');
    expect(verdict(conditional({ Bool: { 'aws:SecureTransport': 'true' } }), get)).toBe('allowed');
    expect(verdict(conditional({ DateLessThan: { 'aws:CurrentTime': '2000-01-01T00:00:00Z' } }), get)).toMatch('not');
    expect(verdict(conditional({ StringEquals: { 'aws:ResourceAccount': '111122223333' } }), get)).toBe('allowed');
  });

  it('does not remember an answer that depended on a condition', () => {
    const iam = newIam();
    iam.load([aRole(iam, [{ ...allow, Condition: { StringEquals: { 'dynamodb:Select': 'COUNT' } } }])]);
    iam.authorize(caller, [{ ...get, context: { 'dynamodb:Select': 'COUNT' } }]);
    expect(() => iam.authorize(caller, [{ ...get, context: { 'dynamodb:Select': 'ALL_ATTRIBUTES' } }])).toThrow(
      'not authorized',
    );
  });

  it('puts policy variables into resources', () => {
    const statement = {
      Effect: 'Allow',
      Action: 's3:GetObject',
      Resource: 'arn:aws:s3:::files/${aws:PrincipalAccount}/*',
    };
    expect(verdict([statement], { action: 's3:GetObject', resource: 'arn:aws:s3:::files/111122223333/a' })).toBe(
      'allowed',
    );
    expect(verdict([statement], { action: 's3:GetObject', resource: 'arn:aws:s3:::files/other/a' })).toMatch('not');
  });

  it('lets the operator do everything and a stranger nothing', () => {
    const iam = newIam();
    iam.load([]);
    expect(() => iam.authorize({ roleArn: undefined, name: 'operator' }, [get])).not.toThrow();
    expect(() => iam.authorize(caller, [get])).toThrow('security token');
  });

  it('sees a grant that was taken out of the template', () => {
    const iam = newIam();
    iam.load([aRole(iam, [allow])]);
    iam.authorize(caller, [get]);
    iam.load([aRole(iam, [{ ...allow, Action: 'dynamodb:Query' }])]);
    expect(() => iam.authorize(caller, [get])).toThrow('not authorized');
  });

  it('joins inline, attached and managed policies', () => {
    const iam = newIam();
    const document = (Action: string) => ({
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action, Resource: '*' },
    });
    const managed = resource(iam, 'AWS::IAM::ManagedPolicy', 'Managed', {
      PolicyDocument: document('sqs:SendMessage'),
    });
    iam.load([
      aRole(iam, [allow], {
        ManagedPolicyArns: [managed.physicalId, 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'],
      }),
      managed,
      resource(iam, 'AWS::IAM::Policy', 'Extra', {
        PolicyName: 'extra',
        PolicyDocument: document('states:StartExecution'),
        Roles: ['reader'],
      }),
      resource(iam, 'AWS::IAM::ManagedPolicy', 'Attached', {
        PolicyDocument: document('sns:Publish'),
        Roles: ['reader'],
      }),
    ]);
    const actions = [
      'dynamodb:GetItem',
      'sqs:SendMessage',
      'states:StartExecution',
      'sns:Publish',
      'logs:PutLogEvents',
    ];
    for (const action of actions) iam.authorize(caller, [{ action, resource: table }]);
    expect(() => iam.authorize(caller, [{ action: 'sqs:DeleteMessage', resource: '*' }])).toThrow('sqs:DeleteMessage');
  });

  it('allows nothing beyond the permissions boundary', () => {
    const iam = newIam();
    const boundary = resource(iam, 'AWS::IAM::ManagedPolicy', 'Boundary', {
      ManagedPolicyName: 'boundary',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'dynamodb:Get*', Resource: '*' }],
      },
    });
    const both = { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: '*' };
    iam.load([aRole(iam, [both], { PermissionsBoundary: boundary.physicalId }), boundary]);
    iam.authorize(caller, [get]);
    expect(() => iam.authorize(caller, [{ action: 'dynamodb:PutItem', resource: table }])).toThrow('not authorized');
    expect(() => iam.authorize(caller, [{ action: 'dynamodb:GetRecords', resource: table }])).toThrow('not authorized');
  });

  it('answers a repeated question from memory', () => {
    const iam = newIam();
    iam.load([aRole(iam, [allow])]);
    const started = performance.now();
    for (let i = 0; i < 20_000; i++) iam.authorize(caller, [get]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('load', () => {
  it('lists everything it cannot honour', () => {
    const iam = newIam();
    const bad = [
      { Effect: 'Maybe', Action: 'sqs:SendMessage', Resource: '*' },
      { Sid: 'Odd', Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*', Unless: {} },
      { Effect: 'Allow', Action: 'SendMessage', Resource: 'queue' },
      { Effect: 'Allow', Action: 'sqs:SendMessage', NotAction: 'sqs:*', Resource: '*' },
      { Effect: 'Allow', Action: 'sqs:SendMessage' },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*', Condition: { StringSounds: { 'aws:x': 'a' } } },
    ];
    const load = () =>
      iam.load([
        aRole(iam, bad, { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] }),
        resource(iam, 'AWS::IAM::Policy', 'Lost', { PolicyName: 'lost', PolicyDocument: {}, Roles: ['nobody'] }),
      ]);
    let message = '';
    try {
      load();
    } catch (error) {
      message = (error as Error).message;
    }
    for (const part of [
      'Role.inline: statement 0: Effect must be Allow or Deny',
      'Role.inline: Odd: unknown element Unless',
      'statement 2: action SendMessage is not of the form service:Action',
      'statement 2: resource queue must be in ARN format or "*"',
      'statement 3: needs either Action or NotAction',
      'statement 4: needs either Resource or NotResource',
      'statement 5: unknown condition operator StringSounds',
      'Role.ManagedPolicyArns: unknown managed policy arn:aws:iam::aws:policy/AdministratorAccess',
      'Lost: statement 0: is not an object',
      'Lost.Roles: no role is named nobody',
    ]) {
      expect(message).toContain(part);
    }
  });

  it('refuses an unknown version of the policy language', () => {
    const iam = newIam();
    const policy = { PolicyName: 'p', PolicyDocument: { Version: '2024-01-01', Statement: [] } };
    expect(() => iam.load([aRole(iam, [], { Policies: [policy] })])).toThrow('unknown policy version 2024-01-01');
  });
});

describe('mayAssume', () => {
  it('follows the role trust policy', () => {
    const iam = newIam();
    iam.load([aRole(iam, [])]);
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
        ArnLike: { 'aws:SourceArn': 'arn:aws:scheduler:*' },
      },
    };
    iam.load([aRole(iam, [], { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [statement] } })]);
    const source = { 'aws:SourceArn': 'arn:aws:scheduler:eu-west-1:111122223333:schedule/default/tick' };
    expect(iam.mayAssume(caller.roleArn!, 'scheduler.amazonaws.com', source)).toBe(true);
    expect(iam.mayAssume(caller.roleArn!, 'scheduler.amazonaws.com')).toBe(false);
  });
});

describe('IAM resource types', () => {
  it('gives a role without a name the same name at every start, within 64 characters', () => {
    const iam = newIam();
    const role = resource(iam, 'AWS::IAM::Role', `Handler${'x'.repeat(80)}`, { Path: '/team/' });
    expect(role.physicalId).toHaveLength(64);
    expect(role.physicalId).toMatch(/^service-Handlerx+-[A-Z0-9]{12}$/);
    expect(role.attributes.Arn).toBe(`arn:aws:iam::111122223333:role/team/${role.physicalId}`);
    expect(role.attributes.RoleId).toMatch(/^AROA[A-Z0-9]{17}$/);
    expect(resource(newIam(), 'AWS::IAM::Role', role.logicalId, { Path: '/team/' })).toEqual(role);
  });

  it('refers to a managed policy by ARN and to a policy by name', () => {
    const iam = newIam();
    expect(resource(iam, 'AWS::IAM::ManagedPolicy', 'M', { ManagedPolicyName: 'm' }).physicalId).toBe(
      'arn:aws:iam::111122223333:policy/m',
    );
    expect(resource(iam, 'AWS::IAM::Policy', 'P', { PolicyName: 'p' }).physicalId).toBe('p');
  });
});
