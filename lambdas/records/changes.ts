import type { Changes } from './record.ts';

/** JSON merge patch (RFC 7396) of a record's fields: what is named is replaced, what is not stays. */
export function patched<Document extends object>(document: Document, patch: Partial<Document>): Document {
  const result = { ...document };
  for (const name of Object.keys(patch) as (keyof Document)[]) {
    if (patch[name] !== undefined) result[name] = patch[name];
  }
  return result;
}

/** The fields whose values differ. */
export function changesBetween(before: object, after: object): Changes {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  const compare = (name: string, from: unknown, to: unknown) => {
    if (!same(from, to)) changes[name] = { from: from ?? null, to: to ?? null };
  };
  const [old, changed] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  for (const name of Object.keys(old)) compare(name, old[name], changed[name]);
  for (const name of Object.keys(changed)) if (!Object.hasOwn(old, name)) compare(name, undefined, changed[name]);
  return changes;
}

/** Values are JSON and written by the same code, so equal objects have equal texts. */
function same(a: unknown, b: unknown): boolean {
  const [left, right] = [a ?? null, b ?? null];
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right);
}
