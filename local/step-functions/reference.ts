// References into a state's input, such as $.delivery.id, and the Parameters that contain them.
import { parseReference, tokenReference } from './definition.ts';
import { runtimeError } from './failure.ts';

export function readReference(path: string, input: unknown, field: string): unknown {
  let value = input;
  for (const name of parseReference(path) ?? []) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) {
      throw runtimeError(
        `The JSONPath '${path}' specified for the field '${field}' could not be found in the input '${JSON.stringify(input)}'`,
      );
    }
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Replaces every key that ends in .$ by the value that its path refers to: the input, or the token of the task. */
export function fillParameters(parameters: unknown, input: unknown, token: string): unknown {
  if (Array.isArray(parameters)) return parameters.map((entry) => fillParameters(entry, input, token));
  if (parameters === null || typeof parameters !== 'object') return parameters;
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) =>
      key.endsWith('.$')
        ? [key.slice(0, -2), value === tokenReference ? token : readReference(String(value), input, key)]
        : [key, fillParameters(value, input, token)],
    ),
  );
}
