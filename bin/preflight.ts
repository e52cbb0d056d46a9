// `npm run preflight [-- -c env=prod …] [--try-cloudfront]`: checks the AWS account before the first deployment.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfiguration, WrongConfiguration } from '../lib/configuration.ts';
import { AwsCliError, runAws } from './aws-cli.ts';
import { type Account, checks, type Finding } from './preflight-checks.ts';
import { runTool, UsageError } from './tool.ts';

await runTool(async (args) => {
  const account = await openAccount(args);
  const run = ({ run }: (typeof checks)[number]) =>
    run(account).catch((error: unknown): Finding => {
      if (!(error instanceof AwsCliError)) throw error;
      return { state: 'fix', text: `Unknown: ${error.message}` };
    });
  const findings = await Promise.all(checks.map(run));
  for (const [index, { state, text }] of findings.entries())
    console.log(`${state.padEnd(4)}  ${checks[index]?.name.padEnd(15)}  ${text}`);
  if (findings.some(({ state }) => state === 'fix')) process.exitCode = 1;
});

async function openAccount(args: readonly string[]): Promise<Account> {
  const { context, tryCloudFront } = parseOptions(args);
  const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  if (!region) throw new UsageError('Set AWS_REGION to the region of the deployment.');
  try {
    const environment = readConfiguration(context, region);
    const { Account: id } = (await runAws('sts', 'get-caller-identity')) as { Account: string };
    return { aws: runAws, id, region, environment, tryCloudFront };
  } catch (error) {
    throw error instanceof WrongConfiguration ? new UsageError(error.message) : error;
  }
}

/** The options of a deployment, as the CDK reads them. */
function parseOptions(args: readonly string[]) {
  const options = {
    context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
    'try-cloudfront': { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const given = values.context.map((option) => option.split(/=(.*)/s).slice(0, 2) as [string, string]);
    const { context = {} } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));
    return { context: { ...context, ...Object.fromEntries(given) }, tryCloudFront: values['try-cloudfront'] };
  } catch {
    throw new UsageError('Usage: npm run preflight [-- -c env=prod -c <option>=<value> …] [--try-cloudfront]');
  }
}
