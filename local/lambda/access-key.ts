// A function signs its AWS calls with an access key that names it, so the endpoint knows whose role to check. The key
// follows from the name alone: base 32, because access key ids are capital letters and digits.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const prefix = 'LOCAL';
const shortest = 16;

export function accessKeyFor(functionName: string): string {
  let bits = '';
  for (const byte of Buffer.from(functionName, 'utf8')) bits += byte.toString(2).padStart(8, '0');
  let key = prefix;
  for (let place = 0; place < bits.length; place += 5)
    key += alphabet[Number.parseInt(bits.slice(place, place + 5).padEnd(5, '0'), 2)];
  // 0 is not in the alphabet, so the padding cannot make two names equal.
  return key.padEnd(shortest, '0');
}
