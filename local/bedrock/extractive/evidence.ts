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

  /** Whether a sentence or its heading says the one word together with one of the others. */
  saysOf(word: string, others: readonly string[], document: Document): boolean {
    const pieces = new Set(this.piecesOf(document));
    return this.sentences.some((each) => {
      if (!pieces.has(each.document)) return false;
      const heading = `${each.label} ${each.document.title.split(': ').at(-1)}`;
      // "The recording" is a thing, not something to do.
      const words = new Set(wordsOf(`${heading} ${each.text}`.replace(/\b(?:the|an?|its|their)\s+\w+ing\b/gi, '')));
      return hasLike(words, word) && (others.length === 0 || others.some((other) => hasLike(words, other)));
    });
  }

  private piecesOf(document: Document): Document[] {
    return this.documents.filter(
      (each) => each === document || (each.source !== '' && each.source === document.source),
    );
  }

  /** Sentences that share words with the question, best first. */
  about(question: string): Scored[] {
    const wanted = [...new Set(wordsOf(question))];
    return this.sentences
      .map((sentence) => ({ sentence, score: this.score(sentence, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.sentence.place - other.sentence.place);
  }

  /** The share of the question's words, by weight, that these documents have: from 0 to 1. */
  coverage(question: string, documents: readonly Document[]): number {
    const wanted = [...new Set(wordsOf(question))];
    const total = sum(wanted.map((word) => this.weight(word)));
    if (total === 0) return 0;
    const has = (word: string) => documents.some((document) => this.around.get(document)?.has(word));
    return sum(wanted.filter(has).map((word) => this.weight(word))) / total;
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

function hasLike(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word)) return true;
  if (/\d/.test(word) || word.length < 5) return false;
  const beginning = word.slice(0, Math.max(5, word.length - 2));
  return [...words].some((own) => own.startsWith(beginning));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
