import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { createClient } from '../../client/index.ts';
import { root } from '../../tools/build/local-build.ts';
import { createApi } from '../support/incidents.ts';
import { createProject, type Project, packWorkspace, tscPath } from '../support/packages.ts';
import { createPerson, signIn } from '../support/people.ts';
import { findFreePort } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';

// The SDK as its users get it: packed, installed into an empty project, and used from there.
const sdkName = 'incident-service-client';

const typescriptFile = `
import { createClient, ServiceProblem, TransitionProblem, verifyWebhook, type Incident, type WebhookEvent } from '${sdkName}';

declare const process: { env: Record<string, string | undefined> };
const credentials = { apiKey: process.env.ITSM_API_KEY };
const client = createClient({ baseUrl: 'http://localhost:3000', credentials, signal: AbortSignal.timeout(1000) });

export function listAllowed(error: unknown): readonly string[] {
  return error instanceof TransitionProblem ? error.allowedTransitions : [];
}

export async function firstHour(): Promise<Incident> {
  const created = await client.createIncident({ short_description: 'Mail is down', priority: 'P2' });
  for await (const { sequence, event } of client.listEvents.all({ limit: 200 })) console.log(sequence.toFixed(), event);
  await client.jobs.wait('job_1', { onProgress: ({ processed }) => console.log(processed.toFixed()) });
  const [first] = await client.listIncidents.autoPagingToArray({ state: ['new'] }, { maxItems: 1 });
  console.log(first?.short_description.length);
  const cis = await client.jobs.run(client.bulkCis, { operation: 'discover', records: [] });
  console.log(cis.failed.toFixed());
  // @ts-expect-error incidents are not discovered
  await client.jobs.run(client.bulkIncidents, { operation: 'discover', records: [] });
  // @ts-expect-error the priority does not exist
  await client.createIncident({ short_description: 'Mail is down', priority: 'P9' });
  return created;
}

export function describe(event: WebhookEvent): string {
  switch (event.event) {
    case 'incident.created':
      return event.data.priority;
    case 'ci.discovered':
      return event.data.class;
    default:
      // @ts-expect-error changes have no class
      return event.event === 'change.approved' ? event.data.class : event.data.url;
  }
}

export async function receive(request: Request): Promise<string> {
  try {
    return describe(await verifyWebhook(await request.text(), request.headers, 'whsec_'));
  } catch (error) {
    if (error instanceof ServiceProblem && error.code === 'invalid_signature') return error.detail;
    throw error;
  }
}
`;

/** The blocks of the README, which continue each other. */
const readmeFile = [...readFileSync(join(root, 'client/README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)]
  .map(([, code]) => code)
  .join('\n');

const commonJsFile = `
const { createClient, verifyWebhook } = require('${sdkName}');
console.log(typeof createClient({ baseUrl: 'http://localhost', credentials: { token: () => '' } }).listIncidents.all, typeof verifyWebhook);
`;

const tools = join(root, 'tools/document/node_modules');

let sdk: Awaited<ReturnType<typeof packWorkspace>>;
let project: Project;
let service: Service;
beforeAll(async () => {
  [sdk, service] = await Promise.all([packWorkspace('client'), startService()]);
  project = await createProject([sdk.tarball], {
    'strict.ts': typescriptFile,
    'strict.mts': typescriptFile,
    'common.cjs': commonJsFile,
    'readme.mts': readmeFile,
  });
  copyFileSync(join(root, 'docs/examples/first-hour.mjs'), join(project.folder, 'first-hour.mjs'));
});
afterAll(async () => {
  await service.stop();
  rmSync(project.folder, { recursive: true, force: true });
});

describe('the SDK package', () => {
  it('has less than 15 KB of code, compressed, and no dependencies', async () => {
    const toKb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
    const [code] = (await bundleForBrowsers()).outputFiles;
    const codeBytes = gzipSync(code!.contents).byteLength;
    process.stdout.write(`SDK: ${toKb(codeBytes)} of code compressed, ${toKb(sdk.bytes)} with types\n`);
    expect(codeBytes).toBeLessThan(15 * 1024);
    const manifest = JSON.parse(readFileSync(join(project.folder, 'node_modules', sdkName, 'package.json'), 'utf8'));
    expect(Object.keys(manifest)).not.toContain('dependencies');
  });

  it('compiles in strict TypeScript as ES module and as CommonJS, with the examples of its README', async () => {
    const options = '--strict --noEmit --exactOptionalPropertyTypes --noUncheckedIndexedAccess --module nodenext';
    const args = [...options.split(' '), '--lib', 'es2022,dom', 'strict.ts', 'strict.mts', 'readme.mts'];
    await project.run(process.execPath, [tscPath, ...args]);
  });

  it('loads with require', async () => {
    expect(await project.run(process.execPath, ['common.cjs'])).toBe('function function\n');
  });

  it('bundles for browsers without Node modules', async () => {
    const { outputFiles, warnings } = await bundleForBrowsers();
    expect(warnings).toEqual([]);
    expect(outputFiles[0]?.text).not.toMatch(/\b(?:node:|require\(|process\.)/);
  });

  it('runs the first-hour example outside the repository, twice, and it deletes its webhook', async () => {
    const person = await createPerson(service, 'ada@example.com', 'itsm_manager');
    const { body } = await createApi(service, await signIn(service, person)).post('/api-keys', { name: 'First hour' });
    const client = createClient({ baseUrl: `${service.baseUrl}/prod/api/v1`, credentials: { apiKey: body.key } });
    const records = Array.from({ length: 60 }, (_, place) => ({
      short_description: `Printer ${place} is out of paper`,
    }));
    const { job_id } = await client.bulkIncidents({ operation: 'create', records });
    await client.jobs.wait(job_id);
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const environment = { ITSM_URL: service.baseUrl, ITSM_API_KEY: body.key, RECEIVER_URL: url };
    const output = await project.run(process.execPath, ['first-hour.mjs'], environment);
    expect(output).toContain("event: 'incident.created'");
    expect(output).toMatch(/^1 created$/m);
    expect(output.match(/^INC\w+ new$/gm)).toHaveLength(62);
    expect(await project.run(process.execPath, ['first-hour.mjs'], environment)).toContain("event: 'incident.created'");
    expect((await client.listOutboundWebhooks()).total).toBe(0);
    await runReadme(body.key);
    const announced = new Set<string>();
    for await (const { data } of client.listEvents.all()) announced.add(data.id);
    expect(announced.size).toBe(65);
  });

  const bundleForBrowsers = () =>
    build({
      stdin: { contents: `export * from '${sdkName}'`, resolveDir: project.folder },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      minify: true,
      write: false,
    });

  /** The README with the address, the key and the secret of this test. Its receiver gets a signed delivery. */
  async function runReadme(key: string): Promise<void> {
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI=';
    const code = readmeFile
      .replace('http://localhost:3000', service.baseUrl)
      .replace('itsm_…', key)
      .replace('whsec_…', secret);
    const { code: script } = await transform(code, { loader: 'ts', format: 'esm' });
    const body = JSON.stringify({ event: 'incident.created', data: { short_description: 'Signed' } });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const delivery = { method: 'POST', body, headers: { 'x-service-signature': signature } };
    const request = `new Request('http://localhost', ${JSON.stringify(delivery)})`;
    writeFileSync(join(project.folder, 'readme.mjs'), `${script}\nawait receive(${request});`);
    expect(await project.run(process.execPath, ['readme.mjs'])).toMatch(/^1 1\nSigned$/m);
  }

  it('satisfies publint and are-the-types-wrong', async () => {
    if (!existsSync(tools)) {
      process.stdout.write('Not checked with publint and are-the-types-wrong: tools is not installed\n');
      return;
    }
    const program = join(root, 'tools/document/check-package.mjs');
    const folder = join(project.folder, 'node_modules', sdkName);
    const found = JSON.parse(await project.run(process.execPath, [program, folder, sdk.tarball]));
    expect(found).toEqual({ publint: [], typesWrong: [] });
  });
});

describe('the Python SDK', () => {
  // SDK_PYTHON names a Python 3.9 or newer with httpx and pytest, and mypy to check its types.
  const python = process.env.SDK_PYTHON ?? 'python3';
  const isInstalled = spawnSync(python, ['-c', 'import httpx, pytest'], { stdio: 'ignore' }).status === 0;
  const options = {
    cwd: join(root, 'python'),
    encoding: 'utf8',
    timeout: 90_000,
  } as const;

  it('passes its tests against the running service', () => {
    if (!isInstalled) return skip();
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      ITSM_CREDENTIALS: join(service.dataFolder, 'credentials.json'),
    };
    const { status, stdout } = spawnSync(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], { ...options, env });
    if (status !== 0) throw new Error(stdout);
    expect(stdout).toMatch(/^\d+ passed(?:, 1 skipped)? in/m);
  }, 100_000);

  it('runs the examples of its README and of the documentation', () => {
    if (!isInstalled) return skip();
    const { client_id, client_secret } = service.credentials.clients.manager;
    const key = `itsm_${Buffer.from(`${client_id}:${client_secret}`).toString('base64url')}`;
    for (const page of ['python/README.md', 'docs/sdk.md']) {
      const text = readFileSync(join(root, page), 'utf8').replaceAll('http://localhost:3000', service.baseUrl);
      const blocks = [...text.matchAll(/^```python\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
      expect(blocks.length).toBeGreaterThan(0);
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ITSM_API_KEY: key };
      const { status, stderr } = spawnSync(python, ['-c', blocks.join('\n')], { ...options, env });
      if (status !== 0) throw new Error(`${page}: ${stderr}`);
    }
  });

  function skip(): void {
    process.stdout.write(
      `The Python SDK is not tested: ${python} lacks httpx or pytest. SDK_PYTHON can name another.\n`,
    );
  }
});
