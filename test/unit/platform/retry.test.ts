import { retry } from '../../../lambdas/platform/retry.ts';

const exhausted = () => new Error('exhausted');

describe('retry', () => {
  it('returns the first value and waits only before another attempt', async () => {
    const waits: number[] = [];
    const wait = async (attempt: number) => {
      waits.push(attempt);
    };
    const attempt = async (number: number) => (number === 3 ? false : undefined);
    expect(await retry(attempt, { wait, exhausted })).toBe(false);
    expect(waits).toEqual([1, 2]);
  });

  it('throws after the last attempt without waiting', async () => {
    let calls = 0;
    const options = { maxAttempts: 2, wait: async () => void calls++, exhausted };
    await expect(retry(async () => undefined, options)).rejects.toThrow('exhausted');
    expect(calls).toBe(1);
  });

  it('does not retry an error', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts++;
      throw new Error('broken');
    };
    await expect(retry(attempt, { exhausted })).rejects.toThrow('broken');
    expect(attempts).toBe(1);
  });
});
