import { createHash } from 'node:crypto';
import type { RecordChange } from '../../events/record-change.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { Facts } from '../knowledge/learned-item.ts';
import { type ArticleText, embeddedText, passagesOf } from '../knowledge/passages.ts';

// What there is to learn of a record: published articles and resolved incidents are found by others, everything else is
// not.

export interface Subject {
  /** Null when nobody is to find it. */
  facts: Facts | null;
  /** One per passage. */
  texts: readonly string[];
}

/** Undefined for kinds of records that nothing is learned of. */
export function subjectOf({ type, after }: Pick<RecordChange, 'type' | 'after'>, at: Times): Subject | undefined {
  if (type === 'incident') return incidentSubject(after.document as IncidentDocument, after.deleted, at);
  if (type === 'article') return articleSubject(after.document as ArticleDocument, after.deleted);
  return undefined;
}

export interface Times {
  createdAt: string;
}

/** What an incident is compared by: not how it was solved, which a new one cannot say yet. */
export function incidentText({
  short_description,
  description,
}: {
  short_description: string;
  description?: string | null;
}): string {
  return description ? `${short_description}\n${description}` : short_description;
}

export function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}

type ArticleDocument = ArticleText & { state: string };

function incidentSubject(document: IncidentDocument, deleted: boolean, { createdAt }: Times): Subject {
  const { state, resolved_at, resolution } = document;
  const solved = !deleted && (state === 'resolved' || state === 'closed') && resolved_at !== null;
  if (!solved) return { facts: null, texts: [] };
  const facts: Facts = {
    kind: 'incident',
    category: document.category,
    subcategory: document.subcategory,
    priority: document.priority,
    assignment_group: document.assignment_group,
    problem: document.parent_problem_id,
    minutes: Math.max(0, Math.round((Date.parse(resolved_at) - Date.parse(createdAt)) / 60_000)),
    has_resolution: resolution !== null && resolution.trim() !== '',
  };
  return { facts, texts: [incidentText(document)] };
}

function articleSubject(document: ArticleDocument, deleted: boolean): Subject {
  if (deleted || document.state !== 'published') return { facts: null, texts: [] };
  return {
    facts: { kind: 'article', title: document.title },
    texts: passagesOf(document).map((passage) => embeddedText(document, passage)),
  };
}
