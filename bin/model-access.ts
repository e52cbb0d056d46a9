// `npm run model-access -- --company <name> --website <address> --purpose <text>`: an administrator requests access to the
// language models, once per account: the provider's form, and a Marketplace subscription for each model.
import { parseArgs } from 'node:util';
import { currentModels } from '../lib/language-models.ts';
import { AwsCliError, runAws } from './aws-cli.ts';
import { runTool, UsageError } from './tool.ts';

const usage =
  'Usage: npm run model-access -- --company <name> --website https://… --purpose "<what you use the models for>" [--industry <name>]';

await runTool(async (args) => {
  await submitForm(parseForm(args));
  for (const { modelId } of Object.values(currentModels)) await subscribe(modelId);
});

interface Form {
  companyName: string;
  companyWebsite: string;
  /** 0: employees. */
  intendedUsers: '0';
  industryOption: string;
  otherIndustryOption: string;
  useCases: string;
}

function parseForm(args: readonly string[]): Form {
  const text = { type: 'string' } as const;
  const { company, website, purpose, industry = 'Technology' } = read();
  if (!company || !purpose || !/^https?:\/\/\S+$/.test(website ?? '')) throw new UsageError(usage);
  return {
    companyName: company,
    companyWebsite: website ?? '',
    intendedUsers: '0',
    industryOption: industry,
    otherIndustryOption: '',
    useCases: purpose,
  };

  function read() {
    try {
      return parseArgs({ args: [...args], options: { company: text, website: text, purpose: text, industry: text } })
        .values;
    } catch {
      throw new UsageError(usage);
    }
  }
}

/** The form has one endpoint for all regions. An account, or its organization, submits it once. */
async function submitForm(form: Form): Promise<void> {
  const everywhere = ['--region', 'us-east-1'] as const;
  const isSubmitted = await runAws('bedrock', 'get-use-case-for-model-access', ...everywhere).then(
    () => true,
    ifNotFound,
  );
  if (isSubmitted) return console.log('The form of the provider was submitted before.');
  const data = Buffer.from(JSON.stringify(form)).toString('base64');
  await runAws('bedrock', 'put-use-case-for-model-access', '--form-data', data, ...everywhere);
  console.log('Submitted the form of the provider.');
}

async function subscribe(modelId: string): Promise<void> {
  const model = ['--model-id', modelId] as const;
  const { agreementAvailability } = (await runAws('bedrock', 'get-foundation-model-availability', ...model)) as {
    agreementAvailability?: { status?: string };
  };
  if (agreementAvailability?.status === 'AVAILABLE') return console.log(`${modelId}: subscribed before.`);
  const { offers } = (await runAws('bedrock', 'list-foundation-model-agreement-offers', ...model)) as {
    offers?: readonly { offerToken: string }[];
  };
  const [offer] = offers ?? [];
  if (!offer) throw new UsageError(`${modelId}: AWS Marketplace has no offer for this account in this region.`);
  await runAws('bedrock', 'create-foundation-model-agreement', ...model, '--offer-token', offer.offerToken);
  console.log(`${modelId}: subscribed; it answers after some minutes.`);
}

function ifNotFound(error: unknown): false {
  if (!(error instanceof AwsCliError) || !/ResourceNotFound/.test(error.message)) throw error;
  return false;
}
