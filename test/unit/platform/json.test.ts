import * as z from 'zod';
import { toValidatedJson } from '../../../lambdas/platform/http/json.ts';

const record = z.strictObject({ id: z.string(), count: z.int().optional() });
const page = z.strictObject({ data: z.array(record), next_cursor: z.string().optional(), total: z.int() });
const bare = z.strictObject({ data: z.array(z.strictObject({ id: z.string() })) });

const reject = (why: string): never => {
  throw new Error(why);
};
const json = (schema: z.ZodType, body: unknown) => toValidatedJson(schema, body, reject);

describe('toValidatedJson', () => {
  it.each([
    ['a page', page, { data: [{ id: 'a "quoted"' }, { id: 'b', count: 2 }], next_cursor: 'x', total: 9 }],
    ['a page with nothing on it', page, { data: [], total: 0 }],
    ['a list with nothing beside it', bare, { data: [{ id: 'a' }] }],
    ['a record', record, { id: 'a', count: 1 }],
  ])('writes %s unchanged', (_what, schema, body) => {
    expect(JSON.parse(json(schema, body))).toEqual(body);
    // The second time, the records are known.
    expect(json(schema, body)).toBe(json(schema, body));
  });

  it.each([
    ['a record of a page', page, { data: [{ id: 'a' }, { id: 1 }], total: 2 }],
    ['a member that nobody knows in a record', page, { data: [{ id: 'a', secret: 'b' }], total: 1 }],
    ['what stands beside the records', page, { data: [{ id: 'a' }], total: -0.5 }],
    ['a member that nobody knows beside them', page, { data: [], total: 0, secret: 'b' }],
    ['something that is no record', page, { data: ['a'], total: 1 }],
    ['a missing list', page, { total: 1 }],
  ])('rejects %s that violates the contract', (_what, schema, body) => {
    expect(() => json(schema, body)).toThrow();
  });

  it('validates again for another contract', () => {
    const known = { id: 'a', count: 1 };
    json(page, { data: [known], total: 1 });
    expect(() => json(bare, { data: [known] })).toThrow();
  });
});
