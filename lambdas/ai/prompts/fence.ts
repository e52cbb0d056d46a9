import { createHash } from 'node:crypto';

// Text of records, articles and questions stands in a prompt between marks whose name follows from the text itself. Who
// writes a text cannot know the mark around it, and what looks like a mark inside a text is written differently, so that
// no text can end its own fence.

export interface Fence {
  /** The name of the mark, for the rules: data-5f0c… */
  readonly name: string;
  /** A text between marks; `about` says what it is, in the opening mark. */
  around(text: string, about?: Readonly<Record<string, string | undefined>>): string;
}

/** What one text may take of a prompt; the rest is left out, and said to be. */
const maxCharacters = 12_000;

export function fenceFor(...texts: readonly string[]): Fence {
  const name = `data-${createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32)}`;
  return {
    name,
    around(text, about = {}) {
      const attributes = Object.entries(about).flatMap(([key, value]) =>
        value === undefined ? [] : [` ${key}="${attributeText(value)}"`],
      );
      return `<${name}${attributes.join('')}>\n${harmless(shortened(text))}\n</${name}>`;
    },
  };
}

/** An opening or closing mark of whatever name, also one that is half hidden by spaces. */
const mark = /<(\s*(?:\/\s*)?data\s*-)/gi;

function harmless(text: string): string {
  return text.replace(mark, '‹$1');
}

function attributeText(value: string): string {
  return value
    .replaceAll('"', "'")
    .replace(/[\s<>]+/g, ' ')
    .trim()
    .slice(0, 300);
}

function shortened(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}\n[…]`;
}
