import { createHmac } from 'node:crypto';
import { InvalidToken } from '../../../../lambdas/identity/access-token.ts';
import { type RequestVerifier, verifyRequest } from '../../../../lambdas/webhooks/inbound/receive-event.ts';
import {
  firstSecret,
  type InboundWebhookRecord,
  overlapMs,
  rotated,
  type SealedSecret,
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
    identification: {
      verify: async () => {
        throw new InvalidToken('not ours');
      },
      directory: { findEmail: nobody, findRoles: async () => [], findClient: nobody },
      isSessionOpen: async () => true,
      recordUse: async () => undefined,
      serviceDomain: 'example.com',
      clock: { now: () => nowMs },
    },
  };
}

const nobody = async () => undefined;

const signedRequest = (headers: Record<string, string>) => ({ body, header: (name: string) => headers[name] });

describe('prove', () => {
  const secrets = rotated(firstSecret(made('whsec_old'), 0), made('whsec_new'), 1_000);
  const by = (secret: string, nowMs: number) =>
    verifyRequest(aWebhook(secrets), signedRequest({ 'X-Service-Signature': sign(secret) }), aVerifier(nowMs));

  it('accepts a secret for 24 hours after the next one was made, and not longer', async () => {
    expect(await by('whsec_old', 1_000 + overlapMs - 1)).toBe('service_signature');
    await expect(by('whsec_old', 1_000 + overlapMs)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await by('whsec_new', 1_000 + overlapMs)).toBe('service_signature');
  });

  it('asks for nothing where the webhook has no secret', async () => {
    const verifier = aVerifier(0);
    expect(await verifyRequest(aWebhook([]), signedRequest({}), verifier)).toBe('none');
    expect(verifier.opened).toEqual([]);
  });

  it('opens no secret for those who show nothing to check with it', async () => {
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

  it('does not take trouble on our side for a bad token', async () => {
    const verifier = aVerifier(0);
    const trouble = {
      ...verifier,
      identification: { ...verifier.identification, verify: () => Promise.reject(new Error('down')) },
    };
    const attempt = verifyRequest(aWebhook(secrets), signedRequest({ Authorization: 'Bearer x.y.z' }), trouble);
    await expect(attempt).rejects.toThrow('down');
  });
});
