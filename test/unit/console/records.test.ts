import { formatTotal, loadWholePage } from '../../../console/base/paging.ts';
import { parseItems } from '../../../console/features/cmdb/pasted-items.ts';
import { loadItemNames, nameItems } from '../../../console/records/item-names.ts';
import {
  findView,
  formatAddress,
  fromTokens,
  type ListAddress,
  parseAddress,
  toListRequest,
  toTokens,
} from '../../../console/records/list-address.ts';
import { type FieldSpec, toCreation, toDraft, toPatch } from '../../../console/records/record-draft.ts';
import {
  incidentViews,
  priorities,
  incidentListSpec as spec,
  states,
} from '../../../console/resources/incident-words.ts';
import { incidentListQuery } from '../../../contract/incidents.ts';
import fc from '../../support/properties.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');

const words = fc.stringMatching(/^(?:[a-z0-9ä][a-z0-9@. ,&=%+äß-]{0,20})?$/).map((text) => text.trim());

const addresses: fc.Arbitrary<ListAddress> = fc.record({
  filters: fc
    .record({
      state: fc.subarray([...states]).map((chosen) => chosen.join(',')),
      priority: fc.subarray([...priorities]).map((chosen) => chosen.join(',')),
      assignment_group: words,
      assigned_to: words,
      category: words,
      q: words,
      created: fc.constantFrom<Record<string, string>>(
        {},
        { created_within: '24h' },
        { created_after: '2026-01-01T00:00:00Z', created_before: '2026-02-01T00:00:00Z' },
        { created_before: '2026-02-01' },
      ),
    })
    .map(({ created, ...rest }) => ({
      ...Object.fromEntries(Object.entries(rest).filter(([, text]) => text !== '')),
      ...created,
    })),
  sort: fc.constantFrom('created_at', 'priority', 'updated_at'),
  order: fc.constantFrom('asc', 'desc'),
  page: fc.integer({ min: 1, max: 50 }),
});

describe('the URL of a list', () => {
  it('survives formatting and parsing', () => {
    fc.assert(
      fc.property(addresses, (address) => expect(parseAddress(formatAddress(address, spec), spec)).toEqual(address)),
    );
  });

  it('becomes a request that the service accepts', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        const request = Object.entries(toListRequest(address, now)).map(([name, value]) => [name, String(value)]);
        expect(incidentListQuery.safeParse(Object.fromEntries(request)).error).toBeUndefined();
      }),
    );
  });

  it('shows the most urgent open records when it is empty', () => {
    const request = {
      state: 'new,in_progress,on_hold,reopened',
      sort: 'priority',
      order: 'asc',
      page: 1,
      limit: 50,
    };
    expect(toListRequest(parseAddress('', spec), now)).toEqual(request);
    expect(parseAddress('sort=priority&page=3', spec).filters).toEqual(spec.defaultFilters);
    expect(parseAddress('state=all', spec).filters).toEqual({});
    expect(parseAddress('q=mail', spec).filters).toEqual({ q: 'mail' });
  });

  it('ignores unknown parameters', () => {
    const query = 'state=new,broken&priority=P9&page=-1&limit=7&sort=id&order=up&created_after=soon&x=1';
    expect(formatAddress(parseAddress(query, spec), spec)).toBe('state=new');
  });

  it('counts a length of time from now', () => {
    const request = toListRequest(parseAddress('created_within=24h', spec), now);
    expect(request).toMatchObject({ created_after: '2026-02-28T12:00:00.000Z' });
    expect(request).not.toHaveProperty('created_within');
  });
});

describe('filter tokens', () => {
  it('contain the same as the filters, except for dates', () => {
    fc.assert(
      fc.property(addresses, ({ filters }) => {
        const expected = Object.entries(filters).filter(([name]) => !name.startsWith('created_'));
        expect(fromTokens(toTokens(filters, spec), spec)).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it('accept the names of states, join words and keep the later of two groups', () => {
    const tokens = [
      { key: 'state', values: ['On hold'] },
      { key: 'state', values: ['new'] },
      { key: 'assignment_group', values: ['network'] },
      { key: 'assignment_group', values: ['messaging'] },
      { values: ['mail'] },
      { values: ['relay'] },
    ];
    expect(fromTokens(tokens, spec)).toEqual({ state: 'new,on_hold', assignment_group: 'messaging', q: 'mail relay' });
  });
});

describe('a link with filters that the page does not offer', () => {
  it('keeps these filters, also when another filter changes', () => {
    const { filters } = parseAddress('ci_id=CI0000042&missing=category&state=all', spec);
    expect(filters).toEqual({ ci_id: 'CI0000042', missing: 'category' });
    const related = { opened_by: 'ada@example.com', depends_on: 'CI0000042', needed_by: 'CI0000007' };
    expect(parseAddress(new URLSearchParams(related).toString(), spec).filters).toEqual(related);
    expect(fromTokens(toTokens(filters, spec), spec)).toEqual(filters);
  });
});

describe('incident views', () => {
  const views = incidentViews('ada@example.com');
  const find = (query: string) => findView(views, parseAddress(query, spec).filters)?.id;

  it('are recognized by their URL', () => {
    const empty = parseAddress('', spec);
    for (const { id, filters } of views) expect(find(formatAddress({ ...empty, filters }, spec))).toBe(id);
  });

  it('do not match other filters', () => {
    expect(find('q=mail')).toBeUndefined();
    expect(find('created_within=24h')).toBeUndefined();
  });
});

describe('formatTotal', () => {
  it('marks a lower bound', () => {
    expect(formatTotal({ total: 1234 })).toBe('1,234');
    expect(formatTotal({ total: 1234, total_is_exact: true })).toBe('1,234');
    expect(formatTotal({ total: 10_000, total_is_exact: false })).toBe('10,000+');
  });
});

describe('loadWholePage', () => {
  it('follows the cursor when the service ended a numbered page early', async () => {
    const requests: object[] = [];
    const responses = [
      { data: ['a', 'b'], next_cursor: 'behind b', total: 9 },
      { data: ['c'], next_cursor: 'behind c', total: 9 },
    ];
    const page = await loadWholePage({ page: 2, limit: 3, sort: 'created_at' }, async (request) => {
      requests.push(request);
      return responses[requests.length - 1]!;
    });
    expect(page).toEqual({ data: ['a', 'b', 'c'], next_cursor: 'behind c', total: 9 });
    expect(requests).toEqual([
      { page: 2, limit: 3, sort: 'created_at' },
      { cursor: 'behind b', limit: 1, sort: 'created_at' },
    ]);
  });
});

describe('the draft of a record', () => {
  const fields: FieldSpec[] = [
    { name: 'name', kind: 'summary' },
    { name: 'owner', kind: 'line' },
    { name: 'ci_ids', kind: 'cis' },
    { name: 'relations', kind: 'relations' },
    { name: 'attributes', kind: 'json' },
  ];
  const record = {
    name: 'web-01',
    owner: 'platform',
    ci_ids: ['CI1', 'CI2'],
    relations: [{ type: 'runs_on', ci_id: 'CI0000007' }],
    attributes: { cpus: 8, os: { name: 'Debian' } },
  };

  it('contains a whole record without changes', () => {
    expect(toPatch(toDraft(record, fields), record, fields)).toEqual({});
    expect(toCreation(toDraft(record, fields), fields)).toEqual(record);
  });

  it('lists removed names of an object, because objects are merged', () => {
    const draft = { ...toDraft(record, fields), attributes: '{"cpus": 16}', owner: '', ci_ids: 'CI2' };
    expect(toPatch(draft, record, fields)).toEqual({
      attributes: { cpus: 16, os: null },
      owner: null,
      ci_ids: ['CI2'],
    });
  });

  it.each(['{', '[]', '"x"', 'null'])('rejects %s as an object', (text) => {
    const draft = { ...toDraft(record, fields), attributes: text };
    expect(() => toPatch(draft, record, fields)).toThrow('The field attributes must be a JSON object');
  });
});

describe('items that were pasted', () => {
  it('are parsed from spreadsheets and files', () => {
    const items = [
      { name: 'a, "b"', class: 'server' },
      { name: 'c', class: 'host', ip_address: '10.0.0.1' },
    ];
    expect(parseItems('Name,Class,IP address\n"a, ""b""",server,\n\nc,host,10.0.0.1\n')).toEqual(items);
    expect(parseItems('name\tclass\tip_address\r\na, """b"""\tserver\r\nc\thost\t10.0.0.1')).toMatchObject([
      { class: 'server' },
      items[1]!,
    ]);
  });

  it.each([
    ['name,colour\na,red', 'Unknown fields in the header row: colour.'],
    ['name\na', 'The header row must include name and class.'],
    ['name,class\na,b,c', 'Row 2 has more values than the header row has fields.'],
    ['', 'The header row'],
  ])('rejects %j', (text, why) => {
    expect(() => parseItems(text)).toThrow(why);
  });
});

describe('configuration items in a history', () => {
  const entry = { changes: { ci_ids: { from: null, to: ['CI0000001', 'CI0000002'] } } };
  const load = (listCis: unknown) =>
    loadItemNames({ listCis } as Parameters<typeof loadItemNames>[0], [entry], AbortSignal.timeout(1_000));

  it('have their names, and their ids where the name is unknown', async () => {
    const queries: unknown[] = [];
    const names = await load(async (query: unknown) => {
      queries.push(query);
      return { data: [{ id: 'CI0000001', name: 'vpn-gateway-1' }] };
    });
    expect(queries).toEqual([{ id: 'CI0000001,CI0000002', limit: 100 }]);
    expect(nameItems('Runs on CI0000001, CI0000002', names)).toBe('Runs on vpn-gateway-1, CI0000002');
  });

  it('have their ids when the names cannot be loaded', async () => {
    const names = await load(async () => Promise.reject(new Error('offline')));
    expect(nameItems('CI0000001', names)).toBe('CI0000001');
  });
});
