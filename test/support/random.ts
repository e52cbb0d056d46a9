// Random choices that a seed repeats.

export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Access to globals is slow in Jest. */
const { imul } = Math;

/** The generator mulberry32. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (items) => items[below(items.length)]! };
}
