/** For values that the surrounding code guarantees but the compiler cannot see. */
export function defined<Value>(value: Value | undefined | null): Value {
  if (value === undefined || value === null) throw new Error('a value is missing that must be defined here');
  return value;
}
