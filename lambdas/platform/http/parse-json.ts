import { invalidField, ServiceError } from '../service-error.ts';

// Every JSON body passes here before a schema sees it: what is larger, deeper or wider than any honest request costs a
// bounded amount of work and a 400 or 413, and no name reaches code that would take it for a prototype.

/** Deeper than any sender's, and shallow enough for every program that walks through it. */
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
      // Schemas drop this name in silence, because assigning it would replace a prototype.
      if (name === '__proto__') throw invalidField([...path, step].join('').replace(/^\./, ''), 'is a reserved name');
      if (typeof member === 'object') walk(member, [...path, step]);
    }
  };
  walk(body, []);
}
