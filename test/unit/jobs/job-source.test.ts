import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { packSource, unpackSource } from '../../../lambdas/jobs/job-store.ts';
import { updateOf } from './a-job.ts';

describe('the source of a job', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 100 }), (values) => {
        const records: unknown[] = JSON.parse(JSON.stringify(values));
        expect(unpackSource(packSource({ operation: 'create', records }))).toEqual({ operation: 'create', records });
      }),
    );
    expect(unpackSource(packSource(updateOf(100)))).toEqual(updateOf(100));
  });

  it('is cut into pieces that fit into an item', () => {
    const records = Array.from({ length: 10 }, () => randomBytes(70_000).toString('base64'));
    const pieces = packSource({ operation: 'create', records });
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(400 * 1024);
    expect(unpackSource(pieces)).toEqual({ operation: 'create', records });
  });

  it('is refused when it would not fit into a transaction', () => {
    const records = [randomBytes(4_000_000).toString('base64')];
    expect(() => packSource({ operation: 'create', records })).toThrow('too large');
  });
});
