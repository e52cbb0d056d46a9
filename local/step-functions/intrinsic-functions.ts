// What each intrinsic function computes. Wrong arguments are a mistake of the definition: States.Runtime.
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { runtimeError } from './state-error.ts';

type IntrinsicFunction = (...values: unknown[]) => unknown;

const longestEncoded = 10_000;
const longestRange = 1000;

export const functions: Readonly<Record<string, IntrinsicFunction>> = {
  'States.Format': (template, ...values) => format(text('States.Format', template), values),
  'States.StringToJson': (value) => parse(text('States.StringToJson', value)),
  'States.JsonToString': (value) => JSON.stringify(value),
  'States.Array': (...values) => values,
  'States.ArrayPartition': (values, size) => partition(list('States.ArrayPartition', values), size),
  'States.ArrayContains': (values, wanted) =>
    list('States.ArrayContains', values).some((value) => isDeepStrictEqual(value, wanted)),
  'States.ArrayRange': (first, last, step) => range(first, last, step),
  'States.ArrayGetItem': (values, index) => item(list('States.ArrayGetItem', values), index),
  'States.ArrayLength': (values) => list('States.ArrayLength', values).length,
  'States.ArrayUnique': (values) => unique(list('States.ArrayUnique', values)),
  'States.Base64Encode': (value) => Buffer.from(short('States.Base64Encode', value)).toString('base64'),
  'States.Base64Decode': (value) => Buffer.from(short('States.Base64Decode', value), 'base64').toString('utf8'),
  'States.Hash': (value, algorithm) => hash(value, algorithm),
  'States.JsonMerge': (first, second, deep) => merge(first, second, deep),
  'States.MathRandom': (...values) => random(values),
  'States.MathAdd': (first, second) => whole('States.MathAdd', first) + whole('States.MathAdd', second),
  'States.StringSplit': (value, separators) => split(value, separators),
  'States.UUID': () => randomUUID(),
};

/** Each {} takes the next value; a backslash lets a brace, a quote or a backslash stand for itself. */
function format(template: string, values: readonly unknown[]): string {
  let used = 0;
  const formatted = template.replace(/\\(.)|\{\}/g, (_, escaped?: string) => {
    if (escaped !== undefined) return escaped;
    if (used >= values.length) throw invalid('States.Format', 'there are more {} than arguments');
    const value = values[used++];
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  if (used < values.length) throw invalid('States.Format', 'there are more arguments than {}');
  return formatted;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw invalid('States.StringToJson', 'the text is not JSON');
  }
}

function partition(values: unknown[], size: unknown): unknown[][] {
  const length = whole('States.ArrayPartition', size);
  if (length < 1) throw invalid('States.ArrayPartition', 'the chunk size must be a positive integer');
  const parts: unknown[][] = [];
  for (let at = 0; at < values.length; at += length) parts.push(values.slice(at, at + length));
  return parts;
}

function range(first: unknown, last: unknown, step: unknown): number[] {
  const [from, to, by] = [first, last, step].map((value) => whole('States.ArrayRange', value)) as [
    number,
    number,
    number,
  ];
  if (by === 0) throw invalid('States.ArrayRange', 'the step must not be zero');
  const length = Math.max(Math.floor((to - from) / by) + 1, 0);
  if (length > longestRange) throw invalid('States.ArrayRange', `more than ${longestRange} items`);
  return Array.from({ length }, (_, index) => from + index * by);
}

function item(values: unknown[], index: unknown): unknown {
  const at = whole('States.ArrayGetItem', index);
  if (at < 0 || at >= values.length) throw invalid('States.ArrayGetItem', `there is no item ${at}`);
  return values[at];
}

function unique(values: unknown[]): unknown[] {
  return values.filter((value, index) => values.findIndex((other) => isDeepStrictEqual(other, value)) === index);
}

function hash(value: unknown, algorithm: unknown): string {
  const names: Record<string, string> = {
    MD5: 'md5',
    'SHA-1': 'sha1',
    'SHA-256': 'sha256',
    'SHA-384': 'sha384',
    'SHA-512': 'sha512',
  };
  const name = names[String(algorithm)];
  if (!name) throw invalid('States.Hash', `unknown algorithm ${JSON.stringify(algorithm)}`);
  const input = typeof value === 'string' ? value : JSON.stringify(value);
  if (input.length > longestEncoded) throw invalid('States.Hash', `longer than ${longestEncoded} characters`);
  return createHash(name).update(input).digest('hex');
}

function merge(first: unknown, second: unknown, deep: unknown): unknown {
  if (deep !== false) throw invalid('States.JsonMerge', 'only the shallow mode exists: the third argument is false');
  if (!isObject(first) || !isObject(second)) throw invalid('States.JsonMerge', 'both arguments must be objects');
  return { ...first, ...second };
}

/** From the first number, which can come up, to the second, which cannot. A seed makes it repeatable. */
function random(values: readonly unknown[]): number {
  const [from, to, seed] = values;
  const least = whole('States.MathRandom', from);
  const most = whole('States.MathRandom', to);
  if (most <= least) throw invalid('States.MathRandom', 'the end must be greater than the start');
  if (seed === undefined) return randomInt(least, most);
  const digest = createHash('sha256')
    .update(String(whole('States.MathRandom', seed)))
    .digest();
  return least + Math.floor((digest.readUInt32BE(0) / 2 ** 32) * (most - least));
}

/** Every character of the second argument separates; empty parts fall away. */
function split(value: unknown, separators: unknown): string[] {
  const between = new Set(text('States.StringSplit', separators));
  const parts: string[] = [''];
  for (const character of text('States.StringSplit', value)) {
    if (between.has(character)) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.filter((part) => part !== '');
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(name, `${JSON.stringify(value)} is not a string`);
  return value;
}

function short(name: string, value: unknown): string {
  const checked = text(name, value);
  if (checked.length > longestEncoded) throw invalid(name, `longer than ${longestEncoded} characters`);
  return checked;
}

function list(name: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw invalid(name, `${JSON.stringify(value)} is not an array`);
  return value;
}

/** Numbers that are not whole are rounded to the nearest integer. */
function whole(name: string, value: unknown): number {
  if (typeof value !== 'number') throw invalid(name, `${JSON.stringify(value)} is not a number`);
  return Math.round(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function invalid(name: string, reason: string) {
  return runtimeError(`Invalid arguments in ${name}: ${reason}`);
}
