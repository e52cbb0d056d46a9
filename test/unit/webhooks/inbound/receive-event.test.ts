import { createHmac } from 'node:crypto';
import { InvalidToken } from '../../../../lambdas/identity/access-token.ts';
import { type RequestVerifier, verifyRequest } from '../../../../lambdas/webhooks/inbound/receive-event.ts';
import {
  type InboundWebhookRecord,
  overlapMs,
  rotateSecrets,
  type SealedSecret,
  toFirstSecrets,
} from '../../../../lambdas/webhooks/inbound/webhook.ts';

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
  };
}

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

  it('accepts every request where the webhook has no secret', async () => {
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
