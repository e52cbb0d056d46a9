// A case consists of setup calls and calls whose responses are compared with those of DynamoDB Local. The recording script
// and the test use the same notation.

export type Value = Record<string, unknown>;
export type Item = Record<string, Value>;

export interface Call {
  operation: string;
  input: Record<string, unknown>;
  /** The items of the response have no order: a scan, or equal keys of an index. */
  unordered?: true;
}

export interface Case {
  name: string;
  setup: readonly Call[];
  calls: readonly Call[];
}

export interface RecordedCall extends Call {
  output?: unknown;
  error?: { name: string; message: string } & Record<string, unknown>;
}

/** Many cases share a setup, so each refers to it by its index in the list. */
export interface Recording {
  setups: readonly (readonly Call[])[];
  cases: readonly RecordedCase[];
}

export interface RecordedCase {
  name: string;
  setup: number;
  calls: readonly RecordedCall[];
}

export const s = (text: string): Value => ({ S: text });
export const n = (number: number | string): Value => ({ N: String(number) });
export const b = (text: string): Value => ({ B: Buffer.from(text, 'latin1').toString('base64') });
export const bool = (value: unknown): Value => ({ BOOL: value });
export const nul: Value = { NULL: true };
export const l = (...values: Value[]): Value => ({ L: values });
export const m = (values: Item): Value => ({ M: values });
export const ss = (...texts: string[]): Value => ({ SS: texts });
export const ns = (...numbers: (number | string)[]): Value => ({ NS: numbers.map(String) });
export const bs = (...texts: string[]): Value => ({
  BS: texts.map((text) => Buffer.from(text, 'latin1').toString('base64')),
});

export const call = (operation: string, input: Record<string, unknown>): Call => ({ operation, input });

export const put = (table: string, item: Item, more: object = {}): Call =>
  call('PutItem', { TableName: table, Item: item, ...more });
export const get = (table: string, key: Item, more: object = {}): Call =>
  call('GetItem', { TableName: table, Key: key, ...more });
export const remove = (table: string, key: Item, more: object = {}): Call =>
  call('DeleteItem', { TableName: table, Key: key, ...more });
export const update = (table: string, key: Item, expression: string | undefined, more: object = {}): Call =>
  call('UpdateItem', {
    TableName: table,
    Key: key,
    ...(expression === undefined ? {} : { UpdateExpression: expression }),
    ...more,
  });
export const query = (table: string, condition: string, values: Item, more: object = {}): Call =>
  call('Query', {
    TableName: table,
    KeyConditionExpression: condition,
    ExpressionAttributeValues: values,
    ...more,
  });
export const scan = (table: string, more: object = {}): Call => unordered(call('Scan', { TableName: table, ...more }));
export const unordered = (one: Call): Call => ({ ...one, unordered: true });

/** `schema` reads like "pk:S sk:N": the hash key, then the range key. */
export function table(name: string, schema: string, more: TableOptions = {}): Call {
  const { gsi = {}, lsi = {}, ...rest } = more;
  const types = new Map<string, string>();
  const keys = (text: string) =>
    text.split(' ').map((part, index) => {
      const [attribute, type] = part.split(':') as [string, string];
      types.set(attribute, type);
      return { AttributeName: attribute, KeyType: index === 0 ? 'HASH' : 'RANGE' };
    });
  const index = (indexes: Indexes) =>
    Object.entries(indexes).map(([IndexName, [keySchema, projection]]) => ({
      IndexName,
      KeySchema: keys(keySchema),
      Projection: Array.isArray(projection)
        ? { ProjectionType: 'INCLUDE', NonKeyAttributes: projection }
        : { ProjectionType: projection },
    }));
  const KeySchema = keys(schema);
  const global = index(gsi);
  const local = index(lsi);
  return call('CreateTable', {
    TableName: name,
    KeySchema,
    ...(global.length > 0 ? { GlobalSecondaryIndexes: global } : {}),
    ...(local.length > 0 ? { LocalSecondaryIndexes: local } : {}),
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    BillingMode: 'PAY_PER_REQUEST',
    ...rest,
  });
}

type Indexes = Record<string, [schema: string, projection: 'ALL' | 'KEYS_ONLY' | string[]]>;

interface TableOptions {
  gsi?: Indexes;
  lsi?: Indexes;
  [property: string]: unknown;
}

/** Replaces {"$from": [call, path…]} in an input by the value in the response of that call. */
export function fillPlaceholders(input: Call['input'], answered: readonly { output?: unknown }[]): Call['input'] {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const path = (value as { $from?: (string | number)[] } | null)?.$from;
      if (!path) return [name, value];
      const [first, ...rest] = path;
      const found = rest.reduce<unknown>(
        (at, step) => (at as Record<string | number, unknown> | undefined)?.[step],
        answered[first as number]?.output,
      );
      return [name, found];
    }),
  );
}

const longRun = /^(?:(.)\1{199,})$/su;

/** Recordings contain long runs of one character as <x*400000>, to keep the files small. */
export function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'string' && longRun.test(value) ? `<${[...value][0]}*${[...value].length}>` : value;
}

export function lengthen(_key: string, value: unknown): unknown {
  const run = typeof value === 'string' ? /^<(.)\*(\d+)>$/su.exec(value) : null;
  return run ? run[1]!.repeat(Number(run[2])) : value;
}
