import { incidentId } from '../../../contract/incidents.ts';
import { newId, randomBelow } from '../../../lambdas/platform/ids.ts';

describe('newId', () => {
  it('creates ids in the documented format', () => {
    for (let count = 0; count < 1_000; count++) expect(incidentId.safeParse(newId('incident')).success).toBe(true);
    expect(newId('note')).toMatch(/^note_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('uses the whole alphabet and creates no duplicates', () => {
    const ids = Array.from({ length: 2_000 }, () => newId('note'));
    expect(new Set(ids).size).toBe(2_000);
    expect(new Set(ids.flatMap((id) => [...id.slice(5)])).size).toBe(32);
  });
});

describe('randomBelow', () => {
  it('stays below its limit', () => {
    const numbers = Array.from({ length: 500 }, () => randomBelow(3));
    expect(new Set(numbers)).toEqual(new Set([0, 1, 2]));
  });
});
