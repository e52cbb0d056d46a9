import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { batchMessages } from '../../../../local/aws/message-transport.ts';

const lists = async (count: number) => {
  const { port1, port2 } = new MessageChannel();
  const post = batchMessages<number>(port1);
  for (let number = 1; number <= count; number++) Promise.resolve(number).then(post);
  const received: number[][] = [];
  while (received.flat().length < count) received.push(...((await once(port2, 'message')) as number[][]));
  port1.close();
  return received;
};

describe('batchMessages', () => {
  it('posts the messages of one turn together', async () => {
    expect(await lists(3)).toEqual([[1, 2, 3]]);
  });

  it('limits the batch size and keeps the order', async () => {
    const received = await lists(10);
    expect(received.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(received[0]).toHaveLength(4);
  });

  it('posts a single message alone', async () => {
    expect(await lists(1)).toEqual([[1]]);
  });
});
