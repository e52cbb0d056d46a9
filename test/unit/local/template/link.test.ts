import { linkStacks, readStacks } from '../../../../local/template/link.ts';
import type { CloudFormationTemplate } from '../../../../local/template/template.ts';

const data: CloudFormationTemplate = {
  Resources: { Table: { Type: 'AWS::DynamoDB::Table' } },
  Outputs: { Exported: { Value: { Ref: 'Table' }, Export: { Name: 'data:Table' } } },
};
const service: CloudFormationTemplate = {
  Parameters: { PublicUrl: { Type: 'String', Default: 'http://localhost' } },
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', DependsOn: ['Functions'] },
    Functions: {
      Type: 'AWS::CloudFormation::Stack',
      Properties: { Parameters: { Url: { Ref: 'PublicUrl' } } },
      Metadata: { 'aws:asset:path': 'functions.nested.template.json' },
    },
    Schedule: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: { Target: { 'Fn::GetAtt': ['Functions', 'Outputs.Arn'] }, Role: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
    },
  },
  Outputs: { TableName: { Value: { 'Fn::ImportValue': 'data:Table' } } },
};
const functions: CloudFormationTemplate = {
  Parameters: { Url: { Type: 'String' } },
  Resources: {
    Fn: {
      Type: 'AWS::Lambda::Function',
      Properties: { Variables: { TABLE: { 'Fn::ImportValue': 'data:Table' }, URL: { Ref: 'Url' } } },
    },
  },
  Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Fn', 'Arn'] } } },
};
const files: Record<string, CloudFormationTemplate> = {
  'data.template.json': data,
  'service.template.json': service,
  'functions.nested.template.json': functions,
};
const link = (changes: typeof files = {}) =>
  linkStacks(['data', 'service'], (file) => ({ ...files, ...changes })[file] ?? { Resources: {} });

describe('linkStacks', () => {
  it('replaces imports, and parameters and outputs of nested stacks', () => {
    const { Resources, Outputs, Parameters } = link();
    expect(Object.keys(Resources)).toEqual(['Table', 'Queue', 'Schedule', 'Fn']);
    expect(Resources.Fn?.Properties).toEqual({ Variables: { TABLE: { Ref: 'Table' }, URL: { Ref: 'PublicUrl' } } });
    expect(Resources.Schedule?.Properties).toEqual({
      Target: { 'Fn::GetAtt': ['Fn', 'Arn'] },
      Role: { 'Fn::GetAtt': ['Queue', 'Arn'] },
    });
    expect(Resources.Queue).toEqual({ Type: 'AWS::SQS::Queue' });
    expect(Outputs).toEqual({ TableName: { Value: { Ref: 'Table' } } });
    expect(Object.keys(Parameters ?? {})).toEqual(['PublicUrl']);
  });

  it('keeps which stack has what', () => {
    expect(link().Stacks).toEqual({
      data: { resources: ['Table'], outputs: [] },
      service: { resources: ['Queue', 'Schedule'], outputs: ['TableName'] },
      'service-Functions': { resources: ['Fn'], outputs: [] },
    });
    const stacks = readStacks(['data', 'service'], (file) => files[file]!);
    expect(stacks.map(({ file }) => file)).toEqual(Object.keys(files));
  });

  it.each([
    [
      'a logical id of two stacks',
      { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } },
      'two stacks have a resource Queue',
    ],
    ['an import without an export', { Resources: {} }, 'no stack exports "data:Table"'],
  ])('rejects %s', (_what, template, message) => {
    const { Outputs = {} } = 'Queue' in template.Resources ? data : {};
    expect(() => link({ 'data.template.json': { ...template, Outputs } })).toThrow(message);
  });
});
