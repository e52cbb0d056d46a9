// A passage as what says one thing: sentences, items of lists, rows of tables, lines of code, without the marks of
// Markdown.

/** More of a passage is not read sentence by sentence. */
const mostSentences = 15;

const mostCharacters = 300;

export function sentencesIn(passage: string): string[] {
  return passage
    .replace(wrapped, '$1 ')
    .split(ends)
    .flatMap((piece) => plain(piece).match(new RegExp(`.{1,${mostCharacters}}`, 'gu')) ?? [])
    .filter((piece) => /\p{L}{2}/u.test(piece))
    .slice(0, mostSentences);
}

/** A line that ends where the writer's window did. */
const wrapped = /([^\n])\n(?![^\S\n]*(?:[-*+|]|\d+[.)]|```|\n))[^\S\n]*/g;

const ends = /\n+|(?<=[.!?:;])\s+(?=[\p{Lu}\p{N}*_`"'(])/u;

function plain(text: string): string {
  return text
    .replace(/[*_`>#]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
