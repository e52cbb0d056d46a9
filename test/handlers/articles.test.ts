import { call, expectProblem } from '../support/http.ts';
import { type Fields, startTestService } from '../support/incidents.ts';

const path = '/knowledge/articles';

const { service, manager, agent, viewer } = await startTestService('manager', 'agent', 'viewer');

async function anArticle(fields: Fields = {}) {
  const response = await manager.post(path, {
    title: 'Printer jams',
    body: 'Clean it.',
    state: 'published',
    ...fields,
  });
  expect(response.status).toBe(201);
  return response;
}

/** Articles that no other test sees: they have a category of their own. */
let categories = 0;
async function createArticles(all: readonly Fields[]): Promise<{ category: string; ids: string[] }> {
  const category = `kb-${++categories}`;
  const ids: string[] = [];
  for (const each of all) ids.push((await anArticle({ category, ...each })).body.id);
  return { category, ids };
}

async function list(query: Record<string, string | number>, api = viewer) {
  const response = await api.get(`${path}?${new URLSearchParams(query as Record<string, string>)}`);
  expect(response.status).toBe(200);
  return { ...response.body, ids: response.body.data.map(({ id }: { id: string }) => id) };
}

describe('createArticle', () => {
  it('returns the article with unchanged text, as a draft by default', async () => {
    const body = '# Title\n\n- a  \n- b\n\n```\n<b>&\n```\n';
    const response = await manager.post(path, { title: 'How to', body });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^KB[0-9A-HJKMNP-TV-Z]{7}$/),
      title: 'How to',
      body,
      state: 'draft',
      category: null,
      tags: [],
      created_by: 'manager@clients.incidents.localhost',
      published_at: null,
      deleted: false,
      created_at: expect.any(String),
      updated_at: response.body.created_at,
    });
    expect(response.headers.get('location')).toBe(`/prod/api/v1${path}/${response.body.id}`);
    expect((await manager.get(`${path}/${response.body.id}`)).body).toEqual(response.body);
  });

  it('lists all problems', async () => {
    const response = await manager.post(path, {
      title: '',
      tags: ['a', 'a', 'x,y'],
      state: 'final',
      id: 'KB1',
      extra: 1,
    });
    expectProblem(response, 400, 'invalid_input');
    const named = response.body.errors.map(({ field }: { field: string }) => field);
    for (const field of ['title', 'body', 'tags', 'tags[2]', 'state', 'id', 'extra']) expect(named).toContain(field);
  });

  it('returns the first response for the same idempotency key', async () => {
    const key = { 'idempotency-key': 'article-1' };
    const first = await manager.post(path, { title: 'a', body: 'b' }, key);
    const again = await manager.post(path, { title: 'a', body: 'b' }, key);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('access to articles', () => {
  it('lets only managers publish and change what is published', async () => {
    const { body } = await anArticle();
    for (const api of [agent, viewer]) {
      expectProblem(await api.post(path, { title: 'a', body: 'b', state: 'published' }), 403, 'forbidden');
      expectProblem(await api.patch(`${path}/${body.id}`, { title: 'x' }), 403, 'forbidden');
      expectProblem(await api.patch(`${path}/${body.id}`, { state: 'draft' }), 403, 'forbidden');
      expectProblem(await api.delete(`${path}/${body.id}`), 403, 'forbidden');
      expect((await api.get(`${path}/${body.id}`)).status).toBe(200);
    }
    expectProblem(await viewer.get(`${path}/${body.id}/history`), 403, 'forbidden');
    expectProblem(await viewer.post(path, { title: 'a', body: 'b' }), 403, 'forbidden');
  });

  it('lets agents write drafts for managers to publish', async () => {
    const { body } = await agent.post(path, { title: 'a', body: 'b' });
    const where = `${path}/${body.id}`;
    expect((await agent.patch(where, { title: 'c' })).body).toMatchObject({ title: 'c', state: 'draft' });
    expectProblem(await agent.patch(where, { state: 'published' }), 403, 'forbidden');
    expect((await manager.patch(where, { state: 'published' })).body.state).toBe('published');
    expect((await agent.get(`${where}/history`)).body.total).toBe(3);
  });

  it('requires a token for every operation', async () => {
    for (const [method, where] of [
      ['GET', path],
      ['POST', path],
      ['GET', `${path}/KB0000000`],
      ['PATCH', `${path}/KB0000000`],
      ['DELETE', `${path}/KB0000000`],
      ['GET', `${path}/KB0000000/history`],
    ] as const) {
      expectProblem(await call(service, `/v1${where}`, { method }), 401, 'unauthorized');
    }
  });

  it('hides drafts from viewers, also in lists, totals and searches', async () => {
    const { category, ids } = await createArticles([{}, { state: 'draft', title: 'Secretplan' }]);
    expectProblem(await viewer.get(`${path}/${ids[1]}`), 404, 'not_found');
    expect(await list({ category })).toMatchObject({ ids: [ids[0]], total: 1 });
    expect(await list({ category, state: 'draft' })).toMatchObject({ ids: [], total: 0 });
    expect(await list({ category, q: 'secretplan' })).toMatchObject({ ids: [], total: 0 });
    for (const api of [agent, manager]) {
      expect((await api.get(`${path}/${ids[1]}`)).status).toBe(200);
      expect((await list({ category }, api)).total).toBe(2);
      expect((await list({ category, state: 'draft' }, api)).ids).toEqual([ids[1]]);
    }
  });
});

describe('updateArticle', () => {
  it('publishes and unpublishes, with timestamps and history', async () => {
    const { body, headers } = await anArticle({ state: 'draft' });
    const where = `${path}/${body.id}`;
    const published = await manager.patch(where, { state: 'published', tags: ['x'] });
    expect(published.body).toMatchObject({ state: 'published', tags: ['x'], published_at: published.body.updated_at });
    expect((await viewer.get(where)).status).toBe(200);
    expectProblem(
      await manager.patch(where, { title: 'y' }, { 'if-match': headers.get('etag')! }),
      412,
      'precondition_failed',
    );
    expect((await manager.patch(where, { state: 'draft' })).body.published_at).toBeNull();
    expectProblem(await viewer.get(where), 404, 'not_found');
    const { body: history } = await manager.get(`${where}/history`);
    expect(history.total).toBe(3);
    expect(history.data[1].changes).toMatchObject({ tags: { from: [], to: ['x'] } });
  });

  it('rejects null for a required field', async () => {
    const { body } = await anArticle();
    const response = await manager.patch(`${path}/${body.id}`, { title: null, body: null, tags: null, category: null });
    expectProblem(response, 400, 'invalid_input', ['title', 'body', 'tags']);
  });
});

describe('getArticle and deleteArticle', () => {
  it('returns 304 for a known ETag, and 404 after the deletion', async () => {
    const { body, headers } = await anArticle();
    const where = `${path}/${body.id}`;
    expect((await viewer.get(where, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
    expect((await manager.delete(where)).status).toBe(204);
    expectProblem(await manager.get(where), 404, 'not_found');
    expect((await manager.get(`${where}?include_deleted=true`)).body.deleted).toBe(true);
    expectProblem(await viewer.get(`${where}?include_deleted=true`), 403, 'forbidden');
    expectProblem(await viewer.get(`${path}/nonsense`), 404, 'not_found');
  });
});

describe('listArticles', () => {
  it('filters by all given tags, ignoring case', async () => {
    const { category, ids } = await createArticles([
      { tags: ['VPN', 'remote work'] },
      { tags: ['vpn'] },
      { tags: ['remote'] },
    ]);
    expect((await list({ category, tags: 'vpn' })).total).toBe(2);
    expect((await list({ category, tags: 'vpn, Remote Work' })).ids).toEqual([ids[0]]);
    expect((await list({ category, tags: 'work' })).total).toBe(0);
  });

  it('ranks title over tags over body, and rare words over common ones', async () => {
    const { category, ids } = await createArticles([
      { title: 'One', body: 'something about quokka and paper' },
      { title: 'Two', tags: ['quokka'], body: 'paper' },
      { title: 'Quokka', body: 'paper paper paper' },
      { title: 'Paper', body: 'paper' },
    ]);
    expect((await list({ category, q: 'QUOKKA' })).ids).toEqual([ids[2], ids[1], ids[0]]);
    expect((await list({ category, q: 'quokka', order: 'asc' })).ids).toEqual([ids[0], ids[1], ids[2]]);
    expect((await list({ category, q: ids[3]!.toLowerCase() })).ids).toEqual([ids[3]]);
  });

  it('ranks an article with the complete code first', async () => {
    const { category, ids } = await createArticles([
      { body: 'In room 201 the key F5 does nothing. F5, F5, 201, 201.' },
      { body: 'It ends with F5-201.' },
    ]);
    expect((await list({ category, q: 'error F5-201' })).ids[0]).toBe(ids[1]);
  });

  it('returns articles with most of the words if none has all of them', async () => {
    const { category, ids } = await createArticles([
      { title: 'Kestrel tunnel ends', body: 'Lower the zephyr.' },
      { title: 'Kestrel', body: 'no more' },
    ]);
    const found = await list({ category, q: 'kestrel tunnel zephyr nosuchwordatall' });
    expect(found).toMatchObject({ ids: [ids[0]], total: 1 });
  });

  it('returns every article of a search once while articles are added', async () => {
    const { category, ids } = await createArticles(
      Array.from({ length: 9 }, (_, n) => ({ title: n % 3 ? 'Walrus' : 'Other', body: 'walrus ice' })),
    );
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 5; page++) {
      const response = await list({ category, q: 'walrus ice', limit: 2, ...(cursor && { cursor }) });
      seen.push(...response.ids);
      cursor = response.next_cursor ?? '';
      // New articles in another category change the weights of the words, but not of a search that has started.
      await anArticle({ title: 'ice', body: 'ice', category: 'elsewhere' });
    }
    expect([cursor, [...seen].sort()]).toEqual(['', [...ids].sort()]);
    expect(seen.slice(0, 6).sort()).toEqual(ids.filter((_, n) => n % 3).sort());
  });

  it('rejects cursors of another search and unknown parameters', async () => {
    const { category } = await createArticles([{}, {}]);
    const { next_cursor } = await list({ category, q: 'printer', limit: 1 });
    for (const query of [`q=jams&cursor=${next_cursor}`, 'sort=priority', 'tag=x', 'tags=,', 'state=final', 'q=%20']) {
      expectProblem(await viewer.get(`${path}?category=${category}&limit=1&${query}`), 400, 'invalid_input');
    }
  });

  it('lists the newest articles first without a search text', async () => {
    const { category, ids } = await createArticles([{}, {}]);
    expect((await list({ category })).ids).toEqual([...ids].reverse());
    await manager.patch(`${path}/${ids[0]}`, { title: 'changed' });
    expect((await list({ category, sort: 'updated_at' })).ids).toEqual(ids);
  });
});
