// Codes, numbers and names that a machine wrote. They look alike and mean different things: material without the one that
// was asked for is about another one.
import { plainWords } from './words.ts';

export interface Identifiers {
  /** Hardly anywhere by chance: BKP-4, 2000-0142, 13.30, 809, RISK-IMPOSSIBLE-TRAVEL. */
  codes: readonly string[];
  /** Short numbers that mean something only where they stand together: "amber 3, white 5". */
  numbers: readonly string[];
}

export function identifiersIn(question: string): Identifiers {
  const codes: string[] = [];
  const numbers: string[] = [];
  const spelled: string[] = [];
  for (const match of question.matchAll(/[\p{L}\p{N}]+(?:[-._:/\\][\p{L}\p{N}]+)*/gu)) {
    const [word] = match;
    const before = question.slice(0, match.index);
    const after = question.slice(match.index + word.length);
    if (isCode(word, before, after)) codes.push(...plainWords(word));
    else if (isSpelledByMachines(word)) spelled.push(...plainWords(word));
    else if (/^\d{1,2}$/.test(word) && !counts(before, after)) numbers.push(word);
  }
  // Who writes nothing but capital letters means nothing by them.
  const isShouted = !/\p{Ll}/u.test(question) && /\s/.test(question.trim());
  return { codes: codes.length > 0 || isShouted ? codes : spelled, numbers };
}

function isCode(word: string, before: string, after: string): boolean {
  if (!/\d/.test(word)) return false;
  if (amount.test(word)) return false;
  if (/\p{L}/u.test(word)) return true;
  if (named.test(before)) return true;
  if (counts(before, after)) return false;
  return /\d[-._:/\\]\d/.test(word) || word.length >= 3;
}

/** "error code 24" */
const named = /\b(?:error|code|rule|event|message|sqlstate|bounce|alarm|number|status)\s+(?:code\s+|number\s+)?$/i;

/** Nothing but capital letters: of several parts, or too long for an abbreviation. */
function isSpelledByMachines(word: string): boolean {
  return /^\p{Lu}{2,}(?:[-_]\p{Lu}{2,})+$/u.test(word) || /^\p{Lu}{7,}$/u.test(word);
}

/** 30GB and 2nd say how much, not what; so do P1 to P4. */
const amount =
  /^\d+(?:[.,]\d+)?(?:st|nd|rd|th|k|[kmgt]?b(?:it)?|ghz|mhz|hz|ms|s|m|h|d|w|v|a|am|pm|x)$|^p[1-4]s?$|^\d{1,2}:\d{2}$/i;

/** A number before the thing that is counted, or one of a span. */
function counts(before: string, after: string): boolean {
  if (/^,?\s*(?:to|and|or|until)\s+\d/i.test(after) || /\d\s+(?:to|and|or|until)\s+$/i.test(before)) return true;
  if (/(?:than|about|least|most|over|above|below|under|up to|every|only|within|after|for)\s+$/i.test(before))
    return true;
  if (/^\s*%/.test(after)) return true;
  const next = /^\s+(\p{L}+)/u.exec(after)?.[1];
  return next !== undefined && !smallWords.test(next);
}

const smallWords =
  /^(?:a|an|the|is|are|was|were|on|in|at|of|for|from|to|with|when|while|after|before|by|and|or|but|as|means?|appears?|appeared|comes?|came|shows?|says?|again|now|what|how|why|during|since|if|it|i|my|our|until|not|still|errors?|codes?|alarms?|alerts?|messages?)$/i;
