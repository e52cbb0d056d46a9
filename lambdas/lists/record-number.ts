// Ids are a prefix and seven Crockford base-32 characters (digits alone are a subset of them): 35 bits, which a replica
// keeps as a number. Numbers compare as the ids do, because the alphabet is in ASCII order.

export const recordNumberLimit = 2 ** 35;

/** Undefined when the id does not have the form; search words are tried, too. */
export function recordNumber(id: string, prefix: string): number | undefined {
  if (id.length !== prefix.length + length || !id.startsWith(prefix)) return undefined;
  let number = 0;
  for (let index = prefix.length; index < id.length; index++) {
    const digit = alphabet.indexOf(id[index]!);
    if (digit < 0) return undefined;
    number = number * 32 + digit;
  }
  return number;
}

export function recordId(number: number, prefix: string): string {
  let id = '';
  for (let rest = number, index = 0; index < length; index++) {
    id = alphabet[rest % 32] + id;
    rest = Math.floor(rest / 32);
  }
  return prefix + id;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 7;
