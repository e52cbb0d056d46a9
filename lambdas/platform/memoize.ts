/**
 * Asks once and remembers the answer for a short time, which passes also while the function stands still between calls.
 * A failure is not remembered.
 */
export function memoize<Value>(
  find: (key: string) => Promise<Value>,
  forMs: number,
  nowMs: () => number = () => performance.now(),
): (key: string) => Promise<Value> {
  const answers = new Map<string, { value: Promise<Value>; untilMs: number }>();
  return (key) => {
    const known = answers.get(key);
    if (known && known.untilMs > nowMs()) return known.value;
    // What is old is as good as gone, so nothing piles up.
    if (answers.size >= maxEntries) answers.clear();
    const value = find(key);
    answers.set(key, { value, untilMs: nowMs() + forMs });
    value.catch(() => answers.delete(key));
    return value;
  };
}

const maxEntries = 1_000;
