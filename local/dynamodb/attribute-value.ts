// Attribute values as sent by clients: {"S": "text"}. They are validated and normalized on input (one number notation,
// sorted sets), so the rest of the code can compare them directly.

import { AwsError } from '../aws/error.ts';
import { requireValue } from '../require-value.ts';
import { validationError } from './errors.ts';
import { compareNumbers, measureNumber, normalizeNumber } from './number.ts';

export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS' | 'BS';

export interface AttributeValue {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  L?: AttributeValue[];
  M?: Item;
  SS?: string[];
  NS?: string[];
  BS?: string[];
}

export type Item = Record<string, AttributeValue>;

const maxDepth = 32;
const types = new Set<string>(['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS']);

export function getType(value: AttributeValue): AttributeType {
  for (const type in value) return type as AttributeType;
  throw new Error('A stored attribute value has no type');
}

/** Attribute names come from clients ("constructor" is valid), so only own properties count. */
export function getAttribute(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

export function setAttribute(item: Item, name: string, value: AttributeValue): void {
  // Assigning this name would set the prototype.
  if (name !== '__proto__') item[name] = value;
  else Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Validates a client's item and returns it in canonical form. */
export function normalizeItem(item: unknown): Item {
  return normalizeMap(item, 0);
}

export function normalizeValue(value: unknown, depth = 1): AttributeValue {
  const type = parseType(value);
  const content = (value as Record<string, unknown>)[type];
  if (depth > maxDepth) {
    throw validationError(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  }
  switch (type) {
    case 'S':
      return { S: parseText(content) };
    case 'N':
      return { N: normalizeNumber(parseText(content)) };
    case 'B':
      return { B: parseBinary(content) };
    case 'BOOL':
      if (typeof content !== 'boolean') throw serializationError(content, 'Boolean');
      return { BOOL: content };
    case 'NULL':
      if (content !== true) {
        throw validationError(
          'One or more parameter values were invalid: Null attribute value types must have the value of true',
        );
      }
      return { NULL: true };
    case 'L':
      if (!Array.isArray(content)) throw serializationError(content, 'List');
      return { L: content.map((element) => normalizeValue(element, depth + 1)) };
    case 'M':
      return { M: normalizeMap(content, depth) };
    default:
      return normalizeSet(type, content);
  }
}

export function areValuesEqual(left: AttributeValue, right: AttributeValue): boolean {
  const type = getType(left);
  if (type !== getType(right)) return false;
  switch (type) {
    case 'L':
      return areListsEqual(requireValue(left.L), requireValue(right.L));
    case 'M':
      return areItemsEqual(requireValue(left.M), requireValue(right.M));
    case 'SS':
    case 'NS':
    case 'BS':
      return areTextsEqual(requireValue(left[type]), requireValue(right[type]));
    default:
      return left[type] === right[type];
  }
}

function areListsEqual(left: readonly AttributeValue[], right: readonly AttributeValue[]): boolean {
  return left.length === right.length && left.every((value, at) => areValuesEqual(value, requireValue(right[at])));
}

export function areItemsEqual(left: Item, right: Item): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const other = getAttribute(right, name);
    return other !== undefined && areValuesEqual(requireValue(left[name]), other);
  });
}

/** Compares strings (by UTF-8 bytes), numbers and binary; undefined when the types differ or have no order. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.S !== undefined && right.S !== undefined) return compareTexts(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return compareNumbers(left.N, right.N);
  if (left.B !== undefined && right.B !== undefined) return compareBinary(left.B, right.B);
  return undefined;
}

/** DynamoDB's item size: names and values, plus three bytes per list and map. */
export function measureItem(item: Item): number {
  let size = 0;
  for (const name in item) size += measureText(name) + measureValue(requireValue(item[name]));
  return size;
}

export function measureValue(value: AttributeValue): number {
  const type = getType(value);
  switch (type) {
    case 'S':
      return measureText(requireValue(value.S));
    case 'N':
      return measureNumber(requireValue(value.N));
    case 'B':
      return measureBinary(requireValue(value.B));
    case 'SS':
      return requireValue(value.SS).reduce((size, element) => size + measureText(element), 0);
    case 'NS':
      return requireValue(value.NS).reduce((size, element) => size + measureNumber(element), 0);
    case 'BS':
      return requireValue(value.BS).reduce((size, element) => size + measureBinary(element), 0);
    case 'L':
      return requireValue(value.L).reduce((size, element) => size + 1 + measureValue(element), 3);
    case 'M':
      return 3 + measureItem(requireValue(value.M)) + Object.keys(requireValue(value.M)).length;
    default:
      return 1;
  }
}

export function measureBinary(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** Sorts the elements of a set into canonical order. */
export function sortSet(type: 'SS' | 'NS' | 'BS', elements: string[]): string[] {
  return elements.sort(type === 'SS' ? compareTexts : type === 'NS' ? compareNumbers : compareBinary);
}

function parseType(value: unknown): AttributeType {
  if (typeof value !== 'object' || value === null) throw serializationError(value, 'AttributeValue');
  let found: string | undefined;
  for (const type in value) {
    if (!types.has(type) || (value as Record<string, unknown>)[type] === null) continue;
    if (found !== undefined) {
      throw validationError(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    }
    found = type;
  }
  if (found === undefined) {
    throw validationError('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
  return found as AttributeType;
}

function normalizeMap(content: unknown, depth: number): Item {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw serializationError(content, 'Map');
  const given = content as Record<string, unknown>;
  const item: Item = {};
  for (const name in given) {
    setAttribute(item, name, normalizeValue(given[name], depth + 1));
  }
  return item;
}

function normalizeSet(type: 'SS' | 'NS' | 'BS', content: unknown): AttributeValue {
  if (!Array.isArray(content)) throw serializationError(content, 'Set');
  if (content.length === 0) throw validationError(`One or more parameter values were invalid: ${emptySet[type]}`);
  const elements = content.map((element) => {
    if (type === 'BS') return parseBinary(element);
    return type === 'NS' ? normalizeNumber(parseText(element)) : parseText(element);
  });
  if (new Set(elements).size < elements.length) throw validationError(duplicates[type](content));
  return { [type]: sortSet(type, elements) };
}

const emptySet = {
  SS: 'An string set  may not be empty',
  NS: 'An number set  may not be empty',
  BS: 'Binary sets should not be empty',
};

const duplicates = {
  SS: (elements: unknown[]) =>
    `One or more parameter values were invalid: Input collection [${elements.join(', ')}] contains duplicates`,
  NS: () => 'Input collection contains duplicates',
  BS: (elements: unknown[]) =>
    `One or more parameter values were invalid: Input collection [${elements.join(', ')}]of type BS contains duplicates.`,
};

function parseText(content: unknown): string {
  if (typeof content !== 'string') throw serializationError(content, 'String');
  return content;
}

function parseBinary(content: unknown): string {
  const given = parseText(content);
  if (Buffer.from(given, 'base64').toString('base64') !== given) {
    throw new AwsError('SerializationException', 'Invalid Base64 in an attribute value');
  }
  return given;
}

function serializationError(content: unknown, wanted: string): AwsError {
  return new AwsError('SerializationException', `${JSON.stringify(content)} cannot be converted to ${wanted}`);
}

function measureText(content: string): number {
  return Buffer.byteLength(content, 'utf8');
}

function compareTexts(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'));
}

function compareBinary(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left, 'base64'), Buffer.from(right, 'base64'));
}

function areTextsEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((element, at) => element === right[at]);
}
