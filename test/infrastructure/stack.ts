import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import type { Operation } from '../../contract/operation.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { type Environment, environments } from '../../lib/environments.ts';
import { linkStacks, readStacks } from '../../local/template/link.ts';
import type { StackContents } from '../../local/template/resource-type.ts';
import { listFiles, root } from '../../tools/build/local-build.ts';
import { checkQuotas, toShortName } from '../../tools/check/template-checks.ts';

// These tests read the template; `npm run synth` validates it.
process.env.CDK_VALIDATION = 'false';

export type Properties = Record<string, unknown>;

export interface PolicyStatement {
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

/**
 * Synthesizes the stacks of an environment and links them to one template. An empty folder replaces the code of the functions,
 * which no test reads.
 */
async function synthesize(environment: Environment): Promise<object> {
  const [{ App }, { context, createStacks }] = await Promise.all([
    import('aws-cdk-lib/core'),
    import('../../lib/app.ts'),
  ]);
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

/** Caches the template across test files until one of its sources changes. */
async function getTemplate(environment: Environment): Promise<Template> {
  const cached = join(
    tmpdir(),
    `templates-${computeDigest('lib', 'contract', 'local/template', 'tools/check', 'package-lock.json', 'test/infrastructure/stack.ts')}`,
    environment.serviceInstance,
  );
  if (!existsSync(cached)) {
    const text = JSON.stringify(await synthesize(environment));
    mkdirSync(dirname(cached), { recursive: true });
    const draft = `${cached}-${process.pid}`;
    writeFileSync(draft, text);
    renameSync(draft, cached);
  }
  return Template.fromJSON(JSON.parse(readFileSync(cached, 'utf8')));
}

function computeDigest(...paths: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths)
    for (const file of listFiles(join(root, path))) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 20);
}

export const local = await getTemplate(environments.local);
export const prod = await getTemplate(readConfiguration({ env: 'prod', alarmEmail: 'ops@acme.org' }));

export const prodWithSearch = () =>
  getTemplate(
    readConfiguration({ env: 'prod', instance: 'searching', alarmEmail: 'ops@acme.org', search: 'opensearch' }),
  );

/** A deployment with every option that adds resources. */
export const withOptions = () =>
  getTemplate(
    readConfiguration({
      env: 'dev',
      instance: 'all-options',
      domain: 'incidents.acme.org',
      certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/6f0c1a52-8f1b-4d3e-9c57-2f6f8a9f0a11',
      adminEmail: 'ada@acme.org',
      alarmEmail: 'ops@acme.org',
      notificationEmail: 'desk@acme.org',
      backupVault: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:incidents',
      ignoreAlarms: true,
      mfa: 'required',
      threatProtection: true,
      waf: true,
      search: 'opensearch',
      paging: 'on',
      mailSender: 'incidents@acme.org',
      mailIdentity: 'acme.org',
      smsMonthlyLimit: '50',
    }),
  );

interface TemplateResource {
  Properties: Properties;
  DeletionPolicy?: string;
  DependsOn?: string[];
}

export function resources(template: Template, type: string): [string, TemplateResource][] {
  return Object.entries(template.findResources(type)) as [string, TemplateResource][];
}

/** The logical ids of each stack. */
export function listStacks(template: Template): Record<string, readonly string[]> {
  const stacks = Object.entries(template.toJSON().Stacks as Record<string, StackContents>);
  return Object.fromEntries(stacks.map(([name, { resources }]) => [name, resources]));
}

export function listProperties(template: Template, type: string): Properties[] {
  return resources(template, type).map(([, { Properties }]) => Properties);
}

/** The only resource of its type. */
export function theOnly(template: Template, type: string): Properties {
  const all = resources(template, type);
  if (all.length !== 1) throw new Error(`there are ${all.length} resources of type ${type}`);
  return all[0]![1].Properties;
}

/** The permissions of the function that runs a handler. */
export function listStatements(template: Template, handler: string): PolicyStatement[] {
  const [, fn] = resources(template, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.Handler === `${handler}.handler`,
  )!;
  const [roleId] = (fn.Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'];
  return inlineStatements(resources(template, 'AWS::IAM::Role').find(([id]) => id === roleId)![1].Properties);
}

export function inlineStatements(role: Properties): PolicyStatement[] {
  const policies = (role.Policies ?? []) as { PolicyDocument: { Statement: PolicyStatement[] } }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The handler of an operation. All AI operations share one handler, so that the model is loaded once. */
export function toHandlerName({ name, capability }: Operation): string {
  if (capability === 'ai') return 'assist';
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
