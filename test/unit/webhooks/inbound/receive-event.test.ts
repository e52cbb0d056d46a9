import { createHmac, createSign } from 'node:crypto';
import type { InboundEvent } from '../../../../contract/inbound-events.ts';
import { type InboundRejection, maxRejections } from '../../../../contract/inbound-rejections.ts';
import { InvalidToken } from '../../../../lambdas/identity/access-token.ts';
import type { ItemStore } from '../../../../lambdas/records/item-store.ts';
import type { Item } from '../../../../lambdas/records/items.ts';
import { completeDocument } from '../../../../lambdas/records/stored-document.ts';
import type { Write } from '../../../../lambdas/records/write-items.ts';
import {
  assertSize,
  buildEventWrites,
  findEvent,
  hashBody,
  parsePayload,
  retentionMs,
  toEventsRange,
} from '../../../../lambdas/webhooks/inbound/events.ts';
import { type RequestVerifier, verifyRequest } from '../../../../lambdas/webhooks/inbound/receive-event.ts';
import { storeRejection } from '../../../../lambdas/webhooks/inbound/rejections.ts';
import {
  getPreviousSecretExpiry,
  type InboundWebhookDocument,
  type InboundWebhookRecord,
  toWebhookAuthor,
} from '../../../../lambdas/webhooks/inbound/webhook.ts';
import {
  listValidSecrets,
  overlapMs,
  rotateSecrets,
  type SealedSecret,
  toFirstSecrets,
} from '../../../../lambdas/webhooks/secrets.ts';
import { createCertificate } from '../../../support/certificates.ts';

const body = Buffer.from('{"a":1}');
const sign = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');
const made = (secret: string) => `sealed ${secret}`;

const aWebhook = (secrets: readonly SealedSecret[]) =>
  ({ id: 'wh_in_1', document: { secret_enabled: secrets.length > 0, secrets } }) as unknown as InboundWebhookRecord;

function aVerifier(nowMs: number): RequestVerifier & { opened: string[] } {
  const opened: string[] = [];
  return {
    opened,
    clock: { now: () => nowMs },
    box: {
      seal: async () => '',
      open: async (id, sealed) => {
        opened.push(`${id} ${sealed}`);
        return sealed.replace('sealed ', '');
      },
    },
    identify: async () => {
      throw new InvalidToken('not ours');
    },
    loadCertificate: async () => snsCertificate,
  };
}

const { privateKey: snsKey, pem: snsCertificate } = createCertificate(
  'sns.amazonaws.com',
  new Date('2026-01-01T00:00:00Z'),
  new Date('2027-01-01T00:00:00Z'),
);

const aCaller = { kind: 'user', id: 'u', clientId: 'c', ownerId: 'u', email: 'a@example.com' } as const;

const signedRequest = (headers: Record<string, string>) => ({ body, header: (name: string) => headers[name] });

describe('verifyRequest', () => {
  const secrets = rotateSecrets(toFirstSecrets(made('whsec_old'), 0), made('whsec_new'), 1_000);
  const by = (secret: string, nowMs: number) =>
    verifyRequest(aWebhook(secrets), signedRequest({ 'X-Service-Signature': sign(secret) }), aVerifier(nowMs));

  it('accepts a secret for 24 hours after its rotation', async () => {
    expect(await by('whsec_old', 1_000 + overlapMs - 1)).toBe('service_signature');
    await expect(by('whsec_old', 1_000 + overlapMs)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await by('whsec_new', 1_000 + overlapMs)).toBe('service_signature');
  });

  it('accepts every request for a webhook without a secret', async () => {
    const verifier = aVerifier(0);
    expect(await verifyRequest(aWebhook([]), signedRequest({}), verifier)).toBe('none');
    expect(verifier.opened).toEqual([]);
  });

  it('decrypts no secret for requests without a signature', async () => {
    const verifier = aVerifier(0);
    await expect(verifyRequest(aWebhook(secrets), signedRequest({}), verifier)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await expect(
      verifyRequest(aWebhook(secrets), signedRequest({ Authorization: 'Bearer x' }), verifier),
    ).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(verifier.opened).toEqual([]);
  });

  it('is unavailable while the user pool fails', async () => {
    const verifier = { ...aVerifier(0), identify: () => Promise.reject(new Error('down')) };
    const attempt = verifyRequest(aWebhook(secrets), signedRequest({ Authorization: 'Bearer x.y.z' }), verifier);
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'down' } });
  });

  it('accepts the cached token of an agent until it expires', async () => {
    const roles = ['itsm_agent'] as const;
    const identify = async () => ({ ...aCaller, roles, tokenExpiresAt: 60 });
    const at = (nowMs: number) =>
      verifyRequest(aWebhook(secrets), signedRequest({ Authorization: 'Bearer x' }), { ...aVerifier(nowMs), identify });
    expect(await at(59_999)).toBe('token');
    await expect(at(60_000)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('verifyRequest of a webhook for CloudWatch alarms', () => {
  const nowMs = Date.parse('2026-03-01T10:00:00Z');
  const notification = {
    Type: 'Notification',
    MessageId: '8b0d2a3c-6f0e-5a3f-9c1d-7f1f2a3b4c5d',
    TopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
    Message: '{"AlarmName":"orders-5xx"}',
    Timestamp: '2026-03-01T09:30:01.000Z',
    SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0abc.pem',
  };
  const { SigningCertURL, TopicArn } = notification;
  const confirmation = {
    ...notification,
    Type: 'SubscriptionConfirmation',
    Token: '2336412f37',
    SubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37',
  };
  type Message = Partial<Record<keyof typeof confirmation | 'Subject' | 'Signature' | 'SignatureVersion', string>>;

  /** Signs like SNS: names and values in alphabetical order, without the certificate URL. */
  const signMessage = (message: Message, version = '2'): Message => {
    const signed = Object.entries(message).filter(([name]) => name !== 'SigningCertURL');
    const text = signed
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map((entry) => `${entry.join('\n')}\n`)
      .join('');
    const algorithm = version === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    const Signature = createSign(algorithm).update(text).sign(snsKey, 'base64');
    return { ...message, SignatureVersion: version, Signature };
  };
  const webhook = (secrets: readonly SealedSecret[] = [], settings: object = { when: [], topic_arn: TopicArn }) => {
    const { id, document } = aWebhook(secrets);
    return { id, document: { ...document, preset: 'cloudwatch', ...settings } } as InboundWebhookRecord;
  };
  const toRequest = (message: unknown, headers: Record<string, string> = {}) => ({
    body: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
    header: (name: string) => headers[name],
  });
  const verify = (message: unknown, more: Partial<RequestVerifier> = {}, headers: Record<string, string> = {}) =>
    verifyRequest(webhook(), toRequest(message, headers), { ...aVerifier(nowMs), ...more });

  it.each(['1', '2'])('accepts messages that SNS signed with version %s', async (version) => {
    expect(await verify(signMessage(notification, version))).toBe('sns_signature');
    expect(await verify(signMessage({ ...notification, Subject: 'ALARM' }, version))).toBe('sns_signature');
    expect(await verify(signMessage(confirmation, version))).toBe('sns_signature');
  });

  const genuine = signMessage(notification);
  it.each<[string, unknown]>([
    ['a message without a signature', notification],
    ['a changed message', { ...genuine, Message: '{"AlarmName":"other"}' }],
    ['an added subject', { ...genuine, Subject: 'ALARM' }],
    ['a changed topic', { ...genuine, TopicArn: 'arn:aws:sns:eu-central-1:999999999999:alarms' }],
    [
      'a confirmation of another address',
      { ...signMessage(confirmation), SubscribeURL: 'https://sns.x.amazonaws.com/' },
    ],
    ['an unknown version', { ...genuine, SignatureVersion: '3' }],
    ['an unknown type', signMessage({ ...notification, Type: 'toString' })],
    ['a message of the day before yesterday', signMessage({ ...notification, Timestamp: '2026-02-27T10:00:00.000Z' })],
    ['a message of tomorrow', signMessage({ ...notification, Timestamp: '2026-03-02T10:00:00.000Z' })],
    ['a certificate of somebody else', signMessage({ ...notification, SigningCertURL: 'https://evil.test/a.pem' })],
    [
      'a certificate over HTTP',
      signMessage({ ...notification, SigningCertURL: SigningCertURL.replace('https', 'http') }),
    ],
    [
      'a file of SNS that is no certificate',
      signMessage({ ...notification, SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/?Action=Publish' }),
    ],
    ['no SNS message', { alert: 'x' }],
    ['no object', '"text"'],
  ])('rejects %s', async (_, message) => {
    await expect(verify(message)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  // Anybody can have SNS sign messages for a topic of their own account.
  const foreign = 'arn:aws:sns:eu-central-1:999999999999:alarms';

  it.each([
    ['notification', signMessage({ ...notification, TopicArn: foreign })],
    ['confirmation', signMessage({ ...confirmation, TopicArn: foreign })],
  ])('rejects a genuine %s of another topic', async (_, message) => {
    await expect(verify(message)).rejects.toMatchObject({ code: 'unauthorized', reason: 'other_topic' });
  });

  describe('of an earlier release', () => {
    const verifyStored = (message: unknown, filters: object[]) => {
      const { document, ...record } = webhook([], { filters });
      const completed = { ...record, document: completeDocument('inbound_webhook', document) };
      return verifyRequest(completed, toRequest(message), aVerifier(nowMs));
    };
    const filter = { field: 'TopicArn', operator: 'eq', value: TopicArn };

    it('keeps receiving messages, and confirms no subscription without a topic', async () => {
      expect(await verifyStored(genuine, [])).toBe('sns_signature');
      await expect(verifyStored(signMessage(confirmation), [])).rejects.toMatchObject({ reason: 'other_topic' });
    });

    it.each(['TopicArn', '$.TopicArn', 'payload.TopicArn'])('takes the topic from a filter on %s', async (field) => {
      const other = signMessage({ ...notification, TopicArn: foreign });
      expect(await verifyStored(genuine, [{ ...filter, field }])).toBe('sns_signature');
      expect(await verifyStored(signMessage(confirmation), [{ ...filter, field }])).toBe('sns_signature');
      await expect(verifyStored(other, [{ ...filter, field }])).rejects.toMatchObject({ reason: 'other_topic' });
    });
  });

  it('rejects a certificate that has expired or does not exist', async () => {
    const Timestamp = '2027-01-02T00:00:00.000Z';
    const later = { clock: { now: () => Date.parse(Timestamp) } };
    await expect(verify(signMessage({ ...notification, Timestamp }), later)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const missing = { loadCertificate: async () => undefined };
    await expect(verify(genuine, missing)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('asks the sender to retry when the certificate cannot be loaded', async () => {
    const down = { loadCertificate: () => Promise.reject(new Error('down')) };
    await expect(verify(genuine, down)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ignores signature headers without a secret, and accepts its own signatures with one', async () => {
    await expect(verify(notification, {}, { Authorization: 'Bearer x' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const signed = signedRequest({ 'X-Service-Signature': sign('whsec_a') });
    const record = webhook(toFirstSecrets(made('whsec_a'), 0));
    expect(await verifyRequest(record, signed, aVerifier(nowMs))).toBe('service_signature');
  });
});

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

const names = (secrets: readonly { sealed: string }[]) => secrets.map(({ sealed }) => sealed.replace('sealed ', ''));

describe('the secrets of a webhook', () => {
  it('accept the previous secret for exactly 24 hours', () => {
    const secrets = rotateSecrets(toFirstSecrets(made('old'), 0), made('new'), 1_000);
    expect(names(listValidSecrets(secrets, 1_000 + overlapMs - 1))).toEqual(['new', 'old']);
    expect(names(listValidSecrets(secrets, 1_000 + overlapMs))).toEqual(['new']);
    expect(getPreviousSecretExpiry(secrets, 1_000)).toBe(new Date(1_000 + overlapMs).toISOString());
    expect(getPreviousSecretExpiry(secrets, 1_000 + overlapMs)).toBeNull();
  });

  it('accept older secrets after two rotations', () => {
    const once = rotateSecrets(toFirstSecrets(made('a'), 0), made('b'), 1_000);
    const twice = rotateSecrets(once, made('c'), 2_000);
    expect(names(twice)).toEqual(['c', 'b', 'a']);
    expect(names(listValidSecrets(twice, 1_000 + overlapMs))).toEqual(['c', 'b']);
  });

  it('are limited in number', () => {
    let secrets = toFirstSecrets(made('0'), 0);
    for (let index = 1; index < 20; index++) secrets = rotateSecrets(secrets, made(String(index)), index);
    expect(names(secrets)).toEqual(['19', '18', '17', '16', '15']);
  });
});

const getActor = (name: string) =>
  toWebhookAuthor({ id: 'wh_in_1', document: { name } as InboundWebhookDocument }, 'example.com').actor;

describe('toWebhookAuthor', () => {
  it.each([
    ['Prometheus', 'prometheus@webhooks.example.com'],
    ['Grafana (EU) – prod', 'grafana-eu-prod@webhooks.example.com'],
    ['日本', 'wh_in_1@webhooks.example.com'],
    ['a'.repeat(100), `${'a'.repeat(64)}@webhooks.example.com`],
  ])('gives %s an address', (name, actor) => {
    expect(getActor(name)).toBe(actor);
  });

  it('names the webhook as the origin', () => {
    const { origin } = toWebhookAuthor({ id: 'wh_in_1', document: { name: 'x' } as InboundWebhookDocument }, 'x.com');
    expect(origin).toEqual({ kind: 'webhook', id: 'wh_in_1' });
  });
});

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
