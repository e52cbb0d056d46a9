import { createHmac, createSign } from 'node:crypto';
import { InvalidToken } from '../../../../lambdas/identity/access-token.ts';
import { type RequestVerifier, verifyRequest } from '../../../../lambdas/webhooks/inbound/receive-event.ts';
import {
  type InboundWebhookRecord,
  overlapMs,
  rotateSecrets,
  type SealedSecret,
  toFirstSecrets,
} from '../../../../lambdas/webhooks/inbound/webhook.ts';
import { createCertificate } from '../../../support/certificates.ts';

const body = Buffer.from('{"a":1}');
const sign = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');
const made = (secret: string) => ({ secret, sealed: `sealed ${secret}` });

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

  it('rethrows failures of the user pool', async () => {
    const verifier = { ...aVerifier(0), identify: () => Promise.reject(new Error('down')) };
    const attempt = verifyRequest(aWebhook(secrets), signedRequest({ Authorization: 'Bearer x.y.z' }), verifier);
    await expect(attempt).rejects.toThrow('down');
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
  const { SigningCertURL } = notification;
  const confirmation = {
    ...notification,
    Type: 'SubscriptionConfirmation',
    Token: '2336412f37',
    SubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37',
  };
  type Message = Partial<Record<keyof typeof confirmation | 'Subject' | 'Signature' | 'SignatureVersion', string>>;

  /** Signs as described by SNS: names and values in alphabetical order, without the address of the certificate. */
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
  const webhook = (secrets: readonly SealedSecret[] = []) => {
    const { id, document } = aWebhook(secrets);
    return { id, document: { ...document, preset: 'cloudwatch' } } as InboundWebhookRecord;
  };
  const verify = (message: unknown, more: Partial<RequestVerifier> = {}, headers: Record<string, string> = {}) => {
    const content = typeof message === 'string' ? message : JSON.stringify(message);
    const request = { body: Buffer.from(content), header: (name: string) => headers[name] };
    return verifyRequest(webhook(), request, { ...aVerifier(nowMs), ...more });
  };

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
