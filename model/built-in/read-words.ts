// The words of spans: names without articles, numbers, and spans that are part of others.
import { flagLabels } from './reading.ts';
import type { Span } from './tag-question.ts';
import { toWords } from './time-words.ts';

/** The places of the words that say something. */
export function listWords({ text, from }: Span): { from: number; until: number }[] {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({ word, at: from + index }));
  const own = words.filter(({ word }) => !smallWord.test(word));
  return (own.length > 0 ? own : words).map(({ word, at }) => ({ from: at, until: at + word.length }));
}

const smallWord =
  /^(?:a|an|the|in|on|at|of|for|with|by|from|to|is|are|was|were|be|been|do|does|did|it|its|has|have|had|and|or|that|s)$/i;

/** Whether a longer span contains these words: "my team" in "not assigned to my team", or "VPN" in "VPN access". */
export function isCovered(span: Span, spans: readonly Span[]): boolean {
  const isCopied = !span.label.includes('=') && !flagLabels.has(span.label);
  return spans.some(({ label, from, until }) => {
    const covers = from <= span.from && until >= span.until && until - from > span.until - span.from;
    return (
      covers &&
      ((label === 'unsupported' && !span.label.startsWith('by=')) ||
        (isCopied && !label.includes('=') && !flagLabels.has(label)))
    );
  });
}

export function readNumber(text: string): number | undefined {
  const words = (text.toLowerCase().match(/[a-z]+|\d{1,4}/g) ?? []).flatMap(toWords);
  return words.find(({ kind, value }) => kind === 'number' && value > 0)?.value;
}

/** Extends a span that is only "in" of "in Lisbon" by the next word, or drops it if the next word has its own label. */
export function completeSpans(question: string, spans: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const words = span.text.toLowerCase().split(' ');
    const isName = !span.label.includes('=') && !flagLabels.has(span.label);
    if (!isName || !words.every((word) => beforeName.has(word))) return [span];
    const [next = ''] = /^\s*[^\s,.;?!]*/.exec(question.slice(span.until)) ?? [];
    const until = span.until + next.length;
    const isTaken = spans.some((each) => each.from >= span.until && each.from < until);
    return next.trim() === '' || isTaken ? [] : [{ ...span, until, text: question.slice(span.from, until) }];
  });
}

export const beforeName = new Set(
  'in on at of for with by from to about a an the our my this that ci word words'.split(' '),
);

const afterName = new Set(
  'team group folks guys people department queue crew squad category pager phone rota shift schedule'.split(' '),
);

/** Removes quotation marks, articles and nouns such as "team", which are not part of a name. */
export function trimName(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/["“”‘’]/g, '')
    .replace(/'s$/, '');
  const words = plain.split(' ').filter(Boolean);
  while (words.length > 1 && beforeName.has(words[0] ?? '')) words.shift();
  while (words.length > 1 && afterName.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ').replace(/^'|'$/g, '');
}

export const recordWord = /^(?:incident|ticket|case|problem|issue|change|request|article|outage)s?$/;
