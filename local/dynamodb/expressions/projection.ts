// Projects items. Selected list elements become a shorter list: items[2] and items[7] return a list of two elements.

import { AwsError } from '../../aws/error.ts';
import { requireValue } from '../../require-value.ts';
import { type AttributeValue, getAttribute, type Item } from '../attribute-value.ts';
import { type BoundCondition, bindCondition } from './condition.ts';
import { parseCondition, parseProjection, parseUpdate } from './grammar.ts';
import type { Condition, Path, Projection, Step, Update } from './parser.ts';
import { assertDisjointPaths, type Substitutions } from './substitutions.ts';
import { type BoundUpdate, bindUpdate } from './update.ts';

export interface BoundProjection {
  readonly paths: readonly Path[];
  /** The same paths as a tree; a leaf (undefined) selects the whole value. */
  readonly tree: Tree;
}

type Tree = Map<Step, Tree | undefined>;

function bindProjection(projection: Projection, substitutions: Substitutions): BoundProjection {
  return createProjection(projection.map((path) => substitutions.resolvePath(path)));
}

export function createProjection(paths: readonly Path[]): BoundProjection {
  assertDisjointPaths(paths);
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
    const value = typeof name === 'string' ? getAttribute(item, name) : undefined;
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
  const indexes = [...tree.keys()].filter((step) => typeof step === 'number').sort((one, two) => one - two);
  const elements: AttributeValue[] = [];
  for (const index of indexes) {
    const element = value.L[index];
    const part = element && pick(element, tree.get(index));
    if (part) elements.push(part);
  }
  return elements.length > 0 ? { L: elements } : undefined;
}

// Parses and binds expressions. Clients repeat the same texts, so parsed expressions are cached; only placeholders are
// replaced in each call.

const maxCached = 1000;

const parseCachedCondition = cacheParser<Condition>(parseCondition);
const parseCachedUpdate = cacheParser<Update>(parseUpdate);
const parseCachedProjection = cacheParser<Projection>(parseProjection);

/** `which` is the parameter name for error messages: ConditionExpression, FilterExpression, … */
export function compileCondition(which: string, text: string, substitutions: Substitutions): BoundCondition {
  return withExpressionName(which, () => bindCondition(parseCachedCondition(text), substitutions));
}

export function compileUpdate(text: string, substitutions: Substitutions): BoundUpdate {
  return withExpressionName('UpdateExpression', () => bindUpdate(parseCachedUpdate(text), substitutions));
}

export function compileProjection(text: string, substitutions: Substitutions): BoundProjection {
  return withExpressionName('ProjectionExpression', () => bindProjection(parseCachedProjection(text), substitutions));
}

function withExpressionName<T>(which: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new AwsError(error.code, `Invalid ${which}: ${error.message}`);
  }
}

/** Caches the latest results of a parser. */
function cacheParser<T>(parse: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = parse(text);
    if (cache.size >= maxCached) cache.delete(requireValue(cache.keys().next().value));
    cache.set(text, result);
    return result;
  };
}
