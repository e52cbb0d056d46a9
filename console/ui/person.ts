/** The name part of an email address, before and after the place where a line may break. */
export function splitName(address: string): [first: string, rest: string] {
  const at = address.lastIndexOf('@');
  const name = at > 0 ? address.slice(0, at) : address;
  const afterDot = name.indexOf('.') + 1;
  return afterDot === 0 ? [name, ''] : [name.slice(0, afterDot), name.slice(afterDot)];
}
