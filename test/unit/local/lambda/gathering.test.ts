import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { gathering } from '../../../../local/lambda/worker/gathering.ts';

const lists = async (count: number) => {
  const { port1, port2 } = new MessageChannel();
  const post = gathering<number>(port1);
  for (let number = 1; number <= count; number++) Promise.resolve(number).then(post);
  const received: number[][] = [];
  while (received.flat().length < count) received.push(...((await once(port2, 'message')) as number[][]));
  port1.close();
  return received;
};

describe('messages between threads', () => {
  it('of one turn travel together', async () => {
    expect(await lists(3)).toEqual([[1, 2, 3]]);
  });

  it('are not held back for many others, and keep their order', async () => {
    const received = await lists(10);
    expect(received.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(received[0]).toHaveLength(4);
  });

  it('are told one by one when they come one by one', async () => {
    expect(await lists(1)).toEqual([[1]]);
  });
});
