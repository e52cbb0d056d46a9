const unitsMs: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Everything due on the way happens, so a longer way would not end. */
const maxDurationMs = 366 * unitsMs.d!;

/** Reads 42m30s, 1h, 500ms, 2d. Undefined when the text is something else, or longer than a year. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|d|h|m|s))+$/.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|d|h|m|s)/g)) totalMs += Number(amount) * unitsMs[unit!]!;
  return totalMs <= maxDurationMs ? totalMs : undefined;
}
