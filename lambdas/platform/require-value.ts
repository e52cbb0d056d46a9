/** Narrows a value that an invariant guarantees. A missing value is a bug, so it fails the request. */
export function requireValue<Value>(value: Value | null | undefined, name = 'value'): Value {
  if (value === undefined || value === null) throw new Error(`the required ${name} is missing`);
  return value;
}
