import type { InboundEvent } from '../../../../contract/inbound-events.ts';
import type { Item, Write } from '../../../../lambdas/records/item-store.ts';
import {
  assertSize,
  buildEventWrites,
  findEvent,
  hashBody,
  parsePayload,
  retentionMs,
  toEventsRange,
} from '../../../../lambdas/webhooks/inbound/events.ts';

const receivedMs = Date.parse('2026-03-01T09:31:00.000Z');
const event: InboundEvent = {
  id: 'evt_in_1',
  webhook_id: 'wh_in_1',
  received_at: new Date(receivedMs).toISOString(),
  status: 'created',
  incident_id: 'INC0000001',
  dedup_key: null,
  proof: 'none',
  size_bytes: 2,
  replay_of: null,
  error: null,
};
const toItem = (write: Write): Item => ('put' in write ? (write.put.Item as Item) : {});
const holding = (item: Item | undefined) => ({ get: async () => item });

describe('a stored event', () => {
  it('is read with its body', async () => {
    const body = Buffer.from('{"a": "ü"}');
    const [stored] = buildEventWrites(event, body, receivedMs).map(toItem);
    const found = await findEvent(holding(stored), event.id, receivedMs);
    expect(found).toMatchObject({ event, bodyHash: hashBody(body) });
    expect(found!.body()).toEqual(body);
  });

  it('expires after 30 days, even if DynamoDB deletes it later', async () => {
    const [stored] = buildEventWrites(event, Buffer.from('{}'), receivedMs).map(toItem);
    expect(await findEvent(holding(stored), event.id, receivedMs + retentionMs - 1)).toBeDefined();
    expect(await findEvent(holding(stored), event.id, receivedMs + retentionMs)).toBeUndefined();
    expect(retentionMs).toBe(30 * 86_400_000);
    const { filter } = toEventsRange('wh_in_1', receivedMs + retentionMs);
    expect(Number(stored!.expires_at!.N)).toBeLessThanOrEqual(Number(filter!.values[':now']!.N));
  });

  it('fits into one item, even if its body cannot be compressed', () => {
    const noise = Buffer.from(Array.from({ length: 262_144 }, (_, index) => (index * 2_654_435_761) >>> 13));
    const [stored] = buildEventWrites(event, noise, receivedMs).map(toItem);
    expect(stored!.body!.B!.byteLength).toBeLessThan(300_000);
  });

  it('lists later events before earlier ones', () => {
    const sortKeyAt = (ms: number) => {
      const writes = buildEventWrites({ ...event, received_at: new Date(ms).toISOString() }, Buffer.from('{}'), ms);
      return toItem(writes[1]!).sk!.S!;
    };
    expect(sortKeyAt(receivedMs + 1) < sortKeyAt(receivedMs)).toBe(true);
  });
});

describe('parsePayload', () => {
  it.each(['{}', '[1]', '"text"', '0', 'null'])('accepts any JSON: %s', (text) => {
    expect(parsePayload(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each(['', '{', 'undefined', "{'a':1}", 'NaN'])('rejects what is none: %s', (text) => {
    expect(() => parsePayload(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'malformed_json' }));
  });

  it('rejects excessive nesting', () => {
    const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect(parsePayload(nested(100))).toBeDefined();
    expect(() => parsePayload(nested(102))).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => parsePayload(nested(100_000))).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('assertSize', () => {
  it('accepts 256 KB and no more', () => {
    expect(() => assertSize(Buffer.alloc(262_144))).not.toThrow();
    expect(() => assertSize(Buffer.alloc(262_145))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });
});
