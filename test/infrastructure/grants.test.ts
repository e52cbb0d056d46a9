import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { modelAliases } from '../../contract/models.ts';
import { environments } from '../../lib/environments.ts';
import { Functions } from '../../lib/functions.ts';
import { currentModels, getLanguageModels, grantConverse, type LanguageModels } from '../../lib/language-models.ts';
import { listGrants } from '../../tools/check/grants.ts';
import type { Template as StackTemplate } from '../../tools/check/template-checks.ts';
import { listStatements, local, type Properties, prod, theOnly } from './stack.ts';

// `npm run synth` validates templates. Starting the CDK's validator takes six seconds of processor time.
process.env.CDK_VALIDATION = 'false';

// What the tests on the local runtime used, by role (npm run grants). A call without a grant fails there as it would in AWS.
const used: Record<string, string[]> = JSON.parse(readFileSync(new URL('used-grants.json', import.meta.url), 'utf8'));

const writes = 'Records are written with one permission for PutItem and UpdateItem; this function uses one of them.';
const reads = 'The lists and the event log have one permission to read for all of their users.';
const recovery = 'Repairs what a crash or a failure in AWS left half-done.';

/** Grants that no test on the local runtime uses. */
const unused: readonly { role: RegExp; actions: RegExp; reason: string }[] = [
  { role: /^FunctionsSweepApiKeysRole$/, actions: /^(?!dynamodb:Query$)/, reason: recovery },
  { role: /^FunctionsRedriveDeliveriesRole$/, actions: /^(?!dynamodb:Query$)/, reason: recovery },
  {
    role: /^FunctionsCreateApiKeyRole$/,
    actions: /^(cognito-idp:(Delete|List)\w+|apigateway:DELETE)$/,
    reason: recovery,
  },
  { role: /^FunctionsDeleteApiKeyRole$/, actions: /^(cognito-idp:List\w+|dynamodb:Query)$/, reason: recovery },
  {
    role: /^Functions(DeleteApiKey|ReadAllNotifications|DeleteProblem|CompleteAttachment)Role$/,
    actions: /^dynamodb:PutItem$/,
    reason: writes,
  },
  {
    role: /^Functions(RecordDirectoryChanges|BulkIncidents|BulkProblems|BulkCis|SendMessages)Role$/,
    actions: /^dynamodb:UpdateItem$/,
    reason: writes,
  },
  {
    role: /^Functions(RunJobs|ApproveProposal|ReceiveInboundEvent|ReplayInboundEvent)Role$/,
    actions: /^dynamodb:ConditionCheckItem$/,
    reason: 'A new incident may refer to a problem or a change; tests check this when people create it.',
  },
  {
    role: /^FunctionsCreateProblemRole$/,
    actions: /^cognito-idp:ListGroups$/,
    reason: 'Looks up a team; tests check this with incidents.',
  },
  {
    role: /^FunctionsUpdateProblemRole$/,
    actions: /^cognito-idp:(AdminGetUser|ListGroups)$/,
    reason: 'Looks up a person or a team; tests check this with incidents.',
  },
  {
    role: /^FunctionsCreate(Problem|Change)NoteRole$/,
    actions: /^dynamodb:GetItem$/,
    reason: 'Looks up attachments; tests attach files to incidents.',
  },
  { role: /^FunctionsSweepPagesRole$/, actions: /^dynamodb:PutItem$/, reason: writes },
  { role: /^FunctionsRecordDirectoryChangesRole$/, actions: /^dynamodb:Query$/, reason: reads },
  { role: /^FunctionsGet(Change|Incident|Request)StatisticsRole$/, actions: /^dynamodb:BatchGetItem$/, reason: reads },
  {
    role: /^FunctionsRebuildIndexesRole$/,
    actions: /^(sqs:SendMessage|states:SendTaskFailure)$/,
    reason: 'The rebuild of a few records neither continues in another message nor fails.',
  },
  {
    role: /^Functions(WriteListSnapshots|PublishConsole)Role$/,
    actions: /^s3:DeleteObject$/,
    reason: 'Objects of the release or snapshot before the previous one are deleted; tests write two at most.',
  },
];

const grants = listGrants(local.toJSON() as StackTemplate);

describe('grants', () => {
  it('are all used, or have a reason', () => {
    const questionable = grants.filter(
      ({ role, action }) =>
        !used[role]?.includes(action) && !unused.some((each) => each.role.test(role) && each.actions.test(action)),
    );
    expect(questionable).toEqual([]);
  });

  it('have a reason only while they are unused', () => {
    for (const { role, actions } of unused) {
      const excused = grants.filter((grant) => role.test(grant.role) && actions.test(grant.action));
      expect(excused.length).toBeGreaterThan(0);
      expect(excused.filter((grant) => used[grant.role]?.includes(grant.action))).toEqual([]);
    }
  });

  it('exist for every recorded call', () => {
    const granted = new Set(grants.map(({ role, action }) => `${role} ${action}`));
    const calls = Object.entries(used).flatMap(([role, actions]) => actions.map((action) => `${role} ${action}`));
    expect(calls.filter((call) => !granted.has(call))).toEqual([]);
  });

  it('are the same in production', () => {
    const toText = ({ role, action }: { role: string; action: string }) => `${role} ${action}`;
    expect(
      listGrants(prod.toJSON() as StackTemplate)
        .map(toText)
        .sort(),
    ).toEqual(
      grants
        // Only with -c search=opensearch, -c mailSender, -c smsMonthlyLimit and -c oidcIssuer.
        .filter(
          ({ role }) =>
            !/^(Functions(RetryIndexing|RebuildIndexes|SetTextLimit|FederateSignIns)|SearchMachine)Role$/.test(role),
        )
        .filter(({ role, action }) => !(role === 'FunctionsGetHealthRole' && action === 'dynamodb:Query'))
        .filter(
          ({ role, action }) => action !== 'ses:SendEmail' && !(action === 'sns:Publish' && !/EmitEvents/.test(role)),
        )
        .map(toText)
        .sort(),
    );
  });
});

function listModelGrants(models: LanguageModels) {
  const stack = new Stack(new App({ analyticsReporting: false }), 'models', {
    env: { account: '123456789012', region: 'us-east-1' },
  });
  const functions = new Functions(stack, 'Functions', {
    instanceName: 'models',
    code: 'docs',
    codeWithModel: 'docs',
    codeWithConsole: 'docs',
    logRetention: RetentionDays.ONE_DAY,
    removalPolicy: RemovalPolicy.DESTROY,
    environment: {},
  });
  const fn = functions.create({ name: 'ask', capability: 'ai', description: 'Asks.' });
  grantConverse(fn, models);
  const template = Template.fromStack(Stack.of(fn));
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
    const { resources, ids } = listModelGrants(environments.prod.models);
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

  it('may be in any region only with the profile of all regions', () => {
    const { modelId } = currentModels['model-3-opus'];
    const { resources } = listModelGrants(getLanguageModels('global'));
    expect(resources.filter((each) => each.endsWith(modelId))).toEqual([
      `us-east-1:123456789012:inference-profile/global.${modelId}`,
      `us-east-1::foundation-model/${modelId}`,
      `::foundation-model/${modelId}`,
    ]);
  });

  // Fails two months before Bedrock may retire a model: choose its successor, see docs/runbook.md#model_retired.
  it('are offered for more than 60 days', () => {
    const soon = new Date(Date.now() + 60 * 24 * 60 * 60_000).toISOString();
    const expiring = Object.values(currentModels).filter(({ endOfLife }) => endOfLife <= soon);
    expect(expiring).toEqual([]);
  });

  it('are one built-in model on one machine', () => {
    const { resources, ids } = listModelGrants(environments.local.models);
    expect(new Set(Object.values(ids))).toEqual(new Set(['local.extractive-v1']));
    expect(resources).toEqual(['us-east-1::foundation-model/local.extractive-v1']);
  });
});
