import { gate } from '../../../lambdas/webhooks/gate.ts';

const never = () => new Promise<never>(() => {});
const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

describe('gate', () => {
  it('lets in so many at a time, each as soon as another is done', async () => {
    const through = gate(2, 60_000);
    const ends: (() => void)[] = [];
    let begun = 0;
    const all = Array.from({ length: 5 }, () =>
      through('a', () => {
        begun++;
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await turns();
    expect(begun).toBe(2);
    ends[0]!();
    await turns();
    expect(begun).toBe(3);
    for (let one = 1; one < 5; one++) {
      ends[one]!();
      await turns();
    }
    await Promise.all(all);
    expect(begun).toBe(5);
  });

  it('keeps keys apart', async () => {
    const through = gate(1, 60_000);
    void through('a', never);
    expect(await through('b', async () => 'done')).toBe('done');
  });

  it('lets others pass those who take too long', async () => {
    const through = gate(1, 5);
    void through('a', never);
    expect(await through('a', async () => 'done')).toBe('done');
  });

  it('goes on after a failure', async () => {
    const through = gate(1, 60_000);
    const failing = through('a', async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await through('a', async () => 'done')).toBe('done');
  });
});
