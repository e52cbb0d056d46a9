import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measurePolicies } from '../../bin/policy-sizes.ts';
import {
  checkAddresses,
  checkQuotas,
  checkVariables,
  checkWildcards,
  type Template,
} from '../../bin/template-checks.ts';

const aFunction = (properties: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Handler: 'get-health.handler', Environment: { Variables: { RECORDS_TABLE: 't' } }, ...properties },
});
const aRole = (statement: object) => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyDocument: { Statement: [{ Effect: 'Allow', ...statement }] } }] },
});
const aTemplate = (Resources: Template['Resources']): Template => ({ Resources });
const listProblems = (checks: { problems: string[] }[]) => checks.flatMap(({ problems }) => problems);

describe('the checks of a template', () => {
  it('accept a small template', () => {
    expect(listProblems(checkQuotas(aTemplate({ Fn: aFunction() })))).toEqual([]);
  });

  it('report what exceeds a quota', () => {
    const many = Object.fromEntries(
      Array.from({ length: 401 }, (_, index) => [`R${index}`, { Type: 'AWS::SNS::Topic' }]),
    );
    expect(listProblems(checkQuotas(aTemplate(many)))).toEqual(['There are 401 resources, and the budget is 400.']);
    const large = aFunction({ Environment: { Variables: { A: 'x'.repeat(5_000) } } });
    expect(listProblems(checkQuotas(aTemplate({ Fn: large })))).toEqual([expect.stringContaining('Fn has 50')]);
    const role = aRole({ Action: 'sqs:SendMessage', Resource: 'a'.repeat(11_000) });
    expect(listProblems(checkQuotas(aTemplate({ Role: role })))).toEqual([expect.stringContaining('Role has 11')]);
    const named = aFunction({ FunctionName: 'n'.repeat(65) });
    expect(listProblems(checkQuotas(aTemplate({ Fn: named })))).toEqual([expect.stringContaining('more than 64')]);
  });

  it('measure policies with references resolved, in the instance with the longest name', () => {
    const measure = (Resource: unknown) => measurePolicies({ Role: aRole({ Action: 'a:B', Resource }) })[0]?.size;
    const statement = '{"Statement":[{"Effect":"Allow","Action":"a:B","Resource":""}]}'.length;
    const stackName = 'incidents-'.length + 20;
    expect(measure('x')).toBe(statement + 1);
    expect(measure({ 'Fn::Sub': `arn:\${AWS::Partition}:\${AWS::AccountId}:incidents-dev--*` })).toBe(
      statement + 'arn:aws-us-gov:123456789012:'.length + stackName + '--*'.length,
    );
    expect(measure({ Ref: 'Queue' })).toBe(statement + stackName + '-Queue-'.length + 13);
    expect(measure({ 'Fn::GetAtt': ['Queue', 'Arn'] })).toBeGreaterThan(statement + stackName + 50);
  });

  it.each(['https://incidents.example.com', 'http://localhost:8080', 'http://127.0.0.1/'])(
    'report the address %s',
    (url) => {
      const template = aTemplate({ Fn: aFunction({ Environment: { Variables: { PUBLIC_URL: url } } }) });
      expect(checkAddresses(template).problems).toHaveLength(1);
    },
  );

  it('report actions on every resource, and every action of a service', () => {
    const wildcards = (statement: object) => checkWildcards(aTemplate({ Role: aRole(statement) })).problems;
    expect(wildcards({ Action: ['sqs:SendMessage'], Resource: '*' })).toEqual([
      'Role allows sqs:SendMessage on every resource.',
    ]);
    expect(wildcards({ Action: 's3:*', Resource: 'arn' })).toEqual(['Role allows every action s3:*.']);
    expect(wildcards({ Action: 'xray:PutTraceSegments', Resource: '*' })).toEqual([]);
    expect(wildcards({ Action: 'apigateway:POST', Resource: '*', Condition: { StringEquals: {} } })).toEqual([]);
  });

  it('report a variable that neither the bundle nor its chunks read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
    try {
      mkdirSync(join(folder, 'chunks'));
      writeFileSync(join(folder, 'get-health.mjs'), 'import { read } from "./chunks/a.mjs";\nread();');
      writeFileSync(join(folder, 'chunks', 'a.mjs'), 'export const read = () => env("RECORDS_TABLE");');
      const variables = { RECORDS_TABLE: 't', FORGOTTEN: 'x' };
      const template = aTemplate({ Fn: aFunction({ Environment: { Variables: variables } }) });
      expect(checkVariables(template, [folder]).problems).toEqual(['Fn never reads FORGOTTEN.']);
      expect(checkVariables(aTemplate({ Fn: aFunction({ Handler: 'gone.handler' }) }), [folder]).problems).toEqual([
        'Fn has no bundle for its handler gone.handler.',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
