import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import type { DeliveryStatus } from '../../../../contract/deliveries.ts';
import { createItemStore } from '../../../../lambdas/records/item-store.ts';
import type { Item } from '../../../../lambdas/records/items.ts';
import { readLogPage } from '../../../../lambdas/records/log-page.ts';
import { createHmacCursorSeal } from '../../../../lambdas/records/page.ts';
import { buildInsert } from '../../../../lambdas/records/record-item.ts';
import { createDelivery, createReplay, type Delivery } from '../../../../lambdas/webhooks/outbound/delivery.ts';
import { buildCreationWrite, toDelivery, toDeliveryLog } from '../../../../lambdas/webhooks/outbound/delivery-item.ts';
import { createDynamoDeliveryStore } from '../../../../lambdas/webhooks/outbound/delivery-store.ts';
import { recoverDeliveries, replayDelivery } from '../../../../lambdas/webhooks/outbound/manage-deliveries.ts';
import { outboundWebhookType } from '../../../../lambdas/webhooks/outbound/webhook.ts';
import { type Fixture, openDynamoDb, tableProperties } from '../../local/dynamodb/fixture.ts';
import { aWebhookRecord, startMs } from './a-delivery.ts';

const webhook = aWebhookRecord();
const nowMs = startMs + 24 * 60 * 60_000;
const clock = { now: () => nowMs };
const seal = createHmacCursorSeal('key');

let fixture: Fixture;
/** Read units of all queries since the last reset. */
let readUnits = 0;

const client = {
  async send(command: { constructor: { name: string }; input: object }) {
    const operation = command.constructor.name.replace('Command', '');
    try {
      const answer = await fixture.call(operation, { ...command.input, ReturnConsumedCapacity: 'TOTAL' });
      const { CapacityUnits = 0 } = (answer.ConsumedCapacity ?? {}) as { CapacityUnits?: number };
      if (operation === 'Query') readUnits += CapacityUnits;
      return answer;
    } catch (error) {
      const { code, fields, message } = error as { code?: string; fields?: object; message: string };
      if (code !== 'TransactionCanceledException') throw error;
      throw new TransactionCanceledException({ $metadata: {}, message, ...fields });
    }
  },
} as unknown as DynamoDBClient;

const events = createItemStore(client, 'things');
const deliveries = createDynamoDeliveryStore(client, 'things');

beforeEach(async () => {
  fixture = await openDynamoDb();
  const toIndex = (name: string, Projection: object) => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: `${name}_pk`, KeyType: 'HASH' },
      { AttributeName: `${name}_sk`, KeyType: 'RANGE' },
    ],
    Projection,
  });
  await fixture.dynamoDb.ensureTable(
    tableProperties({
      AttributeDefinitions: ['pk', 'sk', 'list_pk', 'list_sk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [
        toIndex('list', {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: ['created_at', 'delivery', 'event', 'expires_at', 'status'],
        }),
      ],
    }),
  );
  readUnits = 0;
});

afterEach(() => fixture.close());

/** A delivery one second after the previous number, in the form of this release or of an earlier one. */
function aNumberedDelivery(number: number, status: DeliveryStatus, form: 'sharded' | 'old' = 'sharded'): Delivery {
  const job = { webhookId: webhook.id, event: 'incident.created' as const, eventId: `evt_${number}`, payload: '{}' };
  const { shard, ...delivery } = createDelivery(job, startMs + number * 1_000);
  return { ...delivery, ...(form === 'sharded' && shard !== undefined && { shard }), status };
}

/** Items of earlier releases contain the attempts with their responses and have no keys of the index. */
function toStoredItem(delivery: Delivery): Item {
  const item = (buildCreationWrite(delivery, nowMs, '') as { put: { Item: Item } }).put.Item;
  if (delivery.shard !== undefined) return item;
  const { payload: _, ...rest } = delivery;
  const { responses: __, ...old } = item;
  return { ...old, delivery: { S: JSON.stringify(rest) } };
}

async function seed(all: readonly Delivery[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(all.length / 25) }, (_, index) =>
    all.slice(25 * index, 25 * (index + 1)).map((one) => ({ PutRequest: { Item: toStoredItem(one) } })),
  );
  await pMap(batches, (things) => fixture.call('BatchWriteItem', { RequestItems: { things } }), { concurrency: 40 });
}

const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, index) => first + index);

async function listPage(filter: { status?: DeliveryStatus } = {}, limit = 25, cursor?: string) {
  const { items, rest } = await readLogPage(events, seal, toDeliveryLog(webhook, filter, nowMs), { limit, cursor });
  return { ids: items.map((item) => toDelivery(item).id), ...rest };
}

async function walk(filter: { status?: DeliveryStatus }, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPage(filter, limit, cursor);
    ids.push(...page.ids);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return ids;
}

const [record] = buildInsert(outboundWebhookType, webhook, { actor: 'ada', origin: { kind: 'api', id: null } });
const tools = {
  records: { get: async () => (record as { put: { Item: Item } }).put.Item },
  events,
  deliveries,
  queue: { send: async () => {} },
  clock,
};
const context = { clock, caller: { id: 'ada' } } as never;

async function recover(since = startMs) {
  const body = { since: new Date(since).toISOString() };
  const input = { params: { id: webhook.id }, query: undefined, headers: undefined, body };
  return (await recoverDeliveries(tools)(input, context)).body;
}

async function replay(delivery_id: string): Promise<string> {
  const input = { params: { id: webhook.id, delivery_id }, query: undefined, headers: {}, body: undefined };
  return (await replayDelivery(tools)(input, context)).body.id;
}

async function finish(id: string, status: DeliveryStatus): Promise<void> {
  const before = (await deliveries.find({ webhookId: webhook.id, deliveryId: id }))!;
  const attempt = { attempt: 1, at: before.created_at, status: 200, duration_ms: 1, error: null, response: 'ok' };
  expect(await deliveries.record(before, { ...before, status, attempts: [attempt] }, nowMs)).toBe(true);
}

describe('deliveries of a webhook', () => {
  it('spread over partitions, and are listed newest first together with those of earlier releases', async () => {
    const mixed = numbers(300).map((number) =>
      aNumberedDelivery(number, number % 3 === 0 ? 'failed' : 'delivered', number < 100 ? 'old' : 'sharded'),
    );
    await seed(mixed);
    expect(new Set(mixed.map(({ shard }) => shard)).size).toBe(17);
    const newestFirst = [...mixed].reverse();
    expect(await walk({}, 40)).toEqual(newestFirst.map(({ id }) => id));
    const failed = newestFirst.filter(({ status }) => status === 'failed').map(({ id }) => id);
    expect(await walk({ status: 'failed' }, 7)).toEqual(failed);
    expect(await listPage({ status: 'failed' }, 7)).toMatchObject({ total: 100, total_is_exact: true });
    expect(await listPage({ status: 'cancelled' })).toEqual({ ids: [], total: 0, total_is_exact: true });
    expect((await deliveries.latest(webhook.id, 150, nowMs)).map(({ id }) => id)).toEqual(
      newestFirst.slice(0, 150).map(({ id }) => id),
    );
  });

  it.each(['old', 'sharded'] as const)('store attempts and keep their responses in the form %s', async (form) => {
    const delivery = aNumberedDelivery(1, 'pending', form);
    await seed([delivery]);
    await finish(delivery.id, 'delivered');
    const found = await deliveries.find({ webhookId: webhook.id, deliveryId: delivery.id });
    expect(found).toMatchObject({ status: 'delivered', payload: '{}', attempts: [{ response: 'ok' }] });
    expect(await listPage({ status: 'delivered' })).toMatchObject({ ids: [delivery.id], total: 1 });
    expect(await listPage({ status: 'pending' })).toMatchObject({ ids: [], total: 0 });
  });

  it('cost the same read units per page at any number, and then say that the total is a lower bound', async () => {
    const measure = async (filter: { status?: DeliveryStatus }) => {
      readUnits = 0;
      const page = await listPage(filter);
      return { ...page, units: readUnits };
    };
    const aStatus = (number: number) => (number % 100 === 0 ? 'failed' : 'delivered');
    await seed(numbers(10_400).map((number) => aNumberedDelivery(number, aStatus(number))));
    const before = { all: await measure({}), delivered: await measure({ status: 'delivered' }) };
    expect(await listPage({ status: 'failed' })).toMatchObject({ total: 104, total_is_exact: true });
    await seed(numbers(2_600, 10_400).map((number) => aNumberedDelivery(number, aStatus(number))));
    const after = { all: await measure({}), delivered: await measure({ status: 'delivered' }) };
    for (const name of ['all', 'delivered'] as const) {
      expect(after[name]).toMatchObject({ total: 10_000, total_is_exact: false });
      expect(after[name].ids).toHaveLength(25);
      expect(after[name].units).toBeLessThan(1.05 * before[name].units);
    }
    expect(await listPage({ status: 'failed' })).toMatchObject({ total: 130, total_is_exact: true });
    readUnits = 0;
    await listPage({ status: 'failed' });
    expect(readUnits).toBeLessThan(200);
  });
});

describe('recoverDeliveries', () => {
  it.each(['old', 'sharded'] as const)('finds failures before many successes in the form %s', async (form) => {
    const successes = form === 'old' ? 10_200 : 1_000;
    const aStatus = (number: number) => (number < 600 ? 'failed' : 'delivered');
    await seed(numbers(600 + successes).map((number) => aNumberedDelivery(number, aStatus(number), form)));
    expect(await recover(startMs + 600_000)).toEqual({ replayed: 0, more: false });
    expect(await recover()).toEqual({ replayed: 500, more: true });
    expect(await recover()).toEqual({ replayed: 100, more: false });
    expect(await recover()).toEqual({ replayed: 0, more: false });
    expect(await listPage({ status: 'pending' })).toMatchObject({ total: 600 });
  });

  it('skips events that a replay delivered, and replays failed replays', async () => {
    const [saved, twice, lost] = numbers(3).map((number) => aNumberedDelivery(number, 'failed'));
    await seed([saved!, twice!, lost!]);
    await finish(await replay(saved!.id), 'delivered');
    await finish(await replay(twice!.id), 'failed');
    await finish(await replay(twice!.id), 'delivered');
    await finish(await replay(lost!.id), 'failed');
    expect(await recover()).toEqual({ replayed: 1, more: false });
    expect(await recover()).toEqual({ replayed: 0, more: false });
    const [pending] = (await listPage({ status: 'pending' })).ids;
    expect(await deliveries.find({ webhookId: webhook.id, deliveryId: pending! })).toMatchObject({
      event_id: lost!.event_id,
    });
    await finish(pending!, 'cancelled');
    expect(await recover()).toEqual({ replayed: 1, more: false });
  });

  it('replays once when two requests compete', async () => {
    const lost = numbers(60).map((number) => aNumberedDelivery(number, 'failed'));
    await seed(lost);
    const replays = (occasion: string) =>
      lost.map((original) => ({ original, replay: createReplay(original, occasion, nowMs) }));
    const [first, second] = [
      await deliveries.recover(replays('one'), nowMs),
      await deliveries.recover(replays('two'), nowMs),
    ];
    expect([first.length, second.length]).toEqual([60, 0]);
  });
});
