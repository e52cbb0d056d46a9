// Keys of items and index entries: validation, and encoding into bytes that sort as DynamoDB sorts the values. A hash
// distributes partitions over the scan order.

import { AwsError } from '../aws/error.ts';
import { requireValue } from '../require-value.ts';
import {
  type AttributeValue,
  getAttribute,
  getType,
  type Item,
  measureBinary,
  normalizeItem,
} from './attribute-value.ts';
import { validationError } from './errors.ts';
import { encodeNumber } from './number.ts';
import type { Index, KeyAttribute, Keys, KeyType, Table } from './table.ts';

export interface EncodedKey {
  hash: number;
  pk: Buffer;
  /** Empty when there is no range key. */
  sk: Buffer;
  /** The cache key, computed on first use. */
  name?: string;
}

/** One more than the largest hash, which has 48 bits. */
export const hashSpace = 2 ** 48;
const maxHashKeyBytes = 2048;
const maxRangeKeyBytes = 1024;
const none = Buffer.alloc(0);

export function encodeKeyValue(type: KeyType, value: AttributeValue): Buffer {
  if (type === 'N') return encodeNumber(requireValue(value.N));
  return type === 'S' ? Buffer.from(requireValue(value.S), 'utf8') : Buffer.from(requireValue(value.B), 'base64');
}

export function encodeKey(keys: Keys, item: Item): EncodedKey {
  const pk = encodeKeyValue(keys.hash.type, requireValue(item[keys.hash.name]));
  const sk = keys.range ? encodeKeyValue(keys.range.type, requireValue(item[keys.range.name])) : none;
  return { hash: hashBytes(pk), pk, sk };
}

/** The item's key in an index; undefined for an item without all key attributes, which is not in the index. */
export function encodeIndexKey(index: Index, item: Item): EncodedKey | undefined {
  const { hash, range } = index.keys;
  if (getAttribute(item, hash.name) === undefined) return undefined;
  if (range && getAttribute(item, range.name) === undefined) return undefined;
  return encodeKey(index.keys, item);
}

export function extractKey(keys: Keys, item: Item): Item {
  const { hash, range } = keys;
  if (!range) return { [hash.name]: requireValue(item[hash.name]) };
  return { [hash.name]: requireValue(item[hash.name]), [range.name]: requireValue(item[range.name]) };
}

/** Distributes keys evenly over 48 bits. Scans use this order; as in DynamoDB, it is unrelated to the keys. */
export function hashBytes(bytes: Buffer): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < bytes.length; at++) {
    low = Math.imul(low ^ (bytes[at] ?? 0), 0x01000193);
    high = Math.imul(high ^ (bytes[at] ?? 0), 0x85ebca6b) + (low >>> 13);
  }
  return ((mixBits(high ^ low) & 0xffff) >>> 0) * 2 ** 32 + (mixBits(low + Math.imul(high, 31)) >>> 0);
}

/** Validates the Key parameter of a read, update or delete. */
export function parseKey(table: Table, given: unknown): Item {
  if (typeof given !== 'object' || given === null) {
    throw new AwsError('SerializationException', 'A key must be a map of attribute values');
  }
  const attributes = listKeyAttributes(table.keys);
  const key = normalizeItem(given);
  if (Object.keys(key).length !== attributes.length) throw keyMismatchError();
  for (const one of attributes) {
    const value = getAttribute(key, one.name);
    if (!value || getType(value) !== one.type) throw keyMismatchError();
  }
  checkKeyValues(table.keys, key);
  return key;
}

/** Checks the table key and the index keys of an item before it is stored. */
export function checkItemKeys(table: Table, item: Item): void {
  for (const { name, type } of listKeyAttributes(table.keys)) {
    const value = getAttribute(item, name);
    if (!value) {
      throw validationError(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    }
    if (getType(value) !== type) {
      throw validationError(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type} actual: ${getType(value)}`,
      );
    }
  }
  checkKeyValues(table.keys, item);
  checkIndexKeys(table, item, (problem, index, name) =>
    validationError(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `The AttributeValue for a key attribute cannot contain an empty ${problem} value. IndexName: ${index}, IndexKey: ${name}`,
    ),
  );
}

/** Checks the index keys after an update expression, which has its own error text. */
export function checkUpdatedIndexKeys(table: Table, item: Item): void {
  checkIndexKeys(table, item, (problem) =>
    validationError(
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a ' +
        `value that is not supported. The AttributeValue for a key attribute cannot contain an empty ${problem} value.`,
    ),
  );
}

/** Rejects empty or too long key values. */
export function checkKeyValues(keys: Keys, item: Item): void {
  for (const { name } of listKeyAttributes(keys)) {
    const problem = findEmptyType(requireValue(item[name]));
    if (problem) {
      throw validationError(
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain ' +
          `an empty ${problem} value. Key: ${name}`,
      );
    }
  }
  checkLengths(keys, item);
}

const listAttributes = new WeakMap<Keys, readonly KeyAttribute[]>();

export function listKeyAttributes(keys: Keys): readonly KeyAttribute[] {
  const known = listAttributes.get(keys) ?? (keys.range ? [keys.hash, keys.range] : [keys.hash]);
  listAttributes.set(keys, known);
  return known;
}

export function keyMismatchError(): Error {
  return validationError('The provided key element does not match the schema');
}

function checkIndexKeys(
  table: Table,
  item: Item,
  empty: (problem: string, index: string, attribute: string) => Error,
): void {
  for (const index of table.indexes) {
    for (const { name, type } of listKeyAttributes(index.keys)) {
      const value = getAttribute(item, name);
      if (!value) continue;
      if (getType(value) !== type) {
        throw validationError(
          `One or more parameter values were invalid: Type mismatch for Index Key ${name} ` +
            `Expected: ${type} Actual: ${getType(value)} IndexName: ${index.name}`,
        );
      }
      const problem = findEmptyType(value);
      if (problem) throw empty(problem, index.name, name);
    }
    checkLengths(index.keys, item);
  }
}

function checkLengths({ hash, range }: Keys, item: Item): void {
  const length = (key: KeyAttribute) => {
    const value = getAttribute(item, key.name);
    if (value === undefined || key.type === 'N') return 0;
    return key.type === 'S' ? Buffer.byteLength(requireValue(value.S)) : measureBinary(requireValue(value.B));
  };
  if (length(hash) > maxHashKeyBytes) {
    throw validationError(
      `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of${maxHashKeyBytes} bytes`,
    );
  }
  if (range && length(range) > maxRangeKeyBytes) {
    throw validationError(
      `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${maxRangeKeyBytes} bytes`,
    );
  }
}

function findEmptyType(value: AttributeValue): 'string' | 'binary' | undefined {
  if (value.S === '') return 'string';
  return value.B === '' ? 'binary' : undefined;
}

function mixBits(value: number): number {
  let mixing = value;
  mixing = Math.imul(mixing ^ (mixing >>> 16), 0x7feb352d);
  mixing = Math.imul(mixing ^ (mixing >>> 15), 0x846ca68b);
  return mixing ^ (mixing >>> 16);
}

/** Unique among all tables, because a table's number is never reused. */
export function getCacheKey({ id }: Table, key: EncodedKey): string {
  key.name ??= `${id}.${key.pk.length}.${key.pk.toString('latin1')}${key.sk.toString('latin1')}`;
  return key.name;
}
