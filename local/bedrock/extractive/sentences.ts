// Cuts a document into what can be quoted alone: sentences, list items, rows of tables, blocks of code. Each knows the
// heading or the field name that it stands under, because that often says what it is: "Cause", "resolution".
import type { Document } from './documents.ts';
import { wordsOf } from './words.ts';

export interface Sentence {
  text: string;
  /** Headings above it and the name before its colon. */
  label: string;
  document: Document;
  /** Place in the document. */
  place: number;
  kind: 'prose' | 'step' | 'row' | 'code';
  words: readonly string[];
}

export function sentencesOf(document: Document): Sentence[] {
  const sentences: Sentence[] = [];
  const add = (kind: Sentence['kind'], text: string, label: string) => {
    const trimmed = text.trim();
    if (trimmed === '' || speaksToMachines.test(trimmed)) return;
    sentences.push({ text: trimmed, label, document, place: sentences.length, kind, words: wordsOf(trimmed) });
  };
  let heading = '';
  for (const block of blocksOf(document.text)) {
    if (block.kind === 'heading') heading = block.text;
    else if (block.kind === 'field') for (const each of split(block.text)) add('prose', each, block.label);
    else if (block.kind === 'prose') for (const each of split(block.text)) add('prose', each, heading);
    else add(block.kind, block.text, heading);
  }
  return sentences;
}

/** Material that speaks to whoever summarises it wants something; quoting it would pass that on. */
const speaksToMachines = new RegExp(
  [
    String.raw`\b(ignore|disregard|forget|override)\b.{0,40}\b(instruction|rule|prompt|above|previous|prior)`,
    String.raw`\bsystem prompt\b|\breveal\b.{0,40}\b(prompt|rules?|instructions?)\b|\bdeveloper mode\b`,
    String.raw`\byou are (now|an? (ai|assistant|language model))\b|\bas an? (ai|assistant|language model)\b`,
    String.raw`\bnew (rules?|instructions?|task)\s*:|\bcite\b.{0,40}\bsource\b|\bgive the confidence\b`,
    // What looks like the marks of a prompt, or like the use of a tool.
    String.raw`[<‹]\s*/?\s*data\s*-|"?tool_?(use|call|result)"?\s*["':({>]|</?\s*(tool|function)_?call`,
    String.raw`^\s*(system|assistant)\s*:`,
  ].join('|'),
  'i',
);

type Block =
  | { kind: 'heading' | 'prose' | 'step' | 'row' | 'code'; text: string }
  | { kind: 'field'; label: string; text: string };

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let code: string[] | undefined;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) {
      if (code) blocks.push({ kind: 'code', text: code.join('\n') });
      code = code ? undefined : [];
    } else if (code) code.push(line);
    else readLine(line, blocks);
  }
  if (code) blocks.push({ kind: 'code', text: code.join('\n') });
  return blocks;
}

function readLine(line: string, blocks: Block[]): void {
  const last = blocks.at(-1);
  const heading = /^#{1,6}\s+(.*)/.exec(line);
  const step = /^\s*(?:[-*+]|\d+[.)])\s+(.*)/.exec(line);
  const field = /^([a-z][a-z0-9_]{1,40}):\s+(.*)/.exec(line);
  if (heading) blocks.push({ kind: 'heading', text: heading[1]! });
  else if (/^\s*\|[\s:|-]+\|\s*$/.test(line)) return;
  else if (/^\s*\|/.test(line)) blocks.push({ kind: 'row', text: cells(line) });
  else if (step) blocks.push({ kind: 'step', text: step[1]! });
  else if (field) blocks.push({ kind: 'field', label: field[1]!.replaceAll('_', ' '), text: field[2]! });
  else if (line.trim() === '') blocks.push({ kind: 'prose', text: '' });
  // A line that goes on where the one before it ended.
  else if (last && last.kind !== 'heading' && last.kind !== 'row' && last.kind !== 'code' && last.text !== '') {
    last.text += ` ${line.trim()}`;
  } else blocks.push({ kind: 'prose', text: line });
}

function cells(line: string): string {
  return line
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(': ');
}

/** At the ends of sentences, but not after abbreviations and initials. */
function split(text: string): string[] {
  return text.split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|no|approx|[A-Z])\.)\s+(?=[\p{Lu}\p{N}*_`"'(])/u);
}
