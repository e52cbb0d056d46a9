// Checks docs/openapi.json after `npm install --prefix tools/document --ignore-scripts`: Redocly and Spectral find nothing, and the clients
// of two generators for TypeScript and one for Python compile.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const documentFile = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const text = readFileSync(documentFile, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'clients-'));
const timeout = 300_000;

if (!existsSync(new URL('node_modules', import.meta.url))) {
  console.log('Not checked: run npm install --prefix tools/document --ignore-scripts first.');
} else {
  try {
    await check('Redocly', lintWithRedocly);
    await check('Spectral', lintWithSpectral);
    await check('openapi-typescript', compileTypes);
    await check('hey-api', compileClient);
    await check('openapi-python-client', compilePythonClient);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one check, which returns its findings, and prints them. */
async function check(name, run) {
  const start = performance.now();
  const findings = await run().catch((error) => [error.stdout || error.message]);
  for (const finding of findings) console.error(`${name}: ${finding}`);
  if (findings.length > 0) process.exitCode = 1;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name}: ${findings.length} findings (${seconds} s)`);
}

async function lintWithRedocly() {
  const { createConfig, lint } = await import('@redocly/openapi-core');
  // The first server is the one that `npm start` runs.
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
  const findings = await lint({ ref: documentFile, config });
  return findings.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

async function lintWithSpectral() {
  const { default: core } = await import('@stoplight/spectral-core');
  const { default: parsers } = await import('@stoplight/spectral-parsers');
  const { default: rulesets } = await import('@stoplight/spectral-rulesets');
  // The project has no contact address and serves on any host. OpenAPI 3.1 forbids a license URL beside its identifier. Tags
  // are in the order of the documentation.
  const unwanted = ['info-contact', 'oas3-server-not-example.com', 'license-url', 'openapi-tags-alphabetical'];
  const spectral = new core.Spectral();
  const rules = Object.fromEntries(unwanted.map((rule) => [rule, 'off']));
  spectral.setRuleset({ extends: [[rulesets.oas, 'all']], rules });
  const findings = await spectral.run(new core.Document(text, parsers.Json, documentFile));
  return findings.map(({ code, message, path }) => `${code} ${path.join('.')}: ${message}`);
}

async function compileTypes() {
  const { default: generate, astToString } = await import('openapi-typescript');
  writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(await generate(JSON.parse(text))));
  return compile(['openapi-typescript.ts']);
}

async function compileClient() {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: JSON.parse(text),
    output: join(folder, 'hey-api'),
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
  return compile(['hey-api/index.ts', 'hey-api/client.gen.ts']);
}

function compile(files) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = '--strict --noEmit --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
  const args = [tsc, ...options.split(' '), '--lib', 'es2022,dom,dom.iterable', ...files];
  execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout });
  return [];
}

/** From PyPI: pip install openapi-python-client. */
async function compilePythonClient() {
  const options = { encoding: 'utf8', timeout };
  try {
    execFileSync('openapi-python-client', ['--version'], { ...options, stdio: 'ignore' });
  } catch {
    console.log('Not checked with openapi-python-client: it is not installed');
    return [];
  }
  const output = join(folder, 'python');
  const args = ['generate', '--path', documentFile, '--output-path', output, '--meta', 'none'];
  const printed = execFileSync('openapi-python-client', args, options);
  execFileSync('python3', ['-m', 'compileall', '-q', output], options);
  // It leaves out what it does not understand, with a warning.
  return /warning|error/i.test(printed) ? [printed] : [];
}
