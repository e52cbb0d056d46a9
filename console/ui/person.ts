/** The name part of an email address, before and after the place where a line may break. */
export function splitName(address: string): [first: string, rest: string] {
  const at = address.lastIndexOf('@');
  const name = at > 0 ? address.slice(0, at) : address;
  const afterDot = name.indexOf('.') + 1;
  return afterDot === 0 ? [name, ''] : [name.slice(0, afterDot), name.slice(afterDot)];
}

/** `Ada Lovelace` for `ada.lovelace@example.com`. */
export function formatPerson(address: string): string {
  const words = splitName(address).join('').split(/[._-]/).filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

/** `AL` for `ada.lovelace@example.com`. */
export function formatInitials(address: string): string {
  const words = formatPerson(address).split(' ');
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.charAt(0)).join('');
}

export const isAddress = (text: string) => text.replace(address, '') === '';

/** The text with names in place of email addresses. */
export const nameAddresses = (text: string) => text.replace(address, formatPerson);

const address = /(?<=^|[\s(,;:])[\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;
