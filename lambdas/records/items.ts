import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { requireValue } from '../platform/require-value.ts';

export type Item = Record<string, AttributeValue>;

/** The attributes of a stored item or of an image in a stream. */
type Attributes = Readonly<Record<string, { S?: string | undefined; N?: string | undefined; B?: unknown }>>;

// Readers of attributes that every item of the kind has.

export function readString(item: Attributes, name: string): string {
  return requireValue(item[name]?.S, `string ${name} of an item`);
}

export function readNumber(item: Attributes, name: string): number {
  return Number(requireValue(item[name]?.N, `number ${name} of an item`));
}

export function readBytes(item: Item, name: string): Uint8Array {
  return requireValue(item[name]?.B, `binary ${name} of an item`);
}

/** The key of an item, for maps of items. */
export function formatItemKey(key: Attributes): string {
  return `${readString(key, 'pk')} ${readString(key, 'sk')}`;
}

/** Counts only values, because attribute names are short. */
export function measureItem(item: Item): number {
  let bytes = 0;
  for (const { S, N, B } of Object.values(item)) {
    bytes += S === undefined ? (N?.length ?? B?.byteLength ?? 0) : Buffer.byteLength(S);
  }
  return bytes;
}
