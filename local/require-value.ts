/** Narrows a value that the surrounding code guarantees. A missing value is a bug. */
export function requireValue<Value>(value: Value | undefined | null): Value {
  if (value === undefined || value === null) throw new Error('a required value is missing');
  return value;
}
