import { MessageChannel } from 'node:worker_threads';
import { aFunction, aStage, type Stage } from './function-fixture.ts';

describe('calls in the past', () => {
  let stage: Stage;
  afterEach(() => stage.close());
  const connect = () => new MessageChannel().port2;
  const operatorKey = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' };

  it('happen each at a time of its own, also when several are under way', async () => {
    const code = `exports.handler = async (turns) => {
      const seen = [];
      for (let turn = 0; turn < turns; turn++) {
        seen.push(Date.now(), new Date().getTime());
        await new Promise((resolve) => setImmediate(resolve));
      }
      return [...new Set(seen)];
    }`;
    stage = await aStage([aFunction('Time', code)], { connect, operatorKey });
    const past = stage.functions.openPast();
    const times = [5_000, 1_000, 86_400_000];
    const seen = await Promise.all(times.map((time) => past.call('shop-Time', 20, time)));
    expect(seen).toEqual(times.map((time) => [time]));
    await past.end();
  });

  it('see the variables of their functions, and nothing of this process', async () => {
    const code = 'exports.handler = async () => [process.env.TABLE, process.env.QUEUE, process.env.HOME]';
    const variables = (given: object) => ({ Environment: { Variables: given } });
    const functions = [
      aFunction('A', code, variables({ TABLE: 't' })),
      aFunction('B', code, variables({ QUEUE: 'q' })),
    ];
    stage = await aStage(functions, { connect, operatorKey });
    const past = stage.functions.openPast();
    expect(await past.call('shop-A', null, 0)).toEqual(['t', 'q', undefined]);
    await past.end();
  });

  it('fail with what the function threw, and when the worker is gone', async () => {
    const throws = aFunction('Throws', 'exports.handler = async () => { throw new TypeError("no such thing") }');
    const hangs = aFunction('Hangs', 'exports.handler = () => new Promise(() => {})');
    stage = await aStage([throws, hangs], { connect, operatorKey });
    const past = stage.functions.openPast();
    await expect(past.call('shop-Throws', null, 0)).rejects.toThrow('no such thing');
    const hanging = past.call('shop-Hangs', null, 0);
    await Promise.all([expect(hanging).rejects.toThrow('the worker of the past ended'), past.end()]);
    await expect(async () => past.call('shop-Other', null, 0)).rejects.toMatchObject({ status: 404 });
  });
});
