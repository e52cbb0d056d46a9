import { readFileSync } from 'node:fs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { readConfiguration } from './configuration.ts';
import { environments } from './environments.ts';
import { ServiceStack } from './service-stack.ts';

/** Settings of the CDK command line, so that the template is the same without it. */
const context = {
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:disable-stack-trace': true,
};

export interface AppOptions {
  outdir: string;
  /** Output folder of tools/build/functions.ts. The folders with the embedding model and the console are next to it. */
  functionsFolder: string;
  /** Where the stack will be deployed, if that is known. */
  region: string | undefined;
}

/** The CDK app with the stack of one environment, which the context describes. */
export function createApp({ outdir, functionsFolder, region }: AppOptions): App {
  const app = new App({ outdir, context, analyticsReporting: false, treeMetadata: false });
  const environment = readConfiguration(app.node.getAllContext(), region);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const createCode = () => ({
    code: Code.fromAsset(functionsFolder),
    codeWithModel: Code.fromAsset(`${functionsFolder}-with-model`),
    codeWithConsole: Code.fromAsset(`${functionsFolder}-with-console`),
  });
  // The two local stacks share the bundled functions.
  for (const each of environment.name === 'local' ? [environment, environments.server] : [environment]) {
    new ServiceStack(app, `incidents-${each.serviceInstance}`, { environment: each, version, ...createCode() });
  }
  return app;
}
