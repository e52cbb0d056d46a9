import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';

describe('the build of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  let names: string[];
  let manifest: Record<string, { file: string; imports?: string[]; css?: string[] }>;
  beforeAll(() => {
    writeFileSync(join(folder, 'main-00000000.js'), 'from the release before');
    const options = ['--outDir', folder, '--emptyOutDir', '--sourcemap', '--manifest', 'manifest.json'];
    // Jest's modules are no values of the bundler's native code, so it runs outside of Jest.
    execFileSync('npm', ['run', 'build', '--silent', '--workspace', 'console', '--', '--logLevel', 'warn', ...options]);
    manifest = JSON.parse(read('manifest.json'));
    names = readdirSync(folder).filter((name) => !/\.map$|^manifest/.test(name));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  /** The files that the browser loads for a module and its imports. */
  function listFiles(module: string, found = new Set<string>()): Set<string> {
    const { file = '', imports = [], css = [] } = manifest[module] ?? {};
    if (found.has(file)) return found;
    for (const name of [file, ...css]) found.add(name);
    for (const imported of imports) listFiles(imported, found);
    return found;
  }

  it('contains only console, client, types of attachments, id formats, presets with samples, roles and state machines', () => {
    const maps = readdirSync(folder).filter((name) => name.endsWith('.js.map'));
    const sources = maps.flatMap((name) => JSON.parse(read(name)).sources as string[]);
    const paths = sources.map((path) => relative('.', resolve(dirname(join(folder, 'x')), path)));
    const others = paths.filter(
      (path) => !/^(console|client|node_modules|contract\/preset-samples)\/|\0|^\.\.|^vite/.test(path),
    );
    const contract = [
      'attachment-types',
      'ids',
      'inbound-presets',
      'on-call-values',
      'retry-schedule',
      'roles',
      'states',
    ];
    expect([...new Set(others)].sort()).toEqual(contract.map((name) => `contract/${name}.ts`));
    expect(paths).toContain('console/main.ts');
  });

  it('excludes the schemas of the contract and their library', () => {
    const scripts = names.filter((name) => name.endsWith('.js'));
    for (const name of scripts) expect(read(name)).not.toContain('ZodObject');
  });

  it('shows each page with at most 160 KB of script and styles', () => {
    // The best quality, 11, takes six seconds for two percent.
    const params = { [zlib.BROTLI_PARAM_QUALITY]: 9 };
    const sizes = new Map(names.map((name) => [name, brotliCompressSync(read(name), { params }).length]));
    const view = Object.keys(manifest).find((name) => /^_view-.*js$/.test(name)) ?? '';
    const first = listFiles(view, listFiles('index.html'));
    expect([...first].some((name) => name.endsWith('.css'))).toBe(true);
    const pages = Object.keys(manifest).filter((module) => /features\/.*(?:pages?|forms?)\.tsx$/.test(module));
    expect(pages.length).toBeGreaterThan(10);
    const toSize = (page: string) =>
      [...new Set([...first, ...listFiles(page)])].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
    const tooLarge = pages.map((page) => [page, toSize(page)] as const).filter(([, bytes]) => bytes > 160_000);
    expect(tooLarge).toEqual([]);
  });

  it('refers only to existing files', () => {
    const addresses = [...read('index.html').matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, name]) => name);
    expect(addresses).toContain('config.json');
    expect([...names, 'config.json']).toEqual(expect.arrayContaining(addresses));
  });

  it('needs no inline script or style, which the content security policy forbids', () => {
    for (const page of ['index.html', 'errors.html']) {
      expect(read(page)).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);
    }
  });

  it('applies the theme with a script that runs before the page is drawn', () => {
    const [script = ''] = names.filter((name) => name.startsWith('theme-boot-'));
    expect(read('index.html')).toContain(`<script src="/console/${script}">`);
    expect(read(script)).not.toMatch(/\b(?:im|ex)port\b/);
  });

  it('hashes the names of all files except for pages and licenses, and removes outdated files', () => {
    const others = names.filter((name) => !/-[0-9a-f]{8}\.(?:js|css|svg)$/.test(name));
    expect(others.sort()).toEqual(['errors.html', 'index.html', 'licenses.txt']);
    expect(names).not.toContain('main-00000000.js');
  });

  it('embeds no fonts', () => {
    for (const name of names) if (name.endsWith('.css')) expect(read(name)).not.toContain('@font-face');
  });
});
