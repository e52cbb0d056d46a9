// The answer to a question in the words of the material: its best sentences, in the order in which they stand there, with
// the sources they are from. Where the material does not speak about the question there is no answer.
import type { Document } from './documents.ts';
import type { Evidence, Scored } from './evidence.ts';
import { focusOf } from './question-focus.ts';
import type { Sentence } from './sentences.ts';
import { supportOf } from './support.ts';
import { wordsOf } from './words.ts';

export interface Extract {
  text: string;
  sources: string[];
  /** From 0 to 1: how much of the question the material speaks about. */
  support: number;
}

const mostSentences = 4;
const mostSteps = 7;
const mostDocuments = 2;

export function answerQuestion(question: string, evidence: Evidence): Extract | undefined {
  const ranked = evidence.about(question);
  const focus = focusOf(question);
  const supports = new Map(evidence.documents.map((each) => [each, supportOf(focus, each, evidence)] as const));
  const about = ranked.filter(({ sentence }) => supports.get(sentence.document) !== undefined);
  if (about.length === 0) return undefined;
  const documents = bestDocuments(about);
  const support = Math.max(...documents.map((each) => supports.get(each)!));
  const best = about[0]!;
  const chosen = about
    .filter(({ sentence, score }) => documents.includes(sentence.document) && score >= best.score * 0.6)
    .slice(0, mostSentences)
    .map(({ sentence }) => sentence);
  const steps = asksHow.test(question) ? stepsIn(best.sentence.document, focus.words, ranked, evidence) : [];
  const told =
    steps.length === 0 ? chosen : isNamed(steps[0]!, focus.words) ? steps : [...chosen.slice(0, 2), ...steps];
  const from = [...new Set([...documents, ...told.map((each) => each.document)])];
  const quoted = inOrder(from, withWhatFollows(told, evidence.sentences));
  const sources = documents.filter(({ source }) => quoted.some((each) => each.document.source === source));
  return { text: quote(quoted), sources: [...new Set(sources.map(({ source }) => source))].filter(Boolean), support };
}

/** As Markdown: prose together, steps as a list, code as code. */
export function quote(sentences: readonly Sentence[]): string {
  let text = '';
  let before: Sentence['kind'] | undefined;
  for (const { kind, text: own } of sentences) {
    const line = kind === 'step' || kind === 'row' ? `- ${own}` : kind === 'code' ? `\`\`\`\n${own}\n\`\`\`` : own;
    const gap = before === undefined ? '' : kind !== before || kind === 'code' ? '\n\n' : kind === 'prose' ? ' ' : '\n';
    text += gap + line;
    before = kind;
  }
  return text;
}

/** Documents by their best sentence, as long as they come near to the very best. */
function bestDocuments(ranked: readonly Scored[]): Document[] {
  const documents: Document[] = [];
  for (const { sentence, score } of ranked) {
    if (documents.length === mostDocuments || score < ranked[0]!.score * 0.85) break;
    if (!documents.includes(sentence.document)) documents.push(sentence.document);
  }
  return documents;
}

const asksHow =
  /\bhow (do|can|to|should|would|could)\b|\bwhat (should|can|must|do) (i|we|you)\b|\bwhat to do\b|\bsteps?\b/i;

/** All of the part of a document that is headed by what is asked for, or the steps of that which speaks most about it. */
function stepsIn(
  document: Document,
  asked: readonly string[],
  ranked: readonly Scored[],
  { sentences }: Evidence,
): Sentence[] {
  const scores = new Map(ranked.map(({ sentence, score }) => [sentence, score]));
  const parts = new Map<string, { points: number; steps: Sentence[]; least: number }>();
  const allPoints = ranked.reduce((sum, { score }) => sum + score, 0);
  // An article may come in pieces; its steps may be in another one than its best sentence.
  const same = sentences.filter(
    (each) => each.document === document || (document.source !== '' && each.document.source === document.source),
  );
  for (const sentence of same) {
    const heading = `${sentence.document.title} ${sentence.label}`;
    const named = isNamed(sentence, asked);
    const part = parts.get(heading) ?? {
      points: named ? allPoints : repairLabel.test(heading) ? ranked[0]!.score : 0,
      steps: [],
      least: named ? 1 : 2,
    };
    part.points += scores.get(sentence) ?? 0;
    if (named || sentence.kind === 'step') part.steps.push(sentence);
    parts.set(heading, part);
  }
  const best = [...parts.values()]
    .filter(({ steps, least }) => steps.length >= least)
    .sort((one, other) => other.points - one.points)[0];
  return best?.steps.slice(0, mostSteps) ?? [];
}

/** Whether the question says what it is headed by; a title alone heads everything. */
function isNamed({ label, document: { title } }: Sentence, asked: readonly string[]): boolean {
  const heading = wordsOf(label || title.split(': ').slice(1).join(' '));
  return heading.filter((word) => asked.includes(word)).length > heading.length / 2;
}

const repairLabel = /\b(repair|fix|resolution|steps?|what to do|solution|install|restore|reset|recover|procedure)/i;

/** "Do this:" means nothing without what comes next. */
function withWhatFollows(chosen: readonly Sentence[], all: readonly Sentence[]): Set<Sentence> {
  const wanted = new Set(chosen);
  for (const sentence of chosen) {
    if (!/[:：]\s*$/.test(sentence.text)) continue;
    const next = all
      .filter(({ document, place }) => document === sentence.document && place > sentence.place)
      .slice(0, 3);
    for (const each of next) {
      wanted.add(each);
      if (each.kind === 'code' || each.kind === 'prose') break;
    }
  }
  return wanted;
}

function inOrder(documents: readonly Document[], sentences: ReadonlySet<Sentence>): Sentence[] {
  return [...sentences].sort(
    (one, other) => documents.indexOf(one.document) - documents.indexOf(other.document) || one.place - other.place,
  );
}
