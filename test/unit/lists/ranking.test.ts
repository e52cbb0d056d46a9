import fc from 'fast-check';
import { articleListing } from '../../../lambdas/knowledge/article.ts';
import { encodeListing, formatRecordId } from '../../../lambdas/lists/listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { findPage, type ListQuery, type PageStart } from '../../../lambdas/lists/scan.ts';

const words = ['vpn', 'mtu', 'F5-201', 'paper', 'jam', 'the'];
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((each) => each.join(' '));
const article = fc.record({
  title: text,
  body: text,
  tags: fc.uniqueArray(fc.constantFrom(...words), { maxLength: 2 }),
});

type Fields = typeof article extends fc.Arbitrary<infer Value> ? Value : never;

function add(replica: Replica, number: number, fields: Fields): void {
  const at = new Date(Date.UTC(2026, 2, 1) + number).toISOString();
  const record = {
    id: formatRecordId(number, 'KB'),
    created_at: at,
    updated_at: at,
    state: 'published',
    category: null,
  };
  replica.applyEncoded(encodeListing(articleListing, { ...record, ...fields }));
}

const asked = (q: string, order: 'asc' | 'desc' = 'desc'): ListQuery => ({
  enums: {},
  strings: {},
  times: {},
  text: q,
  sort: 'relevance',
  order,
});

function toNumbers(replica: Replica, q: string): number[] {
  return findPage(replica, asked(q), { skip: 0 }, 100).rows.map(({ number }) => number);
}

describe('search by relevance', () => {
  it('returns every record once in a stable order while others are added', () => {
    const q = fc
      .array(fc.constantFrom(...words, 'nobody'), { minLength: 1, maxLength: 3 })
      .map((each) => each.join(' '));
    const order = fc.constantFrom('asc' as const, 'desc' as const);
    fc.assert(
      fc.property(
        fc.array(article, { minLength: 1, maxLength: 30 }),
        fc.array(article, { maxLength: 10 }),
        q,
        order,
        (first, later, question, direction) => {
          const replica = new Replica(articleListing);
          for (const [number, fields] of first.entries()) add(replica, number * 2, fields);
          const query = asked(question, direction);
          const whole = findPage(replica, query, { skip: 0 }, 100);
          const walked: number[] = [];
          let start: PageStart = { skip: 0 };
          for (let page = 0; page < 100; page++) {
            const { rows, more, ranking } = findPage(replica, query, start, 3);
            walked.push(...rows.map(({ number }) => number));
            if (!more) break;
            start = { after: rows.at(-1)!, ranking };
            const fields = later[page];
            if (fields) add(replica, page * 2 + 1, fields);
          }
          expect(walked.filter((number) => number % 2 === 0)).toEqual(whole.rows.map(({ number }) => number));
          expect(new Set(walked).size).toBe(walked.length);
          expect(whole.total).toBe(whole.rows.length);
        },
      ),
    );
  });

  it('ranks the title over tags over the body, and a code over its parts', () => {
    const replica = new Replica(articleListing);
    add(replica, 1, { title: 'x', body: 'the vpn', tags: [] });
    add(replica, 2, { title: 'x', body: 'the', tags: ['vpn'] });
    add(replica, 3, { title: 'vpn', body: 'the', tags: [] });
    add(replica, 4, { title: 'x', body: 'F5 and 201, F5 and 201, F5 and 201', tags: [] });
    add(replica, 5, { title: 'x', body: 'It says F5-201.', tags: [] });
    expect(toNumbers(replica, 'vpn')).toEqual([3, 2, 1]);
    expect(toNumbers(replica, 'f5-201')).toEqual([5, 4]);
  });

  it('requires half of the words if no record has all, and ignores unknown words', () => {
    const replica = new Replica(articleListing);
    add(replica, 1, { title: 'vpn mtu', body: 'the', tags: [] });
    add(replica, 2, { title: 'vpn', body: 'paper', tags: [] });
    add(replica, 3, { title: 'jam', body: 'jam', tags: [] });
    expect(toNumbers(replica, 'vpn mtu')).toEqual([1]);
    expect(toNumbers(replica, 'vpn mtu paper')).toEqual([1, 2]);
    expect(toNumbers(replica, 'vpn mtu zebra')).toEqual([1, 2]);
    expect(toNumbers(replica, 'zebra')).toEqual([]);
  });
});
