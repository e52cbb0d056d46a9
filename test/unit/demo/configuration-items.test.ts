import { ciCreation } from '../../../contract/cis.ts';
import { buildDemoCis } from '../../../demo/configuration-items.ts';
import { buildIncidentSteps } from '../../../demo/incidents.ts';

const cis = buildDemoCis();

describe('demo configuration items', () => {
  it('are valid and have unique names', () => {
    for (const { relations: _, ...fields } of cis) expect(ciCreation.safeParse(fields).error).toBeUndefined();
    expect(new Set(cis.map(({ name }) => name)).size).toBe(cis.length);
    expect(cis.length).toBeGreaterThan(70);
  });

  it('refer only to earlier items', () => {
    const before = new Set<string>();
    for (const { name, relations = [] } of cis) {
      for (const { to } of relations) expect([name, before.has(to)]).toEqual([name, true]);
      before.add(name);
    }
  });

  it('are used by the demo incidents', () => {
    const names = new Set(cis.map(({ name }) => name));
    const ciNames = buildIncidentSteps(Date.parse('2026-03-15T14:20:00.000Z')).flatMap(({ ci }) => ci ?? []);
    expect(ciNames.length).toBeGreaterThan(200);
    expect(ciNames.filter((ci) => !names.has(ci))).toEqual([]);
  });
});
