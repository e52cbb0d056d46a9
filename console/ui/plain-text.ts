import { recordIdFinder, toRecordPath } from './record-path.ts';

const markup = /[*_`#[\]<>|~\\&]|:\/\/|www\.|^(?:[ \t]|[-+=:]|\d+[.)])/m;

/** Whether Markdown would show the text as it is, except for the parts that splitText finds. Errs on the side of Markdown. */
export function isPlainText(source: string): boolean {
  return !markup.test(source);
}

/** A line of Markdown as plain text, for excerpts. */
export function stripMarkup(source: string): string {
  return source
    .replace(/^[#>]+ /gm, '')
    .replace(/\s+/g, ' ')
    .replace(/[*`]/g, '')
    .replace(/\[([^\][]*)\]\([^()[]*\)/g, '$1');
}

export interface TextPart {
  part: string;
  /** The page of the record that the part names. */
  path?: string | undefined;
  /** The address of the person that the part mentions. */
  person?: string;
  /** The time that the part is. */
  time?: string;
  /** Where the part starts. */
  at: number;
}

const mention = /(?<=^|[\s(,;:])@([\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)+)/.source;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/.source;
const finder = new RegExp(`${mention}|(${time})|${recordIdFinder.source}`, 'gm');

/** Finds records, mentions of people and exact times. */
export function splitText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: part, 1: person, 2: time, index: at } of text.matchAll(finder)) {
    const found = person ? { person } : time ? { time } : { path: toRecordPath(part) };
    parts.push({ part: text.slice(end, at), at: end }, { part, ...found, at });
    end = at + part.length;
  }
  return [...parts, { part: text.slice(end), at: end }];
}
