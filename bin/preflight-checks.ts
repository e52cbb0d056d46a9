// What must be true of an AWS account before the first deployment. Each check is one line with what to do. None changes the
// account, except tryCloudFront, which removes what it creates.
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../lib/environments.ts';
import { AwsCliError, type RunAws } from './aws-cli.ts';

export interface Account {
  aws: RunAws;
  id: string;
  region: string;
  environment: Environment;
  /** Whether to find out if the account may use CloudFront by creating a distribution. */
  tryCloudFront: boolean;
}

export interface Finding {
  /** `fix`: the deployment or its test would fail. `note`: they work, but a team needs more. */
  state: 'ok' | 'note' | 'fix';
  text: string;
}

export const checks: readonly { name: string; run(account: Account): Promise<Finding> }[] = [
  { name: 'Region', run: checkRegion },
  { name: 'Bootstrap', run: checkBootstrap },
  { name: 'CloudFront', run: checkCloudFront },
  { name: 'Concurrency', run: checkConcurrency },
  { name: 'Limits', run: checkLimits },
  { name: 'Language models', run: checkModels },
  { name: 'E-mail', run: checkEmail },
];

const ok = (text: string): Finding => ({ state: 'ok', text });
const note = (text: string): Finding => ({ state: 'note', text });
const fix = (text: string): Finding => ({ state: 'fix', text });

/** The synthesis has already rejected a region without models. */
async function checkRegion({ aws, id, region }: Account): Promise<Finding> {
  const command = ['account', 'get-region-opt-status', '--region-name', region] as const;
  const { RegionOptStatus: status } = (await aws(...command)) as { RegionOptStatus: string };
  if (status.startsWith('ENABLED')) return ok(`${region} of account ${id}.`);
  return fix(`${region} is not enabled: aws account enable-region --region-name ${region}`);
}

const minBootstrapVersion = 6;

async function checkBootstrap({ aws, id, region }: Account): Promise<Finding> {
  const command = `npx cdk bootstrap aws://${id}/${region}`;
  const name = '/cdk-bootstrap/hnb659fds/version';
  const found = (await aws('ssm', 'get-parameter', '--name', name).catch(
    ifMessage(/ParameterNotFound/, () => ({ Parameter: { Value: '0' } })),
  )) as { Parameter: { Value: string } };
  const version = Number(found.Parameter.Value);
  if (version === 0) return fix(`The CDK has no resources in this region: ${command}`);
  return version >= minBootstrapVersion ? ok(`Version ${version}.`) : fix(`Version ${version} is too old: ${command}`);
}

const verifyAccount =
  'AWS must verify the account before it may use CloudFront. Open a case "Account and billing" in the Support Center (free) and quote "Your account must be verified before you can add new CloudFront resources".';

/** AWS tells an unverified account from others only when it creates something. */
async function checkCloudFront({ aws, tryCloudFront }: Account): Promise<Finding> {
  const { DistributionList } = ((await aws('cloudfront', 'list-distributions', '--max-items', '1')) ?? {}) as {
    DistributionList?: { Items?: readonly unknown[] };
  };
  if (DistributionList?.Items?.length) return ok('The account has distributions.');
  if (!tryCloudFront)
    return fix(
      'AWS may still have to verify this account, which has no distribution: npm run preflight -- --try-cloudfront creates a disabled one and deletes it.',
    );
  const created = (await aws('cloudfront', 'create-distribution', '--distribution-config', buildDisabledConfig()).catch(
    ifMessage(/must be verified/, () => undefined),
  )) as { Distribution: { Id: string }; ETag: string } | undefined;
  if (!created) return fix(verifyAccount);
  const { Id } = created.Distribution;
  const isDeleted = await deleteDistribution(aws, Id, created.ETag);
  const command = `aws cloudfront delete-distribution --id ${Id} --if-match ${created.ETag}`;
  return isDeleted
    ? ok('The account may create distributions.')
    : note(`Delete the disabled distribution later: ${command}`);
}

function buildDisabledConfig(): string {
  const Id = 'origin';
  const CustomOriginConfig = { HTTPPort: 80, HTTPSPort: 443, OriginProtocolPolicy: 'https-only' };
  return JSON.stringify({
    CallerReference: `preflight-${Date.now()}`,
    Comment: 'Created by npm run preflight; delete it.',
    Enabled: false,
    Origins: { Quantity: 1, Items: [{ Id, DomainName: 'example.com', CustomOriginConfig }] },
    DefaultCacheBehavior: {
      TargetOriginId: Id,
      ViewerProtocolPolicy: 'https-only',
      // CloudFront's own policy CachingDisabled.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    },
  });
}

/** CloudFront deletes a distribution only after it has reached all locations, which takes some minutes. */
async function deleteDistribution(aws: RunAws, id: string, etag: string): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { Distribution } = (await aws('cloudfront', 'get-distribution', '--id', id)) as {
      Distribution: { Status: string };
    };
    if (Distribution.Status === 'Deployed') {
      await aws('cloudfront', 'delete-distribution', '--id', id, '--if-match', etag);
      return true;
    }
    await pause(30_000);
  }
  return false;
}

const newAccountConcurrency = 10;

async function checkConcurrency({ aws, environment }: Account): Promise<Finding> {
  const { AccountLimit } = (await aws('lambda', 'get-account-settings')) as {
    AccountLimit: { ConcurrentExecutions: number };
  };
  const allowed = AccountLimit.ConcurrentExecutions;
  const wanted = environment.accountConcurrency;
  const request =
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000';
  if (allowed < wanted)
    return fix(`The account allows ${allowed} executions: deploy with -c concurrency=${allowed}, or ${request}`);
  if (allowed <= newAccountConcurrency)
    return note(`${allowed} executions are enough to try the service. Before a team uses it: ${request}`);
  return allowed > wanted
    ? note(`The account allows ${allowed} executions: deploy with -c concurrency=${allowed} to use them.`)
    : ok(`${allowed} executions.`);
}

/** More than the roles, code and requests of one deployment. */
export const neededRoles = 240;
const neededCodeBytes = 5 * 1024 ** 3;

async function checkLimits({ aws }: Account): Promise<Finding> {
  const [summary, lambda] = (await Promise.all([
    aws('iam', 'get-account-summary'),
    aws('lambda', 'get-account-settings'),
  ])) as [
    { SummaryMap: { Roles: number; RolesQuota: number } },
    { AccountLimit: { TotalCodeSize: number }; AccountUsage: { TotalCodeSize: number } },
  ];
  const freeRoles = summary.SummaryMap.RolesQuota - summary.SummaryMap.Roles;
  const freeCodeBytes = lambda.AccountLimit.TotalCodeSize - lambda.AccountUsage.TotalCodeSize;
  const lacking = [
    ...(freeRoles < neededRoles ? [`${freeRoles} of ${neededRoles} IAM roles (IAM, L-FE177D64)`] : []),
    ...(freeCodeBytes < neededCodeBytes ? ['less than 5 GB of function code (Lambda, L-2ACBD22F)'] : []),
  ];
  if (lacking.length === 0)
    return ok(`${freeRoles} IAM roles and ${Math.floor(freeCodeBytes / 1024 ** 3)} GB of code are free.`);
  return fix(`Only ${lacking.join(' and ')} are free: request more in Service Quotas.`);
}

/**
 * Only a real call proves access. The three cost less than a cent, and the first call of an administrator also subscribes to
 * the model.
 */
async function checkModels({ aws, environment }: Account): Promise<Finding> {
  const ids = Object.values(environment.models).map(({ modelId, profile }) => profile?.id ?? modelId);
  const messages = JSON.stringify([{ role: 'user', content: [{ text: 'Say ok.' }] }]);
  const input = ['--messages', messages, '--inference-config', '{"maxTokens":512}'] as const;
  const problems = await Promise.all(
    ids.map((id) =>
      aws('bedrock-runtime', 'converse', '--model-id', id, ...input).then(
        () => [],
        ifMessage(/./, (message) => [`${id}: ${message}`]),
      ),
    ),
  );
  if (problems.flat().length === 0) return ok(`${ids.join(', ')} answer.`);
  return fix(
    `Run npm run model-access (docs/deploy.md); until then, AI operations return 503. ${problems.flat().join(' ')}`,
  );
}

async function checkEmail({ aws }: Account): Promise<Finding> {
  const { ProductionAccessEnabled } = (await aws('sesv2', 'get-account')) as { ProductionAccessEnabled: boolean };
  if (ProductionAccessEnabled) return ok('SES sends to any address.');
  return note(
    'SES is in its sandbox. Cognito sends 50 invitations a day by itself; for more, request production access: aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url <your site>',
  );
}

/** Handles expected errors of the command line. */
function ifMessage<Value>(pattern: RegExp, handle: (message: string) => Value): (error: unknown) => Value {
  return (error) => {
    if (!(error instanceof AwsCliError) || !pattern.test(error.message)) throw error;
    return handle(error.message);
  };
}
