// The server behind `npm start`: builds what changed, runs the synthesized stack and prints how to use it.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seedDemoData } from '../../demo/seed.ts';
import { demoRoles, ensureAdministrator, ensureDemoUsers, readClient } from '../../demo/users.ts';
import { forwardedModel } from '../../local/bedrock/forwarded-model.ts';
import { formatError } from '../../local/log.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../local/runtime.ts';
import { createSmtpTransport } from '../../local/ses/smtp.ts';
import { FolderUnavailable, openDataFolder, replaceFile } from '../../local/storage/data-folder.ts';
import { StorageUnavailable, StorageUnusable, toStorageError } from '../../local/storage/errors.ts';
import type { Stack } from '../../local/template/resource-type.ts';
import { UnsupportedTemplate } from '../../local/template/template.ts';
import { extractiveModel } from '../../model/built-in/extractive-model.ts';
import { adoptDemoData } from '../../tools/build/demo-data.ts';
import {
  assemblyFolder,
  ensureLocalBuild,
  productionStackName,
  readTemplate,
  root,
  serverBundle,
  stackName,
} from '../../tools/build/local-build.ts';
import { formatBanner, formatProductionBanner } from './banner.ts';
import type { Credentials } from './credentials.ts';
import { openLogFile } from './log-file.ts';
import { fitsPreparedDemo, readSettings, type Settings, UsageError } from './settings.ts';

const stopBoundMs = 1900;

// A closed terminal or pipe does not stop the server.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
await main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});

async function main(): Promise<void> {
  const startedAt = performance.now();
  const isBuilt = await ensureLocalBuild(() => console.log('Building the functions, the console and the template …'));
  // The build may have replaced this program.
  if (isBuilt && import.meta.url === pathToFileURL(serverBundle).href) {
    await import(`${import.meta.url}?${Date.now()}`);
    return;
  }
  // After the build: an older bundle would not know new options.
  const settings = readSettings();
  const { dataFolder, llm, production } = settings;
  if (fitsPreparedDemo(settings)) adoptDemoData(dataFolder);
  openFolder(dataFolder);
  if (production) rejectDemoData(dataFolder);
  const log = openLogFile(dataFolder);
  const buildIndexes = await prepareSearch(settings);
  const runtime = await startRuntime(toRuntimeOptions(settings, log));
  stopOnSignals(async () => {
    await runtime.stop();
    log.close();
  });
  await buildIndexes(runtime);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const seconds = (performance.now() - startedAt) / 1000;
  const model = llm
    ? `${llm.model} at ${llm.url}`
    : 'built in: quotes articles and looks up records; --llm connects a language model';
  const folder = relative(process.cwd(), dataFolder) || '.';
  const facts = { version, seconds, dataFolder: folder, model };
  if (production) {
    const administrator = await ensureAdministrator(toUserPool(runtime), toAdminEmail(settings, runtime));
    writeProductionFacts(runtime, dataFolder);
    console.log(formatProductionBanner({ ...facts, publicUrl: runtime.publicUrl, administrator }));
  } else {
    console.log(formatBanner({ ...facts, credentials: await writeCredentials(runtime, dataFolder) }));
  }
  await stopTranspiler();
  process.send?.('ready');
}

function toRuntimeOptions(settings: Settings, log: RuntimeOptions['log']): RuntimeOptions {
  const {
    empty,
    production,
    publicUrl,
    llm,
    corsOrigins,
    search = '',
    smtpUrl,
    singleSignOn,
    unknownPeople,
    ...options
  } = settings;
  const name = production ? productionStackName : stackName;
  // Behind a proxy on this machine, every request would come from loopback.
  const hasControl = !production && publicUrl === undefined;
  return {
    ...options,
    template: readTemplate(name),
    stackName: name,
    assetFolder: assemblyFolder,
    publicUrl,
    model: llm ? forwardedModel(llm) : extractiveModel(),
    hasControl,
    ...(smtpUrl && { sendMail: createSmtpTransport(smtpUrl) }),
    parameters: (address) => ({
      PublicUrl: address,
      CorsOrigins: [...corsOrigins, address].join(','),
      SearchEndpoint: search,
      UnknownPeople: unknownPeople,
      MailSender: chooseSender(settings, address, hasControl),
      ...(singleSignOn && describeProvider(singleSignOn)),
    }),
    // Probes must not restart an overloaded server, and people must be able to acknowledge and resolve incidents.
    isUrgent: ({ httpMethod, resourcePath }) =>
      /\/(?:health|acknowledge)$/.test(resourcePath) ||
      (httpMethod === 'PATCH' && /\/incidents\/\{[^{}]*\}$/.test(resourcePath)),
    ...(empty ? {} : { seed: seedDemoData(stackName, Date.now(), join(root, 'demo/articles')) }),
    log,
  };
}

/** The parameters of lib/single-sign-on.ts. */
function describeProvider(singleSignOn: NonNullable<Settings['singleSignOn']>): Record<string, string> {
  const { name, provider, roleMapping, unmappedPeople, localPasswords, clientSecret } = singleSignOn;
  const shared = {
    SsoName: name,
    RoleMapping: JSON.stringify(roleMapping),
    UnmappedPeople: unmappedPeople,
    LocalPasswords: localPasswords,
  };
  if (provider.type === 'OIDC') {
    const { issuer, clientId, scopes } = provider;
    return { ...shared, OidcIssuer: issuer, OidcClientId: clientId, OidcScopes: scopes, OidcSecret: clientSecret };
  }
  const { metadata } = provider;
  if (/^https?:/.test(metadata)) return { ...shared, SamlMetadataUrl: metadata };
  try {
    return { ...shared, SamlMetadataFile: readFileSync(metadata, 'utf8') };
  } catch (error) {
    throw new UsageError(`SAML_METADATA names a file that cannot be read: ${(error as Error).message}.`);
  }
}

/** Without a mail server, only /_local shows e-mails: where it is absent, people could wait for a code in vain. */
function chooseSender({ smtpUrl, mailSender }: Settings, address: string, hasControl: boolean): string {
  if (!smtpUrl && !hasControl) return 'none';
  return mailSender ?? `incidents@${new URL(address).hostname}`;
}

/** Rejects an engine that lists cannot use. Returns the work that needs the running service: building missing indexes. */
async function prepareSearch({ search, production }: Settings): Promise<(runtime: Runtime) => Promise<void>> {
  if (search === undefined) return async () => {};
  // The SDK would warn of its plans for Node.js 20, which concern us and not the person at the terminal.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // A program of its own, because most starts do not need the clients of AWS and OpenSearch that it contains.
  const program = new URL('./search-indexes.mjs', import.meta.url);
  const url = existsSync(program) ? program : new URL('../search-indexes.ts', import.meta.url);
  const { prepareIndexes } = (await import(url.href)) as typeof import('../search-indexes.ts');
  return prepareIndexes(search, production ? productionStackName : stackName).catch((error: Error) => {
    throw new UsageError(`--search ${search} cannot be used. ${error.message}`);
  });
}

/** Demo people have passwords in a file. */
function rejectDemoData(dataFolder: string): void {
  if (readCredentials(join(dataFolder, 'credentials.json')).users)
    throw new UsageError(
      `The data folder ${dataFolder} contains the demo. Set DATA_DIR to another one for --production.`,
    );
}

function toAdminEmail({ adminEmail }: Settings, { publicUrl }: Runtime): string {
  return adminEmail ?? `admin@${new URL(publicUrl).hostname}`;
}

function toUserPool({ callAws, stack }: Runtime) {
  return { callAws, userPoolId: getOutput(stack, 'UserPoolId') };
}

/** For programs of the operator; people and programs of the service are not in it. */
function writeProductionFacts(runtime: Runtime, dataFolder: string): void {
  const facts = {
    base_url: runtime.publicUrl,
    auth_url: runtime.publicUrl,
    aws_endpoint_url: runtime.awsUrl,
    aws_access_key_id: runtime.operatorKey.accessKeyId,
    aws_secret_access_key: runtime.operatorKey.secretAccessKey,
    user_pool_id: getOutput(runtime.stack, 'UserPoolId'),
  };
  const file = join(dataFolder, 'credentials.json');
  if (JSON.stringify(readCredentials(file)) !== JSON.stringify(facts))
    replaceFile(file, `${JSON.stringify(facts, null, 2)}\n`);
}

/** Everything is loaded, so the compiler process of tsx and the worker's bootstrap can stop until they are needed. */
async function stopTranspiler(): Promise<void> {
  const { stop } = await import('esbuild');
  await stop();
}

function openFolder(folder: string): void {
  try {
    openDataFolder(folder);
  } catch (error) {
    throw new FolderUnavailable(
      `The data folder ${folder} is not writable (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** Writes the contents of the banner to a file, for programs. Passwords and secrets are kept from the previous file. */
async function writeCredentials(runtime: Runtime, dataFolder: string): Promise<Credentials> {
  const file = join(dataFolder, 'credentials.json');
  const before = readCredentials(file);
  const pool = toUserPool(runtime);
  const names = Object.keys(demoRoles) as (keyof typeof demoRoles)[];
  const clients = await Promise.all(
    names.map(
      async (name) =>
        [
          name,
          await readClient(pool, getOutput(runtime.stack, `${name.charAt(0).toUpperCase()}${name.slice(1)}ClientId`)),
        ] as const,
    ),
  );
  const credentials: Credentials = {
    base_url: runtime.publicUrl,
    auth_url: runtime.publicUrl,
    aws_endpoint_url: runtime.awsUrl,
    aws_access_key_id: runtime.operatorKey.accessKeyId,
    aws_secret_access_key: runtime.operatorKey.secretAccessKey,
    clients: Object.fromEntries(clients) as Credentials['clients'],
    users: before.users ?? (await ensureDemoUsers(pool)),
  };
  const text = `${JSON.stringify(credentials, null, 2)}\n`;
  // Most starts change nothing, so a full disk must not fail them.
  if (JSON.stringify(before) !== JSON.stringify(credentials)) replaceFile(file, text);
  return credentials;
}

/** Empty when the file is missing or incomplete. */
function readCredentials(file: string): Partial<Credentials> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function getOutput({ outputs }: Stack, name: string): string {
  const value = outputs[name];
  if (value === undefined) throw new Error(`the stack has no output ${name}`);
  return value;
}

function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), stopBoundMs).unref();
    void stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, end);
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${process.env.PORT ?? 3000} is taken. Choose another one: PORT=3100 npm start`;
  if (code === 'EACCES')
    return `This user may not listen on port ${process.env.PORT}. Choose one above 1024: PORT=3100 npm start`;
  if (toStorageError(error) instanceof StorageUnavailable)
    return `The data folder cannot be written. ${(toStorageError(error) as Error).message}`;
  const expected = [FolderUnavailable, StorageUnusable, UnsupportedTemplate, UsageError].some(
    (kind) => error instanceof kind,
  );
  return expected ? message : formatError(error);
}
