import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { AwsCliError } from '../../bin/aws-cli.ts';
import { type Account, checks, type Finding, neededRoles } from '../../bin/preflight-checks.ts';
import { environments } from '../../lib/environments.ts';

type Responses = Record<string, unknown>;

/** A verified account with enough of everything, by command of the AWS command line. */
const ready: Responses = {
  'sts get-caller-identity': { Account: '123456789012' },
  'account get-region-opt-status': { RegionOptStatus: 'ENABLED_BY_DEFAULT' },
  'ssm get-parameter': { Parameter: { Value: '30' } },
  'cloudfront list-distributions': { DistributionList: { Items: [{ Id: 'E1' }] } },
  'lambda get-account-settings': {
    AccountLimit: { ConcurrentExecutions: 10, TotalCodeSize: 80_530_636_800 },
    AccountUsage: { TotalCodeSize: 0 },
  },
  'iam get-account-summary': { SummaryMap: { Roles: 20, RolesQuota: 1_000 } },
  'bedrock-runtime converse': { output: {} },
  'sesv2 get-account': { ProductionAccessEnabled: true },
};

const toError = (code: string, message = '') => new AwsCliError(`An error occurred (${code}) when calling: ${message}`);

/** The states and texts by check, and the commands that were run. */
async function check(changes: Responses, account: Partial<Account> = {}) {
  const called: string[] = [];
  const aws = async (service = '', operation = '') => {
    const command = `${service} ${operation}`;
    called.push(command);
    const response = { ...ready, ...changes }[command];
    if (response instanceof Error) throw response;
    return response;
  };
  const given = { aws, id: '123456789012', region: 'eu-west-1', environment: environments.prod, tryCloudFront: false };
  const findings: Record<string, Finding> = {};
  for (const { name, run } of checks) findings[name] = await run({ ...given, ...account });
  return { findings, called };
}

describe('preflight', () => {
  it('accepts a prepared account', async () => {
    const { findings } = await check(
      {
        'lambda get-account-settings': {
          AccountLimit: { ConcurrentExecutions: 1_000, TotalCodeSize: 80_530_636_800 },
          AccountUsage: { TotalCodeSize: 0 },
        },
      },
      { environment: { ...environments.prod, accountConcurrency: 1_000 } },
    );
    expect(Object.values(findings).map(({ state }) => state)).toEqual(checks.map(() => 'ok'));
  });

  it.each<[string, Responses, Finding['state'], string]>([
    [
      'Region',
      { 'account get-region-opt-status': { RegionOptStatus: 'DISABLED' } },
      'fix',
      'aws account enable-region --region-name eu-west-1',
    ],
    [
      'Bootstrap',
      { 'ssm get-parameter': toError('ParameterNotFound') },
      'fix',
      'npx cdk bootstrap aws://123456789012/eu-west-1',
    ],
    [
      'Bootstrap',
      { 'ssm get-parameter': { Parameter: { Value: '5' } } },
      'fix',
      'Version 5 is too old: npx cdk bootstrap',
    ],
    ['CloudFront', { 'cloudfront list-distributions': {} }, 'fix', 'npm run preflight -- --try-cloudfront'],
    // Nothing at all is printed for an empty list.
    ['CloudFront', { 'cloudfront list-distributions': undefined }, 'fix', '--try-cloudfront'],
    ['Concurrency', {}, 'note', 'Before a team uses it: aws service-quotas request-service-quota-increase'],
    [
      'Limits',
      { 'iam get-account-summary': { SummaryMap: { Roles: 900, RolesQuota: 1_000 } } },
      'fix',
      `Only 100 of ${neededRoles} IAM roles`,
    ],
    [
      'Language models',
      { 'bedrock-runtime converse': toError('AccessDeniedException', 'no Marketplace subscription') },
      'fix',
      'npm run model-access (docs/deploy.md); until then, AI operations return 503. us.anthropic.claude-haiku-5-5: An error',
    ],
    ['E-mail', { 'sesv2 get-account': { ProductionAccessEnabled: false } }, 'note', 'aws sesv2 put-account-details'],
  ])('says for %s what to do after %j', async (name, changes, state, advice) => {
    const { findings } = await check(changes);
    expect(findings[name]).toEqual({ state, text: expect.stringContaining(advice) });
  });

  it('rejects a deployment that expects more executions than the account has', async () => {
    const { findings } = await check({}, { environment: { ...environments.prod, accountConcurrency: 1_000 } });
    expect(findings.Concurrency).toMatchObject({ state: 'fix', text: expect.stringContaining('-c concurrency=10') });
  });

  it('finds out whether the account may use CloudFront, and deletes what it created', async () => {
    const created = { Distribution: { Id: 'E2' }, ETag: 'tag' };
    const { findings, called } = await check(
      {
        'cloudfront list-distributions': {},
        'cloudfront create-distribution': created,
        'cloudfront get-distribution': { Distribution: { Status: 'Deployed' } },
      },
      { tryCloudFront: true },
    );
    expect(findings.CloudFront!.state).toBe('ok');
    expect(called).toContain('cloudfront delete-distribution');
    const refused = toError(
      'AccessDenied',
      'Your account must be verified before you can add new CloudFront resources.',
    );
    const unverified = await check(
      { 'cloudfront list-distributions': {}, 'cloudfront create-distribution': refused },
      { tryCloudFront: true },
    );
    expect(unverified.findings.CloudFront).toMatchObject({
      state: 'fix',
      text: expect.stringContaining('Support Center'),
    });
  });
});

describe('npm run preflight', () => {
  const folder = mkdtempSync(join(tmpdir(), 'preflight-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs the program with a command line that answers as the ready account does. */
  const run = (args: readonly string[], region: string) => {
    const cases = Object.entries(ready).map(
      ([command, response]) => `'${command}') echo '${JSON.stringify(response)}';;`,
    );
    writeFileSync(join(folder, 'aws'), `#!/bin/sh\ncase "$1 $2" in\n${cases.join('\n')}\nesac\n`);
    chmodSync(join(folder, 'aws'), 0o755);
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, AWS_REGION: region };
    return new Promise<{ code: unknown; lines: string[] }>((resolve) => {
      execFile(
        'node_modules/.bin/tsx',
        ['bin/preflight.ts', ...args],
        { env, timeout: 60_000 },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, lines: `${stdout}${stderr}`.trim().split('\n') }),
      );
    });
  };

  it('prints one line per check and fails if something must be done', async () => {
    const prod = ['-c', 'env=prod', '-c', 'alarmEmail=ops@acme.org'];
    const good = await run(prod, 'eu-west-1');
    expect(good.lines.map((line) => line.slice(0, 4).trim())).toEqual(['ok', 'ok', 'ok', 'note', 'ok', 'ok', 'ok']);
    expect(good.lines.join()).toContain('eu.anthropic.claude-sonnet-5-5');
    expect(good.code).toBe(0);
    expect(await run([...prod, '-c', 'concurrency=1000'], 'eu-west-1')).toMatchObject({ code: 1 });
    expect(await run([], 'ap-northeast-1')).toEqual({
      code: 1,
      lines: [expect.stringContaining('The option models must be global in ap-northeast-1')],
    });
  });
});
