import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { findCommand, parseOptions } from '../../cli/parse.ts';
import { root } from '../../tools/build/local-build.ts';
import { type Service, startService } from '../support/service.ts';

// Runs the documentation as a reader does: the shell blocks of a page in one shell, in order, after the one of the quick start
// that defines `api`; each JavaScript block as a module. Links must lead somewhere.

const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
/** Their commands need an AWS account or a server of their own; deploy and self-hosting have tests of their own. */
const needsOtherMachine = ['deploy.md', 'self-hosting.md', 'runbook.md', 'cost.md', 'scaling.md'];
/** Receivers, which documented-receivers.test.ts runs. */
const servers = ['receive-events.md'];

const movesClock = (page: string) => readFileSync(join(root, page), 'utf8').includes('/_local/clock');
/** `itsm doctor` compares the clocks, so pages that move the clock come last. */
const pages = ['README.md', ...guides.map((name) => `docs/${name}`)].sort(
  (a, b) => Number(movesClock(a)) - Number(movesClock(b)),
);

interface Block {
  language: string;
  text: string;
}

/** `npm run test:newcomer` sets it and runs the blocks in zsh, too, where it is installed. */
const shells = (process.env.READERS_SHELLS ?? 'bash').split(' ');

let service: Service;
let folder: string;
let environment: Record<string, string>;
let apiKey: string;
/** The shell after the first block of the quick start: its functions, and the variables with a token. */
let setup: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reader-'));
  const sdk = join(folder, 'node_modules/incident-service-client');
  const itsm = join(folder, 'node_modules/.bin/itsm');
  mkdirSync(sdk, { recursive: true });
  const options = { bundle: true, format: 'esm', platform: 'node', logLevel: 'error' } as const;
  const shebang = { js: '#!/usr/bin/env node' };
  // As the package is built: the other build of this library has calls of require.
  const alias = { yaml: join(root, 'node_modules/yaml/browser/index.js') };
  const define = { packageVersion: '"0"' };
  [service] = await Promise.all([
    startService(),
    build({ ...options, entryPoints: [join(root, 'client/index.ts')], outfile: join(sdk, 'index.mjs') }),
    build({
      ...options,
      entryPoints: [join(root, 'cli/main.ts')],
      outfile: `${itsm}.mjs`,
      banner: shebang,
      define,
      alias,
    }),
  ]);
  chmodSync(`${itsm}.mjs`, 0o755);
  symlinkSync(`${itsm}.mjs`, itsm);
  writeFileSync(join(sdk, 'package.json'), JSON.stringify({ exports: './index.mjs' }));
  symlinkSync(service.dataFolder, join(folder, '.data'));
  symlinkSync(join(root, 'docs'), join(folder, 'docs'));
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
  environment = {
    ...(inherited as Record<string, string>),
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
    ITSM_CONFIG: join(folder, 'itsm.json'),
  };
  const commands = `${findSetup()}\nKEY=$(api POST /api-keys -d '{"name": "Reader"}' | field key)`;
  const mark = '--- state of the shell ---';
  const state = `echo '${mark}'; declare -p BASE TOKEN; declare -f credential login api field; echo '${mark}'; echo "$KEY"`;
  const output = await run('bash', ['-euo', 'pipefail', '-c', `${commands}\n${state}`]);
  [, setup = '', apiKey = ''] = output.split(mark).map((part) => part.trim());
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('documentation', () => {
  it.each(pages)(
    'the examples of %s work',
    async (page) => {
      const name = page.replace('docs/', '');
      const blocks = readBlocks(page);
      for (const { text } of blocks.filter(({ language }) => language === 'json')) JSON.parse(text);
      const shell = blocks.filter(({ language }) => language === 'sh');
      for (const script of shell.flatMap(({ text }) => [...text.matchAll(/npm run ([\w:-]+)/g)]))
        expect(Object.keys(packageScripts)).toContain(script[1]);
      const commands = shell.filter(({ text }) => !isInstallation(text)).map(({ text }) => text);
      if (needsOtherMachine.includes(name)) {
        for (const command of commands) await run('bash', ['-n', '-c', command]);
        return;
      }
      const runnable = commands.filter((command) => !/^aws /m.test(command));
      const login = name === 'migration.md' ? 'itsm login --credentials .data/credentials.json --as manager' : '';
      if (runnable.length > 0) {
        const script = [name === 'README.md' || name === 'quick-start.md' ? '' : setup, login, ...runnable].join('\n');
        for (const shell of shells) await run(shell, ['-euo', 'pipefail', '-c', script]);
      }
      if (servers.includes(name) || name === 'interface.md') return;
      const modules = blocks.filter(({ language }) => language === 'js').map(({ text }) => text);
      if (modules.length === 0) return;
      for (const [place, text] of modules.entries()) writeFileSync(join(folder, `block-${place}.mjs`), text);
      const imports = modules.map((_, place) => `await import('./block-${place}.mjs');`).join('\n');
      await run(process.execPath, ['--input-type=module', '-e', imports], { ITSM_API_KEY: apiKey });
    },
    120_000,
  );

  it.each([...pages, 'cli/README.md', 'client/README.md'])(
    'the shell blocks of %s paste into zsh, which has no comments',
    (page) => {
      const lines = readBlocks(page).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));
      expect(lines.filter((line) => /(?:^|\s)#(?:\s|$)/.test(line))).toEqual([]);
    },
  );

  it.each(['cli/README.md', 'docs/command-line.md', 'docs/migration.md'])(
    'the commands in %s exist in itsm',
    (page) => {
      const lines = readBlocks(page).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));
      const commands = lines.flatMap((line) => /^itsm (?<words>[^#|]*)/.exec(line)?.groups?.words ?? []);
      expect(commands.length).toBeGreaterThan(0);
      for (const words of commands) {
        const argv = (words.match(/"[^"]*"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ''));
        const command = findCommand(argv);
        if (!command) throw new Error(`There is no command "${words}".`);
        parseOptions(command, argv);
      }
    },
  );

  it('links every page from the index', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    for (const name of guides.filter((one) => one !== 'README.md')) expect(index).toContain(`](${name})`);
    const decisions = readdirSync(join(root, 'docs/decisions')).filter((one) => one !== 'README.md');
    const topics = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
    for (const name of decisions) expect(topics).toContain(`](${name})`);
  });

  it('has no broken links', () => {
    const linking = [
      ...[
        'README.md',
        'CONTRIBUTING.md',
        'SECURITY.md',
        'CHANGELOG.md',
        'client/README.md',
        'cli/README.md',
        'python/README.md',
      ],
      ...['model/README.md', 'test/eval/README.md', ...guides.map((name) => `docs/${name}`)],
      ...readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
    ];
    expect(linking.flatMap(findBrokenLinks)).toEqual([]);
  });
});

const packageScripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

function readBlocks(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w*).*\n([\s\S]*?)^```/gm)].map(([, language = '', code = '']) => ({
    language,
    text: toService(code),
  }));
}

/** The block of the quick start that defines `api` and gets a token. */
function findSetup(): string {
  const [setup] = readBlocks('docs/quick-start.md');
  if (!setup) throw new Error('The quick start has no first block.');
  return setup.text;
}

/** When the clock moves, only the SLA sweep runs, once at the end: other tests check the schedules. */
const toService = (code: string) =>
  code
    .replaceAll('http://localhost:3000', service.baseUrl)
    .replace(
      /^(.*)\{"advance": ?"(\w+)"\}(.*)$/gm,
      '$1{"advance": "$2", "schedules": []}$3\n$1{"advance": "1m", "schedules": ["sweep-sla"]}$3',
    );

/** Installing, building and deploying: other tests do that. */
const isInstallation = (code: string) =>
  code.split('\n').every((line) => line === '' || /^(npm|npx|python3 -m pip|#)/.test(line));

/** Resolves with what the program printed; fails with it, too. */
function run(command: string, args: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...environment, ...more }, timeout: 170_000 });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) =>
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`Exit code ${code} after:\n${output.slice(-2_000)}`)),
    ),
  );
}

function findBrokenLinks(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(root, page) : join(root, dirname(page), path);
      return !existsSync(target) || (anchor !== undefined && !listAnchors(target).includes(anchor));
    })
    .map((link) => `${page}: ${link}`);
}

/** Headings as GitHub turns them into anchors. */
function listAnchors(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}
