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
    honoured: { Name: true, Text: true, List: true, Nested: { Known: true, Deep: { Inner: true } } },
    withoutEffect: { Tags: 'describes, changes nothing' },
  },
};

function load(template: Partial<CloudFormationTemplate>, parameters: Record<string, string> = {}) {
  return loadTemplate({ Resources: {}, ...template }, { types, environment, parameters });
}

function textOf(value: unknown, more: Partial<CloudFormationTemplate> = {}, parameters: Record<string, string> = {}) {
  const resources = { Other: { Type: 'Test::Thing' }, Mine: { Type: 'Test::Thing', Properties: { Text: value } } };
  return load({ ...more, Resources: resources }, parameters).get('Mine').properties.Text;
}

function problemsOf(template: Partial<CloudFormationTemplate>): readonly string[] {
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
    ['Select of a Split', { 'Fn::Select': [1, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Other', 'Arn'] }] }] }, 'thing'],
    ['Base64', { 'Fn::Base64': 'hi' }, 'aGk='],
    ['FindInMap', { 'Fn::FindInMap': ['Sizes', { Ref: 'AWS::Region' }, 'small'] }, 7],
    ['If, taken', { 'Fn::If': ['Yes', 'a', 'b'] }, 'a'],
    ['If, not taken', { 'Fn::If': ['No', 'a', { Ref: 'Other' }] }, 'other'],
    ['ToJsonString', { 'Fn::ToJsonString': { a: { Ref: 'Other' } } }, '{"a":"other"}'],
    ['Length', { 'Fn::Length': ['a', 'b'] }, 2],
    [
      'a policy condition, which is no intrinsic',
      { Condition: { StringEquals: { a: { Ref: 'Other' } } } },
      { Condition: { StringEquals: { a: 'other' } } },
    ],
  ])('resolves %s', (_name, value, expected) => {
    const more = {
      Mappings: { Sizes: { 'eu-west-1': { small: 7 } } },
      Conditions: {
        Yes: { 'Fn::Equals': ['a', 'a'] },
        No: { 'Fn::And': [{ Condition: 'Yes' }, { 'Fn::Not': [{ 'Fn::Or': [{ Condition: 'Yes' }] }] }] },
      },
    };
    expect(textOf(value, more)).toEqual(expected);
  });

  it('removes what is AWS::NoValue, in objects and in lists', () => {
    const properties = { Text: { Ref: 'AWS::NoValue' }, List: ['a', { Ref: 'AWS::NoValue' }] };
    const stack = load({ Resources: { Mine: { Type: 'Test::Thing', Properties: properties } } });
    expect(stack.get('Mine').properties).toEqual({ List: ['a'] });
  });

  it('takes parameters from the caller before their defaults', () => {
    const more = { Parameters: { Size: { Type: 'String', Default: 'small' } } };
    expect(textOf({ Ref: 'Size' }, more)).toBe('small');
    expect(textOf({ Ref: 'Size' }, more, { Size: 'big' })).toBe('big');
  });

  it('leaves out resources whose condition is false', () => {
    const stack = load({
      Conditions: { No: { 'Fn::Equals': ['a', 'b'] } },
      Resources: { Gone: { Type: 'Test::Thing', Condition: 'No' }, Here: { Type: 'Test::Thing' } },
    });
    expect(stack.ofType('Test::Thing').map(({ logicalId }) => logicalId)).toEqual(['Here']);
  });

  it('resolves outputs', () => {
    const stack = load({
      Resources: { Other: { Type: 'Test::Thing' } },
      Outputs: { Name: { Value: { Ref: 'Other' } } },
    });
    expect(stack.outputs).toEqual({ Name: 'other' });
  });

  it('lists everything it cannot honour in one refusal', () => {
    const problems = problemsOf({
      Resources: {
        Cluster: { Type: 'AWS::EKS::Cluster' },
        Mine: {
          Type: 'Test::Thing',
          Properties: { Colour: 'red', Nested: { Known: 1, Other: 2, Deep: [{ Inner: 1 }, { Outer: 1 }] }, Tags: [] },
        },
        Import: { Type: 'Test::Thing', Properties: { Text: { 'Fn::ImportValue': 'x' } } },
      },
      Transform: 'AWS::Serverless-2016-10-31',
    });
    expect(problems).toEqual([
      'template section Transform',
      'Cluster (AWS::EKS::Cluster): the type is not supported',
      'Mine (Test::Thing): property Colour is not supported',
      'Mine (Test::Thing): property Nested.Other is not supported',
      'Mine (Test::Thing): property Nested.Deep.Outer is not supported',
      'Import (Test::Thing): Fn::ImportValue is not supported',
    ]);
  });

  it('names a circular reference', () => {
    const thing = (other: string) => ({ Type: 'Test::Thing', Properties: { Text: { Ref: other } } });
    expect(problemsOf({ Resources: { A: thing('B'), B: thing('A') } })[0]).toContain('A → B → A');
  });

  it('refuses a parameter that the template does not have', () => {
    expect(() => load({}, { Nope: '1' })).toThrow('parameter Nope is given');
  });
});
