import { createHmac } from 'node:crypto';
import { InvalidToken } from '../../../../lambdas/identity/access-token.ts';
import { type Gate, prove } from '../../../../lambdas/webhooks/inbound/receive-event.ts';
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

function aGate(nowMs: number): Gate & { opened: string[] } {
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

const knock = (headers: Record<string, string>) => ({ body, header: (name: string) => headers[name] });

describe('prove', () => {
  const secrets = rotated(firstSecret(made('whsec_old'), 0), made('whsec_new'), 1_000);
  const by = (secret: string, nowMs: number) =>
    prove(aWebhook(secrets), knock({ 'X-Service-Signature': sign(secret) }), aGate(nowMs));

  it('accepts a secret for 24 hours after the next one was made, and not longer', async () => {
    expect(await by('whsec_old', 1_000 + overlapMs - 1)).toBe('service_signature');
    await expect(by('whsec_old', 1_000 + overlapMs)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await by('whsec_new', 1_000 + overlapMs)).toBe('service_signature');
  });

  it('asks for nothing where the webhook has no secret', async () => {
    const gate = aGate(0);
    expect(await prove(aWebhook([]), knock({}), gate)).toBe('none');
    expect(gate.opened).toEqual([]);
  });

  it('opens no secret for those who show nothing to check with it', async () => {
    const gate = aGate(0);
    await expect(prove(aWebhook(secrets), knock({}), gate)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(prove(aWebhook(secrets), knock({ Authorization: 'Bearer x' }), gate)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(gate.opened).toEqual([]);
  });

  it('does not take trouble on our side for a bad token', async () => {
    const gate = aGate(0);
    const trouble = {
      ...gate,
      identification: { ...gate.identification, verify: () => Promise.reject(new Error('down')) },
    };
    const attempt = prove(aWebhook(secrets), knock({ Authorization: 'Bearer x.y.z' }), trouble);
    await expect(attempt).rejects.toThrow('down');
  });
});
