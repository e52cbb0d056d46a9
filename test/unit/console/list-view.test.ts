import fc from 'fast-check';
import { priorities, states } from '../../../console/pages/incidents/incident-words.ts';
import { filtersOf, tokensOf } from '../../../console/pages/incidents/list/filter-tokens.ts';
import {
  isFiltered,
  type ListView,
  pageSizes,
  queryOf,
  requestOf,
  viewFrom,
} from '../../../console/pages/incidents/list/list-view.ts';
import { quickViewOf, quickViews } from '../../../console/pages/incidents/list/quick-views.ts';
import { incidentListQuery } from '../../../contract/incidents.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');

const words = fc.stringMatching(/^(?:[a-z0-9ä][a-z0-9@. ,&=%+äß-]{0,20})?$/).map((text) => text.trim());

const views: fc.Arbitrary<ListView> = fc
  .record({
    state: fc.subarray([...states]),
    priority: fc.subarray([...priorities]),
    texts: fc.record({ assignment_group: words, assigned_to: words, category: words, q: words }),
    created: fc.constantFrom(
      undefined,
      { within: '24h' },
      { after: '2026-01-01T00:00:00Z', before: '2026-02-01T00:00:00Z' },
      { before: '2026-02-01' },
    ),
    sort: fc.constantFrom('created_at', 'priority', 'updated_at'),
    order: fc.constantFrom('asc', 'desc'),
    page: fc.integer({ min: 1, max: 50 }),
    limit: fc.constantFrom(...pageSizes),
  })
  .map(({ state, priority, texts, ...rest }) => {
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
    return { ...rest, filters: { state, priority, ...given } } as ListView;
  });

describe('the view of the incident list', () => {
  it('survives the way through the address', () => {
    fc.assert(fc.property(views, (view) => expect(viewFrom(queryOf(view))).toEqual(view)));
  });

  it('asks the service only what it understands', () => {
    fc.assert(
      fc.property(views, (view) => {
        const asked = Object.entries(requestOf(view, now)).map(([name, value]) => [name, String(value)]);
        expect(incidentListQuery.safeParse(Object.fromEntries(asked)).error).toBeUndefined();
      }),
    );
  });

  it('is the newest 25 incidents for an empty address', () => {
    expect(requestOf(viewFrom(''), now)).toEqual({ sort: 'created_at', order: 'desc', page: 1, limit: 25 });
    expect(isFiltered(viewFrom('sort=priority&page=3'))).toBe(false);
  });

  it('leaves out what an address may hold but the service does not know', () => {
    const view = viewFrom('state=new,broken&priority=P9&page=-1&limit=7&sort=id&order=up&created_after=soon&x=1');
    expect(queryOf(view)).toBe('state=new');
  });

  it('counts a length of time from now', () => {
    const { created_after } = requestOf(viewFrom('created_within=24h'), now) as { created_after: string };
    expect(created_after).toBe('2026-02-28T12:00:00.000Z');
  });
});

describe('the tokens of the filter', () => {
  it('say the same as the filters', () => {
    fc.assert(
      fc.property(views, ({ filters }) => {
        expect(queryOf({ ...viewFrom(''), filters: filtersOf(tokensOf(filters)) })).toBe(
          queryOf({ ...viewFrom(''), filters }),
        );
      }),
    );
  });

  it('take states by their names, join words and keep the later of two groups', () => {
    const tokens = [
      { propertyKey: 'state', operator: '=' as const, value: 'On hold' },
      { propertyKey: 'state', operator: '=' as const, value: ['new'] },
      { propertyKey: 'assignment_group', operator: '=' as const, value: 'network' },
      { propertyKey: 'assignment_group', operator: '=' as const, value: 'messaging' },
      { operator: ':' as const, value: 'mail' },
      { operator: ':' as const, value: 'relay' },
    ];
    expect(filtersOf({ tokens, operation: 'and' })).toEqual({
      state: ['new', 'on_hold'],
      priority: [],
      assignment_group: 'messaging',
      q: 'mail relay',
    });
  });
});

describe('quick views', () => {
  const known = quickViews('ada@example.com');

  it('are recognised in the address that they lead to', () => {
    for (const { id, filters } of known) {
      expect(quickViewOf(viewFrom(queryOf({ ...viewFrom(''), filters })), known)).toBe(id);
    }
  });

  it('are not claimed for other filters', () => {
    expect(quickViewOf(viewFrom('q=mail'), known)).toBeNull();
    expect(quickViewOf(viewFrom('created_within=24h'), known)).toBeNull();
  });
});
