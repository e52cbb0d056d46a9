import type { DynamoDBRecord } from 'aws-lambda';
import { embedderName } from '../../../lambdas/ai/embedding/model-files.ts';
import { dimensions, normalize } from '../../../lambdas/ai/embedding/vector.ts';
import { decodeLearned } from '../../../lambdas/ai/knowledge/learned-item.ts';
import { learnFromRecords, relearnRecords } from '../../../lambdas/ai/learning/learn-from-records.ts';
import {
  createLearnedStore,
  type LearnedStore,
  type LearnedVersion,
  type RelearningCursor,
} from '../../../lambdas/ai/learning/learned-store.ts';
import type { ReadRecords } from '../../../lambdas/lists/record-store.ts';
import type { Item } from '../../../lambdas/records/items.ts';

type Document = Readonly<Record<string, unknown>>;

interface Written {
  document: Document;
  deleted?: boolean;
}

function toImage(type: string, version: number, { document, deleted = false }: Written) {
  return {
    type: { S: type },
    version: { N: String(version) },
    created_at: { S: '2026-01-01T00:00:00.000Z' },
    updated_at: { S: '2026-01-01T00:00:00.000Z' },
    origin: { S: '{"kind":"api","id":null}' },
    document: { S: JSON.stringify(document) },
    ...(deleted && { deleted: { BOOL: true } }),
  };
}

/** The tools in memory: the stored versions, and the texts that were embedded. */
function createLearner() {
  const known = new Map<string, LearnedVersion>();
  const read: string[] = [];
  let cursor: RelearningCursor | undefined;
  const last = new Map<string, { version: number; written: Written }>();
  const learned: LearnedStore = {
    get: async (id) => known.get(id),
    put: async (id, learnedVersion) => {
      if ((known.get(id)?.version ?? 0) >= learnedVersion.version) return false;
      if (id === 'INC-unwritable') throw Object.assign(new Error('no response'), { name: 'TimeoutError' });
      if (id === 'INC-invalid') throw Object.assign(new Error('too large'), { name: 'ValidationException' });
      known.set(id, learnedVersion);
      return true;
    },
    suggestResolution: async () => true,
    withdrawSuggestions: async () => undefined,
    removeFormerVectors: async () => undefined,
    readCursor: async () => cursor,
    writeCursor: async (next) => {
      cursor = next;
    },
  };
  const embed = async (text: string) => {
    read.push(text);
    return normalize(new Float32Array(dimensions).fill(1));
  };
  const rejected: unknown[] = [];
  const tools = {
    embed,
    learned,
    findResolution: async () => undefined,
    sendToDeadLetterQueue: async (entry: unknown) => void rejected.push(entry),
    clock: { now: () => 0 },
    log: () => {},
  };
  const take = async (entry: DynamoDBRecord) => {
    expect(await learnFromRecords({ Records: [entry] }, tools)).toEqual({ batchItemFailures: [] });
  };
  const toEntry = (type: string, id: string, written: Written): DynamoDBRecord => {
    const before = last.get(id);
    const version = (before?.version ?? 0) + 1;
    last.set(id, { version, written });
    return {
      dynamodb: {
        SequenceNumber: String(version),
        Keys: { pk: { S: id }, sk: { S: '#' } },
        NewImage: toImage(type, version, written),
        ...(before && { OldImage: toImage(type, before.version, before.written) }),
      },
    };
  };
  return { known, read, rejected, take, toEntry, tools, shown: (id: string) => decodeLearned(known.get(id)!.listing) };
}

const incident = {
  short_description: 'Mail is late',
  description: null,
  state: 'resolved',
  priority: 'P3',
  category: 'email',
  subcategory: null,
  assignment_group: null,
  parent_problem_id: null,
  resolved_at: '2026-01-01T00:30:00.000Z',
  resolution: 'Queue drained.',
};

const article = {
  title: 'VPN',
  body: 'Before.\n\n## Error 809\n\nA firewall.\n\n## Error 812\n\nA certificate.',
  category: null,
  tags: ['vpn'],
  state: 'published',
};

describe('learnFromRecords', () => {
  it('embeds an article as a whole, passage by passage with the title, and sentence by sentence', async () => {
    const { read, take, toEntry, shown } = createLearner();
    await take(toEntry('article', 'KB1', { document: article }));
    expect(read).toEqual([
      `VPN. vpn. ${article.body}`,
      'VPN. Before.',
      'VPN. Error 809. A firewall.',
      'VPN. Error 812. A certificate.',
      'Before.',
      'A firewall.',
      'A certificate.',
    ]);
    expect(shown('KB1')).toMatchObject({ facts: { kind: 'article', title: 'VPN' }, units: Array(7).fill({}) });
  });

  it('embeds a text again only if it changed, and stores other changes', async () => {
    const { read, take, toEntry, shown } = createLearner();
    await take(toEntry('incident', 'INC1', { document: incident }));
    await take(toEntry('incident', 'INC1', { document: { ...incident, category: 'network', priority: 'P1' } }));
    expect(read).toEqual(['Mail is late']);
    expect(shown('INC1')).toMatchObject({ facts: { category: 'network', priority: 'P1', minutes: 30 } });
    await take(toEntry('incident', 'INC1', { document: { ...incident, short_description: 'Mail is lost' } }));
    expect(read).toEqual(['Mail is late', 'Mail is lost']);
  });

  it('ignores repeated and outdated entries', async () => {
    const { read, take, toEntry, known, shown } = createLearner();
    const first = toEntry('incident', 'INC1', { document: incident });
    const second = toEntry('incident', 'INC1', { document: { ...incident, short_description: 'Mail is lost' } });
    await take(second);
    const before = known.get('INC1');
    await take(second);
    await take(first);
    expect(known.get('INC1')).toBe(before);
    expect(read.filter((text) => text === 'Mail is lost')).toHaveLength(1);
    expect(shown('INC1')!.units).toHaveLength(1);
  });

  it.each<[string, string, Document, Written]>([
    ['a draft', 'article', article, { document: { ...article, state: 'draft' } }],
    ['a deleted article', 'article', article, { document: article, deleted: true }],
    [
      'a cancelled incident',
      'incident',
      incident,
      { document: { ...incident, state: 'cancelled', resolved_at: null } },
    ],
    ['a deleted incident', 'incident', incident, { document: incident, deleted: true }],
  ])('removes %s', async (_name, type, document, written) => {
    const { take, toEntry, shown, read } = createLearner();
    await take(toEntry(type, 'X1', { document }));
    expect(shown('X1')).toBeDefined();
    const reads = read.length;
    await take(toEntry(type, 'X1', written));
    expect(shown('X1')).toBeUndefined();
    expect(read).toHaveLength(reads);
  });

  it('stores that an incident is open', async () => {
    const { take, toEntry, shown } = createLearner();
    await take(
      toEntry('incident', 'INC1', { document: { ...incident, state: 'new', resolved_at: null, resolution: null } }),
    );
    expect(shown('INC1')).toMatchObject({ facts: { open: true, title: 'Mail is late', has_resolution: false } });
  });

  it('writes nothing while the team of an open incident changes, and stores it when the incident is resolved', async () => {
    const { take, toEntry, known, shown } = createLearner();
    const open = { ...incident, state: 'new', resolved_at: null, resolution: null };
    await take(toEntry('incident', 'INC1', { document: open }));
    const before = known.get('INC1');
    await take(toEntry('incident', 'INC1', { document: { ...open, assignment_group: 'mail', subcategory: 'smtp' } }));
    expect(known.get('INC1')).toBe(before);
    await take(
      toEntry('incident', 'INC1', { document: { ...incident, assignment_group: 'mail', subcategory: 'smtp' } }),
    );
    expect(shown('INC1')).toMatchObject({ facts: { assignment_group: 'mail', subcategory: 'smtp' } });
  });

  it.each<[string, string, Written]>([
    ['a draft', 'article', { document: { ...article, state: 'draft' } }],
    ['a cancelled incident', 'incident', { document: { ...incident, state: 'cancelled', resolved_at: null } }],
    ['a change', 'change', { document: { short_description: 'x' } }],
  ])('does not learn %s', async (_name, type, written) => {
    const { take, toEntry, known, read } = createLearner();
    await take(toEntry(type, 'X1', written));
    expect([known.size, read.length]).toEqual([0, 0]);
  });
});

describe('a batch of entries', () => {
  it('learns the last version of each record and embeds no text twice', async () => {
    const { known, read, shown, toEntry, tools } = createLearner();
    const Records = [
      toEntry('incident', 'INC1', { document: incident }),
      toEntry('incident', 'INC2', { document: { ...incident, short_description: 'Disk is full' } }),
      toEntry('incident', 'INC1', { document: { ...incident, priority: 'P1' } }),
    ];
    expect(await learnFromRecords({ Records }, tools)).toEqual({ batchItemFailures: [] });
    expect(read).toEqual(['Mail is late', 'Disk is full']);
    expect(known.get('INC1')).toMatchObject({ version: 2 });
    expect(shown('INC1')).toMatchObject({ facts: { priority: 'P1' } });
  });

  it('is redelivered from the first unwritten entry; the others are learned', async () => {
    const { known, toEntry, tools } = createLearner();
    const Records = ['INC1', 'INC-unwritable', 'INC2'].map((id, index) => {
      const entry = toEntry('incident', id, { document: incident });
      return { dynamodb: { ...entry.dynamodb, SequenceNumber: String(index) } };
    });
    expect(await learnFromRecords({ Records }, tools)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect([...known.keys()]).toEqual(['INC1', 'INC2']);
  });

  it('continues after an entry that can never be written', async () => {
    const { known, rejected, toEntry, tools } = createLearner();
    const Records = ['INC1', 'INC-invalid', 'INC2'].map((id) => toEntry('incident', id, { document: incident }));
    expect(await learnFromRecords({ Records }, tools)).toEqual({ batchItemFailures: [] });
    expect(rejected).toEqual([Records[1]]);
    expect([...known.keys()]).toEqual(['INC1', 'INC2']);
  });
});

describe('removeFormerVectors', () => {
  it('removes the vectors of former embedders, which learn the record again after a rollback', async () => {
    const current = {
      pk: { S: 'INC1' },
      sk: { S: `chunk#${embedderName}` },
      version: { N: '3' },
      text_hash: { S: '' },
      listing: { B: Uint8Array.of(2, 0, 0) },
    };
    const former = {
      pk: { S: 'INC1' },
      sk: { S: 'chunk#former' },
      version: { N: '2' },
      feed_pk: { S: 'chunk.former#0' },
    };
    const items = new Map<string, Item>([current, former].map((item) => [item.sk.S, item]));
    const writes: Item[] = [];
    const store = createLearnedStore({
      get: async (_pk, sk) => items.get(sk),
      range: async () => [...items.values()],
      transact: async ([write]) => {
        const item = write && 'put' in write ? (write.put.Item ?? {}) : {};
        writes.push(item);
        items.set(item.sk?.S ?? '', item);
        return { kind: 'written' };
      },
    });
    // DynamoDB never deletes an item that expired more than five years ago, so the time must be the current one.
    await store.removeFormerVectors('INC1', Date.parse('2026-03-01'));
    const expired = { expires_at: { N: '1772323200' } };
    expect(writes).toEqual([
      { pk: { S: 'relearning#former' }, sk: { S: 'cursor' }, ...expired },
      { pk: { S: 'INC1' }, sk: { S: 'chunk#former' }, ...expired },
    ]);
    await store.removeFormerVectors('INC1', Date.parse('2026-03-02'));
    expect(writes).toHaveLength(2);
    expect(await store.get('INC1')).toMatchObject({ version: 3 });
  });
});

describe('relearning after a change of the embedder', () => {
  const documents = new Map<string, { version: number; document: Document }>([
    ...Array.from({ length: 60 }, (_, index) => [`INC${index}`, { version: 1, document: incident }] as const),
    ['KB1', { version: 3, document: article }],
    ['KB2', { version: 1, document: { ...article, state: 'draft' } }],
  ]);
  const readFeed = (prefix: string) => ({
    shards: 1,
    async *pages(_: number, behind: string) {
      const keys = [...documents.keys()].filter((id) => id.startsWith(prefix)).map((id) => toKey(id));
      yield keys
        .sort()
        .filter((key) => key > behind)
        .map((key) => ({ key, listing: new Uint8Array() }));
    },
  });
  const toKey = (id: string) => `2026-01-01T00:00:${id.replace(/\D/g, '').padStart(2, '0')}.000Z#${id}`;
  const read = (async (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const found = documents.get(id);
      return found ? [{ record: { id, created_at: '2026-01-01T00:00:00.000Z', ...found }, bytes: 1, feedKey: '' }] : [];
    })) as ReadRecords;

  it('learns everything once, in bounded runs that continue each other', async () => {
    const { known, read: texts, tools } = createLearner();
    let nowMs = 0;
    const clock = { now: () => nowMs };
    const feeds = { incident: readFeed('INC'), article: readFeed('KB'), problem: readFeed('PRB') };
    const { put } = tools.learned;
    tools.learned.put = (...given) => {
      nowMs += 1_500;
      return put(...given);
    };
    const run = () => relearnRecords({ ...tools, feeds, read, clock });
    expect(await run()).toBe(50);
    expect(known.size).toBe(50);
    expect(await run()).toBe(12);
    expect(known.size).toBe(61);
    expect(known.get('KB1')).toMatchObject({ version: 3 });
    expect(known.has('KB2')).toBe(false);
    const embedded = texts.length;
    expect(await run()).toBe(0);
    expect(texts).toHaveLength(embedded);
  });

  it('skips known versions, and never replaces a later one', async () => {
    const { known, read: texts, tools } = createLearner();
    known.set('INC5', { version: 9, textHash: '', listing: new Uint8Array() });
    const feeds = { incident: readFeed('INC'), article: readFeed('KB'), problem: readFeed('PRB') };
    await relearnRecords({ ...tools, feeds, read });
    expect(known.get('INC5')).toMatchObject({ version: 9 });
    expect(texts.filter((text) => text === 'Mail is late')).toHaveLength(59);
  });
});
