// A program that writes the templates of templates.ts into a folder. An empty folder replaces the code of the functions,
// which no test reads.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { context, createStacks } from '../../lib/app.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { type Environment, environments } from '../../lib/environments.ts';
import { linkStacks, readStacks } from '../../local/template/link.ts';
import { checkQuotas, toShortName } from '../../tools/check/template-checks.ts';
import type { TemplateName } from './templates.ts';

const production = { env: 'prod', alarmEmail: 'ops@acme.org' };
const configurations: Record<TemplateName, Environment> = {
  local: environments.local,
  prod: readConfiguration(production),
  prodWithSearch: readConfiguration({ ...production, instance: 'searching', search: 'opensearch' }),
  withOptions: readConfiguration({
    env: 'dev',
    instance: 'all-options',
    domain: 'incidents.acme.org',
    certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/6f0c1a52-8f1b-4d3e-9c57-2f6f8a9f0a11',
    adminEmail: 'ada@acme.org',
    alarmEmail: 'ops@acme.org',
    notificationEmail: 'desk@acme.org',
    backupVault: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:incidents',
    attachmentScan: 'arn:aws:iam::123456789012:role/scan-files',
    ignoreAlarms: true,
    mfa: 'required',
    threatProtection: true,
    waf: true,
    search: 'opensearch',
    paging: 'on',
    mailSender: 'incidents@acme.org',
    mailIdentity: 'acme.org',
    smsMonthlyLimit: '50',
    oidcIssuer: 'https://login.acme.org',
    oidcClientId: 'incidents',
    ssoName: 'Acme',
    roleMapping: '{"desk":"itsm_agent"}',
  }),
};

const [target = ''] = process.argv.slice(2);
mkdirSync(target);
for (const [name, environment] of Object.entries(configurations))
  writeFileSync(join(target, `${name}.json`), JSON.stringify(synthesize(environment)));

/** Synthesizes the stacks of an environment and links them to one template. */
function synthesize(environment: Environment): object {
  const folder = mkdtempSync(join(tmpdir(), 'functions-'));
  try {
    const code = join(folder, 'code');
    mkdirSync(code);
    writeFileSync(join(code, 'empty.mjs'), '');
    const outdir = join(folder, 'assembly');
    const app = new App({ analyticsReporting: false, outdir, context });
    const props = { version: '1.2.3', code, codeWithModel: code, codeWithConsole: code };
    const { data, service } = createStacks(app, environment, props);
    app.synth();
    const read = (file: string) => JSON.parse(readFileSync(join(outdir, file), 'utf8'));
    const names = [data.stackName, service.stackName];
    const template = linkStacks(names, read);
    const quotas = readStacks(names, read).map(({ stackName, template: own }) => [
      toShortName(stackName),
      checkQuotas(own, template),
    ]);
    const notes = Annotations.fromStack(service).findInfo('*', Match.anyValue());
    const exports = Object.keys(read(data.templateFile).Outputs).sort();
    const { terminationProtection } = data;
    const metadata = {
      notes: notes.map(({ entry }) => entry.data),
      exports,
      terminationProtection,
      isServiceProtected: service.terminationProtection,
      quotas,
    };
    return { ...template, Metadata: metadata };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
