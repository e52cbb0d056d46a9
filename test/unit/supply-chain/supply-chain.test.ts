import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelFiles, modelFolder, verifyModelFiles } from '../../../tools/build/model-files.ts';
import { pruneBinaries } from '../../../tools/build/prune-binaries.ts';
import { findSevere, readReport } from '../../../tools/check/audit-report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'supply-chain-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('verifyModelFiles', () => {
  it('accepts the installed model', () => {
    expect(Object.keys(modelFiles)).toContain('model_quantized.onnx');
    expect(() => verifyModelFiles(modelFolder)).not.toThrow();
  });

  it('rejects a file with other bytes', () => {
    writeFileSync(join(folder, 'tokenizer.json'), '{}');
    const pinned = { 'tokenizer.json': modelFiles['tokenizer.json']! };
    expect(() => verifyModelFiles(folder, pinned)).toThrow(/is not the file that .*model-files\.ts pins/);
  });
});

describe('pruneBinaries', () => {
  it('keeps the platforms that are needed and deletes the others', () => {
    for (const platform of ['linux/x64', 'linux/arm64', 'darwin/arm64', 'win32/x64']) {
      mkdirSync(join(folder, platform), { recursive: true });
    }
    expect(pruneBinaries(folder, ['linux/arm64', 'linux/x64']).sort()).toEqual(['darwin/arm64', 'win32/x64']);
    expect(readdirSync(folder)).toEqual(['linux']);
    expect(readdirSync(join(folder, 'linux')).sort()).toEqual(['arm64', 'x64']);
    expect(pruneBinaries(folder, ['linux/arm64', 'linux/x64'])).toEqual([]);
    expect(pruneBinaries(join(folder, 'absent'))).toEqual([]);
  });
});

describe('the audit', () => {
  const vulnerable = (severity: string) => ({
    vulnerabilities: {
      shelf: { severity, range: '<2', via: [{ title: 'Falls over', url: 'https://example.com/1' }, 'screw'] },
    },
  });

  it.each(['', 'npm error network', '{"message":"405 Method Not Allowed","statusCode":405}'])(
    'rejects the registry response %j',
    (text) => expect(readReport(text)).toBeUndefined(),
  );

  it('lists only packages with high and critical vulnerabilities', () => {
    expect(findSevere(readReport(JSON.stringify(vulnerable('high')))!)).toEqual([
      'high: shelf <2: Falls over https://example.com/1; screw',
    ]);
    expect(findSevere(readReport(JSON.stringify(vulnerable('critical')))!)).toHaveLength(1);
    expect(findSevere(readReport(JSON.stringify(vulnerable('moderate')))!)).toEqual([]);
  });
});

describe('install scripts', () => {
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

  it('are marked in the lockfile only for allowed packages', () => {
    // npm before 11 does not know `allowScripts`; it runs the scripts that the lockfile marks. After an update of such a
    // package, delete its `hasInstallScript` from package-lock.json.
    const marked = Object.entries<{ hasInstallScript?: boolean }>(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(marked.sort()).toEqual(allowed.sort());
  });

  it('cause no unknown setting of npm', () => {
    expect(readFileSync('.npmrc', 'utf8')).not.toMatch(/onnxruntime/);
  });
});

describe('packages', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const [oldestMajor, oldestMinor] = readVersion(engines.node);

  function readVersion(range: string): [number, number] {
    const [, major, minor = 0] = /(\d+)(?:\.(\d+))?/.exec(range) ?? [];
    return [Number(major), Number(minor)];
  }

  function acceptsOldest(range: string): boolean {
    return range.split('||').some((part) => {
      const [major, minor] = readVersion(part);
      if (major === oldestMajor) return minor <= oldestMinor;
      return part.includes('*') || (part.includes('>') && major < oldestMajor);
    });
  }

  it('accept the oldest supported Node, so that npm does not warn', () => {
    const refusing = Object.entries<{ engines?: { node?: string }; optional?: boolean }>(packages)
      .filter(([, each]) => !each.optional && !acceptsOldest(each.engines?.node ?? '*'))
      .map(([path]) => path);
    expect(refusing).toEqual([]);
  });
});
