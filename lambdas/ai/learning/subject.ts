import { createHash } from 'node:crypto';
import { openIncidentStates } from '../../../contract/states.ts';
import type { RecordChange } from '../../events/event.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { Facts, LearnedUnit } from '../knowledge/learned-item.ts';
import { type ArticleText, splitPassages, splitSentences, toEmbeddedText } from '../knowledge/passages.ts';
import { countTerms, noTerms } from '../knowledge/terms.ts';

// What there is to learn of a record: published articles, resolved incidents, and open ones, which may be duplicates.

/** A text to embed, with the words that are counted for it. */
export interface Unit extends Omit<LearnedUnit, 'vector'> {
  text: string;
}

export interface Subject {
  /** Null when nobody may find the record. */
  facts: Facts | null;
  units: readonly Unit[];
}

export const nothingToLearn: Subject = { facts: null, units: [] };

/** Undefined for kinds of records that nothing is learned of. */
export function toSubject({ type, after }: Pick<RecordChange, 'type' | 'after'>, at: Times): Subject | undefined {
  if (type === 'incident')
    return after.deleted ? nothingToLearn : incidentSubject(after.document as IncidentDocument, at);
  if (type === 'article') return after.deleted ? nothingToLearn : articleSubject(after.document as ArticleDocument);
  return undefined;
}

export interface Times {
  createdAt: string;
}

type Described = Pick<IncidentDocument, 'short_description'> & { description?: string | null };

/** The start of a description says what happened; more of it costs time and blurs the vector. */
const maxDescriptionCharacters = 400;

/** What incidents are compared by: not the resolution, which a new incident does not have yet. */
export function toIncidentText({ short_description, description }: Described): string {
  return description ? `${short_description}\n${description.slice(0, maxDescriptionCharacters)}` : short_description;
}

/** Former releases expect the vectors in an attribute of their own, so the hash differs from theirs. */
export function hashUnits(units: readonly Unit[]): string {
  const texts = units.map(({ text }) => text);
  return createHash('sha256')
    .update(JSON.stringify(['listing', texts]))
    .digest('base64url');
}

type ArticleDocument = ArticleText & { state: string };

function incidentSubject(document: IncidentDocument, { createdAt }: Times): Subject {
  const { state, resolved_at, resolution } = document;
  const isOpen = openIncidentStates.includes(state);
  const isResolved = (state === 'resolved' || state === 'closed') && resolved_at !== null;
  if (!isOpen && !isResolved) return nothingToLearn;
  const facts: Facts = {
    kind: 'incident',
    title: document.short_description,
    open: isOpen,
    category: document.category,
    subcategory: document.subcategory,
    priority: document.priority,
    assignment_group: document.assignment_group,
    problem: document.parent_problem_id,
    minutes: isOpen
      ? 0
      : Math.max(0, Math.round((Date.parse(resolved_at ?? createdAt) - Date.parse(createdAt)) / 60_000)),
    has_resolution: isResolved && resolution !== null && resolution.trim() !== '',
  };
  const text = toIncidentText(document);
  return { facts, units: [{ level: 'record', passage: 0, text, terms: countTerms(text) }] };
}

/** A passage has the words of the title and the tags, too. Sentences carry no words: those of their passage decide. */
function articleSubject(document: ArticleDocument): Subject {
  if (document.state !== 'published') return nothingToLearn;
  const { title, body, tags } = document;
  const passages = splitPassages(document);
  const whole = [title, tags.join(', '), body].filter((part) => part !== '').join('. ');
  const units: Unit[] = [
    { level: 'record', passage: 0, text: whole.slice(0, maxArticleCharacters), terms: countTerms(whole) },
  ];
  for (const [passage, each] of passages.entries()) {
    const text = toEmbeddedText(document, each);
    units.push({ level: 'passage', passage, text, terms: countTerms(`${text} ${tags.join(' ')}`) });
  }
  for (const { passage, text } of splitSentences(passages))
    units.push({ level: 'sentence', passage, text, terms: noTerms });
  return { facts: { kind: 'article', title }, units };
}

/** The model reads no more than this anyway. */
const maxArticleCharacters = 2_000;
