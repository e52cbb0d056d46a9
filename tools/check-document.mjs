// Checks docs/openapi.json after `npm install --prefix tools --ignore-scripts`.
// Spectral must find nothing, and the clients that the generators write must compile in strict mode.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import spectralCore from '@stoplight/spectral-core';
import spectralParsers from '@stoplight/spectral-parsers';
import spectralRulesets from '@stoplight/spectral-rulesets';
import openapiTypescript, { astToString } from 'openapi-typescript';

const documentFile = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'clients-'));
const text = readFileSync(documentFile, 'utf8');
const { Document, Spectral } = spectralCore;
const spectral = new Spectral();
// The project has no contact address and serves on any host. OpenAPI 3.1 forbids a license URL beside its identifier. Tags
// are in the order of the documentation.
const rules = Object.fromEntries(
  ['info-contact', 'oas3-server-not-example.com', 'license-url', 'openapi-tags-alphabetical'].map((rule) => [
    rule,
    'off',
  ]),
);
spectral.setRuleset({ extends: [[spectralRulesets.oas, 'all']], rules });
const findings = await spectral.run(new Document(text, spectralParsers.Json, documentFile));

writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(await openapiTypescript(JSON.parse(text))));
await createClient({
  input: JSON.parse(text),
  output: join(folder, 'hey-api'),
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
const files = ['openapi-typescript.ts', 'hey-api/index.ts', 'hey-api/client.gen.ts'].map((file) => join(folder, file));
const compile = () =>
  execFileSync(
    process.execPath,
    [tsc, ...options, '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', ...files],
    { encoding: 'utf8' },
  );
const problems = findings.map(({ code, message, path }) => `${code} ${path.join('.')}: ${message}`);
try {
  compile();
  generatePythonClient();
} catch (error) {
  problems.push(error.stdout || error.message);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log('docs/openapi.json: Spectral finds nothing, the generated clients compile');
process.exitCode = problems.length > 0 ? 1 : 0;

/** openapi-python-client from PyPI. */
function generatePythonClient() {
  try {
    execFileSync('openapi-python-client', ['--version'], { stdio: 'ignore' });
  } catch {
    console.log('Not checked with openapi-python-client: it is not installed');
    return;
  }
  const output = join(folder, 'python');
  const args = ['generate', '--path', documentFile, '--output-path', output, '--meta', 'none'];
  execFileSync('openapi-python-client', args, { encoding: 'utf8' });
  execFileSync('python3', ['-m', 'compileall', '-q', output], { encoding: 'utf8' });
}
