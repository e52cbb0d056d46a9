import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';
import { buildConsole, type ConsoleBuild } from '../../../tools/build/console.ts';

describe('buildConsole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  let built: ConsoleBuild;
  beforeAll(async () => {
    writeFileSync(join(folder, 'config.json'), '{}');
    writeFileSync(join(folder, 'main-OUTDATED.js'), '');
    built = await buildConsole(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const page = () => readFileSync(join(folder, 'index.html'), 'utf8');

  it('contains only console, client, id formats, presets, roles and state machines', () => {
    const others = built.sources.filter((path) => !/^(console|client)\//.test(path));
    const contract = ['ids', 'inbound-presets', 'retry-schedule', 'roles', 'states'];
    expect(others.sort()).toEqual(contract.map((name) => `contract/${name}.ts`));
    expect(built.sources).toContain('console/main.tsx');
  });

  it('excludes the schemas of the contract and their library', () => {
    const scripts = built.files.filter((name) => name.endsWith('.js'));
    for (const name of scripts) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('ZodObject');
  });

  it('refers only to existing files, and few enough for a quick first view', () => {
    const addresses = [...page().matchAll(/(?:src=|href=|"styles":)"\/console\/([^"]+)"/g)].map((match) => match[1]);
    expect(addresses).toContain('config.json');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(addresses));
    // The best quality, 11, takes six seconds for two percent.
    const params = { [zlib.BROTLI_PARAM_QUALITY]: 9 };
    const bytes = addresses.map(
      (name) => brotliCompressSync(readFileSync(join(folder, name ?? '')), { params }).length,
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(375_000);
  });

  it('shows the incident list with a small script and the styles that it uses', () => {
    const names = built.files.filter((name) => /^(?:first-view|theme-boot)-.*\.(?:css|js)$/.test(name));
    expect(names).toHaveLength(3);
    const sizes = names.map((name) => brotliCompressSync(readFileSync(join(folder, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(42_000);
    const [styles = ''] = names.filter((name) => name.endsWith('.css'));
    const css = readFileSync(join(folder, styles), 'utf8');
    expect(css).toContain('.priority-P1');
    expect(css).toContain('awsui-dark-mode');
    expect(css).not.toContain('.calendar');
  });

  it('lets the complete style sheet override the styles of the first view', () => {
    const read = (pattern: RegExp) =>
      readFileSync(join(folder, built.files.find((name) => pattern.test(name)) ?? ''), 'utf8');
    expect(read(/^first-view-.*\.css$/).slice(0, 18)).toBe('@layer first-view{');
    const layers = [...read(/^main-.*\.css$/).matchAll(/@layer ([\w-]+)/g)].map(([, name]) => name);
    expect(layers[0]).toBe('first-view');
  });

  it('needs no inline script or style, which the content security policy forbids', () => {
    expect(page()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);
  });

  it('replaces outdated files and keeps the configuration', () => {
    expect(readdirSync(folder).sort()).toEqual([...built.files, 'config.json'].sort());
  });
});
