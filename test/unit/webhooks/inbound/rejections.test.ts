import { type InboundRejection, maxRejections } from '../../../../contract/inbound-rejections.ts';
import type { Item, ItemStore } from '../../../../lambdas/records/item-store.ts';
import { storeRejection } from '../../../../lambdas/webhooks/inbound/rejections.ts';

const startMs = Date.parse('2026-03-01T09:00:00.000Z');

/** A store of one item that counts its writes. */
function createFakeStore() {
  let item: Item | undefined;
  let writes = 0;
  const store: Pick<ItemStore, 'get' | 'transact'> = {
    get: async () => item,
    async transact([write]) {
      if (write && 'put' in write) item = write.put.Item;
      writes += 1;
      return { kind: 'written' };
    },
  };
  const read = (): InboundRejection[] => JSON.parse(item?.rejections?.S ?? '[]');
  return { store, read, countWrites: () => writes };
}

const toRejection = (atMs: number): InboundRejection => ({
  at: new Date(atMs).toISOString(),
  reason: 'no_signature',
  status: 401,
  size_bytes: 2,
});

describe('storeRejection', () => {
  it('stores the last 20, and writes at most once per second under a flood', async () => {
    const { store, read, countWrites } = createFakeStore();
    const floodSeconds = 60;
    for (let call = 0; call < floodSeconds * 50; call++) {
      const atMs = startMs + call * 20;
      await storeRejection(store, 'wh_in_1', toRejection(atMs), atMs);
    }
    expect(read()).toHaveLength(maxRejections);
    expect(countWrites()).toBeLessThanOrEqual(floodSeconds + maxRejections);
    const laterMs = startMs + 3_600_000;
    await storeRejection(store, 'wh_in_1', toRejection(laterMs), laterMs);
    expect(read()[0]?.at).toBe(toRejection(laterMs).at);
    expect(read()).toHaveLength(maxRejections);
  });
});
