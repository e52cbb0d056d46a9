// One line per figure, and how many goals were missed.

export interface Goal {
  atLeast?: number;
  atMost?: number;
}

export const verbose = process.argv.includes('--verbose');

let missed = 0;

export function missedGoals(): number {
  return missed;
}

export function report(name: string, value: number, goal?: Goal, note = ''): void {
  const met = !goal || (value >= (goal.atLeast ?? -1) && value <= (goal.atMost ?? Number.POSITIVE_INFINITY));
  if (!met) missed++;
  const wanted = goal ? ` (goal ${goal.atLeast !== undefined ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`})` : '';
  console.log(`  ${met ? ' ' : '✗'} ${name.padEnd(58)} ${value.toFixed(3)}${wanted}${note && `  ${note}`}`);
}

export function share(part: number, whole: number): number {
  return part / Math.max(1, whole);
}

/** The share of the items that pass. */
export function computeShare<Item>(items: readonly Item[], passes: (item: Item) => boolean): number {
  return share(items.filter(passes).length, items.length);
}

/** Expected calibration error over ten classes of confidence. */
export function calibrationError(judged: readonly { isRight: boolean; confidence: number }[]): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    const inside = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin);
    if (inside.length === 0) continue;
    const accuracy = computeShare(inside, ({ isRight }) => isRight);
    const confidence = inside.reduce((sum, each) => sum + each.confidence, 0) / inside.length;
    error += (Math.abs(accuracy - confidence) * inside.length) / judged.length;
    console.log(`    said ${confidence.toFixed(2)}, was right ${accuracy.toFixed(2)} (${inside.length} times)`);
  }
  return error;
}
