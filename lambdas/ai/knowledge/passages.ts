// An article as passages: one per heading, long ones cut between paragraphs, so that each fits into the model and says
// one thing. The same text always gives the same passages, so a passage is known by its place.

export interface Passage {
  /** Null above the first heading. */
  heading: string | null;
  text: string;
}

export interface ArticleText {
  title: string;
  body: string;
  category: string | null;
  tags: readonly string[];
}

export function passagesOf({ body }: Pick<ArticleText, 'body'>): Passage[] {
  const passages: Passage[] = [];
  let heading: string | null = null;
  let lines: string[] = [];
  let inCode = false;
  const close = () => {
    for (const text of pieces(lines.join('\n').trim())) passages.push({ heading, text });
    lines = [];
  };
  for (const line of body.slice(0, maxReadCharacters).split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const title = inCode ? null : parseHeading(line);
    if (title) {
      close();
      heading = title;
    } else lines.push(line);
  }
  close();
  return passages.length > 0 ? passages.slice(0, mostPassages) : [{ heading: null, text: '' }];
}

/** What the model reads of a passage: it must know what article it is in. */
export function embeddedText({ title, tags }: ArticleText, { heading, text }: Passage): string {
  return [title, heading ?? tags.join(', '), text].filter((part) => part !== '').join('. ');
}

const mostPassages = 40;

/** About 200 tokens, so that title and heading fit in too. */
const mostCharacters = 900;

/** More than all passages together can hold, so that a body of a million blank lines costs no more than a long article. */
const maxReadCharacters = 100_000;

/** Step by step rather than by one pattern, because a pattern with three open ends takes cubic time on a line of spaces. */
function parseHeading(line: string): string | null {
  const marks = /^#{1,6}(?=\s)/.exec(line)?.[0];
  if (marks === undefined) return null;
  const text = line.slice(marks.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  const hasClosingMarks = end < text.length && (end === 0 || /\s/.test(text[end - 1]!));
  return hasClosingMarks ? text.slice(0, end).trimEnd() : text;
}

function pieces(text: string): string[] {
  if (text === '') return [];
  const found: string[] = [];
  let piece = '';
  for (const paragraph of text.split(/\n{2,}/).flatMap(sentencesIfLong)) {
    if (piece !== '' && piece.length + paragraph.length > mostCharacters) {
      found.push(piece);
      piece = '';
    }
    piece = piece === '' ? paragraph : `${piece}\n\n${paragraph}`;
  }
  return [...found, piece];
}

function sentencesIfLong(paragraph: string): string[] {
  if (paragraph.length <= mostCharacters) return [paragraph];
  return paragraph.split(/(?<=[.!?])\s+|\n/).flatMap((sentence) => sentence.match(/[\s\S]{1,900}/g) ?? []);
}
