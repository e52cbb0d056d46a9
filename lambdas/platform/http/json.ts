import * as z from 'zod';
import { invalidField, ServiceError } from '../service-error.ts';

// Parses JSON bodies before validation. Rejects bodies that are too large, too deep or too wide, and names that could
// replace a prototype, with 400 or 413 after a bounded amount of work.

/** Deeper than real payloads, and shallow enough for recursive code. */
const maxJsonDepth = 100;

/** Members of objects and elements of arrays, counted together. */
const maxJsonValues = 50_000;

export function parseJson(bytes: Buffer, maxBytes: number): unknown {
  assertJsonSize(bytes, maxBytes);
  const value = parse(bytes);
  assertJsonShape(value);
  return value;
}

export function assertJsonSize(bytes: Buffer, maxBytes: number): void {
  if (bytes.byteLength <= maxBytes) return;
  throw new ServiceError('payload_too_large', `The body must not exceed ${maxBytes} bytes.`);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    const detail = bytes.byteLength === 0 ? 'The body is empty.' : 'The body is not well-formed JSON.';
    throw new ServiceError('malformed_json', detail, { cause: error });
  }
}

function assertJsonShape(body: unknown): void {
  let values = 0;
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    if (path.length >= maxJsonDepth) {
      throw invalidField('body', `must be nested at most ${maxJsonDepth} levels deep`);
    }
    const isArray = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      if (++values > maxJsonValues) throw invalidField('body', `must have at most ${maxJsonValues} values`);
      const step = isArray ? `[${name}]` : `.${name}`;
      // Schemas silently drop this name, because assigning it would replace a prototype.
      if (name === '__proto__') throw invalidField([...path, step].join('').replace(/^\./, ''), 'is a reserved name');
      if (typeof member === 'object') walk(member, [...path, step]);
    }
  };
  walk(body, []);
}

// Serializes bodies after validating them against the contract. Consecutive lists often contain the same record
// objects, so each validated record is cached as text.

export function toValidatedJson(schema: z.ZodType, body: unknown, reject: (why: string) => never): string {
  const record = findRecordSchema(schema);
  if (!record || !isPage(body)) return JSON.stringify(validate(schema, body, reject));
  const { data, ...rest } = validate(schema, { ...body, data: [] }, reject) as { data: [] };
  const records = body.data.map((each) => toText(record, each, reject));
  const others = JSON.stringify(rest).slice(1);
  return `{"data":[${records.join(',')}]${others === '}' ? '' : ','}${others}`;
}

const texts = new WeakMap<object, { schema: z.ZodType; text: string }>();

function toText(schema: z.ZodType, record: object, reject: (why: string) => never): string {
  const known = texts.get(record);
  if (known?.schema === schema) return known.text;
  const text = JSON.stringify(validate(schema, record, reject));
  texts.set(record, { schema, text });
  return text;
}

function validate(schema: z.ZodType, value: unknown, reject: (why: string) => never): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : reject(result.error.message);
}

function findRecordSchema(schema: z.ZodType): z.ZodType | undefined {
  const data = schema instanceof z.ZodObject ? schema.shape.data : undefined;
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}

function isPage(body: unknown): body is { data: object[] } {
  const data = (body as { data?: unknown } | null)?.data;
  return Array.isArray(data) && data.every((each) => typeof each === 'object' && each !== null);
}
