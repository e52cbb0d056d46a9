// Binds and applies update expressions. Every right side and list index refers to the item before the update.
import { requireValue } from '../../require-value.ts';
import {
  type AttributeType,
  type AttributeValue,
  getType,
  type Item,
  normalizeValue,
  setAttribute,
  sortSet,
} from '../attribute-value.ts';
import { validationError } from '../errors.ts';
import { addNumbers, subtractNumbers } from '../number.ts';
import { isConditionFunction, type Operand, type Path, syntaxError, type Update } from './parser.ts';
import { assertDisjointPaths, getChild, getValueAt, type Substitutions } from './substitutions.ts';

type SetType = 'SS' | 'NS' | 'BS';

export type BoundValue =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; value: AttributeValue }
  | { kind: 'if_not_exists'; path: Path; otherwise: BoundValue }
  | { kind: 'list_append'; first: BoundValue; second: BoundValue }
  | { kind: 'arithmetic'; operator: '+' | '-'; left: BoundValue; right: BoundValue };

export type BoundAction =
  | { kind: 'set'; path: Path; value: BoundValue }
  | { kind: 'remove'; path: Path }
  | { kind: 'add' | 'delete'; path: Path; value: AttributeValue };

export type BoundUpdate = readonly BoundAction[];

const longNames: Record<AttributeType, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
};

export function bindUpdate(update: Update, substitutions: Substitutions): BoundUpdate {
  const actions = update.map((action): BoundAction => {
    const path = substitutions.resolvePath(action.path);
    if (action.kind === 'remove') return { kind: 'remove', path };
    if (action.kind === 'set') return { kind: 'set', path, value: bindValue(action.value, substitutions, 'whole') };
    const value = substitutions.resolveValue(action.placeholder);
    requireOperand(action.kind, value);
    return { kind: action.kind, path, value };
  });
  assertDisjointPaths(actions.map(({ path }) => path));
  return actions;
}

/** Returns the updated item; does not change the given one. */
export function applyUpdate(item: Item, update: BoundUpdate): Item {
  const writes: { path: Path; value: AttributeValue }[] = [];
  const removals: Path[] = [];
  for (const action of update) {
    requirePlace(item, action.path);
    const value = action.kind === 'remove' ? undefined : computeValue(item, action);
    if (value && action.path.length > 1) requireDepth(value, action.path.length);
    if (value) writes.push({ path: action.path, value });
    else removals.push(action.path);
  }
  writes.sort((one, two) => comparePaths(one.path, two.path));
  removals.sort((one, two) => comparePaths(two, one));
  let changed: AttributeValue = { M: { ...item } };
  for (const { path, value } of writes) {
    if (path.length === 1) setAttribute(requireValue(changed.M), path[0] as string, value);
    else changed = setAtPath(changed, path, 0, value);
  }
  for (const path of removals) if (getValueAt(item, path)) changed = setAtPath(changed, path, 0, undefined);
  return requireValue(changed.M);
}

function bindValue(operand: Operand, substitutions: Substitutions, position: 'whole' | 'part'): BoundValue {
  switch (operand.kind) {
    case 'path':
      return { kind: 'path', path: substitutions.resolvePath(operand.path) };
    case 'value':
      return { kind: 'value', value: substitutions.resolveValue(operand.placeholder) };
    case 'function':
      return bindFunction(operand, substitutions, position);
    case 'arithmetic': {
      const left = bindValue(operand.left, substitutions, 'part');
      const right = bindValue(operand.right, substitutions, 'part');
      requireType(operand.operator, 'N', [left, right]);
      return { kind: 'arithmetic', operator: operand.operator, left, right };
    }
  }
}

function bindFunction(
  { name, operands }: Operand & { kind: 'function' },
  substitutions: Substitutions,
  position: 'whole' | 'part',
): BoundValue {
  if (isConditionFunction(name)) {
    throw syntaxError(`The function is not allowed in an update expression; function: ${name}`);
  }
  if (name === 'list_append' && position === 'part') {
    throw syntaxError(`The function is not allowed to be used this way in an expression; function: ${name}`);
  }
  if (operands.length !== 2) {
    throw syntaxError(
      'Incorrect number of operands for operator or function; ' +
        `operator or function: ${name}, number of operands: ${operands.length}`,
    );
  }
  const [first, second] = operands.map((operand) => bindValue(operand, substitutions, 'part')) as [
    BoundValue,
    BoundValue,
  ];
  if (name === 'list_append') {
    requireType(name, 'L', [first, second]);
    return { kind: 'list_append', first, second };
  }
  if (first.kind !== 'path') {
    throw syntaxError(`Operator or function requires a document path; operator or function: ${name}`);
  }
  return { kind: 'if_not_exists', path: first.path, otherwise: second };
}

function requireType(operator: string, type: AttributeType, operands: readonly BoundValue[]): void {
  for (const operand of operands) {
    if (operand.kind !== 'value' || getType(operand.value) === type) continue;
    throw syntaxError(
      'Incorrect operand type for operator or function; ' +
        `operator or function: ${operator}, operand type: ${getType(operand.value)}`,
    );
  }
}

function requireOperand(kind: 'add' | 'delete', value: AttributeValue): void {
  const type = getType(value);
  if (isSet(type) || (kind === 'add' && type === 'N')) return;
  const operator = kind.toUpperCase();
  throw syntaxError(
    'Incorrect operand type for operator or function; ' +
      `operator: ${operator}, operand type: ${longNames[type]}, typeSet: ALLOWED_FOR_${operator}_OPERAND`,
  );
}

/** The new value at the action's path; undefined removes the attribute. */
function computeValue(item: Item, action: Exclude<BoundAction, { kind: 'remove' }>): AttributeValue | undefined {
  if (action.kind === 'set') return evaluate(item, action.value);
  const current = getValueAt(item, action.path);
  return action.kind === 'add' ? addToValue(current, action.value) : deleteFromSet(current, action.value);
}

function evaluate(item: Item, value: BoundValue): AttributeValue {
  switch (value.kind) {
    case 'value':
      return value.value;
    case 'path': {
      const found = getValueAt(item, value.path);
      if (!found)
        throw validationError('The provided expression refers to an attribute that does not exist in the item');
      return found;
    }
    case 'if_not_exists': {
      const otherwise = evaluate(item, value.otherwise);
      return getValueAt(item, value.path) ?? otherwise;
    }
    case 'list_append': {
      const first = evaluate(item, value.first).L;
      const second = evaluate(item, value.second).L;
      if (!first || !second) throw wrongTypeError();
      return { L: [...first, ...second] };
    }
    case 'arithmetic': {
      const left = evaluate(item, value.left).N;
      const right = evaluate(item, value.right).N;
      if (left === undefined || right === undefined) throw wrongTypeError();
      return { N: value.operator === '+' ? addNumbers(left, right) : subtractNumbers(left, right) };
    }
  }
}

function addToValue(current: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (!current) return value;
  const type = getType(value);
  if (getType(current) !== type) throw wrongTypeError();
  if (type === 'N') return { N: addNumbers(requireValue(current.N), requireValue(value.N)) };
  const set = type as SetType;
  return { [set]: sortSet(set, [...new Set([...requireValue(current[set]), ...requireValue(value[set])])]) };
}

function deleteFromSet(current: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (!current) return undefined;
  const set = getType(value) as SetType;
  if (getType(current) !== set) throw wrongTypeError();
  const rest = requireValue(current[set]).filter((element) => !requireValue(value[set]).includes(element));
  return rest.length > 0 ? { [set]: rest } : undefined;
}

/** The parent of the last step must exist: a map for a name, a list for an index. */
function requirePlace(item: Item, path: Path): void {
  if (path.length === 1) return;
  const parent = getValueAt(item, path.slice(0, -1));
  if (parent && (typeof path.at(-1) === 'number' ? parent.L : parent.M)) return;
  throw validationError('The document path provided in the update expression is invalid for update');
}

/** Checks the nesting limit for the path and the value together; the value alone is already checked. */
function requireDepth(value: AttributeValue, depth: number): void {
  normalizeValue(value, depth);
}

/** Copies only the containers on the path. An index beyond the end of a list appends. */
function setAtPath(parent: AttributeValue, path: Path, at: number, value: AttributeValue | undefined): AttributeValue {
  const step = requireValue(path[at]);
  const last = at === path.length - 1;
  const current = getChild(parent, step);
  if (!last && !current) return parent;
  const next = last ? value : setAtPath(requireValue(current), path, at + 1, value);
  if (typeof step === 'number') {
    const elements = [...requireValue(parent.L)];
    if (next === undefined) elements.splice(step, 1);
    else if (step < elements.length) elements[step] = next;
    else elements.push(next);
    return { L: elements };
  }
  const rest: Item = { ...requireValue(parent.M) };
  if (next === undefined) delete rest[step];
  else setAttribute(rest, step, next);
  return { M: rest };
}

function comparePaths(one: Path, two: Path): number {
  const shared = Math.min(one.length, two.length);
  for (let at = 0; at < shared; at++) {
    const left = requireValue(one[at]);
    const right = requireValue(two[at]);
    if (left === right) continue;
    return left < right ? -1 : 1;
  }
  return one.length - two.length;
}

function isSet(type: AttributeType): type is SetType {
  return type === 'SS' || type === 'NS' || type === 'BS';
}

function wrongTypeError(): Error {
  return validationError('An operand in the update expression has an incorrect data type');
}
