import { Admission, type Leave } from '../../../../local/api-gateway/admission.ts';

const limits = {
  maxRunning: 2,
  maxSlotMs: 60_000,
  maxSlow: 2,
  burstMs: 300,
  maxWaitingInBurst: 4,
  maxWaiting: { urgent: 2, normal: 1 },
};

describe('Admission', () => {
  let nowMs: number;
  let admission: Admission;
  /** The names of the requests that run or ran, in order. */
  let started: string[];
  let leaves: Record<string, Leave>;

  beforeEach(() => {
    nowMs = 0;
    admission = new Admission(limits, () => nowMs);
    started = [];
    leaves = {};
  });

  /** Whether the request was accepted. */
  function send(name: string, priority: 'urgent' | 'normal' = 'normal'): boolean {
    const entering = admission.enter(priority);
    entering?.then((leave) => {
      started.push(name);
      leaves[name] = leave;
    });
    return entering !== undefined;
  }

  const sendAll = (names: string) => names.split(' ').map((name) => send(name));

  async function leave(name: string): Promise<void> {
    leaves[name]!();
    await settle();
  }

  /** Lets the promises of started requests run. */
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
  };

  it('lets a burst wait, up to a bound', async () => {
    expect(sendAll('a b c d e f g')).toEqual([true, true, true, true, true, true, false]);
    await settle();
    expect(started).toEqual(['a', 'b']);
    await leave('a');
    expect(started).toEqual(['a', 'b', 'c']);
    for (const name of ['b', 'c', 'd', 'e', 'f']) await leave(name);
    expect(started.join('')).toBe('abcdef');
  });

  it('leaves only a short queue when requests wait for longer than a burst', async () => {
    sendAll('a b c d');
    nowMs = 301;
    expect(send('e')).toBe(false);
    await settle();
    await leave('a');
    await leave('b');
    expect([send('e'), send('f')]).toEqual([true, false]);
  });

  it('stays overloaded while gaps between waiting requests are short', async () => {
    sendAll('a b c');
    await settle();
    nowMs = 301;
    await leave('a');
    nowMs = 400;
    expect([send('d'), send('e')]).toEqual([true, false]);
  });

  it('allows a burst again after nobody waited for a while', async () => {
    sendAll('a b c');
    await settle();
    await leave('a');
    nowMs = 302;
    expect(sendAll('d e f g')).toEqual([true, true, true, true]);
  });

  it('runs urgent requests first, and every fourth time a normal one', async () => {
    sendAll('a b n1 n2');
    for (const name of ['u1', 'u2', 'u3', 'u4']) send(name, 'urgent');
    await settle();
    for (const name of ['a', 'b', 'u1', 'u2', 'n1', 'u3']) await leave(name);
    expect(started).toEqual(['a', 'b', 'u1', 'u2', 'n1', 'u3', 'u4', 'n2']);
  });

  it('accepts urgent requests when it rejects normal ones', () => {
    sendAll('a b c');
    nowMs = 301;
    expect([send('n'), send('u1', 'urgent'), send('u2', 'urgent'), send('u3', 'urgent')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('gives the place of a slow request to the next one', async () => {
    admission = new Admission({ ...limits, maxSlotMs: 5 });
    sendAll('a b c d');
    while (started.length < 3) await new Promise(setImmediate);
    expect(started).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'b', 'c']) await leave(name);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('counts a request that leaves twice once', async () => {
    sendAll('a b c d e');
    await settle();
    await leave('a');
    await leave('a');
    expect(started).toEqual(['a', 'b', 'c']);
  });
});
