// Splits an article into passages (a paragraph, a step list or a table, under its heading) and their sentences. The same
// text always gives the same passages, so that an index identifies a passage. Every step takes linear time.

export interface Passage {
  /** Null above the first heading. */
  heading: string | null;
  /** Markdown, without the heading. */
  text: string;
}

export interface ArticleText {
  title: string;
  body: string;
  category: string | null;
  tags: readonly string[];
}

const maxPassages = 80;

/** About 200 tokens, so that the title and the heading also fit into the model. */
const maxPassageCharacters = 900;

/** More than the text of all passages. */
const maxBodyCharacters = 100_000;

const maxSentences = 160;
const maxSentenceCharacters = 300;

export function splitPassages({ body }: Pick<ArticleText, 'body'>): Passage[] {
  const passages: Passage[] = [];
  let heading: string | null = null;
  let blocks: string[] = [];
  let lines: string[] = [];
  let inCode = false;
  const closeBlock = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'));
    lines = [];
  };
  const closeSection = () => {
    closeBlock();
    for (const text of joinBlocks(blocks).flatMap(splitLong)) passages.push({ heading, text });
    blocks = [];
  };
  for (const line of body.slice(0, maxBodyCharacters).split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const title = inCode ? null : parseHeading(line);
    if (title !== null) {
      closeSection();
      heading = title;
    } else if (!inCode && line.trim() === '') closeBlock();
    else lines.push(line.trimEnd());
  }
  closeSection();
  return passages.length > 0 ? passages.slice(0, maxPassages) : [{ heading: null, text: '' }];
}

/** Includes the title, because the passage alone may not name its topic. */
export function toEmbeddedText({ title }: Pick<ArticleText, 'title'>, { heading, text }: Passage): string {
  return [title, heading, text].filter((part) => part !== null && part !== '').join('. ');
}

/** Sentences, list items and table rows as plain text, each with the index of its passage. */
export function splitSentences(passages: readonly Passage[]): { passage: number; text: string }[] {
  const sentences = passages.flatMap(({ text }, passage) =>
    joinWrappedLines(text)
      .flatMap((line) => toPlainText(line).split(sentenceEnd))
      .filter((sentence) => /\p{L}{2}/u.test(sentence))
      .map((sentence) => ({ passage, text: sentence.slice(0, maxSentenceCharacters) })),
  );
  return sentences.slice(0, maxSentences);
}

const sentenceEnd = /(?<=[.!?:;]) (?=[\p{Lu}\p{N}"'(])/u;

const listItem = /^\s*(?:[-*+]|\d{1,3}[.)])\s/;

/** Keeps a lead-in ("Do this:") with the block that follows, and the items of a loose list together. */
function joinBlocks(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    const continues = before !== undefined && (before.endsWith(':') || (listItem.test(block) && endsInList(before)));
    if (continues && before.length + block.length < maxPassageCharacters)
      joined[joined.length - 1] = `${before}\n\n${block}`;
    else joined.push(block);
  }
  return joined;
}

function endsInList(block: string): boolean {
  return listItem.test(block.slice(block.lastIndexOf('\n') + 1));
}

/** Splits between lines if possible, otherwise between sentences, otherwise anywhere. */
function splitLong(block: string): string[] {
  if (block.length <= maxPassageCharacters) return [block];
  const parts = block
    .split('\n')
    .flatMap((line) => (line.length <= maxPassageCharacters ? [line] : line.split(/(?<=[.!?])\s/)))
    .flatMap((part) => part.match(/[\s\S]{1,900}/g) ?? []);
  const pieces: string[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length < maxPassageCharacters)
      pieces[pieces.length - 1] = `${last}\n${part}`;
    else pieces.push(part);
  }
  return pieces;
}

function joinWrappedLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const startsNew = lines.length === 0 || line.trim() === '' || listItem.test(line) || /^\s*[|>]/.test(line);
    if (startsNew) lines.push(line);
    else lines[lines.length - 1] += ` ${line}`;
  }
  return lines;
}

function toPlainText(markdown: string): string {
  return markdown
    .replace(/[*_`>#|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** In steps, because a single pattern would take cubic time on a line of spaces. */
function parseHeading(line: string): string | null {
  const marks = /^#{1,6}(?=\s)/.exec(line)?.[0];
  if (marks === undefined) return null;
  const text = line.slice(marks.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  const hasClosingMarks = end < text.length && (end === 0 || /\s/.test(text.slice(end - 1, end)));
  return hasClosingMarks ? text.slice(0, end).trimEnd() : text;
}
