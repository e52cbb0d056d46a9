// The small part of Markdown that incident reports use, as a tree that React draws. There is no HTML in it anywhere, so
// there is nothing to escape and nothing to inject: whatever is not recognised stays the text that it is.

import { recordPathOf } from '../record-path.ts';

export type Block =
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'record'; id: string; path: string }
  | { kind: 'break' };

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const quote = /^ {0,3}> ?/;
const item = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

const tableRow = /^ {0,3}\|/;
const tableRule = /^ {0,3}\|(?:\s*:?-+:?\s*\|){1,50}\s*$/;

/** Quotes in quotes in quotes have no use here; deeper ones are read as text. */
const deepestQuote = 4;

export function parseMarkdown(source: string, depth = 0): Block[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at, depth);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

interface Read {
  block?: Block;
  next: number;
}

function blockAt(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at]!;
  if (line.trim() === '') return { next: at + 1 };
  if (fence.test(line)) return codeAt(lines, at);
  const title = heading.exec(line);
  if (title) {
    return { block: { kind: 'heading', level: title[1]!.length, children: parseInline(title[2]!) }, next: at + 1 };
  }
  if (rule.test(line)) return { block: { kind: 'rule' }, next: at + 1 };
  if (quote.test(line) && depth < deepestQuote) return quoteAt(lines, at, depth);
  if (item.test(line)) return listAt(lines, at);
  if (isTable(lines, at)) return tableAt(lines, at);
  return paragraphAt(lines, at);
}

/** A fence that is never closed takes the rest, as everywhere else. */
function codeAt(lines: readonly string[], at: number): Read {
  const mark = fence.exec(lines[at]!)![1]!;
  const end = endOf(lines, at, (line) => !line.trim().startsWith(mark) || !isOnly(line, mark[0]!));
  return { block: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 };
}

function isOnly(line: string, character: string): boolean {
  return line.trim().replaceAll(character, '') === '';
}

function quoteAt(lines: readonly string[], at: number, depth: number): Read {
  const end = endOf(lines, at, (line) => quote.test(line));
  const inner = lines.slice(at, end).map((line) => line.replace(quote, ''));
  return { block: { kind: 'quote', children: parseMarkdown(inner.join('\n'), depth + 1) }, next: end };
}

/** A row of names, a row of dashes, and rows of cells. */
function isTable(lines: readonly string[], at: number): boolean {
  return tableRow.test(lines[at]!) && tableRule.test(lines[at + 1] ?? '');
}

/** As many cells as there are names: what a row has too many is left out, what it lacks is empty. */
function tableAt(lines: readonly string[], at: number): Read {
  const end = endOf(lines, at + 1, (line) => tableRow.test(line));
  const head = cellsOf(lines[at]!);
  const rows = lines.slice(at + 2, end).map((line) => {
    const cells = cellsOf(line);
    return head.map((_, place) => cells[place] ?? []);
  });
  return { block: { kind: 'table', head, rows }, next: end };
}

function cellsOf(line: string): Inline[][] {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));
}

/** Lines that are indented below an item go on with it. */
function listAt(lines: readonly string[], at: number): Read {
  const ordered = item.exec(lines[at]!)![1] !== undefined;
  const start = Number(item.exec(lines[at]!)![1] ?? 1);
  const belongs = (line: string) => {
    const found = item.exec(line);
    return found ? (found[1] !== undefined) === ordered : /^\s{2,}\S/.test(line);
  };
  const end = endOf(lines, at, belongs);
  const texts: string[] = [];
  for (const line of lines.slice(at, end)) {
    const found = item.exec(line);
    if (found) texts.push(found[2]!);
    else texts.push(`${texts.pop()}\n${line.trim()}`);
  }
  return { block: { kind: 'list', ordered, start, items: texts.map(parseInline) }, next: end };
}

function paragraphAt(lines: readonly string[], at: number): Read {
  const starts = [fence, heading, rule, quote, item];
  const goesOn = (line: string, place: number) =>
    line.trim() !== '' && !starts.some((pattern) => pattern.test(line)) && !isTable(lines, place);
  const end = endOf(lines, at, goesOn);
  return { block: { kind: 'paragraph', children: parseInline(lines.slice(at, end).join('\n')) }, next: end };
}

/** The first line after the given one that does not belong to it. */
function endOf(lines: readonly string[], at: number, belongs: (line: string, place: number) => boolean): number {
  let end = at + 1;
  while (end < lines.length && belongs(lines[end]!, end)) end += 1;
  return end;
}

// One pattern for all, so that a text is read once however many parts it has; every repetition in it has a bound.
const parts = new RegExp(
  [
    /`(?<code>[^`\n]{1,2000})`/,
    /\[(?<label>[^\][\n]{1,500})\]\((?<href>https?:\/\/[^\s()<>]{1,2000})\)/,
    /\*\*(?=\S)(?<strong>[\s\S]{0,2000}?\S)\*\*(?!\*)/,
    /\*(?=[^\s*])(?<emphasis>[^*]{0,2000}?[^\s*])\*/,
    /\b_(?=[^\s_])(?<underlined>[^_\n]{0,2000}?[^\s_])_\b/,
    /(?<address>https?:\/\/[^\s<>"'`]{0,2000}[^\s<>"'`.,;:!?)\]*_])/,
    /\b(?<record>(?:INC|CHG|REQ|KB|CI)[0-9A-HJKMNP-TV-Z]{7})\b/,
    /(?<newline>\n)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Line breaks are kept: reports are written line by line. */
export function parseInline(text: string): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(parts)) {
    if (match.index > end) found.push({ kind: 'text', text: text.slice(end, match.index) });
    found.push(inlineOf(match.groups!));
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ kind: 'text', text: text.slice(end) });
  return found;
}

function inlineOf(groups: Readonly<Record<string, string | undefined>>): Inline {
  const { code, label, href, strong, address, record } = groups;
  const emphasis = groups.emphasis ?? groups.underlined;
  if (code !== undefined) return { kind: 'code', text: code };
  if (label !== undefined && href !== undefined) return { kind: 'link', href, children: withoutLinks(label) };
  if (strong !== undefined) return { kind: 'strong', children: parseInline(strong) };
  if (emphasis !== undefined) return { kind: 'emphasis', children: parseInline(emphasis) };
  if (address !== undefined) return { kind: 'link', href: address, children: [{ kind: 'text', text: address }] };
  if (record === undefined) return { kind: 'break' };
  const path = recordPathOf(record);
  return path === undefined ? { kind: 'text', text: record } : { kind: 'record', id: record, path };
}

/** A link in a link would be two targets for one click. */
function withoutLinks(label: string): Inline[] {
  return parseInline(label).map((part) => {
    if (part.kind === 'link') return { kind: 'text', text: part.href };
    return part.kind === 'record' ? { kind: 'text', text: part.id } : part;
  });
}
