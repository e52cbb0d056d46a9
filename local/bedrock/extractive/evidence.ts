// Which sentences of the material speak about a question, and how well they do. Words count by how rare they are in the
// material; a sentence gains from its heading, its document's title and its neighbours.
import type { Document } from './documents.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { stem, wordsOf } from './words.ts';

export interface Scored {
  sentence: Sentence;
  score: number;
}

export class Evidence {
  readonly documents: readonly Document[];
  readonly sentences: readonly Sentence[];
  private readonly around = new Map<Document, ReadonlySet<string>>();
  private readonly frequency = new Map<string, number>();

  constructor(documents: readonly Document[]) {
    this.documents = documents;
    const cut = documents.map(sentencesOf);
    this.sentences = cut.flat();
    documents.forEach((document, place) => {
      this.around.set(document, new Set([...wordsOf(document.title), ...cut[place]!.flatMap(({ words }) => words)]));
    });
    for (const { words, label } of this.sentences) {
      for (const word of new Set([...words, ...wordsOf(label)])) {
        this.frequency.set(word, (this.frequency.get(word) ?? 0) + 1);
      }
    }
  }

  /** Whether the document, or another piece from the same source, has the word, or one that begins like it. */
  speaksOf(word: string, document: Document): boolean {
    return this.piecesOf(document).some((each) => hasLike(this.around.get(each)!, word));
  }

  /** Whether it has the very code, or one that goes on behind it: 169.254 is in 169.254.0.0/16. */
  names(code: string, document: Document): boolean {
    return this.piecesOf(document).some((each) =>
      [...this.around.get(each)!].some(
        (own) => own === code || (own.startsWith(code) && /^[./]/.test(own.slice(code.length))),
      ),
    );
  }

  /** Whether all of the words stand in one sentence. */
  hasInOne(words: readonly string[], document: Document): boolean {
    return this.sentencesIn(document).some((sentence) => words.every((word) => sentence.words.includes(word)));
  }

  /** Whether a sentence or its heading says the one word together with one of the others. */
  saysOf(word: string, others: readonly string[], document: Document): boolean {
    return this.sentencesIn(document).some((each) => {
      const heading = `${each.label} ${each.document.title.split(': ').at(-1)}`;
      const text = `${heading} ${each.text}`;
      // "Recordings" and "in this order" are things, not something to do.
      const told = text.replace(/[*_`]/g, '').replace(negated, ' ').replace(named, ' ');
      if (!hasLike(new Set(wordsOf(told)), word)) return false;
      const words = new Set(wordsOf(text));
      return others.length === 0 || others.some((other) => hasLike(words, other));
    });
  }

  /** Whether a sentence tells a number of one of these things and has one of the other words, or its headings do. */
  counts(things: readonly string[], others: readonly string[], document: Document): boolean {
    return this.sentencesIn(document).some((sentence) => {
      const counted = [...sentence.text.replace(/[*_`]/g, '').replace(priced, '$1 euro').matchAll(numbered)];
      if (!counted.some(([, what]) => wordsOf(what!).some((word) => things.includes(word)))) return false;
      const near = nearWords(sentence);
      return others.length === 0 || others.some((other) => hasLike(near, other));
    });
  }

  /** The share of these words, by weight, that the document has: from 0 to 1. */
  covers(wanted: readonly string[], document: Document): number {
    return this.share(wanted, (word) => this.speaksOf(word, document));
  }

  /** How little those of these words that it does not have fit the document. */
  strangeness(words: readonly string[], document: Document): number {
    const strange = words.filter((word) => !/\d/.test(word) && !this.speaksOf(word, document));
    return sum(strange.map((word) => document.fit?.strange.get(word) ?? 0));
  }

  /** That of its best piece. */
  relevanceOf(document: Document): number | undefined {
    const known = this.piecesOf(document).flatMap(({ relevance }) => (relevance === undefined ? [] : [relevance]));
    return known.length === 0 ? undefined : Math.max(...known);
  }

  private share(wanted: readonly string[], has: (word: string) => boolean): number {
    const total = sum(wanted.map((word) => this.weight(word)));
    return total === 0 ? 0 : sum(wanted.filter(has).map((word) => this.weight(word))) / total;
  }

  private piecesOf(document: Document): Document[] {
    return this.documents.filter(
      (each) => each === document || (each.source !== '' && each.source === document.source),
    );
  }

  private sentencesIn(document: Document): Sentence[] {
    const pieces = new Set(this.piecesOf(document));
    return this.sentences.filter((each) => pieces.has(each.document));
  }

  /** Sentences that share words with the question, best first. */
  about(question: string): Scored[] {
    const wanted = [...new Set(wordsOf(question))];
    return this.sentences
      .map((sentence) => ({ sentence, score: this.score(sentence, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.sentence.place - other.sentence.place);
  }

  private score({ words, label, document }: Sentence, wanted: readonly string[]): number {
    const own = new Set(words);
    const near = new Set([...wordsOf(label), ...wordsOf(document.title)]);
    const all = this.around.get(document)!;
    const points = wanted.map((word) => {
      if (own.has(word)) return this.weight(word);
      if (near.has(word)) return 0.5 * this.weight(word);
      return all.has(word) ? 0.15 * this.weight(word) : 0;
    });
    const prior = 0.5 + (document.relevance ?? 0.5);
    // Very short ones say little, very long ones a little of everything.
    const length = words.length < 3 ? 0.6 : words.length > 60 ? 0.8 : 1;
    return sum(points) * prior * length;
  }

  /** Words that the material does not have at all are as rare as those it has once. */
  private weight(word: string): number {
    const rare = Math.log(1 + (this.sentences.length + 1) / (Math.max(1, this.frequency.get(word) ?? 0) + 0.5));
    if (/\d/.test(word)) return 2 * rare;
    return vagueWords.has(word) ? 0.4 * rare : rare;
  }
}

/** In questions they only say that something is wrong, or that somebody wants to know. */
const vagueWords = new Set(
  'error problem issue trouble fix solve repair help work broken wrong handle proper correct way step explain meaning reason cause best quick'
    .split(' ')
    .map(stem),
);

/** Things rather than something to do: after "the", "this" and the like. */
const named =
  /\b(?:the|an?|its|their|this|that|these|each|every|no|any|our|your|my|of|per)\s+[\p{L}-]+|\b\p{L}+(?:ings?|ed)\b/giu;

/** "Do not add", "never restart": who says this does not say how. */
const negated = /\b(?:not|never|without)\s+[\p{L}-]+/giu;

/** "$ 40": 40 of some currency. */
const priced = /[€$£]\s?(\d[\d.,]*)/gu;

/** The words of a sentence and of all headings above it. */
function nearWords({ words, label, document }: Sentence): Set<string> {
  return new Set([...words, ...wordsOf(label), ...wordsOf(document.title)]);
}

/** A number and what follows it: "600 connections". */
const numbered =
  /\b(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|once|twice)\b\s*((?:[\p{L}-]+ ?){0,3})/giu;

function hasLike(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word)) return true;
  if (/\d/.test(word) || word.length < 5) return false;
  const beginning = word.slice(0, Math.max(5, word.length - 2));
  return [...words].some((own) => own.startsWith(beginning) || isMistyped(own, word));
}

/** One letter too many, too few or wrong, in a long word, but not at its beginning. */
function isMistyped(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 5 || long.length - short.length > 1 || /\d/.test(long)) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  if (same < 2) return false;
  const rest = long.slice(same + 1);
  return rest === short.slice(same) || (long.length === short.length && rest === short.slice(same + 1));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
