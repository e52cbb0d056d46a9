import {
  createApiKey,
  deleteApiKey,
  type KeyTools,
  sweepApiKeys,
} from '../../../lambdas/identity/api-key-operations.ts';
import { type ApiKey, type ApiKeyStore, buildReservation } from '../../../lambdas/identity/api-key-store.ts';
import type { Caller } from '../../../lambdas/platform/caller.ts';
import type { Write } from '../../../lambdas/records/write-items.ts';

const caller: Caller = {
  id: 'ada',
  email: 'ada@example.com',
  kind: 'user',
  roles: ['itsm_agent'],
  clientId: 'console',
  ownerId: 'ada',
  tokenExpiresAt: 1,
};

type Step = 'quota' | 'client' | 'consumer' | 'activate' | 'deleteClient' | 'removeConsumer';

/** User pool, gateway and table in memory; the steps in `broken` fail. */
function ground() {
  const broken = new Set<Step>();
  const step = (name: Step) => {
    if (broken.has(name)) throw new Error(`${name} failed`);
  };
  const known = new Map<string, ApiKey>();
  const clients = new Map<string, string>();
  const consumers = new Set<string>();
  const written: Write[] = [];
  const keys: ApiKeyStore = {
    all: async () => [...known.values()].map((key) => ({ key, lastUsedAt: null })),
    get: async (id) => (known.has(id) ? { key: known.get(id)!, lastUsedAt: null } : undefined),
    async move(before, after, more = []) {
      if (after.state === 'active') step('activate');
      if (known.get(after.id)?.state !== before.state) return false;
      known.set(after.id, after);
      written.push(...more);
      return true;
    },
  };
  const tools: KeyTools = {
    keys,
    store: {
      async transact(writes) {
        for (const write of writes) {
          if (write.name === 'key' && 'put' in write) {
            const key: ApiKey = JSON.parse(write.put.Item!.key!.S!);
            known.set(key.id, key);
          }
        }
        return { kind: 'written' };
      },
    },
    clients: {
      async create(name) {
        if (broken.has('quota')) throw Object.assign(new Error('quota'), { name: 'LimitExceededException' });
        clients.set(`client of ${name}`, name);
        // The client was created, but the response with its id was lost.
        step('client');
        return { clientId: `client of ${name}`, clientSecret: 'secret' };
      },
      read: async (clientId) => ({ clientId, clientSecret: 'secret' }),
      async delete(clientId) {
        step('deleteClient');
        clients.delete(clientId);
      },
      findIds: async (name) => [...clients].filter(([, each]) => each === name).map(([id]) => id),
    },
    consumers: {
      async add(name) {
        step('consumer');
        consumers.add(name);
      },
      async remove(name) {
        step('removeConsumer');
        consumers.delete(name);
      },
    },
  };
  let nowMs = Date.parse('2026-03-01T09:00:00Z');
  const clock = { now: () => nowMs };
  const context = { caller, clock, log: () => {}, requestId: 'request-1' };
  const headers = { 'Idempotency-Key': 'once' };
  return {
    broken,
    written,
    states: () => [...known.values()].map(({ state }) => state),
    rest: () => clients.size + consumers.size,
    create: () =>
      createApiKey(tools)({ params: undefined, query: undefined, headers, body: { name: 'Import' } } as never, context),
    revoke: () =>
      deleteApiKey(tools)(
        { params: { id: [...known.keys()][0]! }, query: undefined, headers: undefined, body: undefined },
        context,
      ),
    sweep: () => sweepApiKeys({ ...tools, clock, log: () => {} }),
    later: (ms: number) => {
      nowMs += ms;
    },
  };
}

const nowSeconds = String(Date.parse('2026-03-01T09:00:00Z') / 1_000);

describe('an API key', () => {
  it('reports an exhausted quota of the user pool as a limit, because a retry does not help', async () => {
    const { broken, create, rest } = ground();
    broken.add('quota');
    await expect(create()).rejects.toMatchObject({ code: 'limit_reached', message: expect.stringContaining('quota') });
    expect(rest()).toBe(0);
  });

  it.each<Step>(['client', 'consumer', 'activate'])(
    'leaves no resources behind when the step %s fails',
    async (failing) => {
      const { broken, create, rest, states, written } = ground();
      broken.add(failing);
      await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
      expect([rest(), states()]).toEqual([0, ['revoked']]);
      // A retry starts over instead of returning a key that was never created.
      expect(written).toMatchObject([{ name: 'response', put: { Item: { expires_at: { N: nowSeconds } } } }]);
    },
  );

  it('is removed by the sweep after the creation timeout if the cleanup fails', async () => {
    const { broken, create, rest, states, sweep, later } = ground();
    broken.add('consumer').add('deleteClient');
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
    expect([rest(), states()]).toEqual([1, ['making']]);
    broken.clear();
    await sweep();
    expect(states()).toEqual(['making']);
    later(6 * 60_000);
    await sweep();
    expect([rest(), states()]).toEqual([0, ['revoked']]);
  });

  it('is fully revoked by the sweep if a step fails', async () => {
    const { broken, create, revoke, rest, states, sweep } = ground();
    await create();
    broken.add('removeConsumer');
    await expect(revoke()).rejects.toThrow('removeConsumer failed');
    expect([rest(), states()]).toEqual([1, ['revoking']]);
    await expect(sweep()).rejects.toThrow('1 API keys could not be revoked');
    broken.clear();
    await sweep();
    expect([rest(), states()]).toEqual([0, ['revoked']]);
  });

  it("counts against the owner's limit in the transaction that reserves it", () => {
    const [, count] = buildReservation({ id: 'key_1', owner: { id: 'ada' }, state: 'making' } as ApiKey);
    expect(count).toMatchObject({
      name: 'count',
      update: {
        Key: { sk: { S: 'count#ada' } },
        ConditionExpression: 'attribute_not_exists(active) OR active < :max',
      },
    });
  });
});
