import { createKeyedQueue } from '../../../lambdas/records/change-record.ts';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('createKeyedQueue', () => {
  it('runs work with one key in order, and other keys in parallel', async () => {
    const runInOrder = createKeyedQueue();
    const { opened, open } = gate();
    const done: string[] = [];
    const step = (name: string, before?: Promise<void>) => async () => {
      await before;
      done.push(name);
    };
    const all = [runInOrder('a', step('a1', opened)), runInOrder('a', step('a2')), runInOrder('b', step('b1'))];
    await all[2];
    expect(done).toEqual(['b1']);
    open();
    await Promise.all(all);
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('returns results and errors, and continues after an error', async () => {
    const runInOrder = createKeyedQueue();
    const failed = runInOrder('a', () => Promise.reject(new Error('no')));
    const next = runInOrder('a', async () => 7);
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe(7);
  });
});
