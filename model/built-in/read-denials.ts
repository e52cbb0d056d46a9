// Values that a question leaves out: "not P4", "neither P3 nor P4", "except drafts".
import { findKind, timeLabel, type Value } from './reading.ts';
import type { Span } from './tag-question.ts';

export const denialWord =
  /\b(?:not|never|neither|nor|no|nobody|none|without|except|un(?:acknowledged|acked))\b|n['’]?t\b/i;

const denialBefore =
  /\b(?:not|never|neither|nor|except|exclud(?:e|ing)|leave out|leaving out|drop|skip|ignore|hide|isn't|aren't|wasn't|weren't|didn't|don't)\s+(?:(?:in|a|an|the|of|for|from|by|yet|been)\s+){0,2}$/i;

/** The model may give a denial no label: "not P4". */
export function followsDenial(question: string, { from, label }: Span, spans: readonly Span[]): boolean {
  const found = timeLabel.test(label) ? null : denialBefore.exec(question.slice(0, from));
  return found !== null && !spans.some((span) => span.from <= found.index && span.until > found.index);
}

/** Characters between a denial and the denied name. */
export const maxDenied = 30;

export const isAfter = ({ isDenied, span, field }: Value, from: number) =>
  span.until > from &&
  span.from - from < 2 * maxDenied &&
  (isDenied || field === 'missing' || denialWord.test(span.text));

const leavingOut =
  'neither|except(?: for)?|exclud(?:e|ing)|leav(?:e|ing) out|drop|skip|ignore|hide|minus|other than|apart from|(?:all|everything|ones|those) but';

const denying = "not|n['’]?t|without";

/**
 * Values that are left out, in the words of the question: "neither P3 nor P4", "except drafts". One state after "not" may
 * mean more ("not closed" is open), so the label decides unless it contradicts the word.
 */
export function findDenied(
  question: string,
  spans: readonly Span[],
  kind: string,
): { value: Value; replaced: Span[] }[] {
  const { enums, open } = findKind(kind);
  return Object.entries(enums).flatMap(([field, values]) => {
    if (field === 'sla' || field === 'active') return [];
    const word = `(?:${values.map((value) => value.replace('_', '[ _]')).join('|')})s?(?![\\p{L}-])`;
    const small = String.raw`(?:\s+(?:in|a|an|the|of|on|yet|been|state|any)\b)*\s+`;
    const list = String.raw`${word}(?:(?:\s*,\s*|\s+(?:or|and|nor)\s+)(?:in\s+)?${word})*`;
    const pattern = new RegExp(String.raw`(?<![\p{L}])(${leavingOut}|${denying}|\w+n['’]t)${small}(${list})`, 'giu');
    return [...question.matchAll(pattern)].flatMap(({ 0: text, 1: denial = '', 2: named = '', index: from }) => {
      const value = [...named.matchAll(new RegExp(word, 'giu'))].flatMap(([each]) => toValue(each, values) ?? []);
      const until = from + text.length;
      const isLabel = ({ label }: Span) => label === 'not' || label.startsWith(`${field}=`);
      const replaced = spans.filter((span) => isLabel(span) && span.from < until && from < span.until);
      const labels = replaced.flatMap(({ label }) => label.split('=')[1] ?? []);
      const isOpen = labels.length > 0 && labels.every((label) => label === 'open' || open.includes(label));
      const isFinished = value.every((each) => done.test(each));
      const isPlain =
        field === 'state' && (value.length === 1 || isFinished) && !new RegExp(`^(?:${leavingOut})`, 'i').test(denial);
      if (value.length === 0 || (isPlain && isOpen)) return [];
      // What is not resolved is open.
      const isDenied = !(isPlain && isFinished);
      const found = { span: { label: field, from, until, text }, field, value: isDenied ? value : open, isDenied };
      return [{ value: found, replaced }];
    });
  });
}

export const done = /^(?:resolved|closed|completed|fulfilled)$/;

export const keptSla = /\b(?:not|never)\b(?: \w+)? breach/i;

export const toValue = (word: string, values: readonly string[]) =>
  values.find((value) => value.toLowerCase() === word.toLowerCase().replace(' ', '_').replace(/s$/, ''));
