import { createHash } from 'node:crypto';
import { openIncidentStates, openProblemStates } from '../../../contract/states.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { ProblemDocument } from '../../problems/problem.ts';
import type { RecordImage } from '../../records/record-change.ts';
import type { Facts, LearnedUnit } from '../knowledge/learned-item.ts';
import { type ArticleText, splitPassages, splitSentences, toEmbeddedText } from '../knowledge/passages.ts';
import { countTerms, noTerms } from '../knowledge/terms.ts';

// Decides what to learn of a record. Published articles and resolved incidents are learned, and also open incidents,
// because they may be duplicates.

/** A text to embed, with its words. */
export interface Unit extends Omit<LearnedUnit, 'vector'> {
  text: string;
}

export interface Subject {
  /** Null when searches must not find the record. */
  facts: Facts | null;
  units: readonly Unit[];
}

export const nothingToLearn: Subject = { facts: null, units: [] };

/** Undefined for types of records that are never learned. */
export function toSubject(
  type: string,
  { document, deleted }: Pick<RecordImage, 'document' | 'deleted'>,
  createdAt: string,
): Subject | undefined {
  if (type !== 'incident' && type !== 'article' && type !== 'problem') return undefined;
  if (deleted) return nothingToLearn;
  if (type === 'problem') return toProblemSubject(document as ProblemDocument);
  return type === 'incident'
    ? toIncidentSubject(document as IncidentDocument, createdAt)
    : toArticleSubject(document as ArticleText & { state: string });
}

/** The start of a description says what happened. More text costs time and blurs the vector. */
const maxDescriptionCharacters = 160;

/** The text by which incidents are compared. It has no resolution, because new incidents have none. */
export function toIncidentText({
  short_description,
  description,
}: { short_description: string } & { description?: string | null }): string {
  return description ? `${short_description}\n${description.slice(0, maxDescriptionCharacters)}` : short_description;
}

/** 'listing' is the attribute that has the vectors. Earlier releases stored them elsewhere and hashed without it. */
export function hashUnits(units: readonly Unit[]): string {
  const texts = units.map(({ text }) => text);
  return createHash('sha256')
    .update(JSON.stringify(['listing', texts]))
    .digest('base64url');
}

function toIncidentSubject(document: IncidentDocument, createdAt: string): Subject {
  const { state, resolved_at, resolution } = document;
  const isOpen = openIncidentStates.includes(state);
  const isResolved = (state === 'resolved' || state === 'closed') && resolved_at !== null;
  if (!isOpen && !isResolved) return nothingToLearn;
  const minutes = isResolved ? Math.round((Date.parse(resolved_at) - Date.parse(createdAt)) / 60_000) : 0;
  const facts: Facts = {
    kind: 'incident',
    title: document.short_description,
    open: isOpen,
    category: document.category,
    // Only resolved incidents vote on these, so changing them in an open one writes nothing.
    subcategory: isOpen ? null : document.subcategory,
    assignment_group: isOpen ? null : document.assignment_group,
    priority: document.priority,
    problem: document.parent_problem_id,
    minutes: Math.max(0, minutes),
    has_resolution: isResolved && resolution !== null && resolution.trim() !== '',
  };
  const text = toIncidentText(document);
  return { facts, units: [{ level: 'record', passage: 0, text, terms: countTerms(text) }] };
}

/** Open known errors, whose workarounds help with similar incidents. */
function toProblemSubject(document: ProblemDocument): Subject {
  const { known_error, state, short_description: title } = document;
  if (!known_error || !openProblemStates.includes(state)) return nothingToLearn;
  const text = toIncidentText(document);
  return { facts: { kind: 'problem', title }, units: [{ level: 'record', passage: 0, text, terms: noTerms }] };
}

/** The model truncates longer texts anyway. */
const maxArticleCharacters = 2_000;

/** The words of a passage include those of the title and the tags. Sentences have none: their passage decides. */
function toArticleSubject(document: ArticleText & { state: string }): Subject {
  if (document.state !== 'published') return nothingToLearn;
  const { title, body, tags } = document;
  const passages = splitPassages(document);
  const whole = [title, tags.join(', '), body].filter((part) => part !== '').join('. ');
  const units: Unit[] = [
    { level: 'record', passage: 0, text: whole.slice(0, maxArticleCharacters), terms: countTerms(whole) },
    ...passages.map((each, passage): Unit => {
      const text = toEmbeddedText(document, each);
      return { level: 'passage', passage, text, terms: countTerms(`${text} ${tags.join(' ')}`) };
    }),
    ...splitSentences(passages).map((sentence): Unit => ({ level: 'sentence', ...sentence, terms: noTerms })),
  ];
  return { facts: { kind: 'article', title }, units };
}
