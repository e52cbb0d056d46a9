import type { Changes } from './record.ts';

/** JSON merge patch (RFC 7396) of a record's fields: what is named is replaced, what is not stays. */
export function patched<Document extends object>(document: Document, patch: Partial<Document>): Document {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...document, ...Object.fromEntries(given) };
}

/** The fields whose values differ. */
export function changesBetween(before: object, after: object): Changes {
  const [old, new_] = [before, after].map((document) => new Map(Object.entries(document)));
  const names = new Set([...old!.keys(), ...new_!.keys()]);
  const changed = [...names].filter((name) => !same(old!.get(name), new_!.get(name)));
  return Object.fromEntries(
    changed.map((name) => [name, { from: old!.get(name) ?? null, to: new_!.get(name) ?? null }]),
  );
}

/** Values are JSON and written by the same code, so equal objects have equal texts. */
function same(a: unknown, b: unknown): boolean {
  const [left, right] = [a ?? null, b ?? null];
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right);
}
