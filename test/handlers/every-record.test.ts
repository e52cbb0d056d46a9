import { creations } from '../hostile/pools.ts';
import { call, expectProblem, expectRateHeaders, getToken } from '../support/http.ts';
import { type Api, type Fields, getApi, startTestService } from '../support/incidents.ts';

// The guarantees that all record types share. A new type is one more entry in the list.

interface Kind {
  collection: string;
  idForm: RegExp;
  /** The required fields of a new record. */
  creation(): Fields;
  /** A required, searchable field with one line of text. */
  title: string;
  /** Fields that default to null. */
  unset: readonly string[];
  /** One of them with a value. */
  change: readonly [string, unknown];
  readOnly: readonly string[];
  /** The client that may create and change records. */
  writer: 'agent' | 'manager';
  /** The client that may read histories. The default is the viewer. */
  historian?: 'manager';
}

const common = ['id', 'created_at', 'updated_at', 'deleted'];

const kinds: readonly Kind[] = [
  {
    collection: 'incidents',
    idForm: /^INC[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ short_description: 'Mail is not delivered' }),
    title: 'short_description',
    unset: ['description', 'category', 'assignment_group', 'assigned_to', 'ci_id', 'resolved_at'],
    change: ['category', 'email'],
    readOnly: [...common, 'number', 'opened_by', 'sla_breach_at'],
    writer: 'agent',
  },
  {
    collection: 'changes',
    idForm: /^CHG[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ short_description: 'Renew the certificate' }),
    title: 'short_description',
    unset: ['description', 'planned_start', 'planned_end', 'assignment_group', 'assigned_to', 'decision_by'],
    change: ['assignment_group', 'messaging'],
    readOnly: [...common, 'number', 'requested_by', 'decision_by', 'decision_at', 'decision_note'],
    writer: 'agent',
  },
  {
    collection: 'problems',
    idForm: /^PRB[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ short_description: 'The relay rejects our certificate' }),
    title: 'short_description',
    unset: ['description', 'assignment_group', 'assigned_to', 'root_cause', 'workaround', 'ci_id', 'resolved_at'],
    change: ['assignment_group', 'messaging'],
    readOnly: [...common, 'number', 'opened_by', 'resolved_at', 'closed_at'],
    writer: 'agent',
  },
  {
    collection: 'requests',
    idForm: /^REQ[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ short_description: 'A laptop' }),
    title: 'short_description',
    unset: ['description', 'item', 'requested_for', 'decision_by', 'decision_at', 'decision_note'],
    change: ['item', 'laptop'],
    readOnly: [...common, 'number', 'requested_by', 'decision_by'],
    writer: 'agent',
  },
  {
    collection: 'cmdb/cis',
    idForm: /^CI\d{7}$/,
    creation: () => ({ name: `web-${createWord()}`, class: 'server' }),
    title: 'name',
    unset: ['environment', 'owner', 'location', 'ip_address', 'discovered_at'],
    change: ['environment', 'production'],
    readOnly: [...common, 'discovered_at'],
    writer: 'agent',
  },
  {
    collection: 'schedules',
    idForm: /^SCH[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ ...creations['/schedules'] }),
    title: 'name',
    unset: ['description', 'calendar_key_created_at'],
    change: ['description', 'Backbone and sites'],
    readOnly: [...common, 'number', 'calendar_key_created_at'],
    writer: 'manager',
  },
  {
    collection: 'escalation-policies',
    idForm: /^ESC[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ ...creations['/escalation-policies'] }),
    title: 'name',
    unset: ['description', 'acknowledgement_expires_minutes'],
    change: ['description', 'Outages of the backbone'],
    readOnly: [...common, 'number'],
    writer: 'manager',
  },
  {
    collection: 'calendars',
    idForm: /^CAL[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ ...creations['/calendars'] }),
    title: 'name',
    unset: ['description'],
    change: ['description', 'Without the shop floor'],
    readOnly: [...common, 'number'],
    writer: 'manager',
  },
  {
    collection: 'sla-policies',
    idForm: /^SLA[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ ...creations['/sla-policies'] }),
    title: 'name',
    unset: ['description', 'assignment_group', 'priority', 'calendar_id', 'acknowledge_minutes'],
    change: ['description', 'For the whole company'],
    readOnly: [...common, 'number'],
    writer: 'manager',
  },
  {
    collection: 'knowledge/articles',
    idForm: /^KB[0-9A-HJKMNP-TV-Z]{7}$/,
    creation: () => ({ title: 'How to set the MTU', body: 'Set it to **1380**.', state: 'published' }),
    title: 'title',
    unset: ['category'],
    change: ['category', 'network'],
    readOnly: [...common, 'created_by', 'published_at'],
    writer: 'manager',
    historian: 'manager',
  },
];

let apis: Record<'agent' | 'manager' | 'viewer', Api>;
const { service } = await startTestService();
beforeAll(async () => {
  const [agent, manager, viewer] = await Promise.all(
    (['agent', 'manager', 'viewer'] as const).map((name) => getApi(service, name)),
  );
  apis = { agent: agent!, manager: manager!, viewer: viewer! };
});

let words = 0;
/** A word that no other record has. */
const createWord = () => `word${++words}x${process.pid}`;

describe.each(kinds)('/$collection', (kind) => {
  const { collection, creation, title, change } = kind;
  const path = `/${collection}`;
  const [field, value] = change;
  const writer = () => apis[kind.writer];
  const create = async (fields: Fields = {}) => {
    const response = await writer().post(path, { ...creation(), ...fields });
    expect(response.status).toBe(201);
    return { id: response.body.id as string, one: `${path}/${response.body.id}`, ...response };
  };
  const historian = () => apis[kind.historian ?? 'viewer'];
  const listFields = (body: { errors: { field: string }[] }) => body.errors.map((problem) => problem.field).sort();

  it('returns the created record with Location and ETag', async () => {
    const { id, one, body, headers } = await create();
    expect(id).toMatch(kind.idForm);
    expect(headers.get('location')).toBe(`/prod/api/v1${one}`);
    const read = await apis.viewer.get(one);
    expect(read).toMatchObject({ status: 200, body });
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    const alias = await call(service, one, { token: await getToken(service, 'viewer') });
    expect(alias.body).toEqual(body);
  });

  it('returns unset fields as null', async () => {
    const [bare, fuller, empty] = [await create(), await create({ [field]: value }), await create({ [field]: '' })];
    for (const name of kind.unset) expect([name, bare.body[name]]).toEqual([name, null]);
    expect([empty.body[field], Object.keys(fuller.body)]).toEqual([null, Object.keys(bare.body)]);
    await writer().patch(empty.one, { [field]: value });
    const emptied = await writer().patch(empty.one, { [field]: '' });
    expect([emptied.status, emptied.body[field]]).toEqual([200, null]);
    const cleared = await writer().patch(fuller.one, { [field]: null });
    expect([cleared.status, cleared.body[field]]).toEqual([200, null]);
    const listed = await apis.viewer.get(`${path}?limit=1`);
    expect(Object.keys(listed.body.data[0])).toEqual(Object.keys(bare.body));
  });

  it('rejects unknown and read-only fields and parameters, and lists all of them', async () => {
    const { one } = await create();
    const wrong = Object.fromEntries([...kind.readOnly, 'colour'].map((name) => [name, 'x']));
    const responses = [await writer().post(path, { ...creation(), ...wrong }), await writer().patch(one, wrong)];
    for (const response of responses) {
      expectProblem(response, 400, 'invalid_input');
      expect(listFields(response.body)).toEqual(Object.keys(wrong).sort());
      expect(response.body.errors).toContainEqual({ field: 'colour', message: 'is not a known field' });
      expect(response.body.errors).toContainEqual({ field: 'id', message: 'is read-only' });
    }
    for (const address of [`${path}?colour=red`, `${one}?colour=red`, `${one}/history?colour=red`]) {
      const response = await historian().get(address);
      expectProblem(response, 400, 'invalid_input');
      expect(response.body.errors).toEqual([{ field: 'colour', message: 'is not a known parameter' }]);
    }
  });

  it('rejects malformed JSON and missing or null required fields', async () => {
    const token = await getToken(service, kind.writer);
    const raw = (body: string, type = 'application/json') =>
      call(service, `/v1${path}`, { method: 'POST', token, body, headers: { 'content-type': type } });
    expectProblem(await raw('{'), 400, 'malformed_json');
    expectProblem(await raw(''), 400, 'malformed_json');
    expectProblem(await raw(JSON.stringify(creation()), 'text/plain'), 415, 'unsupported_media_type');
    const { [title]: _, ...untitled } = creation();
    for (const body of [untitled, { ...untitled, [title]: null }, { ...untitled, [title]: '' }]) {
      const response = await writer().post(path, body);
      expectProblem(response, 400, 'invalid_input');
      expect(listFields(response.body)).toEqual([title]);
    }
  });

  it('returns 304 for the current ETag and 412 for an older one', async () => {
    const { one, headers } = await create();
    const first = headers.get('etag')!;
    const known = await apis.viewer.get(one, { 'if-none-match': first });
    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, undefined, first]);
    const changed = await writer().patch(one, { [field]: value }, { 'if-match': first });
    const second = changed.headers.get('etag')!;
    expect([changed.status, second === first]).toEqual([200, false]);
    expect((await apis.viewer.get(one, { 'if-none-match': first })).status).toBe(200);
    for (const late of [
      await writer().patch(one, { [field]: null }, { 'if-match': first }),
      await apis.manager.delete(one, { 'if-match': first }),
    ]) {
      expectProblem(late, 412, 'precondition_failed');
      expect(late.headers.get('etag')).toBe(second);
    }
    expect((await apis.viewer.get(one)).body[field]).toEqual(value);
  });

  it('creates no version for a patch without changes', async () => {
    const { one, body, headers } = await create({ [field]: value });
    const same = await writer().patch(one, { [field]: value });
    expect(same).toMatchObject({ status: 200, body });
    expect(same.headers.get('etag')).toBe(headers.get('etag'));
    expect((await historian().get(`${one}/history`)).body.total).toBe(1);
  });

  it('loses no field in concurrent updates', async () => {
    const { one } = await create();
    const word = createWord();
    const responses = await Promise.all([
      writer().patch(one, { [field]: value }),
      writer().patch(one, { [title]: `A title with ${word}` }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await apis.viewer.get(one)).body).toMatchObject({ [field]: value, [title]: `A title with ${word}` });
    expect((await historian().get(`${one}/history`)).body.total).toBe(3);
  });

  it('replays the response for the same idempotency key, and rejects the key for another request', async () => {
    const key = { 'idempotency-key': createWord() };
    const body = creation();
    expectProblem(await writer().post(path, { ...body, colour: 'red' }, key), 400, 'invalid_input');
    const [first, second] = await Promise.all([writer().post(path, body, key), writer().post(path, body, key)]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    const replayed = [first, second].map(({ headers }) => headers.get('idempotent-replayed'));
    expect(replayed.sort()).toEqual(['true', null].sort());
    const other = await writer().post(path, { ...body, [title]: 'Something else' }, key);
    expectProblem(other, 422, 'idempotency_key_reused');
    expectProblem(await writer().post(path, body, { 'idempotency-key': 'x'.repeat(256) }), 400, 'invalid_input');
  });

  it('lists every record once with the exact total, by page and by cursor', async () => {
    const word = createWord();
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push((await create({ [title]: `A title with ${word}` })).id);
    const get = async (query: string) => {
      const { status, body } = await apis.viewer.get(`${path}?q=${word}&limit=2&${query}`);
      expect([status, body.total]).toEqual([200, 5]);
      return { next: body.next_cursor, ids: body.data.map(({ id }: { id: string }) => id) };
    };
    const pages = [await get('page=1'), await get('page=2'), await get('page=3')];
    const walked = [await get('')];
    while (walked.at(-1)!.next && walked.length < 9) walked.push(await get(`cursor=${walked.at(-1)!.next}`));
    for (const all of [pages, walked]) {
      expect(all.map(({ ids }) => ids.length)).toEqual([2, 2, 1]);
      expect(all.flatMap(({ ids }) => ids).sort()).toEqual([...made].sort());
    }
    expect(walked.at(-1)!.next).toBeUndefined();
    expect((await get('page=4')).ids).toEqual([]);
  });

  it('rejects invalid limits, pages and cursors', async () => {
    const word = createWord();
    for (let count = 0; count < 2; count++) await create({ [title]: `A title with ${word}` });
    const { next_cursor: cursor } = (await apis.viewer.get(`${path}?q=${word}&limit=1`)).body;
    const bad = [
      ...['limit=0', 'limit=201', 'limit=x', 'page=0', 'page=1.5', 'sort=colour', 'order=up', 'created_after=soon'],
      `q=${word}&page=2&cursor=${cursor}`,
      `cursor=${cursor}`,
      `q=${word}&order=asc&cursor=${cursor}`,
      `q=${word}&cursor=${cursor.slice(0, -2)}xx`,
      'cursor=nonsense',
    ];
    for (const query of bad) expectProblem(await apis.viewer.get(`${path}?${query}`), 400, 'invalid_input');
    expect((await apis.viewer.get(`${path}?q=${word}&limit=200&cursor=${cursor}`)).body.data).toHaveLength(1);
    expect((await apis.viewer.get(`${path}?q=${createWord()}`)).body).toEqual({ data: [], total: 0 });
  });

  it('returns a deleted record only to managers who request it', async () => {
    const word = createWord();
    const { one } = await create({ [title]: `A title with ${word}` });
    expectProblem(await apis.viewer.delete(one), 403, 'forbidden');
    const response = await apis.manager.delete(one);
    expect([response.status, response.body]).toEqual([204, undefined]);
    for (const gone of [
      await apis.manager.get(one),
      await writer().patch(one, { [field]: value }),
      await apis.manager.delete(one),
      await apis.manager.get(`${one}/history`),
    ]) {
      expectProblem(gone, 404, 'not_found');
    }
    expect((await apis.viewer.get(`${path}?q=${word}`)).body.total).toBe(0);
    expectProblem(await apis.agent.get(`${one}?include_deleted=true`), 403, 'forbidden');
    expectProblem(await apis.agent.get(`${one}/history?include_deleted=true`), 403, 'forbidden');
    expect((await apis.manager.get(`${one}?include_deleted=true`)).body).toMatchObject({ deleted: true });
    const { data } = (await apis.manager.get(`${one}/history?include_deleted=true`)).body;
    expect(data.at(-1).changes).toEqual({ deleted: { from: false, to: true } });
  });

  it('records who changed which field', async () => {
    const { one, body } = await create();
    const changed = await apis.manager.patch(one, { [field]: value });
    const { data, total } = (await historian().get(`${one}/history`)).body;
    expect(total).toBe(2);
    expect(data[0]).toMatchObject({ version: 1, at: body.created_at, changes: { [title]: { from: null } } });
    expect(data[1]).toEqual({
      version: 2,
      at: changed.body.updated_at,
      actor: 'manager@clients.incidents.localhost',
      origin: { kind: 'api', id: null },
      changes: { [field]: { from: null, to: value } },
    });
    const { next_cursor } = (await historian().get(`${one}/history?limit=1`)).body;
    const rest = (await historian().get(`${one}/history?limit=1&cursor=${next_cursor}`)).body;
    expect(rest).toEqual({ data: [data[1]], total: 2 });
  });

  it('requires a token, and a role to write', async () => {
    const { one } = await create();
    const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
    const everything: [string, string][] = [
      ['GET', path],
      ['POST', path],
      ['GET', one],
      ['PATCH', one],
      ['DELETE', one],
      ['GET', `${one}/history`],
    ];
    for (const [method, address] of everything) {
      const response = await call(service, `/v1${address}`, { method, ...(method === 'GET' ? {} : json) });
      expectProblem(response, 401, 'unauthorized');
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    // Everybody may raise a service request.
    if (path !== '/requests') expectProblem(await apis.viewer.post(path, creation()), 403, 'forbidden');
    expectProblem(await apis.viewer.patch(one, { [field]: value }), 403, 'forbidden');
    if (kind.writer === 'agent') expectProblem(await apis.agent.delete(one), 403, 'forbidden');
  });

  it('returns a request id, rate headers and allowed methods with every response', async () => {
    const { one } = await create();
    const missing = one.replace(/.{7}$/, '0000000');
    for (const [response, status] of [
      [await apis.viewer.get(path), 200],
      [await apis.viewer.get(one), 200],
      [await apis.viewer.get(missing), 404],
      [await apis.viewer.get(`${path}/nonsense`), 404],
    ] as const) {
      expect(response.status).toBe(status);
      expect(response.headers.get('x-request-id')).toMatch(/\S/);
      expectRateHeaders(response);
    }
    const token = await getToken(service, 'viewer');
    const put = await call(service, `/v1${one}`, { method: 'PUT', token });
    expectProblem(put, 405, 'method_not_allowed');
    expect(put.headers.get('allow')!.split(', ').sort()).toEqual(expect.arrayContaining(['DELETE', 'GET', 'PATCH']));
  });
});
