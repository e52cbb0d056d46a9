import { ciCreation } from '../../../contract/cis.ts';
import { applyCiPatch, type CiRecord, formatEdges, newCiDocument, parseEdges } from '../../../lambdas/cmdb/ci.ts';
import { createFirstVersion } from '../../../lambdas/records/record.ts';

const ciWith = (attributes: Record<string, unknown>): CiRecord => {
  const creation = ciCreation.parse({ name: 'web-01', class: 'server', attributes });
  return createFirstVersion('CI0000001', newCiDocument(creation, null), 1_000);
};

describe('a configuration item', () => {
  it('merges attributes according to RFC 7396', () => {
    const before = ciWith({ os: { name: 'Debian', version: 12 }, tags: ['a'], cpus: 4 });
    const patch = { attributes: { os: { version: 13, kernel: null }, tags: ['b'], cpus: null, disk: { gb: 80 } } };
    expect(applyCiPatch(before, patch).attributes).toEqual({
      os: { name: 'Debian', version: 13 },
      tags: ['b'],
      disk: { gb: 80 },
    });
    expect(ciWith({ a: null, b: { c: null } }).document.attributes).toEqual({ b: {} });
  });

  it('enforces the attribute limits over several updates', () => {
    const before = ciWith(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, 1])));
    expect(() => applyCiPatch(before, { attributes: { more: 1 } })).toThrow('at most 100 keys');
    expect(applyCiPatch(before, { attributes: { n0: null, more: 1 } }).attributes).toMatchObject({ more: 1 });
  });

  it.each([
    ['too many bytes', { text: 'x'.repeat(16_000) }],
    ['too deep', { a: { b: { c: { d: { e: {} } } } } }],
    ['a name that is too long', { ['x'.repeat(101)]: 1 }],
  ])('rejects attributes with %s', (_, attributes) => {
    expect(ciCreation.safeParse({ name: 'a', class: 'b', attributes }).success).toBe(false);
  });

  it('rejects a relation to itself', () => {
    const relations = [{ type: 'depends_on' as const, ci_id: 'CI0000001' }];
    expect(() => applyCiPatch(ciWith({}), { relations })).toThrow('must not refer to the item itself');
  });

  it('stores its relations in the listing', () => {
    const relations = [
      { type: 'depends_on' as const, ci_id: 'CI0000042' },
      { type: 'part_of' as const, ci_id: 'CI9999999' },
    ];
    expect(parseEdges(formatEdges(relations)!)).toEqual(relations);
    expect(formatEdges([])).toBeNull();
  });
});
