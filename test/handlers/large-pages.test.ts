import { becomes } from '../support/becomes.ts';
import { anIncident, startTestService } from '../support/incidents.ts';

// Records with the largest accepted texts: at the default limit, a list of them exceeds Lambda's response size.

let id: string;

const manyRows = 30;
/** 128 KB in UTF-8, with a number that makes it unique. */
const largeText = (index: number) => `${index} ${'🔥'.repeat(31_990)}`;

const runInOrder = async (work: (index: number) => Promise<{ status: number }>) => {
  for (let index = 0; index < manyRows; index++) expect((await work(index)).status).toBeLessThan(300);
};

const { manager } = await startTestService('manager');
beforeAll(async () => {
  id = (await anIncident(manager)).body.id;
  await runInOrder((index) => manager.patch(`/incidents/${id}`, { description: largeText(index) }));
}, 60_000);

interface Page {
  data: Record<string, unknown>[];
  next_cursor?: string;
  total: number;
}

/** Reads all pages of a list. */
async function readPages(path: string, from?: string): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor = from;
  do {
    const { status, body } = await manager.get(`${path}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    expect({ path, status }).toEqual({ path, status: 200 });
    pages.push(body);
    cursor = body.next_cursor;
  } while (cursor !== undefined && pages.length < 100);
  return pages;
}

const expectWhole = (pages: readonly Page[], total: number, key: string) => {
  const rows = pages.flatMap(({ data }) => data.map((row) => row[key]));
  expect(pages.length).toBeGreaterThan(1);
  expect([rows.length, new Set(rows).size]).toEqual([total, total]);
  expect(new Set(pages.map((page) => page.total))).toEqual(new Set([total]));
};

describe('lists of large records', () => {
  it('end a page of history early without losing entries', async () => {
    const pages = await readPages(`/incidents/${id}/history?limit=200`);
    expectWhole(pages, manyRows + 1, 'version');
    expect((await manager.get(`/incidents/${id}/history`)).status).toBe(200);
  });

  it('end a page of events early without a gap', async () => {
    // Events are stored shortly after the writes that they describe.
    await becomes(async () => (await manager.get('/events?limit=1')).body.latest > manyRows, true);
    const sequences: number[] = [];
    let after = 0;
    let responses = 0;
    for (let latest = Number.POSITIVE_INFINITY; after < latest && responses < 100; responses++) {
      const { status, body } = await manager.get(`/events?after=${after}&limit=200`);
      expect(status).toBe(200);
      sequences.push(...body.data.map(({ sequence }: { sequence: number }) => sequence));
      ({ next_after: after, latest } = body);
    }
    expect(responses).toBeGreaterThan(1);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect(sequences.length).toBeGreaterThan(manyRows);
  });

  it('end a page of notes early', async () => {
    await runInOrder((index) => manager.post(`/incidents/${id}/notes`, { body: largeText(index) }));
    expectWhole(await readPages(`/incidents/${id}/notes?limit=200`), manyRows, 'id');
  });

  it('end a page of webhooks early', async () => {
    const mapping = (template: string) =>
      Object.fromEntries(['short_description', 'description', 'category'].map((field) => [field, template]));
    // Just below the limits of filters, mappings and rules.
    const filters = [{ field: 'f', operator: 'eq', value: '🔥'.repeat(950) }];
    const field_mapping = mapping('🔥'.repeat(1_200));
    const rules = [1, 2].map(() => ({
      when: filters,
      action: 'create_incident',
      field_mapping: mapping('🔥'.repeat(800)),
    }));
    const settings = { action: 'create_incident', field_mapping, filters, rules };
    for (const round of [1, 2, 3])
      await runInOrder((index) =>
        manager.post('/webhooks/inbound', { name: `Monitor ${round} ${index}`, ...settings }),
      );
    expectWhole(await readPages('/webhooks/inbound?limit=200'), 3 * manyRows, 'id');
  });

  it('end a numbered page early and continue it by cursor', async () => {
    await runInOrder((index) =>
      manager.post('/incidents', {
        short_description: `Large ${index}`,
        category: 'large',
        description: largeText(index),
      }),
    );
    const { status, body } = await manager.get('/incidents?category=large&page=1&limit=200');
    expect([status, body.total]).toEqual([200, manyRows]);
    expect(body.data.length).toBeLessThan(manyRows);
    const rest = await readPages('/incidents?category=large&limit=200', body.next_cursor);
    expectWhole([body, ...rest], manyRows, 'id');
  });
});
