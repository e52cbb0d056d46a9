// A record and what is known of similar ones. The first piece of the material is what it is all about; the others weigh as
// much as they have in common with it.
import { quote } from './answer-question.ts';
import type { Document } from './documents.ts';
import type { Evidence } from './evidence.ts';
import type { Intent } from './intents.ts';
import type { Sentence } from './sentences.ts';
import { wordsOf } from './words.ts';

export interface Finding {
  text: string;
  sentences: readonly Sentence[];
  /** From 0 to 1. */
  support: number;
}

/** Material with less in common with the subject is no evidence. */
const leastLikeness = 0.2;

const ownWeight = 0.7;

export class CaseStudy {
  private readonly evidence: Evidence;
  private readonly subject: Document | undefined;
  private readonly likeness = new Map<Document, number>();

  constructor(evidence: Evidence) {
    this.evidence = evidence;
    this.subject = evidence.documents[0];
    for (const document of evidence.documents) {
      const own = this.isOwn(document);
      const shared = own ? 1 : inCommon(evidence, this.subject!, document);
      this.likeness.set(document, document.relevance === undefined || own ? shared : (shared + document.relevance) / 2);
    }
  }

  /** Other cases that are like the subject, most alike first. */
  similar(): Document[] {
    return this.evidence.documents
      .filter((document) => !this.isOwn(document) && this.likenessOf(document) >= leastLikeness)
      .sort((one, other) => this.likenessOf(other) - this.likenessOf(one));
  }

  /** The sentences that say what the intent asks for, best first. */
  saying(intent: Intent, most: number): Finding | undefined {
    const scored = this.evidence.sentences
      .map((sentence) => ({ sentence, score: this.score(sentence, intent) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.sentence.place - other.sentence.place);
    const chosen = distinct(scored.slice(0, most * 2).map(({ sentence }) => sentence)).slice(0, most);
    if (chosen.length === 0) return undefined;
    const agreeing = new Set(chosen.map(({ document }) => document.source)).size - 1;
    const support = Math.min(0.9, scored[0]!.score * 0.75 + 0.05 * agreeing);
    return {
      text: quote(chosen.map((each) => ({ ...each, kind: 'prose', text: ended(each.text) }))),
      sentences: chosen,
      support,
    };
  }

  private score(
    { label, text, kind, words, document }: Sentence,
    { label: labels, wording, fromOthers }: Intent,
  ): number {
    if (kind === 'code' || text.length > 600 || words.length < 2) return 0;
    const own = this.isOwn(document);
    const weight = own ? ownWeight : this.likenessOf(document);
    if (weight < leastLikeness || (!own && !fromOthers)) return 0;
    const named = labels.test(label);
    const worded = wording.test(text);
    if (!named && !worded) return 0;
    return weight * (named && worded ? 1 : named ? 0.8 : 0.6);
  }

  /** The subject itself, and what was noted on it. */
  private isOwn({ source, kind }: Document): boolean {
    return source === this.subject?.source || /\b(note|comment)s?\b/.test(kind);
  }

  private likenessOf(document: Document): number {
    return this.likeness.get(document) ?? 0;
  }
}

/** How much of what one case is about, in a line, the other one speaks of; whichever way is more. */
function inCommon(evidence: Evidence, one: Document, other: Document): number {
  return Math.max(evidence.covers(themeOf(evidence, one), other), evidence.covers(themeOf(evidence, other), one));
}

function themeOf({ sentences }: Evidence, document: Document): string[] {
  const first = sentences.find((each) => each.document === document && each.words.length >= 3);
  return [...new Set(wordsOf(document.title === '' ? (first?.text ?? '') : document.title))];
}

function distinct(sentences: readonly Sentence[]): Sentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => {
    const key = text.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function ended(text: string): string {
  return /[.!?:;…]["”')*]*$/.test(text) ? text : `${text}.`;
}
