import { createHmac } from 'node:crypto';
import type { contactKinds } from '../../../contract/contact-kinds.ts';
import { connectChannels } from '../../../lambdas/oncall/channels/channels.ts';
import { type ContactMethod, isCode, listUsable, newCode } from '../../../lambdas/oncall/channels/contacts.ts';
import { toChat, toContent, toMail, toText } from '../../../lambdas/oncall/channels/format.ts';
import {
  applyResults,
  cancelRest,
  claimDue,
  getNextDueMs,
  type Message,
  type MessageRequest,
  type SendResult,
  toMessageKey,
} from '../../../lambdas/oncall/channels/message.ts';
import { planMessage, toEffectiveRules } from '../../../lambdas/oncall/channels/plan.ts';
import fc from '../../support/properties.ts';

const nowMs = Date.parse('2026-03-01T09:00:00.000Z');

const page: MessageRequest = {
  id: 'page 1 step 1 ada',
  to: 'ada@acme.org',
  urgency: 'page',
  record_id: 'INC7Q2M4KX',
  title: 'Mail is not delivered',
  reason: 'You are on call.',
};

const notification: MessageRequest = { ...page, urgency: 'notification', topic: 'mentions' };

const noRules = { pages: null, notifications: null, topics: null };

const aMethod = (id: string, fields: Partial<ContactMethod> = {}): ContactMethod => ({
  id,
  kind: 'sms',
  label: null,
  address: '+4915112345678',
  shown: '+4915112345678',
  created_at: '2026-03-01T08:00:00.000Z',
  verified_at: '2026-03-01T08:00:00.000Z',
  code: null,
  ...fields,
});

const mail = aMethod('mail', { kind: 'email', address: 'ada@acme.org', shown: 'ada@acme.org' });
const phone = aMethod('phone');
const step = (method_id: string, after_minutes = 0) => ({ method_id, after_minutes });

describe('planMessage', () => {
  it('pages all methods at once by default', () => {
    const { deliveries, log } = planMessage(page, noRules, [mail, phone], nowMs)!;
    expect(deliveries.map(({ method_id, due_ms }) => [method_id, due_ms - nowMs])).toEqual([
      ['mail', 0],
      ['phone', 0],
    ]);
    expect(log).toEqual([]);
  });

  it('sorts the methods of the rules by time and hides private addresses', () => {
    const rules = { ...noRules, pages: [step('phone', 5), step('mail')] };
    const { deliveries } = planMessage(page, rules, [mail, phone], nowMs)!;
    expect(deliveries.map(({ address, due_ms }) => [address, due_ms - nowMs])).toEqual([
      ['a…@acme.org', 0],
      ['+49…78', 300_000],
    ]);
  });

  it('logs a page to somebody without a method', () => {
    expect(planMessage(page, noRules, [], nowMs)).toMatchObject({
      deliveries: [],
      log: [{ outcome: 'unreachable', channel: null }],
    });
  });

  it('uses the first e-mail address for notifications by default', () => {
    const { deliveries } = planMessage(notification, noRules, [phone, mail], nowMs)!;
    expect(deliveries.map(({ method_id }) => method_id)).toEqual(['mail']);
  });

  it.each([
    ['of a topic that is not chosen', { ...notification, topic: 'notes' as const }, noRules],
    ['without a topic', { ...page, urgency: 'notification' as const }, noRules],
    ['when the list of methods is empty', notification, { ...noRules, notifications: [] }],
    ['when its only method was deleted', notification, { ...noRules, notifications: [step('gone')] }],
  ])('sends no notification %s', (_why, request, rules) => {
    expect(planMessage(request, rules, [mail, phone], nowMs)).toBeUndefined();
  });

  it('leaves out deleted methods, and pages all when none is left', () => {
    const rules = { ...noRules, pages: [step('gone'), step('phone')] };
    expect(toEffectiveRules(rules, [mail, phone]).pages).toEqual([step('phone')]);
    expect(toEffectiveRules(rules, [mail]).pages).toEqual([step('mail')]);
  });

  it('uses only the tested method for a test', () => {
    const { deliveries } = planMessage({ ...page, method_id: 'phone' }, noRules, [mail, phone], nowMs)!;
    expect(deliveries.map(({ method_id }) => method_id)).toEqual(['phone']);
  });
});

describe('listUsable', () => {
  it('begins with the account and leaves out unverified methods and kinds that are not set up', () => {
    const methods = [aMethod('new', { verified_at: null }), phone, aMethod('chat', { kind: 'slack' })];
    expect(listUsable('ada@acme.org', { methods }, ['email', 'slack']).map(({ kind }) => kind)).toEqual([
      'email',
      'slack',
    ]);
    expect(listUsable(undefined, { methods }, ['sms']).map(({ id }) => id)).toEqual(['phone']);
  });
});

const failed = (isPermanent = false): SendResult => ({ kind: 'failed', error: 'no', isPermanent });
const sent: SendResult = { kind: 'sent', providerMessageId: 'id' };

/** Applies the same result to everything that was claimed. */
function applyAll(claimed: Message, result: SendResult, atMs: number): Message {
  const due = claimed.deliveries.filter(({ status }) => status === 'sending');
  return applyResults(claimed, new Map(due.map((each) => [each, result])), atMs);
}

describe('a message', () => {
  const rules = { ...noRules, pages: [step('mail'), step('phone', 60)] };
  const plan = () => planMessage(page, rules, [mail, phone], nowMs)!;

  it('is claimed once', () => {
    const claimed = claimDue(plan(), nowMs)!;
    expect(claimed.deliveries.map(({ status }) => status)).toEqual(['sending', 'waiting']);
    expect(claimDue(claimed, nowMs + 1_000)).toBeUndefined();
  });

  it('is claimed again when its worker died', () => {
    const again = claimDue(claimDue(plan(), nowMs)!, nowMs + 91_000)!;
    expect(again.deliveries[0]).toMatchObject({ status: 'sending', attempts: 2 });
    expect(again.id).toBe(plan().id);
  });

  it('waits for the next method after the first was sent', () => {
    const after = applyAll(claimDue(plan(), nowMs)!, sent, nowMs);
    expect(getNextDueMs(after)).toBe(nowMs + 3_600_000);
    expect(claimDue(after, nowMs + 3_599_000)).toBeUndefined();
  });

  it('uses the next method at once after three failures', () => {
    let [message, atMs] = [plan(), nowMs];
    for (let attempt = 1; attempt <= 3; attempt++) {
      atMs = Math.max(atMs, getNextDueMs(message)!);
      message = applyAll(claimDue(message, atMs)!, failed(), atMs);
    }
    expect(message.log.map(({ outcome }) => outcome)).toEqual(['retrying', 'retrying', 'failed']);
    expect(getNextDueMs(message)).toBe(atMs);
    expect(atMs - nowMs).toBeLessThan(60_000);
  });

  it('ends when it is cancelled', () => {
    const ended = cancelRest(claimDue(plan(), nowMs)!, 'the page has ended', nowMs);
    expect(getNextDueMs(ended)).toBeUndefined();
    expect(ended.log.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
  });

  it('ends after a bounded number of attempts, and tries every method until one takes it', () => {
    const results = fc.array(fc.constantFrom(sent, failed(), failed(true)), { minLength: 40, maxLength: 40 });
    const steps = fc.array(fc.tuple(fc.constantFrom('mail', 'phone'), fc.nat(1_440)), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(steps, results, (given, outcomes) => {
        const pages = given.map(([id, minutes]) => step(id, minutes));
        let message = planMessage(page, { ...noRules, pages }, [mail, phone], nowMs)!;
        let rounds = 0;
        for (let dueMs = getNextDueMs(message); dueMs !== undefined; dueMs = getNextDueMs(message)) {
          message = applyAll(claimDue(message, dueMs)!, outcomes[rounds % outcomes.length]!, dueMs);
          expect(++rounds).toBeLessThanOrEqual(3 * given.length);
        }
        expect(message.deliveries.every(({ status }) => status === 'sent' || status === 'failed')).toBe(true);
        expect(message.revision).toBe(1 + 2 * rounds);
      }),
    );
  });
});

describe('toMessageKey', () => {
  it('puts a message without a record into the partition of the person, and derives the id', () => {
    expect(toMessageKey({ ...page, record_id: null, to: 'Ada@acme.org' })).toEqual({
      pk: 'messages#ada@acme.org',
      id: toMessageKey(page).id,
    });
  });
});

describe('the text of a message', () => {
  const hostile = { ...page, title: 'A <b>\r\nBcc: eve@evil.org', reason: '& "quoted" [x](y) <!channel>' };
  const content = toContent('msg_1', hostile, 'https://acme.org/console/');

  it('names the record, the reason, the address and the id on every channel', () => {
    const texts = [toMail('ada@acme.org', content).text, toText(content)];
    const chats = (['slack', 'teams', 'ntfy'] as const).map((kind) => {
      const { headers, body } = toChat(kind, toContent('msg_1', page, 'https://acme.org/console/'));
      return `${JSON.stringify(headers)} ${body}`;
    });
    for (const text of [...texts, ...chats]) {
      expect(text).toContain('https://acme.org/console/incidents/INC7Q2M4KX');
      expect(text.replaceAll('\\\\', '')).toMatch(/msg_1/);
    }
    expect(texts.every((text) => text.includes('INC7Q2M4KX') && text.includes('quoted'))).toBe(true);
  });

  it('cannot add headers to a mail, tags to its HTML or mentions to a chat', () => {
    const { subject, html } = toMail('ada@acme.org', content);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toContain('<b>');
    expect(toChat('slack', content).body).not.toContain('<!channel>');
    expect(toChat('ntfy', content).headers.title).toMatch(/^=\?UTF-8\?B\?[\w+/=]+\?=$/);
  });

  it('puts the link that acknowledges first', () => {
    const { links } = toContent('msg_1', { ...page, acknowledge_url: 'https://acme.org/ack' }, 'https://acme.org/');
    expect(links.map(({ label }) => label)).toEqual(['Acknowledge', 'Open']);
  });

  it('of a text message has at most four parts', () => {
    const long = toContent(
      'msg_2Q8W4ZK1M7XB5T9N3RVC6JHF0D',
      { ...page, title: 'x'.repeat(10_000), reason: 'y'.repeat(10_000) },
      'https://acme.org/console/',
    );
    expect(toText(long).length).toBeLessThan(4 * 153);
  });
});

describe('channels', () => {
  const post = async () => ({ kind: 'responded' as const, status: 200, text: '{"id":"abc123"', retryAfter: undefined });
  const providers = { mail: async () => 'mail-1', text: async () => 'text-1', post };
  const content = toContent('msg_1', page, 'https://acme.org/');
  const send = (given: object, kind: (typeof contactKinds)[number] = 'email') =>
    connectChannels({ ...providers, ...given }).send(kind, 'https://chat.acme.org', content);

  it.each([
    ['email', 'mail-1'],
    ['sms', 'text-1'],
    ['ntfy', 'abc123'],
  ] as const)('return the id that the provider of %s gives', async (kind, providerMessageId) => {
    expect(await send({}, kind)).toEqual({ kind: 'sent', providerMessageId });
  });

  it.each([
    ['MessageRejected', 400, true],
    ['OptedOutException', 400, true],
    ['TooManyRequestsException', 429, false],
    ['ThrottlingException', 400, false],
    ['LimitExceededException', 400, false],
    ['InternalServiceErrorException', 500, false],
    ['TimeoutError', undefined, false],
  ])('take %s (%s) for a permanent failure: %s', async (name, httpStatusCode, isPermanent) => {
    const error = Object.assign(new Error('why'), { name, ...(httpStatusCode && { $metadata: { httpStatusCode } }) });
    const result = await send({ mail: () => Promise.reject(error) });
    expect(result).toEqual({ kind: 'failed', error: `${name}: why`, isPermanent });
  });

  it.each([
    [404, true],
    [410, true],
    [429, false],
    [503, false],
  ])('take the response %s of a chat for a permanent failure: %s', async (status, isPermanent) => {
    const result = await send({ post: async () => ({ ...(await post()), status }) }, 'slack');
    expect(result).toEqual({ kind: 'failed', error: `returned ${status}`, isPermanent });
  });
});

describe('a verification code', () => {
  it('is stored as a salted hash', () => {
    const { code, stored } = newCode(nowMs);
    expect(code).toMatch(/^\d{6}$/);
    expect(stored.hash).toBe(createHmac('sha256', stored.salt).update(code).digest('hex'));
    expect(isCode(code, stored)).toBe(true);
    expect(isCode(code === '000000' ? '000001' : '000000', stored)).toBe(false);
    expect(stored.expires_ms - nowMs).toBe(600_000);
  });
});
