import { createApp } from '../lib/app.ts';
import { WrongConfiguration } from '../lib/configuration.ts';

// The CDK app. `cdk synth -c env=prod` runs it, and so does `CDK_CONTEXT_JSON='{"env":"local"}' tsx bin/app.ts`, which
// writes the same template without the command line. Checks of the template are on unless CDK_VALIDATION is false.

const app = openApp();

if (process.env.CDK_VALIDATION !== 'false') {
  const [{ AwsSolutionsChecks }, { Validations }] = await Promise.all([import('cdk-nag'), import('aws-cdk-lib/core')]);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
}

app.synth();

function openApp(): ReturnType<typeof createApp> {
  try {
    return createApp({
      outdir: process.env.CDK_OUTDIR ?? 'cdk.out',
      functionsFolder: process.env.FUNCTIONS_DIR ?? 'dist/functions',
      // Set by the CDK's command line.
      region: process.env.CDK_DEFAULT_REGION,
    });
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
