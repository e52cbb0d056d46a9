import { readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { neededRoles } from '../../bin/preflight-checks.ts';
import { limitWorkers } from '../../lib/concurrency.ts';
import { gradualOperations } from '../../lib/gradual-deployments.ts';
import { largeLength } from '../../lib/web-acl.ts';
import type { Check } from '../../tools/check/template-checks.ts';
import { readBlock } from '../../tools/generate/marked-block.ts';
import {
  listProperties,
  listStacks,
  listStatements,
  local,
  type Properties,
  prod,
  prodWithSearch,
  resources,
  theOnly,
  withOptions,
} from './stack.ts';

describe('search=opensearch', () => {
  it('adds an encrypted domain that only functions that list or index may use', async () => {
    const template = withOptions();
    expect(theOnly(template, 'AWS::OpenSearchService::Domain')).toMatchObject({
      EncryptionAtRestOptions: { Enabled: true },
      NodeToNodeEncryptionOptions: { Enabled: true },
      DomainEndpointOptions: { EnforceHTTPS: true },
    });
    const uses = (handler: string) => JSON.stringify(listStatements(template, handler)).includes('es:ESHttp');
    expect(
      ['list-incidents', 'emit-events', 'retry-indexing', 'assist', 'learn-from-records'].filter(uses),
    ).toHaveLength(5);
    expect(['create-incident', 'get-incident', 'write-list-snapshots'].filter(uses)).toEqual([]);
    expect(resources(prod, 'AWS::OpenSearchService::Domain')).toEqual([]);
  });

  it('does not delete the domain with the stack or on its replacement', async () => {
    const [[, domain]] = resources(prodWithSearch(), 'AWS::OpenSearchService::Domain') as [[string, object]];
    expect(domain).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    const isProtected = (template: typeof prod) => template.toJSON().Metadata.isServiceProtected;
    expect([isProtected(prodWithSearch()), isProtected(prod), isProtected(local)]).toEqual([true, false, false]);
  });

  it('watches the lag of the indexes and failed rebuilds, with a section of the runbook for each', async () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
    const alarms = resources(withOptions(), 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [id, Properties]);
    for (const [name, heading] of [
      ['ListsBehind', '## Lists behind'],
      ['ReindexFailed', '## A rebuild of the indexes failed'],
    ] as const) {
      const [, alarm] = alarms.find(([id]) => String(id).includes(name)) ?? [];
      expect(alarm).toMatchObject({
        AlarmDescription: expect.stringContaining(heading.slice(3).toLowerCase().replaceAll(' ', '-')),
      });
      expect(runbook).toContain(`${heading}\n`);
    }
  });

  it('checks the domain during a deployment, and may start the rebuild of indexes', async () => {
    const template = withOptions();
    expect(JSON.stringify(listStatements(template, 'prepare-search'))).toContain('states:StartExecution');
    const checks = resources(template, 'AWS::CloudFormation::CustomResource').filter(([id]) => id.includes('Search'));
    expect(checks).toHaveLength(1);
  });

  it('delivers what was learned of records to the consumer that indexes it, and only then', async () => {
    const filters = (template: typeof prod) =>
      JSON.stringify(resources(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties));
    expect(filters(withOptions())).toContain('learned');
    expect(filters(prod)).not.toContain('learned');
  });
});

describe('service stack', () => {
  it('is one of several stacks, each with room for more', () => {
    const sizes = Object.values(listStacks(prod)).map((ids) => ids.length);
    expect(sizes).toHaveLength(6);
    expect(Math.max(...sizes)).toBeLessThan(250);
  });

  it('has neither tables, people nor keys of data: a deployment of the service cannot destroy them', () => {
    const data = new Set(listStacks(prod)['incidents-prod-data']);
    for (const type of ['DynamoDB::Table', 'Cognito::UserPool', 'Cognito::UserPoolGroup', 'Cognito::UserPoolDomain'])
      for (const [id] of resources(prod, `AWS::${type}`)) expect(data).toContain(id);
    const elsewhere = resources(prod, 'AWS::KMS::Key').filter(([id]) => !data.has(id));
    expect(elsewhere.map(([id]) => id)).toEqual([expect.stringMatching(/^OperationsTopicKey/)]);
    expect([...data].filter((id) => /^(?:Functions|AWS::Lambda)/.test(id))).toEqual([]);
  });

  it('protects the stack of the data from deletion only in production', () => {
    const isProtected = (template: typeof prod) => template.toJSON().Metadata.terminationProtection;
    expect([isProtected(prod), isProtected(local)]).toEqual([true, false]);
  });

  it('has parameters for its addresses and the identity provider only on one machine', () => {
    expect(Object.keys(local.toJSON().Parameters)).toEqual([
      ...['SsoName', 'OidcIssuer', 'OidcClientId', 'OidcScopes', 'OidcSecret', 'SamlMetadataUrl', 'SamlMetadataFile'],
      ...['RoleMapping', 'UnmappedPeople', 'LocalPasswords'],
      'PublicUrl',
      'CorsOrigins',
      'SearchEndpoint',
      'MailSender',
      'UnknownPeople',
    ]);
    expect(prod.toJSON().Parameters).toEqual({});
  });

  it('links every alarm to a section of the runbook', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
    const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'));
    const alarms = resources(prod, 'AWS::CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(0);
    for (const [, { Properties }] of alarms) {
      expect(Properties.AlarmActions).toHaveLength(1);
      expect(headings).toContain(/docs\/runbook\.md#([\w-]+)$/.exec(Properties.AlarmDescription as string)?.[1]);
    }
  });
});

describe('docs/deploy.md and the workflows', () => {
  it('name only existing outputs', () => {
    const outputs = Object.keys(prod.findOutputs('*'));
    const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const documented = [...read('docs/deploy.md').matchAll(/\boutput ([A-Z]\w+)/g)].map(([, name]) => name);
    const used = [...read('.github/workflows/deploy-stage.yml').matchAll(/"\$([A-Z][a-z]\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(documented.length).toBeGreaterThan(4);
    expect(used.length).toBeGreaterThan(2);
    expect(outputs).toEqual(expect.arrayContaining([...documented, ...used]));
  });

  it.each([
    ['local', local],
    ['prod', prod],
  ])('report the size of each stack in %s; npm run verify:template -- --write updates it', (_name, template) => {
    const report = readBlock(readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8'), 'template report');
    const rows = report
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim().replaceAll(/(\d),(?=\d)/g, '$1')));
    const find = (title: string) => rows.find(([, first]) => first === title)?.slice(2, -1) ?? [];
    for (const [stack, checks] of template.toJSON().Metadata.quotas as [string, Check[]][]) {
      expect(find('Stack')).toEqual(checks.map(({ name }) => name));
      expect(find('Limit')).toEqual(checks.map(({ max }) => String(max)));
      for (const [index, { name, measured }] of checks.entries()) {
        // Sizes depend on details such as the hash of the code.
        const tolerance = /bytes|characters/.test(name) ? 0.1 * Number(measured) : 0;
        const reported = Number(find(`\`${stack}\``)[index]);
        expect([stack, name, Math.abs(reported - Number(measured)) <= tolerance]).toEqual([stack, name, true]);
      }
    }
  });
});

describe('operations', () => {
  it('lets CloudWatch publish alarms to an encrypted topic', () => {
    const statement = {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    prod.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({ ...statement, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'] }),
        ]),
      },
    });
    prod.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ ...statement, Action: 'sns:Publish' })]) },
    });
  });

  it('pays for no metrics per method, one dashboard and one trace of twenty', () => {
    const settings = theOnly(prod, 'AWS::ApiGateway::Stage').MethodSettings as Record<string, unknown>[];
    expect(settings).toMatchObject([{ MetricsEnabled: false, HttpMethod: '*', ThrottlingRateLimit: 5_000 }]);
    prod.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    const { SamplingRule } = theOnly(prod, 'AWS::XRay::SamplingRule');
    // The names of the API's stage and of all functions begin with the name of the stack.
    expect(SamplingRule).toMatchObject({ ServiceName: 'incidents-prod*', FixedRate: 0.05, ReservoirSize: 0 });
  });

  const alarms = new Map(
    resources(prod, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [id.slice(10, -8), Properties]),
  );

  it('pages at the first failed or missing run of the canary', () => {
    expect(alarms.get('CanaryFailed')).toMatchObject({
      MetricName: 'Errors',
      Period: 60,
      EvaluationPeriods: 1,
      DatapointsToAlarm: 1,
      TreatMissingData: 'breaching',
    });
    const runs = listProperties(prod, 'AWS::Scheduler::Schedule').filter(({ Target }) =>
      JSON.stringify(Target).includes('RunCanary'),
    );
    expect(runs).toMatchObject([{ ScheduleExpression: 'rate(1 minute)' }]);
  });

  it('raises an alarm if a function on a schedule does not run', () => {
    const breaching = [...alarms].filter(([, { TreatMissingData }]) => TreatMissingData === 'breaching');
    expect(breaching.map(([name]) => name).sort()).toEqual([
      'ApiKeyErrors',
      'CanaryFailed',
      'DeliveryRedriveErrors',
      'PageSweepErrors',
      'SnapshotErrors',
      'SweepErrors',
    ]);
  });

  it('sees an outage at night by its rate, and no percentile of a few requests', () => {
    expect(alarms.get('ErrorRate')).toMatchObject({ MetricName: '5XXError', Statistic: 'Average', Threshold: 0.5 });
    const percentiles = [...alarms.values()].filter(({ ExtendedStatistic }) => ExtendedStatistic === 'p99');
    expect(percentiles).toHaveLength(5);
    for (const each of percentiles) {
      expect(each).toMatchObject({ Namespace: 'AWS/Lambda', EvaluateLowSampleCountPercentile: 'ignore' });
    }
  });

  it('watches quotas, the age of messages and the language model', () => {
    const names = ['ThrottledFunctions', 'ThrottledTables', 'QueuesBehind', 'ModelErrors'];
    expect(names.filter((name) => !alarms.has(name))).toEqual([]);
    const queues = (alarms.get('QueuesBehind') as { Metrics: Properties[] }).Metrics.filter(
      ({ MetricStat }) => MetricStat,
    );
    const working = listProperties(prod, 'AWS::SQS::Queue').filter(({ RedrivePolicy }) => RedrivePolicy);
    expect(queues).toHaveLength(working.length);
  });

  it('notes at synthesis that the burst of the stage exceeds the quota of an account', () => {
    const notes = (template: typeof prod) => (template.toJSON().Metadata as { notes: string[] }).notes;
    expect(notes(prod).join()).toContain('bursts of 10000 requests, but an account admits 5000 by default');
    // CloudFormation never sees this template.
    expect(notes(local).filter((note) => !note.startsWith('Number of resources'))).toEqual([]);
  });
});

interface WafRule {
  Name: string;
  Action?: {
    Block: {
      CustomResponse: {
        ResponseCode: number;
        CustomResponseBodyKey: string;
        ResponseHeaders: { Name: string; Value: string }[];
      };
    };
  };
  Statement: {
    RateBasedStatement?: { Limit: number; EvaluationWindowSec: number; ScopeDownStatement: object };
    ManagedRuleGroupStatement?: { RuleActionOverrides?: { Name: string; ActionToUse: object }[] };
  };
}

describe('optional protection', () => {
  it('adds a web ACL, a second factor, threat protection and an address for alarms', async () => {
    const guarded = withOptions();
    const { Rules } = theOnly(guarded, 'AWS::WAFv2::WebACL') as { Rules: { Name: string; Statement: object }[] };
    expect(Rules.map(({ Name }) => Name)).toEqual([
      'BodySize',
      'AnonymousRate',
      'AnonymousDirectRate',
      'InboundRate',
      'InboundDirectRate',
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesCommonRuleSet',
    ]);
    guarded.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
    guarded.hasResourceProperties('AWS::Cognito::UserPool', {
      MfaConfiguration: 'ON',
      UserPoolTier: 'PLUS',
      UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
    });
    const subscriptions = listProperties(guarded, 'AWS::SNS::Subscription');
    expect(subscriptions.map(({ Endpoint, TopicArn }) => [Endpoint, (TopicArn as { Ref: string }).Ref])).toEqual([
      ['desk@acme.org', expect.stringMatching(/^WebhookDeliveryAlerts/)],
      ['ops@acme.org', expect.stringMatching(/^OperationsTopic/)],
    ]);
    prod.resourceCountIs('AWS::WAFv2::WebACL', 0);
    prod.resourceCountIs('AWS::SNS::Subscription', 1);
  });

  it('only counts matches in bodies, which quote attacks', async () => {
    const { Rules } = theOnly(withOptions(), 'AWS::WAFv2::WebACL') as { Rules: WafRule[] };
    const counted = Rules.flatMap(({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? []);
    for (const { ActionToUse } of counted) expect(ActionToUse).toEqual({ Count: {} });
    // Every rule about bodies of the two groups.
    expect(counted.map(({ Name }) => Name).sort()).toEqual([
      'CrossSiteScripting_BODY',
      'EC2MetaDataSSRF_BODY',
      'GenericLFI_BODY',
      'GenericRFI_BODY',
      'JavaDeserializationRCE_BODY',
      'Log4JRCE_BODY',
      'ReactJSRCE_BODY',
      'SizeRestrictions_BODY',
    ]);
  });

  it('rejects with the headers and the problem of the API, and admits 100 events a second of five webhooks', async () => {
    const acl = theOnly(withOptions(), 'AWS::WAFv2::WebACL') as {
      Rules: WafRule[];
      CustomResponseBodies: Record<string, { Content: string }>;
    };
    const limited = acl.Rules.filter(({ Statement }) => Statement.RateBasedStatement);
    expect(limited.map(({ Statement }) => Statement.RateBasedStatement?.Limit)).toEqual([1_000, 1_000, 30_000, 30_000]);
    for (const { Statement } of limited) expect(Statement.RateBasedStatement?.EvaluationWindowSec).toBe(60);
    const rejections = acl.Rules.flatMap(({ Action }) => Action?.Block.CustomResponse ?? []);
    expect(rejections.map(({ ResponseCode }) => ResponseCode)).toEqual([413, 429, 429, 429, 429]);
    for (const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } of rejections) {
      const headers = Object.fromEntries(ResponseHeaders.map(({ Name, Value }) => [Name, Value]));
      expect(headers).toMatchObject({
        'X-RateLimit-Limit': expect.stringMatching(/^\d+$/),
        'X-RateLimit-Remaining': expect.stringMatching(/^\d+$/),
        'X-RateLimit-Reset': '0',
        ...(ResponseCode === 429 && { 'Retry-After': '60', 'X-RateLimit-Remaining': '0' }),
      });
      const { status, code } = JSON.parse(acl.CustomResponseBodies[CustomResponseBodyKey]!.Content);
      expect([status, code]).toEqual([ResponseCode, CustomResponseBodyKey]);
    }
    const scopes = limited.map(({ Statement }) => JSON.stringify(Statement.RateBasedStatement?.ScopeDownStatement));
    for (const scope of scopes) expect(scope).toContain('"SearchString":"/webhooks/inbound/"');
    expect(
      scopes.map((scope) =>
        /"NotStatement":\{"Statement":\{"ByteMatchStatement":\{"FieldToMatch":\{"UriPath"/.test(scope),
      ),
    ).toEqual([true, true, false, false]);
  });

  it('limits callers by an address that they cannot forge', async () => {
    const guarded = withOptions();
    const { Rules } = theOnly(guarded, 'AWS::WAFv2::WebACL') as { Rules: { Name: string; Statement: object }[] };
    const statements = Object.fromEntries(
      Rules.map(({ Name, Statement }) => [Name, Object.values(Statement)[0] as Properties]),
    );
    const { AnonymousRate: viewers, AnonymousDirectRate: direct } = statements;
    expect(viewers).toMatchObject({
      AggregateKeyType: 'FORWARDED_IP',
      ForwardedIPConfig: { HeaderName: 'x-viewer-address', FallbackBehavior: 'MATCH' },
    });
    expect(direct).toMatchObject({ AggregateKeyType: 'IP' });
    const { Origins, CacheBehaviors } = theOnly(guarded, 'AWS::CloudFront::Distribution').DistributionConfig as {
      Origins: Properties[];
      CacheBehaviors: Properties[];
    };
    const [header] = Origins.flatMap(({ OriginCustomHeaders = [] }) => OriginCustomHeaders as Properties[]);
    expect(header).toEqual({ HeaderName: 'x-origin-secret', HeaderValue: expect.anything() });
    const secret = JSON.stringify(header?.HeaderValue);
    expect(secret).toContain('{{resolve:secretsmanager:');
    for (const each of [viewers, direct]) expect(JSON.stringify(each)).toContain(`"SearchString":${secret}`);
    const api = CacheBehaviors.find(({ PathPattern }) => PathPattern === '/prod/*');
    const [[, fn] = []] = resources(guarded, 'AWS::CloudFront::Function').filter(([id]) =>
      JSON.stringify(api?.FunctionAssociations).includes(`"${id}"`),
    );
    const handler = new Function(`${fn?.Properties.FunctionCode}; return handler;`)();
    const request = { headers: { 'x-viewer-address': { value: '203.0.113.9' } } };
    expect(handler({ viewer: { ip: '198.51.100.7' }, request })).toEqual({
      headers: { 'x-viewer-address': { value: '198.51.100.7' } },
    });
  });

  it('blocks bodies above 1 MB by their length', () => {
    const isLarge = (bytes: number) => new RegExp(largeLength).test(String(bytes));
    expect([0, 999, 1_048_576, 1_049_999].filter(isLarge)).toEqual([]);
    expect([1_050_000, 1_099_999, 1_100_000, 2_000_000, 9_999_999, 10_000_000, 5e9].every(isLarge)).toBe(true);
  });

  it('lets every client revoke tokens, and names no partition', () => {
    for (const [, { Properties }] of resources(prod, 'AWS::Cognito::UserPoolClient')) {
      expect(Properties.EnableTokenRevocation).toBe(true);
    }
    expect(JSON.stringify(prod.toJSON()).match(/arn:aws:[a-z]/g)).toBeNull();
  });
});

describe('safe changes', () => {
  const retained = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };

  it('retains data, users, keys and logs in prod when the stack is deleted, but not after a failed first deployment', () => {
    prod.hasResource('AWS::Cognito::UserPool', { ...retained, Properties: { DeletionProtection: 'ACTIVE' } });
    for (const type of ['AWS::KMS::Key', 'AWS::Logs::LogGroup', 'AWS::DynamoDB::Table']) {
      const kept = resources(prod, type).filter(([, { DeletionPolicy }]) => DeletionPolicy === retained.DeletionPolicy);
      expect(kept.length).toBeGreaterThan(1);
    }
    const tables = resources(prod, 'AWS::DynamoDB::Table').filter(
      ([, { Properties }]) => Properties.DeletionProtectionEnabled,
    );
    expect(tables).toHaveLength(2);
    expect(JSON.stringify(local.toJSON())).not.toContain('RetainExceptOnCreate');
  });

  it('deletes the snapshot schedule and the stage before their data', () => {
    const customResources = resources(prod, 'AWS::CloudFormation::CustomResource').map(([id]) => id);
    const removal = customResources.find((id) => id.startsWith('StackData'));
    expect(removal).toBeDefined();
    for (const type of ['AWS::Scheduler::Schedule', 'AWS::ApiGateway::Stage']) {
      const dependent = resources(prod, type).filter(([, { DependsOn = [] }]) => DependsOn.includes(removal ?? ''));
      expect(dependent).toHaveLength(1);
    }
  });

  it('deploys write operations gradually, with rollback when the deployed functions fail', () => {
    const groups = resources(prod, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(gradualOperations.size);
    const alarms = new Map(resources(prod, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [id, Properties]));
    const watched = new Set<string>();
    for (const [, { Properties }] of groups) {
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      const { Alarms, Enabled } = Properties.AlarmConfiguration as {
        Enabled: boolean;
        Alarms: { Name: { Ref: string } }[];
      };
      expect([Enabled, Alarms.length]).toEqual([true, 1]);
      const alarm = alarms.get(Alarms[0]!.Name.Ref) as { Metrics: { MetricStat?: { Metric: Properties } }[] };
      const metrics = alarm.Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
      expect(metrics.length).toBeLessThanOrEqual(10);
      for (const { MetricName, Dimensions } of metrics) {
        expect(['Errors', 'UnexpectedErrors']).toContain(MetricName);
        if (MetricName === 'Errors') watched.add(JSON.stringify(Dimensions));
      }
    }
    expect(watched.size).toBe(gradualOperations.size);
    expect(resources(prod, 'AWS::Lambda::Alias')).toHaveLength(gradualOperations.size);
  });

  it('deploys at once and without alarms on request: for a fix during an outage', async () => {
    for (const { Properties } of resources(withOptions(), 'AWS::CodeDeploy::DeploymentGroup').map(([, each]) => each)) {
      expect(Properties.DeploymentConfigName).toMatch(/LambdaAllAt/);
      expect(JSON.stringify(Properties)).not.toContain('DeploymentErrors');
      expect(Properties.AutoRollbackConfiguration).toEqual({ Enabled: true, Events: ['DEPLOYMENT_FAILURE'] });
    }
    const workflow = readFileSync(new URL('../../.github/workflows/deploy-stage.yml', import.meta.url), 'utf8');
    const [deployment, rollback] = workflow.split('Roll back to the previous release');
    expect(rollback).toContain('-c ignoreAlarms=true');
    expect(deployment).not.toContain('ignoreAlarms');
  });

  it('copies the tables to another account on request', async () => {
    const copied = withOptions();
    const { BackupPlan } = theOnly(copied, 'AWS::Backup::BackupPlan') as {
      BackupPlan: { BackupPlanRule: Properties[] };
    };
    expect(BackupPlan.BackupPlanRule).toMatchObject([
      {
        CopyActions: [{ DestinationBackupVaultArn: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:incidents' }],
        Lifecycle: { DeleteAfterDays: 35 },
      },
    ]);
    const { BackupSelection } = theOnly(copied, 'AWS::Backup::BackupSelection') as {
      BackupSelection: { Resources: unknown[] };
    };
    expect(JSON.stringify(BackupSelection.Resources)).toMatch(/"Records\w+".*"EventLogEvents/);
    const keys = resources(copied, 'AWS::KMS::Key').filter(([id]) => id.startsWith('Backups'));
    expect(JSON.stringify(keys)).toContain(':iam::210987654321:root');
    prod.resourceCountIs('AWS::Backup::BackupVault', 0);
  });

  it.each([
    [10, 8],
    [1_000, 355],
  ])('reserves a part of %i concurrent executions for requests', (accountConcurrency, taken) => {
    const settings = [
      [0.25, 250],
      [0.05, 50],
      [0.05, 50],
      [0.01, 5],
    ] as const;
    const workers = settings.map(([share, max]) => limitWorkers(accountConcurrency, share, max));
    expect(workers.reduce((sum, each) => sum + each)).toBe(taken);
    expect(Math.min(...workers)).toBeGreaterThanOrEqual(2);
  });

  it('fits into a new account, which has 10 concurrent executions', () => {
    const lambdas = resources(prod, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
    expect(lambdas.filter((each) => 'ReservedConcurrentExecutions' in each)).toEqual([]);
    const limits = resources(prod, 'AWS::Lambda::EventSourceMapping').flatMap(
      ([, { Properties }]) => (Properties.ScalingConfig as { MaximumConcurrency: number } | undefined) ?? [],
    );
    // SQS starts two workers per queue or none, so all queues together may take the whole quota for a moment.
    expect(limits.map(({ MaximumConcurrency }) => MaximumConcurrency)).toEqual(limits.map(() => 2));
    expect(resources(prod, 'AWS::IAM::Role').length).toBeLessThanOrEqual(neededRoles);
  });

  it('stays within the budget of resources, bytes and policies', () => {
    const quotas = prod.toJSON().Metadata.quotas as [string, Check[]][];
    expect(quotas.flatMap(([, checks]) => checks.flatMap(({ problems }) => problems))).toEqual([]);
  });
});

describe('records', () => {
  it('stores records with a stream, point-in-time recovery and its own key', () => {
    prod.hasResource('AWS::DynamoDB::Table', {
      Properties: {
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: Match.anyValue() },
        GlobalSecondaryIndexes: Match.arrayWith([
          {
            IndexName: 'feed',
            KeySchema: [
              { AttributeName: 'feed_pk', KeyType: 'HASH' },
              { AttributeName: 'feed_sk', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['listing'] },
          },
        ]),
      },
      DeletionPolicy: 'RetainExceptOnCreate',
    });
  });

  it('lets counters, cached answers, jobs, events and idempotency keys expire', () => {
    const expiring = resources(prod, 'AWS::DynamoDB::Table').filter(
      ([, { Properties }]) =>
        (Properties.TimeToLiveSpecification as { AttributeName?: string })?.AttributeName === 'expires_at',
    );
    expect(expiring).toHaveLength(4);
  });

  it('rotates the key', () => {
    prod.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
  });
});
