// Which parts of an item a read gives back. Elements of lists close up: items[2] and items[7] come back as two elements.
import { type AttributeValue, attribute, type Item } from '../attribute-value.ts';
import { refuseMeetingPaths } from './paths.ts';
import type { Substitutions } from './substitutions.ts';
import type { Path, Projection, Step } from './syntax.ts';

export interface BoundProjection {
  readonly paths: readonly Path[];
  /** The same paths as a tree: a leaf (undefined) takes the whole value. */
  readonly tree: Tree;
}

type Tree = Map<Step, Tree | undefined>;

export function bindProjection(projection: Projection, substitutions: Substitutions): BoundProjection {
  return projectionOf(projection.map((path) => substitutions.path(path)));
}

export function projectionOf(paths: readonly Path[]): BoundProjection {
  refuseMeetingPaths(paths);
  const tree: Tree = new Map();
  for (const path of paths) {
    let branch = tree;
    path.forEach((step, at) => {
      if (at === path.length - 1) branch.set(step, undefined);
      else {
        const next = branch.get(step) ?? new Map();
        branch.set(step, next);
        branch = next;
      }
    });
  }
  return { paths, tree };
}

export function project(item: Item, { tree }: BoundProjection): Item {
  return pickFromMap(item, tree);
}

function pickFromMap(item: Item, tree: Tree): Item {
  const picked: [string, AttributeValue][] = [];
  for (const [name, branch] of tree) {
    const value = typeof name === 'string' ? attribute(item, name) : undefined;
    const part = value && pick(value, branch);
    if (part) picked.push([name as string, part]);
  }
  return Object.fromEntries(picked);
}

function pick(value: AttributeValue, tree: Tree | undefined): AttributeValue | undefined {
  if (!tree) return value;
  if (value.M) {
    const part = pickFromMap(value.M, tree);
    return Object.keys(part).length > 0 ? { M: part } : undefined;
  }
  if (!value.L) return undefined;
  const places = [...tree.keys()].filter((step) => typeof step === 'number').sort((one, two) => one - two);
  const elements: AttributeValue[] = [];
  for (const place of places) {
    const element = value.L[place];
    const part = element && pick(element, tree.get(place));
    if (part) elements.push(part);
  }
  return elements.length > 0 ? { L: elements } : undefined;
}
