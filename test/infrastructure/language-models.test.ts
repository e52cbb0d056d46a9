import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { modelAliases } from '../../contract/models.ts';
import { environments } from '../../lib/environments.ts';
import { Functions } from '../../lib/functions.ts';
import { grantConverse, type LanguageModels } from '../../lib/language-models.ts';
import { listStatements, type Properties, theOnly } from './stack.ts';

function listGrants(models: LanguageModels) {
  const stack = new Stack(new App({ analyticsReporting: false }), 'models', {
    env: { account: '123456789012', region: 'us-east-1' },
  });
  const functions = new Functions(stack, 'Functions', {
    code: Code.fromAsset('docs'),
    codeWithModel: Code.fromAsset('docs'),
    codeWithConsole: Code.fromAsset('docs'),
    logRetention: RetentionDays.ONE_DAY,
    removalPolicy: RemovalPolicy.DESTROY,
    environment: {},
  });
  grantConverse(functions.create({ name: 'ask', capability: 'ai', description: 'Asks.' }), models);
  const template = Template.fromStack(stack);
  const { Environment } = theOnly(template, 'AWS::Lambda::Function') as { Environment: { Variables: Properties } };
  const statements = listStatements(template, 'ask').filter(({ Action }) => String(Action).startsWith('bedrock:'));
  expect(statements).toHaveLength(1);
  expect(statements[0]!.Action).toBe('bedrock:InvokeModel');
  const resources = [statements[0]!.Resource]
    .flat()
    .map((each) => JSON.stringify(each).replace(/.*:bedrock:|"\]\]}|"/g, ''));
  return { resources, ids: JSON.parse(Environment.Variables.MODEL_IDS as string) };
}

describe('language models', () => {
  it('are used only through their inference profile and its models', () => {
    const { resources, ids } = listGrants(environments.prod.models);
    expect(Object.keys(ids)).toEqual([...modelAliases]);
    for (const alias of modelAliases) {
      const { modelId } = environments.prod.models[alias];
      expect(ids[alias]).toBe(`us.${modelId}`);
      expect(resources.filter((each) => each.endsWith(modelId))).toEqual([
        `us-east-1:123456789012:inference-profile/us.${modelId}`,
        ...['us-east-1', 'us-east-2', 'us-west-2'].map((region) => `${region}::foundation-model/${modelId}`),
      ]);
    }
    expect(resources).toHaveLength(4 * modelAliases.length);
    expect(resources.join()).not.toContain('*');
  });

  it('are one built-in model on one machine', () => {
    const { resources, ids } = listGrants(environments.local.models);
    expect(new Set(Object.values(ids))).toEqual(new Set(['local.extractive-v1']));
    expect(resources).toEqual(['us-east-1::foundation-model/local.extractive-v1']);
  });
});
