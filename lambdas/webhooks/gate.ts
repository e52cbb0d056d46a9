// Few at a time to the same receiver, so that connections are used again instead of opened by the hundred, as long as it
// answers. A request that takes long no longer counts: a receiver that hangs keeps nobody waiting but itself, and that
// not for long.

/** Runs work as soon as there is room for its key. */
export type Gate = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function gate(most = 32, patienceMs = 250): Gate {
  const rooms = new Map<string, { inside: number; waiting: (() => void)[] }>();
  const leave = (key: string) => {
    const room = rooms.get(key)!;
    const next = room.waiting.shift();
    if (next) next();
    else if (--room.inside === 0) rooms.delete(key);
  };
  const enter = async (key: string) => {
    const room = rooms.get(key) ?? { inside: 0, waiting: [] };
    rooms.set(key, room);
    if (room.inside < most) room.inside++;
    else await new Promise<void>((resolve) => room.waiting.push(resolve));
  };
  return async (key, work) => {
    await enter(key);
    let counts = true;
    const stopCounting = () => {
      if (counts) leave(key);
      counts = false;
    };
    const timer = setTimeout(stopCounting, patienceMs).unref();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      stopCounting();
    }
  };
}
