// npm run test:stage -- --url <ApiUrl> --client-id <id> --client-secret <secret> [--aws] [--rate-limit] [--without-ai]
import { parseArgs } from 'node:util';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { createGatewayChecks } from './gateway-checks.ts';
import { journeys } from './journeys.ts';
import { rateLimitCheck } from './rate-limit-check.ts';
import { runChecks } from './run-checks.ts';
import { connectStage, StageUnreachable } from './stage-under-test.ts';

const usage = `Usage: npm run test:stage -- --url <ApiUrl> --client-id <id> --client-secret <secret> [--aws] [--rate-limit] [--without-ai]
  --url           the output ApiUrl of the stack
  --client-id     a client that may delete records, such as the output AdminClientId
  --client-secret its secret, or the environment variable CLIENT_SECRET
  --aws           also read the gateway's configuration, with the AWS credentials and AWS_REGION of the environment
  --rate-limit    also send 400 requests in one burst
  --without-ai    omit the check that calls the language model, for an account without access to it`;

try {
  process.exitCode = await testStage();
} catch (error) {
  if (!(error instanceof StageUnreachable)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function testStage(): Promise<number> {
  const values = parseOptions();
  const clientSecret = values?.['client-secret'] ?? process.env.CLIENT_SECRET;
  if (!values?.url || !values['client-id'] || !clientSecret) throw new StageUnreachable(usage);
  const stage = await connectStage({ url: values.url, clientId: values['client-id'], clientSecret });
  const checks = [
    ...(values['without-ai'] ? journeys.filter(({ needsModel }) => !needsModel) : journeys),
    ...(values.aws ? createGatewayChecks(new APIGatewayClient({})) : []),
    ...(values['rate-limit'] ? [rateLimitCheck] : []),
  ];
  console.log(`Tests ${stage.url} with records named ${stage.runName}.`);
  const failed = await runChecks(stage, checks, console.log);
  console.log(failed.length === 0 ? 'All checks passed.' : `${failed.length} checks failed: ${failed.join('; ')}.`);
  return failed.length === 0 ? 0 : 1;
}

function parseOptions() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const flags = { aws: flag, 'rate-limit': flag, 'without-ai': flag };
    const options = { url: text, 'client-id': text, 'client-secret': text, ...flags };
    return parseArgs({ options }).values;
  } catch {
    return undefined;
  }
}
