import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../contract/routes.ts';
import { listHandlers } from '../../tools/build/handler-entries.ts';
import { runLargeSnapshot } from '../unit/lists/run-large-snapshot.ts';
import { inlineStatements, listProperties, listStatements, local, prod, resources, toHandlerName } from './stack.ts';

const functions = listProperties(prod, 'AWS::Lambda::Function');
const roles = listProperties(prod, 'AWS::IAM::Role');
const handlers = listHandlers().map(({ name }) => `${name}.handler`);

describe('functions', () => {
  it.each(operations)('has one function for $name', (operation) => {
    expect(functions.filter(({ Handler }) => Handler === `${toHandlerName(operation)}.handler`)).toHaveLength(1);
  });

  it('deploys exactly the existing handlers', () => {
    const optional = [
      'federate-sign-ins.handler',
      'prepare-search.handler',
      'rebuild-indexes.handler',
      'retry-indexing.handler',
      'set-text-limit.handler',
    ];
    const expected = handlers.filter((handler) => !optional.includes(handler));
    expect(functions.map(({ Handler }) => Handler).sort()).toEqual(expected.sort());
  });

  it.each(functions)('runs $FunctionName on arm64, traced, in bounded memory and time', (properties) => {
    expect(properties).toMatchObject({
      Architectures: ['arm64'],
      Runtime: 'nodejs24.x',
      TracingConfig: { Mode: 'Active' },
    });
    expect(properties.MemorySize).toBeLessThanOrEqual(1769);
    expect(properties.Timeout).toBeLessThanOrEqual(900);
  });

  it('has room for a million records of 150 words in every function that holds a list', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
    try {
      runLargeSnapshot('write', folder);
      const { rows, total, bytes, maxRssMb } = JSON.parse(runLargeSnapshot('load', folder));
      expect([rows, total > 0]).toEqual([999_424, true]);
      expect(bytes / rows).toBeLessThan(320);
      // AI functions also hold the model and the learned index (docs/decisions/0050-learning.md).
      const aiMb = 600;
      const listFunctions = functions.filter(({ Environment, MemorySize }) => {
        const { Variables = {} } = (Environment ?? {}) as { Variables?: object };
        return 'SNAPSHOTS_BUCKET' in Variables && 'RECORDS_TABLE' in Variables && Number(MemorySize) > 0;
      });
      expect(listFunctions.length).toBeGreaterThan(10);
      for (const { FunctionName, MemorySize } of listFunctions) {
        expect([FunctionName, Number(MemorySize) - aiMb > maxRssMb]).toEqual([FunctionName, true]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(operations)('times out $name before the gateway does', (operation) => {
    const handler = `${toHandlerName(operation)}.handler`;
    expect(functions.find(({ Handler }) => Handler === handler)!.Timeout).toBeLessThanOrEqual(28);
  });

  it('uses two resources per function: its policy is part of its role', () => {
    prod.resourceCountIs('AWS::IAM::Policy', 0);
    // The user pool and EventBridge call functions without a role.
    const allowed = resources(prod, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties.Principal);
    expect(allowed.sort()).toEqual(['cognito-idp.amazonaws.com', 'events.amazonaws.com']);
  });

  const withoutResources = [['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['dynamodb:ListStreams']];

  it('grants wildcards only for own functions, bucket objects, gateway consumers and actions without resources', () => {
    for (const statement of roles.flatMap(inlineStatements)) {
      const actions = [statement.Action].flat();
      expect(actions.filter((action) => action.includes('*'))).toEqual([]);
      const objects = actions.every((action) => /^s3:\w+Object$/.test(action));
      const resource = JSON.stringify(statement.Resource);
      const consumers = /(::\/(apikeys\/\*|usageplans\/\*\/keys)|%2Fapikeys%2F\*)"/.test(resource);
      const ownFunctions = resource.includes(':function:incidents-prod--*"');
      if (resource.includes('*') && !objects && !consumers && !ownFunctions) {
        expect(withoutResources).toContainEqual(actions);
      }
    }
  });

  it('creates, uses and deletes keys of the gateway only with the tag of its own usage plan', () => {
    const own = (key: string) => ({ StringEquals: { [`aws:${key}/usage-plan`]: 'prod-api-consumers' } });
    const changing = roles
      .flatMap(inlineStatements)
      .filter(({ Action }) => /^apigateway:(?!GET)/.test([Action].flat().join()));
    expect(changing.map(({ Action }) => Action).sort()).toEqual([
      ...Array(4).fill('apigateway:DELETE'),
      ...Array(2).fill('apigateway:POST'),
      'apigateway:PUT',
    ]);
    for (const { Resource, Condition } of changing) {
      const isNew = /::\/(apikeys"|tags\/)/.test(JSON.stringify(Resource));
      expect(Condition).toEqual(own(isNew ? 'RequestTag' : 'ResourceTag'));
    }
  });

  const count = 'dynamodb:UpdateItem';
  const get = ['dynamodb:GetItem', 'kms:Decrypt'];
  const write = [
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey',
  ];

  const checkAssignment = ['cognito-idp:AdminGetUser', 'cognito-idp:ListGroups'];

  const snapshots = ['s3:GetObject', 's3:ListBucket', 'kms:Decrypt'];

  const askPool = ['AdminGetUser', 'AdminListGroupsForUser', 'DescribeUserPoolClient'].map(
    (question) => `cognito-idp:${question}`,
  );

  const beyondLogsAndTraces = (handler: string) =>
    listStatements(prod, handler)
      .flatMap(({ Action }) => Action)
      .filter((action) => !/^(logs|xray):/.test(action));

  it.each([
    ['authorizer', [...askPool, ...get.slice(0, 1), ...write.slice(1)]],
    ['get-health', [count, ...get]],
    ['get-me', [count]],
    ['create-incident', [count, ...get, ...write, ...checkAssignment, 'dynamodb:ConditionCheckItem']],
    ['get-incident', [count, ...get]],
    ['update-incident', [count, ...get, ...write, ...checkAssignment, 'dynamodb:ConditionCheckItem']],
    ['delete-incident', [count, ...get, ...write]],
    ['list-incident-history', [count, ...get, 'dynamodb:Query']],
    ['get-incident-sla', [count, ...get]],
    ['create-work-note', [count, ...get, ...write]],
    ['list-work-notes', [count, ...get, 'dynamodb:Query']],
    ['list-incidents', [count, 'dynamodb:BatchGetItem', 'dynamodb:Query', 'kms:Decrypt', ...snapshots]],
    [
      'write-list-snapshots',
      ['dynamodb:Query', 'kms:Decrypt', ...snapshots, 's3:PutObject', 's3:DeleteObject', 'kms:GenerateDataKey'],
    ],
    [
      'learn-from-records',
      [
        ...get,
        'dynamodb:BatchGetItem',
        // The index of the feed, and who quotes an incident.
        'dynamodb:Query',
        'dynamodb:Query',
        ...write,
        's3:GetObject',
        's3:ListBucket',
        'kms:Decrypt',
        'sqs:SendMessage',
        // Files that no note has.
        's3:DeleteObject',
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
    ],
    ['unmatched-route', []],
  ])('lets %s do exactly %j', (handler, actions) => {
    expect(beyondLogsAndTraces(handler)).toEqual(actions);
  });

  it('lets the AI layer write only its cache and its counter', () => {
    const writing = /^dynamodb:(PutItem|UpdateItem|DeleteItem|BatchWriteItem)$/;
    const resources_ = listStatements(prod, 'assist')
      .filter(({ Action }) => [Action].flat().some((action) => writing.test(action)))
      .map(({ Resource }) => JSON.stringify(Resource));
    expect(resources_).toHaveLength(2);
    expect(resources_.filter((resource) => /AiCache|RateLimits/.test(resource))).toHaveLength(2);
  });

  it('gives the authorizer access only to the partition of API keys', () => {
    const [statement] = listStatements(prod, 'authorizer').filter(({ Action }) =>
      Action.includes('dynamodb:UpdateItem'),
    );
    expect(statement?.Condition).toEqual({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': 'api-keys' } });
  });

  it('lets functions use the key only through DynamoDB', () => {
    const [statement] = listStatements(prod, 'get-health').filter(({ Action }) => Action === 'kms:Decrypt');
    expect(JSON.stringify(statement?.Condition)).toContain('kms:ViaService');
  });

  it('has one log group per capability with the configured retention', () => {
    const retentions = (template: typeof prod) =>
      resources(template, 'AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.RetentionInDays);
    expect(new Set(retentions(prod))).toEqual(new Set([365]));
    expect(new Set(retentions(local))).toEqual(new Set([1]));
    expect(retentions(prod).length).toBeLessThanOrEqual(functions.length);
  });
});
