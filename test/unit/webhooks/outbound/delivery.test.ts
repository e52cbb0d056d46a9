import { readFileSync } from 'node:fs';
import { outboundFormats } from '../../../../contract/outbound-webhook-schemas.ts';
import { maxAttempts, retryDelaysText } from '../../../../contract/retry-schedule.ts';
import { newSecret } from '../../../../lambdas/platform/ids.ts';
import {
  type AttemptResult,
  applyAttempt,
  cancelDelivery,
  createDelivery,
  createReplay,
  isLost,
  toDeliveryResponse,
} from '../../../../lambdas/webhooks/outbound/delivery.ts';
import { planRecoveries } from '../../../../lambdas/webhooks/outbound/manage-deliveries.ts';
import { formatPayload, toContentType } from '../../../../lambdas/webhooks/outbound/payload-format.ts';
import {
  getNextDelaySeconds,
  getSecondsUntilRetry,
  parseRetryAfter,
} from '../../../../lambdas/webhooks/outbound/retry-delay.ts';
import { signHex, signStandardWebhook, verifyHex, verifyStandard } from '../../../../lambdas/webhooks/signature.ts';
import fc from '../../../support/properties.ts';
import { aDelivery, startMs } from './a-delivery.ts';

const result = (fields: Partial<AttemptResult> = {}): AttemptResult => ({
  at: new Date(startMs).toISOString(),
  status: 503,
  duration_ms: 40,
  error: 'returned 503',
  response: '',
  retryAfterSeconds: null,
  ...fields,
});

const good = result({ status: 200, error: null });

describe('retry schedule', () => {
  it('waits 30 s, 2 min, 10 min and 30 min', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempt) => getNextDelaySeconds(attempt, null))).toEqual([
      30,
      120,
      600,
      1_800,
      null,
      null,
    ]);
  });

  it('is the one in the documents', () => {
    const text = readFileSync('docs/interface.md', 'utf8');
    expect(text).toContain(`${retryDelaysText} after a failure, ${maxAttempts} attempts in all`);
  });

  it('never waits shorter because of Retry-After', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.nat(10_000_000), (attempt, asked) => {
        const [usual, wait] = [getNextDelaySeconds(attempt, null)!, getNextDelaySeconds(attempt, asked)!];
        expect(wait).toBeGreaterThanOrEqual(usual);
        expect(wait).toBeLessThanOrEqual(Math.max(usual, 86_400));
      }),
    );
    expect(getNextDelaySeconds(1, 100)).toBe(100);
    expect(getNextDelaySeconds(5, 100)).toBeNull();
  });

  it.each([
    ['120', 120],
    [' 7 ', 7],
    ['Sun, 01 Mar 2026 09:31:00 GMT', 60],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('reads Retry-After: %s as %s', (header, seconds) => {
    expect(parseRetryAfter(header, startMs)).toBe(seconds);
  });
});

describe('delivery', () => {
  it('has the same id for the same event and webhook only', () => {
    const job = { webhookId: 'wh_out_1', event: 'incident.created' as const, eventId: 'evt_1', payload: '{}' };
    const { id } = createDelivery(job, startMs);
    expect(id).toMatch(/^dlv_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(createDelivery(job, startMs).id).toBe(id);
    expect(createDelivery({ ...job, webhookId: 'wh_out_2' }, startMs).id).not.toBe(id);
    expect(createDelivery({ ...job, eventId: 'evt_2' }, startMs).id).not.toBe(id);
  });

  it('has an id that sorts the newest first', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 12), fc.nat(10 ** 12), (a, b) => {
        const [one, other] = [a, b].map((ms) => createReplay(aDelivery(), 'x', startMs + ms).id.slice(0, 14)) as [
          string,
          string,
        ];
        expect(one < other).toBe(a > b);
      }),
    );
  });

  it('is delivered with any 2xx', () => {
    expect(applyAttempt(aDelivery(), good)).toMatchObject({
      status: 'delivered',
      attempts: [{ attempt: 1, status: 200, error: null }],
      next_attempt_at: null,
      finished_at: '2026-03-01T09:30:00.040Z',
    });
  });

  it('waits from the end of the attempt', () => {
    const after = applyAttempt(aDelivery(), result());
    expect(after).toMatchObject({ status: 'retrying', next_attempt_at: '2026-03-01T09:30:30.040Z', finished_at: null });
    expect(getSecondsUntilRetry(after, startMs + 40)).toBe(30);
    expect(getSecondsUntilRetry(after, startMs + 900)).toBe(30);
    expect(getSecondsUntilRetry(after, startMs + 10_040)).toBe(20);
    expect(getSecondsUntilRetry(after, startMs + 99_999)).toBe(0);
  });

  it('fails with the fifth attempt and rejects a sixth', () => {
    let delivery = aDelivery();
    for (let attempt = 1; attempt <= 4; attempt++) {
      delivery = applyAttempt(delivery, result());
      expect(delivery.status).toBe('retrying');
    }
    delivery = applyAttempt(delivery, result());
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(() => applyAttempt(delivery, result())).toThrow('has no attempts left');
  });

  it('fails immediately after 410 Gone, and for a ping', () => {
    expect(applyAttempt(aDelivery(), result({ status: 410 })).status).toBe('failed');
    expect(applyAttempt(aDelivery({ event: 'ping' }), result()).status).toBe('failed');
  });

  it('returns the payload and the attempts', () => {
    const shown = toDeliveryResponse(cancelDelivery(applyAttempt(aDelivery(), result()), startMs + 1_000));
    expect(shown).toMatchObject({ status: 'cancelled', attempts_made: 1, last_status: 503, payload: { a: 1 } });
    expect(shown.finished_at).toBe('2026-03-01T09:30:01.000Z');
  });

  it('is replayed with the same event and the same bytes', () => {
    const failed = aDelivery({ status: 'failed' });
    const again = createReplay(failed, 'once', startMs + 5_000);
    expect(again).toMatchObject({
      status: 'pending',
      replay_of: failed.id,
      event_id: 'evt_1',
      payload: failed.payload,
    });
    expect(again.id).not.toBe(failed.id);
    expect(createReplay(failed, 'once', startMs + 5_000).id).toBe(again.id);
    expect(createReplay(failed, 'twice', startMs + 5_000).id).not.toBe(again.id);
  });
});

describe('recovery', () => {
  const lost = (event_id: string, id: string, isRedundant = false) => ({
    delivery: aDelivery({ event_id, status: 'failed', id }),
    isRedundant,
  });

  it('replays the newest lost delivery of every event that no other delivery replaces', () => {
    const oldestFirst = [lost('evt_1', 'a'), lost('evt_2', 'b'), lost('evt_3', 'c', true), lost('evt_2', 'd')];
    const replayed = planRecoveries(oldestFirst, startMs).map(({ original, replay }) => [
      original.id,
      replay?.replay_of,
    ]);
    expect(replayed).toEqual([
      ['a', 'a'],
      ['b', undefined],
      ['c', undefined],
      ['d', 'd'],
    ]);
  });

  it.each([
    ['a failed delivery', { status: 'failed' }, true],
    ['a cancelled replay', { status: 'cancelled', replay_of: 'dlv_1' }, true],
    ['a cancelled delivery', { status: 'cancelled' }, false],
    ['a failed ping', { status: 'failed', event: 'ping' }, false],
    ['a pending delivery', { status: 'pending' }, false],
  ] as const)('knows whether the event of %s is lost', (_name, fields, expected) => {
    expect(isLost(aDelivery(fields))).toBe(expected);
  });
});

const event = {
  event: 'incident.priority_changed',
  timestamp: '2026-03-01T10:12:45.318Z',
  service_instance: 'prod',
  data: {
    id: 'INC7Q2M4KX',
    short_description: 'Mail <b>fails</b> & [waits](http://x)',
    priority: 'P2',
    state: 'in_progress',
    url: 'https://desk.acme.test/prod/api/v1/incidents/INC7Q2M4KX',
  },
};
const format = (name: (typeof outboundFormats)[number], changed: object = {}) =>
  JSON.parse(formatPayload(name, 'evt_1', JSON.stringify({ ...event, ...changed })));

describe('formatPayload', () => {
  it('leaves the body as it is for webhooks with no other format', () => {
    expect(formatPayload('service', 'evt_1', 'text')).toBe('text');
    expect(toContentType('service')).toBe('application/json');
  });

  it('wraps the data in CloudEvents 1.0', () => {
    expect(format('cloudevents')).toEqual({
      specversion: '1.0',
      id: 'evt_1',
      source: '/incident-service/prod',
      type: 'incident.priority_changed',
      subject: 'INC7Q2M4KX',
      time: event.timestamp,
      datacontenttype: 'application/json',
      data: event.data,
    });
    expect(toContentType('cloudevents')).toMatch(/^application\/cloudevents\+json/);
  });

  it('writes a Slack message with escaped text and a link to the console', () => {
    const { text, blocks } = format('slack');
    expect(text).toBe('Incident priority changed INC7Q2M4KX Mail &lt;b&gt;fails&lt;/b&gt; &amp; [waits](http://x)');
    expect(blocks[0].text.text).toContain('<https://desk.acme.test/console/incidents/INC7Q2M4KX|INC7Q2M4KX>');
    expect(blocks[1].elements[0].text).toBe('Priority: *P2*   State: *in progress*');
  });

  it('writes a card for Microsoft Teams with escaped Markdown', () => {
    const { attachments } = format('teams');
    const { body, actions } = attachments[0].content;
    expect(body[0].text).toBe('Incident priority changed: INC7Q2M4KX');
    expect(body[1].text).toBe('Mail <b>fails</b> & \\[waits\\]\\(http://x\\)');
    expect(actions[0].url).toBe('https://desk.acme.test/console/incidents/INC7Q2M4KX');
  });

  it.each(outboundFormats)('formats a ping: %s', (name) => {
    const url = 'https://desk.acme.test/prod/api/v1/webhooks/outbound/wh_out_1';
    expect(format(name, { event: 'ping', data: { id: 'wh_out_1', url } })).toBeTruthy();
  });

  it('links configuration items to their page in the console', () => {
    const data = { id: 'CI1', name: 'db-1', url: 'https://desk.acme.test/prod/api/v1/cmdb/cis/CI1' };
    expect(format('slack', { event: 'ci.discovered', data }).blocks[0].text.text).toContain('/console/cis/CI1|');
  });
});

const nowMs = Date.parse('2026-03-01T09:30:00Z');
const seconds = nowMs / 1_000;
const body = Buffer.from('{"event":"ping"}');

describe('signature', () => {
  it('is the known digest of a known key and body', () => {
    expect(signHex('key', Buffer.from('The quick brown fox jumps over the lazy dog'))).toBe(
      'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
    );
  });

  it('verifies what it signed, with and without the prefix', () => {
    const secret = newSecret();
    const signature = signHex(secret, body);
    expect(verifyHex(secret, body, signature)).toBe(true);
    expect(verifyHex(secret, body, `sha256=${signature}`)).toBe(true);
  });

  it('rejects every flipped bit of body, signature and secret', () => {
    const secret = newSecret();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (bytes, at) => {
        const flipped = Uint8Array.from(bytes);
        flipped[at % bytes.length]! ^= 1 << (at % 8);
        const hex = signHex(secret, bytes);
        const headers = {
          id: 'dlv_1',
          timestamp: String(seconds),
          signature: signStandardWebhook(secret, 'dlv_1', seconds, bytes),
        };
        expect(verifyHex(secret, bytes, hex) && verifyStandard(secret, headers, bytes, nowMs)).toBe(true);
        expect(verifyHex(secret, flipped, hex) || verifyStandard(secret, headers, flipped, nowMs)).toBe(false);
        expect(verifyHex(newSecret(), bytes, hex) || verifyStandard(newSecret(), headers, bytes, nowMs)).toBe(false);
      }),
    );
  });

  it('covers the id and the time', () => {
    const secret = newSecret();
    const signature = signStandardWebhook(secret, 'dlv_1', seconds, body);
    const headers = { id: 'dlv_1', timestamp: String(seconds), signature };
    expect(verifyStandard(secret, headers, body, nowMs)).toBe(true);
    expect(verifyStandard(secret, { ...headers, id: 'dlv_2' }, body, nowMs)).toBe(false);
    expect(verifyStandard(secret, { ...headers, timestamp: String(seconds + 1) }, body, nowMs)).toBe(false);
  });

  it('rejects a time beyond the tolerance', () => {
    const secret = newSecret();
    const signed = (at: number) => ({
      id: 'dlv_1',
      timestamp: String(at),
      signature: signStandardWebhook(secret, 'dlv_1', at, body),
    });
    expect(verifyStandard(secret, signed(seconds - 300), body, nowMs)).toBe(true);
    expect(verifyStandard(secret, signed(seconds - 301), body, nowMs)).toBe(false);
    expect(verifyStandard(secret, signed(seconds + 301), body, nowMs)).toBe(false);
  });

  it('accepts one valid signature among several, and rejects malformed ones', () => {
    const secret = newSecret();
    const good = signStandardWebhook(secret, 'dlv_1', seconds, body);
    const headers = (signature: string) => ({ id: 'dlv_1', timestamp: String(seconds), signature });
    expect(verifyStandard(secret, headers(`v1,AAAA ${good}`), body, nowMs)).toBe(true);
    expect(verifyStandard(secret, headers('v1,'), body, nowMs)).toBe(false);
    expect(verifyStandard(secret, { ...headers(good), timestamp: 'soon' }, body, nowMs)).toBe(false);
    expect(verifyHex(secret, body, '')).toBe(false);
  });
});
