import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path/posix';

// dependency-cruiser cannot parse JSX with the compilers installed here, so this test checks the console's imports.

const root = join(import.meta.dirname, '../../../console');

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));

const imports = new Map(
  files.map((path) => {
    const statements = readFileSync(join(root, path), 'utf8').matchAll(/^(?:import|export) [^;]*?'(\.[^']+)';/gm);
    return [path, [...statements].map(([, to = '']) => normalize(join(path, '..', to)))];
  }),
);

/** The part of app/ that everything may use; the rest puts the pages together. */
const base = /^app\/(api|caller|config|router|session)\.tsx?$/;

const allowed: Readonly<Record<string, RegExp>> = {
  ui: /^(ui\/|app\/router\.ts$|\.\.\/(client|contract)\/)/,
  records: /^(records|ui)\/|^\.\.\/(client|contract)\//,
  features: /^(features|records|ui)\/|^\.\.\/(client|contract)\//,
};

describe('the imports of the console', () => {
  it('point from app to features to records to ui', () => {
    const wrong = [...imports].flatMap(([path, targets]) => {
      const rule = allowed[path.split('/')[0] ?? ''];
      return targets.filter((to) => rule && !rule.test(to) && !base.test(to)).map((to) => `${path} → ${to}`);
    });
    expect(wrong).toEqual([]);
  });

  it('reach nothing beside the client and the contract', () => {
    const outside = [...imports.values()].flat().filter((to) => to.startsWith('..'));
    expect(outside.filter((to) => !/^\.\.\/(client|contract)\//.test(to))).toEqual([]);
  });

  it('have no cycles', () => {
    const remaining = new Map(imports);
    // Removes files whose imports are all removed already; what remains is part of a cycle or depends on one.
    for (let before = -1; before !== remaining.size; ) {
      before = remaining.size;
      for (const [path, targets] of remaining) if (!targets.some((to) => remaining.has(to))) remaining.delete(path);
    }
    expect([...remaining.keys()]).toEqual([]);
  });
});
