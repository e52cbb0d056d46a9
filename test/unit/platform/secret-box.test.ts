import { type DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { createKmsSecretBox, maxSecretBytes } from '../../../lambdas/platform/secret-box.ts';

/** Remembers the context instead of encrypting, and counts what it is asked. */
function aKms() {
  const kms = {
    calls: [] as string[],
    down: false,
    async send(command: unknown) {
      if (kms.down) throw new Error('KMS is away');
      if (command instanceof EncryptCommand) {
        kms.calls.push('encrypt');
        const { Plaintext, EncryptionContext, KeyId } = command.input;
        const text = JSON.stringify([KeyId, EncryptionContext, Buffer.from(Plaintext!).toString()]);
        return { CiphertextBlob: Buffer.from(text) };
      }
      kms.calls.push('decrypt');
      const { CiphertextBlob, EncryptionContext, KeyId } = (command as DecryptCommand).input;
      const [keyId, context, plaintext] = JSON.parse(Buffer.from(CiphertextBlob!).toString());
      const same = keyId === KeyId && JSON.stringify(context) === JSON.stringify(EncryptionContext);
      if (!same) throw new Error('InvalidCiphertextException');
      return { Plaintext: Buffer.from(plaintext) };
    },
  };
  return kms;
}

function aBox() {
  const kms = aKms();
  const time = { nowMs: 1 };
  const box = createKmsSecretBox(kms as unknown as Pick<KMSClient, 'send'>, 'the-key', { now: () => time.nowMs });
  return { kms, time, box };
}

describe('createKmsSecretBox', () => {
  it('opens what it sealed', async () => {
    const { box } = aBox();
    const sealed = await box.seal('wh_in_1', 'whsec_ü');
    expect(await box.open('wh_in_1', sealed)).toBe('whsec_ü');
  });

  it('does not open the secret of one record for another', async () => {
    const { box } = aBox();
    const sealed = await box.seal('wh_in_1', 'x');
    await box.open('wh_in_1', sealed);
    await expect(box.open('wh_in_2', sealed)).rejects.toThrow('InvalidCiphertextException');
  });

  it('decrypts a secret once in five minutes, also for concurrent requests', async () => {
    const { box, kms, time } = aBox();
    const sealed = await box.seal('wh_in_1', 'x');
    await Promise.all(Array.from({ length: 20 }, () => box.open('wh_in_1', sealed)));
    time.nowMs += 5 * 60_000;
    await box.open('wh_in_1', sealed);
    expect(kms.calls).toEqual(['encrypt', 'decrypt']);
    time.nowMs++;
    await box.open('wh_in_1', sealed);
    expect(kms.calls).toEqual(['encrypt', 'decrypt', 'decrypt']);
  });

  it('does not cache a failure', async () => {
    const { box, kms } = aBox();
    const sealed = await box.seal('wh_in_1', 'x');
    kms.down = true;
    await expect(box.open('wh_in_1', sealed)).rejects.toThrow('KMS is away');
    kms.down = false;
    expect(await box.open('wh_in_1', sealed)).toBe('x');
  });

  it('caches a bounded number of secrets', async () => {
    const { box, kms } = aBox();
    const sealed = await Promise.all(Array.from({ length: 1_001 }, (_, index) => box.seal(`wh_in_${index}`, 'x')));
    for (const [index, one] of sealed.entries()) await box.open(`wh_in_${index}`, one);
    kms.calls.length = 0;
    await box.open('wh_in_1000', sealed[1_000]!);
    expect(kms.calls).toEqual([]);
    await box.open('wh_in_0', sealed[0]!);
    expect(kms.calls).toEqual(['decrypt']);
  });

  it('rejects secrets that KMS would reject, without revealing them', async () => {
    const { box, kms } = aBox();
    const secret = 's'.repeat(maxSecretBytes + 1);
    const error = await box.seal('wh_in_1', secret).catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/wh_in_1 has more than 4096 bytes/);
    expect(String(error)).not.toContain('sss');
    expect(kms.calls).toEqual([]);
  });
});
