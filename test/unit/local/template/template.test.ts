import type { ResourceTypes } from '../../../../local/template/resource-type.ts';
import { type CloudFormationTemplate, loadTemplate, UnsupportedTemplate } from '../../../../local/template/template.ts';

const environment = {
  stackName: 'demo',
  region: 'eu-west-1',
  accountId: '000000000000',
  publicUrl: 'http://localhost:1',
  awsUrl: 'http://127.0.0.1:2',
};

const types: ResourceTypes = {
  'Test::Thing': {
    ref: (logicalId, properties) => properties.Name ?? logicalId.toLowerCase(),
    attributes: (logicalId) => ({ Arn: `arn:thing:${logicalId}` }),
    supported: { Name: true, Text: true, List: true, Nested: { Known: true, Deep: { Inner: true } } },
    ignored: { Tags: 'documentation only' },
  },
};

function load(template: Partial<CloudFormationTemplate>, parameters: Record<string, string> = {}) {
  return loadTemplate({ Resources: {}, ...template }, { types, environment, parameters });
}

function resolveText(
  value: unknown,
  more: Partial<CloudFormationTemplate> = {},
  parameters: Record<string, string> = {},
) {
  const resources = { Other: { Type: 'Test::Thing' }, Mine: { Type: 'Test::Thing', Properties: { Text: value } } };
  return load({ ...more, Resources: resources }, parameters).get('Mine').properties.Text;
}

function listProblems(template: Partial<CloudFormationTemplate>): readonly string[] {
  try {
    load(template);
  } catch (error) {
    if (error instanceof UnsupportedTemplate) return error.problems;
    throw error;
  }
  return [];
}

describe('loadTemplate', () => {
  it.each<[string, unknown, unknown]>([
    ['Ref to a resource', { Ref: 'Other' }, 'other'],
    ['Ref to a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-west-1'],
    ['GetAtt as a list', { 'Fn::GetAtt': ['Other', 'Arn'] }, 'arn:thing:Other'],
    ['GetAtt as text', { 'Fn::GetAtt': 'Other.Arn' }, 'arn:thing:Other'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Other' }, 3]] }, 'a-other-3'],
    [
      'Sub with names',
      { 'Fn::Sub': `\${Other}/\${Other.Arn}/\${AWS::AccountId}/\${!kept}` },
      `other/arn:thing:Other/000000000000/\${kept}`,
    ],
    ['Sub with values', { 'Fn::Sub': [`\${x}!`, { x: { Ref: 'Other' } }] }, 'other!'],
    [
      'a policy condition',
      { Condition: { StringEquals: { a: { Ref: 'Other' } } } },
      { Condition: { StringEquals: { a: 'other' } } },
    ],
  ])('resolves %s', (_name, value, expected) => {
    expect(resolveText(value)).toEqual(expected);
  });

  it('removes AWS::NoValue from objects and lists', () => {
    const properties = { Text: { Ref: 'AWS::NoValue' }, List: ['a', { Ref: 'AWS::NoValue' }] };
    const stack = load({ Resources: { Mine: { Type: 'Test::Thing', Properties: properties } } });
    expect(stack.get('Mine').properties).toEqual({ List: ['a'] });
  });

  it('leaves out resources and values whose condition is false', () => {
    const thing = (name: string) => ({ Type: 'Test::Thing', Condition: name });
    const template = {
      Parameters: { Size: { Type: 'String', Default: 'small' } },
      Conditions: {
        Big: { 'Fn::Equals': [{ Ref: 'Size' }, 'big'] },
        Small: { 'Fn::Not': [{ Condition: 'Big' }] },
        Both: { 'Fn::And': [{ Condition: 'Big' }, { Condition: 'Small' }] },
      },
      Resources: {
        A: thing('Big'),
        B: thing('Small'),
        C: thing('Both'),
        Mine: {
          Type: 'Test::Thing',
          Properties: { Text: { 'Fn::If': ['Big', { Ref: 'A' }, 'none'] }, List: [{ 'Fn::If': ['Small', 'b', 'a'] }] },
        },
      },
    };
    const stack = load(template);
    expect(stack.resources.map(({ logicalId }) => logicalId)).toEqual(['B', 'Mine']);
    expect(stack.get('Mine').properties).toEqual({ Text: 'none', List: ['b'] });
    expect(load(template, { Size: 'big' }).resources.map(({ logicalId }) => logicalId)).toEqual(['A', 'Mine']);
  });

  it('prefers given parameters to their defaults', () => {
    const more = { Parameters: { Size: { Type: 'String', Default: 'small' } } };
    expect(resolveText({ Ref: 'Size' }, more)).toBe('small');
    expect(resolveText({ Ref: 'Size' }, more, { Size: 'big' })).toBe('big');
  });

  it('resolves outputs', () => {
    const stack = load({
      Resources: { Other: { Type: 'Test::Thing' } },
      Outputs: { Name: { Value: { Ref: 'Other' } } },
    });
    expect(stack.outputs).toEqual({ Name: 'other' });
  });

  it('rejects a template with one list of everything that is not supported', () => {
    const problems = listProblems({
      Resources: {
        Cluster: { Type: 'AWS::EKS::Cluster' },
        Mine: {
          Type: 'Test::Thing',
          Properties: { Colour: 'red', Nested: { Known: 1, Other: 2, Deep: [{ Inner: 1 }, { Outer: 1 }] }, Tags: [] },
        },
        Optional: { Type: 'Test::Thing', Condition: 'Maybe' },
        Import: { Type: 'Test::Thing', Properties: { Text: { 'Fn::ImportValue': 'x' } } },
      },
      Transform: 'AWS::Serverless-2016-10-31',
    });
    expect(problems).toEqual([
      'template section Transform is not supported',
      'Cluster (AWS::EKS::Cluster): the type is not supported',
      'Mine (Test::Thing): property Colour is not supported',
      'Mine (Test::Thing): property Nested.Other is not supported',
      'Mine (Test::Thing): property Nested.Deep.Outer is not supported',
      'Optional (Test::Thing): there is no condition Maybe',
      'Import (Test::Thing): Fn::ImportValue is not supported',
    ]);
  });

  it('reports a circular reference', () => {
    const thing = (other: string) => ({ Type: 'Test::Thing', Properties: { Text: { Ref: other } } });
    expect(listProblems({ Resources: { A: thing('B'), B: thing('A') } })[0]).toContain('A → B → A');
  });

  it('rejects a parameter that the template does not have', () => {
    expect(() => load({}, { Nope: '1' })).toThrow('the template has no parameter Nope');
  });
});
