// The # names and : values of a call. They are validated once; unused ones are rejected, as in DynamoDB.
import { requireValue } from '../../require-value.ts';
import { type AttributeValue, getAttribute, type Item, normalizeValue } from '../attribute-value.ts';
import { validationError } from '../errors.ts';
import { type Path, syntaxError } from './parser.ts';

interface SubstitutionInput {
  ExpressionAttributeNames?: Record<string, unknown> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

export class Substitutions {
  private readonly names: Record<string, unknown>;
  private readonly values: Map<string, AttributeValue>;
  private readonly usedNames = new Set<string>();
  private readonly usedValues = new Set<string>();

  constructor(input: SubstitutionInput) {
    this.names = input.ExpressionAttributeNames ?? {};
    checkNames(input.ExpressionAttributeNames);
    this.values = parseValues(input.ExpressionAttributeValues);
  }

  resolvePath(path: Path): Path {
    return path.map((step) => (typeof step === 'string' && step.startsWith('#') ? this.resolveName(step) : step));
  }

  resolveValue(placeholder: string): AttributeValue {
    const value = this.values.get(placeholder);
    if (!value) {
      throw validationError(
        `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
      );
    }
    this.usedValues.add(placeholder);
    return value;
  }

  /** Must run after all expressions of the call are bound. */
  assertAllUsed(): void {
    const names = Object.keys(this.names).filter((name) => !this.usedNames.has(name));
    if (names.length > 0) throw unusedError('Names', names);
    const values = [...this.values.keys()].filter((value) => !this.usedValues.has(value));
    if (values.length > 0) throw unusedError('Values', values);
  }

  private resolveName(placeholder: string): string {
    if (!Object.hasOwn(this.names, placeholder)) {
      throw validationError(
        `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
      );
    }
    this.usedNames.add(placeholder);
    return this.names[placeholder] as string;
  }
}

/** Rejects names and values without an expression that could use them. */
export function assertExpressionGiven(
  input: SubstitutionInput,
  expressions: Readonly<Record<string, unknown>>,
  withValues: readonly string[],
): void {
  if (Object.values(expressions).some((expression) => expression !== undefined)) return;
  if (input.ExpressionAttributeNames) {
    throw validationError('ExpressionAttributeNames can only be specified when using expressions');
  }
  if (input.ExpressionAttributeValues) {
    const missing = `${withValues.join(' and ')} ${withValues.length > 1 ? 'are' : 'is'} null`;
    throw validationError(`ExpressionAttributeValues can only be specified when using expressions: ${missing}`);
  }
}

function checkNames(names: Record<string, unknown> | undefined): void {
  if (!names) return;
  const entries = Object.entries(names);
  if (entries.length === 0) throw validationError('ExpressionAttributeNames must not be empty');
  for (const [placeholder, name] of entries) {
    if (!/^#[A-Za-z0-9_]+$/.test(placeholder)) {
      throw validationError(`ExpressionAttributeNames contains invalid key: Syntax error; key: "${placeholder}"`);
    }
    if (typeof name !== 'string' || name === '') {
      throw validationError(
        `ExpressionAttributeNames contains invalid value: Empty attribute name for key ${placeholder}`,
      );
    }
  }
}

function parseValues(values: Record<string, unknown> | undefined): Map<string, AttributeValue> {
  const canonical = new Map<string, AttributeValue>();
  if (!values) return canonical;
  const entries = Object.entries(values);
  if (entries.length === 0) throw validationError('ExpressionAttributeValues must not be empty');
  for (const [placeholder, value] of entries) {
    if (!/^:[A-Za-z0-9_]+$/.test(placeholder)) {
      throw validationError(`ExpressionAttributeValues contains invalid key: Syntax error; key: "${placeholder}"`);
    }
    try {
      canonical.set(placeholder, normalizeValue(value));
    } catch (error) {
      throw validationError(
        `ExpressionAttributeValues contains invalid value: ${(error as Error).message} for key ${placeholder}`,
      );
    }
  }
  return canonical;
}

function unusedError(kind: string, keys: readonly string[]): Error {
  return validationError(
    `Value provided in ExpressionAttribute${kind} unused in expressions: keys: {${keys.join(', ')}}`,
  );
}

// Document paths: reading values, and the rule that the paths of one expression must not overlap or conflict.

export function getValueAt(item: Item, path: Path): AttributeValue | undefined {
  let value = getAttribute(item, path[0] as string);
  for (let at = 1; at < path.length && value; at++) value = getChild(value, requireValue(path[at]));
  return value;
}

export function getChild(value: AttributeValue, step: string | number): AttributeValue | undefined {
  if (typeof step === 'number') return value.L?.[step];
  return value.M ? getAttribute(value.M, step) : undefined;
}

export function arePathsEqual(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((step, at) => step === right[at]);
}

export function formatPath(path: Path): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`;
}

/** Rejects paths that overlap, or that use the same attribute as a list and as a map. */
export function assertDisjointPaths(paths: readonly Path[]): void {
  for (let second = 1; second < paths.length; second++) {
    for (let first = 0; first < second; first++) {
      const conflict = comparePaths(requireValue(paths[first]), requireValue(paths[second]));
      if (!conflict) continue;
      throw syntaxError(
        `Two document paths ${conflict} with each other; must remove or rewrite one of these paths; ` +
          `path one: ${formatPath(requireValue(paths[first]))}, path two: ${formatPath(requireValue(paths[second]))}`,
      );
    }
  }
}

function comparePaths(one: Path, two: Path): 'overlap' | 'conflict' | undefined {
  const shared = Math.min(one.length, two.length);
  for (let at = 0; at < shared; at++) {
    if (one[at] === two[at]) continue;
    return typeof one[at] === typeof two[at] ? undefined : 'conflict';
  }
  return 'overlap';
}
