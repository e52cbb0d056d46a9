// Document paths: reading along them, and the rule that the paths of one expression must not meet.
import { type AttributeValue, attribute, type Item } from '../attribute-value.ts';
import { fault } from './parser.ts';
import type { Path } from './syntax.ts';

export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  let value = attribute(item, path[0] as string);
  for (let at = 1; at < path.length && value; at++) value = child(value, path[at]!);
  return value;
}

export function child(value: AttributeValue, step: string | number): AttributeValue | undefined {
  if (typeof step === 'number') return value.L?.[step];
  return value.M ? attribute(value.M, step) : undefined;
}

export function equalPaths(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((step, at) => step === right[at]);
}

export function showPath(path: Path): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`;
}

/** Refuses two paths of which one holds the other, or which take the same place once as a list and once as a map. */
export function refuseMeetingPaths(paths: readonly Path[]): void {
  for (let second = 1; second < paths.length; second++) {
    for (let first = 0; first < second; first++) {
      const meeting = meet(paths[first]!, paths[second]!);
      if (!meeting) continue;
      throw fault(
        `Two document paths ${meeting} with each other; must remove or rewrite one of these paths; ` +
          `path one: ${showPath(paths[first]!)}, path two: ${showPath(paths[second]!)}`,
      );
    }
  }
}

function meet(one: Path, two: Path): 'overlap' | 'conflict' | undefined {
  const shared = Math.min(one.length, two.length);
  for (let at = 0; at < shared; at++) {
    if (one[at] === two[at]) continue;
    return typeof one[at] === typeof two[at] ? undefined : 'conflict';
  }
  return 'overlap';
}
