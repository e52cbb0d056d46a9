import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib/core';
import { readConfiguration } from './configuration.ts';
import { DataStack } from './data-stack.ts';
import { type Environment, environments, toInstanceName } from './environments.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** Settings of the CDK command line, so that the template is the same without it. */
export const context = {
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:disable-stack-trace': true,
};

export interface AppOptions {
  outdir: string;
  /** Output folder of tools/build/functions.ts. The folders with the embedding model and the console are next to it. */
  functionsFolder: string;
  /** Where the stacks will be deployed, if that is known. */
  region: string | undefined;
}

/** The CDK app with the stacks of one environment, which the context describes. */
export function createApp({ outdir, functionsFolder, region }: AppOptions): App {
  const app = new App({ outdir, context, analyticsReporting: false, treeMetadata: false });
  const environment = readConfiguration(app.node.getAllContext(), region);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const code = {
    code: functionsFolder,
    codeWithModel: `${functionsFolder}-with-model`,
    codeWithConsole: `${functionsFolder}-with-console`,
  };
  // The two local instances share the bundled functions.
  for (const each of environment.name === 'local' ? [environment, environments.server] : [environment]) {
    createStacks(app, each, { version, ...code });
  }
  return app;
}

export function createStacks(
  app: App,
  environment: Environment,
  props: Omit<ServiceStackProps, 'environment' | 'data'>,
): { data: DataStack; service: ServiceStack } {
  const name = toInstanceName(environment);
  const data = new DataStack(app, `${name}-data`, environment);
  return { data, service: new ServiceStack(app, `${name}-service`, { environment, data, ...props }) };
}
