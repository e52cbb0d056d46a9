// npm run test:clients [-- --required]: openapi-generator writes a Python and a Go client from docs/openapi.json; both must compile, create,
// update and list incidents of the running service.
//
//   mvn dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=<folder>    OPENAPI_GENERATOR names the jar
//   pip install pydantic python-dateutil typing_extensions urllib3    in a virtual environment; CLIENTS_PYTHON names its python
//   Go 1.23 or newer, which downloads the two modules of the generated client
//
// Whatever is missing is named, and its client is not checked. With --required, it is a failure.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLocalBuild, root } from '../../tools/build/local-build.ts';
import { type Service, startService } from '../support/service.ts';

const jar = process.env.OPENAPI_GENERATOR ?? '';
const python = process.env.CLIENTS_PYTHON ?? 'python3';
const isRequired = process.argv.includes('--required');
const folder = mkdtempSync(join(tmpdir(), 'clients-'));

const runs = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const run = (command: string, args: readonly string[], cwd = folder) =>
  execFileSync(command, args, { cwd, stdio: 'inherit', timeout: 300_000 });

const languages = {
  Python: {
    missing: runs(python, '-c', 'import dateutil, pydantic, typing_extensions, urllib3')
      ? ''
      : `${python} lacks pydantic, python-dateutil, typing_extensions or urllib3.`,
    check(baseUrl: string, token: string) {
      const output = generate('python');
      run(python, ['-m', 'compileall', '-q', 'itsm'], output);
      copyFileSync(join(root, 'test/clients/use_client.py'), join(output, 'use_client.py'));
      run(python, ['use_client.py', baseUrl, token], output);
    },
  },
  Go: {
    missing: runs('go', 'version') ? '' : 'There is no Go.',
    check(baseUrl: string, token: string) {
      const output = generate('go');
      mkdirSync(join(output, 'use'));
      copyFileSync(join(root, 'test/clients/use_client.go'), join(output, 'use/main.go'));
      run('go', ['mod', 'tidy'], output);
      run('go', ['vet', './...'], output);
      run('go', ['run', './use', baseUrl, token], output);
    },
  },
};

try {
  const missingGenerator = findMissingGenerator();
  const missing = Object.entries(languages).flatMap(([name, language]) => {
    const reason = missingGenerator || language.missing;
    return reason ? [`${name}: ${reason}`] : [];
  });
  for (const reason of missing) console.error(`NOT CHECKED  ${reason} See test/clients/clients.ts.`);
  if (missing.length > 0 && isRequired) process.exitCode = 1;
  else if (missing.length < Object.keys(languages).length) await checkClients();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function findMissingGenerator(): string {
  if (!existsSync(jar)) return 'OPENAPI_GENERATOR does not name the jar of openapi-generator-cli.';
  return runs('java', '-version') ? '' : 'There is no Java.';
}

async function checkClients(): Promise<void> {
  await ensureLocalBuild();
  const service = await startService();
  try {
    const token = await requestToken(service);
    for (const [name, language] of Object.entries(languages)) {
      if (language.missing) continue;
      const startMs = performance.now();
      language.check(service.baseUrl, token);
      console.log(`${name}: compiles and works (${((performance.now() - startMs) / 1000).toFixed(0)} s)`);
    }
  } finally {
    await service.stop();
  }
}

/** The folder of the client. */
function generate(language: string): string {
  const output = join(folder, language);
  const names = [
    '--package-name',
    'itsm',
    '--git-host',
    'example.org',
    '--git-user-id',
    'itsm',
    '--git-repo-id',
    'client',
  ];
  const document = join(root, 'docs/openapi.json');
  const only = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const args = ['generate', '-i', document, '-g', language, '-o', output, '--global-property', only, ...names];
  const { status, stdout, stderr } = spawnSync('java', ['-jar', jar, ...args], { encoding: 'utf8', timeout: 300_000 });
  const faults = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(' ERROR '));
  if (status !== 0 || faults.length > 0) throw new Error(`openapi-generator failed: ${faults.join('\n') || stderr}`);
  return output;
}

async function requestToken({ baseUrl, credentials }: Service): Promise<string> {
  const { client_id, client_secret } = credentials.clients!.manager;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}
