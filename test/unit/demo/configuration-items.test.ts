import { ciCreation } from '../../../contract/cis.ts';
import { buildDemoCis } from '../../../demo/configuration-items.ts';
import { buildIncidentSteps } from '../../../demo/incidents.ts';

const cis = buildDemoCis();

describe('the configuration items of the demo', () => {
  it('are what the interface accepts, each with a name of its own', () => {
    for (const { relations: _, ...fields } of cis) expect(ciCreation.safeParse(fields).error).toBeUndefined();
    expect(new Set(cis.map(({ name }) => name)).size).toBe(cis.length);
    expect(cis.length).toBeGreaterThan(70);
  });

  it('rest on what stands before them', () => {
    const before = new Set<string>();
    for (const { name, relations = [] } of cis) {
      for (const { to } of relations) expect([name, before.has(to)]).toEqual([name, true]);
      before.add(name);
    }
  });

  it('are what the incidents of the demo are about', () => {
    const names = new Set(cis.map(({ name }) => name));
    const ciNames = buildIncidentSteps(Date.parse('2026-03-15T14:20:00.000Z')).flatMap(({ ci }) => ci ?? []);
    expect(ciNames.length).toBeGreaterThan(200);
    expect(ciNames.filter((ci) => !names.has(ci))).toEqual([]);
  });
});
