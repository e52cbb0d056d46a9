import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measurePolicies } from '../../tools/check/policy-sizes.ts';
import {
  checkAddresses,
  checkBundles,
  checkCycles,
  checkFunctions,
  checkPackages,
  checkQuotas,
  checkWildcards,
  type Template,
} from '../../tools/check/template-checks.ts';
import { checkVariables } from '../../tools/check/variable-checks.ts';
import { readBlock, replaceBlock } from '../../tools/generate/marked-block.ts';

const aFunction = (properties: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Handler: 'get-health.handler', Environment: { Variables: { RECORDS_TABLE: 't' } }, ...properties },
});
const aRole = (...statements: object[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    Policies: [{ PolicyDocument: { Statement: statements.map((each) => ({ Effect: 'Allow', ...each })) } }],
  },
});
const aTemplate = (Resources: Template['Resources']): Template => ({ Resources });
const listProblems = (checks: { problems: string[] }[]) => checks.flatMap(({ problems }) => problems);

describe('template checks', () => {
  it('accept a small template', () => {
    expect(listProblems(checkQuotas(aTemplate({ Fn: aFunction() })))).toEqual([]);
  });

  it('report a stack that leaves no room below its quotas', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`R${index}`, { Type: 'AWS::SNS::Topic' }]));
    expect(listProblems(checkQuotas(aTemplate(many(300))))).toEqual([]);
    expect(listProblems(checkQuotas(aTemplate(many(301))))).toEqual(['There are 301 resources, and the limit is 300.']);
    const crowded = { Resources: {}, Outputs: many(161), Parameters: many(161) };
    expect(listProblems(checkQuotas(crowded))).toEqual([
      'There are 161 outputs, and the limit is 160.',
      'There are 161 parameters, and the limit is 160.',
    ]);
    const long = aTemplate({ Topic: { Type: 'AWS::SNS::Topic', Properties: { DisplayName: 'x'.repeat(800_000) } } });
    expect(listProblems(checkQuotas(long))).toEqual([expect.stringMatching(/^There are 800\d+ template bytes/)]);
  });

  it('report variables, policies and names that are too long', () => {
    const large = aFunction({ Environment: { Variables: { A: 'x'.repeat(3_300) } } });
    expect(listProblems(checkQuotas(aTemplate({ Fn: large })))).toEqual([expect.stringContaining('Fn has 33')]);
    const role = aRole({ Action: 'sqs:SendMessage', Resource: 'a'.repeat(8_200) });
    expect(listProblems(checkQuotas(aTemplate({ Role: role })))).toEqual([expect.stringContaining('Role has 82')]);
    const named = aFunction({ FunctionName: 'n'.repeat(65) });
    expect(checkFunctions(aTemplate({ Fn: named })).problems).toEqual([expect.stringContaining('more than 64')]);
  });

  it('report stacks that refer to each other', () => {
    const nested = {
      Type: 'AWS::CloudFormation::Stack',
      Properties: { Parameters: { Rule: { 'Fn::GetAtt': ['Rule', 'Arn'] } } },
    };
    const rule = {
      Type: 'AWS::Events::Rule',
      Properties: { Targets: [{ Arn: { 'Fn::GetAtt': ['Nested', 'Outputs.Fn'] } }] },
    };
    expect(checkCycles(aTemplate({ Nested: nested, Rule: rule }))).toEqual([
      'Nested → Rule → Nested is a circular reference.',
    ]);
    expect(checkCycles(aTemplate({ Nested: nested, Rule: { Type: 'AWS::Events::Rule' } }))).toEqual([]);
  });

  it('measure policies with references resolved, in the instance with the longest name', () => {
    const measure = (Resource: unknown) =>
      measurePolicies(aTemplate({ Role: aRole({ Action: 'a:B', Resource }) }))[0]?.size;
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
    const wildcards = (...statements: object[]) => checkWildcards(aTemplate({ Role: aRole(...statements) })).problems;
    expect(wildcards({ Action: ['sqs:SendMessage'], Resource: '*' })).toEqual([
      'Role allows sqs:SendMessage on every resource.',
    ]);
    expect(wildcards({ Action: 's3:*', Resource: 'arn' })).toEqual(['Role allows every action s3:*.']);
    expect(wildcards({ Action: 'xray:PutTraceSegments', Resource: '*' })).toEqual([]);
    const publish = { Effect: 'Allow', Action: 'sns:Publish', Resource: '*' };
    expect(wildcards(publish)).toHaveLength(1);
    expect(wildcards(publish, { ...publish, Effect: 'Deny', Resource: 'arn:aws:sns:*:*:*' })).toEqual([]);
    expect(wildcards({ Action: 'apigateway:POST', Resource: '*', Condition: { StringEquals: {} } })).toEqual([]);
  });

  it('report a bundle that is too large with the modules that it imports', async () => {
    await withBundles({ 'list.mjs': 'import "./a.mjs";', 'a.mjs': `// ${'x'.repeat(900_000)}` }, (folder) => {
      expect(checkBundles(folder).problems).toEqual([
        expect.stringContaining('a.mjs has 900'),
        expect.stringContaining('list.mjs has 900'),
      ]);
    });
  });

  it('report packages with binaries of another platform, without the model or with the demo', async () => {
    await withBundles({ 'darwin.node': '', 'known-vectors.json': '' }, (folder) => {
      expect(checkPackages(folder, folder).problems).toEqual([
        'There are 1 binaries and 0 models.',
        expect.stringContaining("darwin.node is not for Lambda's platform."),
        expect.stringContaining('known-vectors.json is for one machine.'),
      ]);
    });
  });

  describe('of environment variables', () => {
    const readAll = (...names: string[]) => names.map((name) => `void process.env.${name};`).join('');
    const aHandler = (name: string, variables: object) =>
      aFunction({ Handler: `${name}.handler`, Environment: { Variables: variables } });

    it('report a variable that is set but never read', async () => {
      const code = 'const known = { RECORDS_TABLE: 1, FORGOTTEN: 1 }; void process.env.RECORDS_TABLE;';
      await withBundles({ 'get-health.mjs': code, 'other.mjs': '' }, async (folder) => {
        const template = aTemplate({
          Fn: aHandler('get-health', { RECORDS_TABLE: 't', FORGOTTEN: 'x' }),
          Other: aHandler('other', {}),
        });
        expect((await checkVariables(template, [folder])).problems).toEqual(['Fn never reads FORGOTTEN.']);
      });
    });

    it('report a variable that is read but not set', async () => {
      const code = 'if (!process.env.EVENTS_TABLE) throw new Error("environment variables missing: EVENTS_TABLE");';
      await withBundles({ 'get-health.mjs': code }, async (folder) => {
        expect((await checkVariables(aTemplate({ Fn: aHandler('get-health', {}) }), [folder])).problems).toEqual([
          'Fn does not start: environment variables missing: EVENTS_TABLE',
        ]);
        const complete = aTemplate({ Fn: aHandler('get-health', { EVENTS_TABLE: { Ref: 'Table' } }) });
        expect((await checkVariables(complete, [folder])).problems).toEqual([]);
      });
    });

    it('accept a shared variable that one function reads', async () => {
      await withBundles({ 'a.mjs': readAll('VERSION'), 'b.mjs': '' }, async (folder) => {
        const variables = { VERSION: '1', UNUSED: '1' };
        const template = aTemplate({ A: aHandler('a', variables), B: aHandler('b', variables) });
        expect((await checkVariables(template, [folder])).problems).toEqual([
          'A never reads UNUSED.',
          'B never reads UNUSED.',
        ]);
      });
    });

    it('report a function without a bundle', async () => {
      await withBundles({}, async (folder) => {
        expect((await checkVariables(aTemplate({ Fn: aHandler('gone', {}) }), [folder])).problems).toEqual([
          'Fn has no bundle for its handler gone.handler.',
        ]);
      });
    });
  });
});

describe('tables of a page', () => {
  it('are replaced between their comments', () => {
    const text = 'a\n<!-- report -->\nold\n<!-- end of report -->\nb';
    expect(readBlock(replaceBlock(text, 'report', 'new'), 'report')).toBe('new');
    expect(() => readBlock(text, 'other')).toThrow('no place for the table other');
  });
});

async function withBundles(
  files: Readonly<Record<string, string>>,
  check: (folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
