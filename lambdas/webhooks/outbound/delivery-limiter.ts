// Limits concurrent deliveries per webhook, so that connections are reused and thousands of due deliveries of one webhook do
// not use up the processor time of the others. A delivery that takes longer than `maxCountedMs` no longer counts against the
// limit, so a receiver that hangs delays its own deliveries only briefly.

/** Runs work as soon as its key is below the limit. */
export type DeliveryLimiter = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createDeliveryLimiter(maxConcurrent = 32, maxCountedMs = 250): DeliveryLimiter {
  const receivers = new Map<string, { running: number; waiting: (() => void)[] }>();
  const release = (key: string) => {
    const receiver = receivers.get(key);
    if (!receiver) return;
    const next = receiver.waiting.shift();
    if (next) next();
    else if (--receiver.running === 0) receivers.delete(key);
  };
  const acquire = async (key: string) => {
    const receiver = receivers.get(key) ?? { running: 0, waiting: [] };
    receivers.set(key, receiver);
    if (receiver.running < maxConcurrent) receiver.running++;
    else await new Promise<void>((resolve) => receiver.waiting.push(resolve));
  };
  return async (key, work) => {
    await acquire(key);
    let counts = true;
    const stopCounting = () => {
      if (counts) release(key);
      counts = false;
    };
    const timer = setTimeout(stopCounting, maxCountedMs).unref();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      stopCounting();
    }
  };
}
