// How data goes through a state: InputPath → Parameters → (the work) → ResultSelector → ResultPath → OutputPath.
import { evaluate, readExpression, resolve, type Scope } from './intrinsic.ts';
import { type JsonPath, readPath } from './json-path.ts';
import { runtimeError, StateError } from './state-error.ts';

/** InputPath, OutputPath and the like: null gives an empty object. */
export function applyPath(path: string | null | undefined, data: unknown, context: unknown, field: string): unknown {
  if (path === null) return {};
  if (path === undefined || path === '$') return data;
  return resolve(readPath(path), { data, context }, field);
}

/** Fills a payload template: keys that end in .$ hold a path or an intrinsic function. */
export function fillTemplate(template: unknown, scope: Scope): unknown {
  if (Array.isArray(template)) return template.map((part) => fillTemplate(part, scope));
  if (template === null || typeof template !== 'object') return template;
  const filled: [string, unknown][] = Object.entries(template).map(([key, value]) =>
    key.endsWith('.$')
      ? [key.slice(0, -2), evaluate(readExpression(String(value)), scope, key)]
      : [key, fillTemplate(value, scope)],
  );
  return Object.fromEntries(filled);
}

/** Puts a state's result into its raw input; null throws the result away. */
export function applyResultPath(path: string | null | undefined, input: unknown, result: unknown): unknown {
  if (path === null) return input;
  if (path === undefined || path === '$') return result;
  return put(readPath(path), input, result, 0);
}

export function isReferencePath(path: JsonPath): boolean {
  return path.definite && path.root === '$';
}

function put(path: JsonPath, node: unknown, result: unknown, depth: number): unknown {
  const segment = path.segments[depth];
  if (!segment) return result;
  if (segment.kind === 'index') {
    if (!Array.isArray(node) || segment.index < 0 || segment.index >= node.length) throw mismatch(path);
    return node.map((value, index) => (index === segment.index ? put(path, value, result, depth + 1) : value));
  }
  if (segment.kind !== 'name') throw mismatch(path);
  if (node !== undefined && (node === null || typeof node !== 'object' || Array.isArray(node))) throw mismatch(path);
  const object = (node ?? {}) as Record<string, unknown>;
  const before = Object.hasOwn(object, segment.name) ? object[segment.name] : undefined;
  return { ...object, [segment.name]: put(path, before, result, depth + 1) };
}

function mismatch(path: JsonPath) {
  return new StateError(
    'States.ResultPathMatchFailure',
    `Unable to apply the ReferencePath ${path.text} to the input of the state.`,
  );
}

const largestPayloadBytes = 262_144;

/** Everything that passes between states is JSON of at most 256 KiB. */
export function checkSize(value: unknown, what: string): void {
  if (value === undefined) throw runtimeError(`The ${what} is not JSON.`);
  if (Buffer.byteLength(JSON.stringify(value)) <= largestPayloadBytes) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `The ${what} exceeds the maximum number of bytes: ${largestPayloadBytes}.`,
  );
}
