// Whether a document is about a question or only about something near it. Codes decide alone. Beyond them no single sign is
// sure, so all of them are weighed: how near a search by meaning found it, which words of the question do not fit it, and
// whether it speaks of what is asked for.
import type { Document, Fit } from './documents.ts';
import type { Evidence } from './evidence.ts';
import type { Focus } from './question-focus.ts';

/** From 0 to 1: how sure it is that the document is about the question; undefined when it is not. */
export function supportOf(focus: Focus, document: Document, evidence: Evidence): number | undefined {
  const { codes, numbers } = focus;
  if (!codes.every((code) => evidence.names(code, document))) return undefined;
  if (numbers.length > 1 && !evidence.hasInOne(numbers, document)) return undefined;
  const support = supportByWords(focus, document, evidence);
  // Who has the very code that was asked for needs no other words in common.
  if (codes.some(isDistinct)) return Math.max(support ?? 0, leastSupport);
  return support;
}

function supportByWords(focus: Focus, document: Document, evidence: Evidence): number | undefined {
  const { fit, relevance } = document;
  if (fit) return weighed(focus, document, fit, evidence);
  // Whoever compared the words of the others found this one too far down for it.
  const isFar = relevance !== undefined && evidence.documents.some((each) => each.fit !== undefined);
  return isFar ? undefined : compared(focus, document, evidence);
}

/** 24 may be anything; 809 and BKP-4 are hardly there by chance. */
function isDistinct(code: string): boolean {
  return code.length > 2;
}

/**
 * Fitted to the questions that test/eval keeps for tuning, as the logarithm of the odds: a logistic regression over those
 * that `lacks` lets pass.
 */
const weights = {
  constant: -12.6,
  /** How near a search by meaning found it. */
  relevance: 3.9,
  /** How near what it says comes to each word of the question. */
  words: 14.4,
  /** How little the words that it does not have fit it. */
  strangeness: -10.6,
  /** Three words are soon in common. */
  length: 2.3,
  countMissing: -3,
};

/**
 * Whoever is refused is told where to look, and whoever gets an answer to another question acts on it. So an answer has to
 * be surer than the surest wrong one among those questions (0.84, when fitted without it). Twice as sure would refuse every
 * third of the right answers more, and hardly a wrong one (docs/decisions/0027-sure-or-not-found.md).
 */
const leastSupport = 0.85;

function weighed(focus: Focus, document: Document, fit: Fit, evidence: Evidence): number | undefined {
  if (lacks(focus, document, fit, evidence)) return undefined;
  const { words, counted } = focus;
  const signs: Record<keyof typeof weights, number> = {
    constant: 1,
    relevance: evidence.relevanceOf(document) ?? 0,
    words: fit.mean,
    strangeness: evidence.strangeness(words, document),
    length: Math.log(1 + words.length),
    countMissing: Number(counted !== undefined && !evidence.counts(counted, othersOf(focus), document)),
  };
  let odds = 0;
  for (const sign of Object.keys(weights) as (keyof typeof weights)[]) odds += weights[sign] * signs[sign];
  const support = 1 / (1 + Math.exp(-odds));
  return support >= leastSupport ? support : undefined;
}

/** Whether it has no word for a thing that the question names, or for what is to be done, and nothing like it either. */
function lacks(focus: Focus, document: Document, { strange }: Fit, evidence: Evidence): boolean {
  const { subjects, action } = focus;
  if (subjects.some((word) => strange.has(word) && !evidence.speaksOf(word, document))) return true;
  const isStrange = action !== undefined && (strange.get(action) ?? 0) > 0.02;
  return isStrange && !evidence.saysOf(action, othersOf(focus), document);
}

/** What it has to be said of. */
function othersOf({ words, action, counted = [] }: Focus): string[] {
  return words.filter((word) => word !== action && !counted.includes(word));
}

/** Less than this share of the question's words in a document, and it is about something else. */
const leastCoverage = 0.65;

/** Whoever searched by meaning knows better than words do what a document is about: half of the support is theirs. */
const leastShared = 0.55;

/** Relevance (the cosine of embeddings) below the first number is chance, above the second certainty. */
const [chance, certainty] = [0.2, 0.6];

/** Where nobody compared the words by what they mean, they have to be there. */
function compared(focus: Focus, document: Document, evidence: Evidence): number | undefined {
  const { words, subjects, action } = focus;
  if (!subjects.every((word) => evidence.speaksOf(word, document))) return undefined;
  if (action !== undefined && !evidence.saysOf(action, othersOf(focus), document)) return undefined;
  const coverage = evidence.covers(words, document);
  const relevance = evidence.relevanceOf(document);
  if (relevance === undefined) return coverage >= leastCoverage ? coverage : undefined;
  const certain = Math.min(1, Math.max(0, (relevance - chance) / (certainty - chance)));
  const support = (coverage + certain) / 2;
  return support >= leastShared ? support : undefined;
}
