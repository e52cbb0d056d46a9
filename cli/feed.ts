import type { Event, ServiceClient } from '../client/index.ts';
import { type CommandInput, readNumber } from './command.ts';

type FeedQuery = Omit<NonNullable<Parameters<ServiceClient['listEvents']>[0]>, 'after' | 'limit'>;

/** New events as they happen. It polls the feed, so it needs no public address and misses nothing. */
export async function* followEvents(
  client: ServiceClient,
  query: FeedQuery,
  { options, output, signal }: CommandInput,
): AsyncGenerator<Event> {
  const max = readNumber(options, 'max', Number.POSITIVE_INFINITY);
  const intervalMs = readNumber(options, 'interval', 2) * 1000;
  let after = readNumber(options, 'after', -1);
  if (after < 0) {
    after = (await client.listEvents({ limit: 1 }, { signal })).latest;
    output.note('Waiting for events. Press Ctrl-C to stop.');
  }
  for (let seen = 0; seen < max; ) {
    const page = await client.listEvents({ ...query, after, limit: 200 }, { signal });
    for (const event of page.data) {
      yield event;
      if (++seen >= max) return;
    }
    const isAtEnd = page.next_after >= page.latest;
    after = Math.max(after, page.next_after);
    if (isAtEnd) await pause(intervalMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
