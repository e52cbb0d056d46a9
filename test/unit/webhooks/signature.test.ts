import fc from 'fast-check';
import { newSecret } from '../../../lambdas/platform/ids.ts';
import { signHex, signStandardWebhook, verifyHex, verifyStandard } from '../../../lambdas/webhooks/signature.ts';

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
