import { createRecordCache, type ReadRecord } from '../../../lambdas/lists/record-store.ts';

/** A table whose records are what `contents` says, with every call noted. */
function table(contents: Record<string, { key: string; bytes?: number }>) {
  const calls: string[][] = [];
  const state = { contents, calls, whileReading: async () => {} };
  const read = async (ids: readonly string[]) => {
    calls.push([...ids]);
    const found = ids.flatMap((id) => {
      const content = state.contents[id];
      if (!content) return [];
      return [{ record: { id }, feedKey: content.key, bytes: content.bytes ?? 10 } as unknown as ReadRecord<never>];
    });
    await state.whileReading();
    return found;
  };
  return { state, read };
}

const keysOf = (records: readonly ReadRecord<unknown>[]) => records.map(({ feedKey }) => feedKey);

describe('recentRecords', () => {
  it('reads a record once while its place in the feed stays', async () => {
    const { state, read } = table({ A: { key: '1#A' }, B: { key: '1#B' }, C: { key: '1#C' } });
    const recent = createRecordCache(read);
    await recent.read(['A', 'B']);
    recent.onFeedEntry('A', '1#A');
    expect(keysOf(await recent.read(['C', 'B', 'A']))).toEqual(['1#C', '1#B', '1#A']);
    expect(state.calls).toEqual([['A', 'B'], ['C']]);
  });

  it('reads it again when the feed shows another key', async () => {
    const { state, read } = table({ A: { key: '1#A' } });
    const recent = createRecordCache(read);
    await recent.read(['A']);
    state.contents.A = { key: '2#A' };
    recent.onFeedEntry('A', '2#A');
    expect(keysOf(await recent.read(['A']))).toEqual(['2#A']);
  });

  it('does not keep what was overtaken while it was being read', async () => {
    const { state, read } = table({ A: { key: '1#A' } });
    const recent = createRecordCache(read);
    state.whileReading = async () => recent.onFeedEntry('A', '2#A');
    await recent.read(['A']);
    state.contents.A = { key: '2#A' };
    expect(keysOf(await recent.read(['A']))).toEqual(['2#A']);
  });

  it('leaves out what is not there, and asks again the next time', async () => {
    const { state, read } = table({});
    const recent = createRecordCache(read);
    expect(await recent.read(['A'])).toEqual([]);
    state.contents.A = { key: '1#A' };
    expect(keysOf(await recent.read(['A']))).toEqual(['1#A']);
  });

  it('lets the least recently used go when there is no more room', async () => {
    const { state, read } = table({ A: { key: '1#A' }, B: { key: '1#B' }, C: { key: '1#C' }, D: { key: '1#D' } });
    const recent = createRecordCache(read, 40);
    await recent.read(['A', 'B', 'C', 'D']);
    state.contents.E = { key: '1#E' };
    await recent.read(['A']);
    await recent.read(['E']);
    state.calls.length = 0;
    await recent.read(['A', 'B']);
    expect(state.calls).toEqual([['B']]);
  });

  it('asks nothing for an empty page', async () => {
    const { state, read } = table({});
    expect(await createRecordCache(read).read([])).toEqual([]);
    expect(state.calls).toEqual([]);
  });
});
