import type { SlaKind } from '../../contract/states.ts';
import { diffFields } from '../records/change-record.ts';
import { type Changes, type StoredRecord, toDocumentResponse } from '../records/record.ts';
import { findTerms, isSameTerms, type LevelSet, type PolicyFields } from './level-set.ts';
import type { Levels } from './level-store.ts';
import {
  diffMarks,
  enterPhase,
  findTimeUsed,
  getBreachAt,
  getClock,
  getWarningAt,
  markDue,
  moveMarks,
  type Sla,
  startSla,
  type Terms,
  toIsoOrNull,
  toMarkKeys,
} from './sla.ts';

// Keeps the SLA of a record up to date. Incidents, changes and requests differ only in their fields and final states.

/** The part of a document that the SLA maintains. */
export interface Tracked {
  state: string;
  acknowledged_at?: string | null;
  sla?: Sla;
  sla_breach_at: string | null;
  sla_breached_at: string | null;
}

export interface TrackedKind<Document> {
  kind: SlaKind;
  /** States in which the clock has ended. */
  ended: readonly string[];
  fields(document: Document): PolicyFields;
}

export interface SlaTracker<Document> {
  /** Loads what the other functions need to know about a record. */
  prepare(record?: StoredRecord<Document>): Promise<void>;
  /** Adds the SLA to a new document. */
  start(document: Omit<Document, 'sla' | 'sla_breach_at' | 'sla_breached_at'>, nowMs: number): Document;
  /** Follows a change of the document. */
  follow(before: Document, after: Document, nowMs: number, createdAt?: string): Document;
  /** Sets the marks that are due. */
  markDue(document: Document, nowMs: number): Document;
  /** Applies the current policies to an open record. */
  recalculate(record: StoredRecord<Document>, nowMs: number): Document;
  /** The times that lists filter, sort and count by. A breach remains when the clock stops. */
  list(document: Document): Record<'sla_breach_at' | 'sla_warning_at' | 'sla_met_at', string | null>;
  indexKeys(record: StoredRecord<Document>): Record<'due_pk' | 'due_sk', string | null>;
}

export function createSlaTracker<Document extends Tracked>(
  { kind, ended, fields }: TrackedKind<Document>,
  levels: Levels,
): SlaTracker<Document> {
  const findIn = (set: LevelSet, document: Document) => findTerms(set, kind, fields(document));
  const findOwn = (document: Document) => document.sla && findIn(levels.get(document.sla.revision), document);

  const withTerms = (document: Document, sla: Sla, terms: Terms): Document => ({
    ...document,
    sla,
    sla_breach_at: toIsoOrNull(getBreachAt(sla, terms)),
    sla_breached_at: toIsoOrNull(sla.marks[terms.key]?.breached_at),
  });

  /** Moves to the terms of a set. */
  const enter = (before: Sla, document: Document, set: LevelSet, nowMs: number): Document => {
    const terms = findIn(set, document);
    if (!terms) {
      const { sla: _sla, ...uncovered } = document;
      return { ...(uncovered as Document), sla_breach_at: null, sla_breached_at: null };
    }
    const { priority } = fields(document);
    const acknowledged =
      terms.acknowledgeMs !== null && before.acknowledged === undefined && document.acknowledged_at
        ? { acknowledged: Date.parse(document.acknowledged_at) }
        : {};
    const isSame = isSameTerms(levels.get(before.revision), set, kind, fields(document));
    const revision = isSame ? {} : { revision: set.revision };
    const clock = ended.includes(document.state)
      ? 'ended'
      : terms.pauseStates.includes(document.state)
        ? 'paused'
        : 'running';
    const entered = enterPhase(
      { ...before, ...(priority && { priority }), ...acknowledged, ...revision },
      clock,
      nowMs,
      terms.hours,
    );
    // Marks of other targets were set under the old terms.
    const { [terms.key]: marks } = entered.marks;
    const moved = isSame
      ? entered
      : moveMarks({ ...entered, marks: marks ? { [terms.key]: marks } : {} }, terms, nowMs);
    return withTerms(document, markDue(moved, terms, nowMs), terms);
  };

  const isAffected = (before: Document, after: Document) =>
    before.state !== after.state ||
    before.acknowledged_at !== after.acknowledged_at ||
    JSON.stringify(fields(before)) !== JSON.stringify(fields(after));

  const prepare = (record?: StoredRecord<Document>) => levels.load(record?.document.sla?.revision);

  return {
    prepare,
    start(document, nowMs) {
      const set = levels.current();
      const created = { ...document, sla_breach_at: null, sla_breached_at: null } as unknown as Document;
      const sla = startSla(nowMs);
      return enter(set.revision === 0 ? sla : { ...sla, revision: set.revision }, created, set, nowMs);
    },
    follow(before, after, nowMs, createdAt) {
      if (!isAffected(before, after)) return after;
      const terms = findOwn(before);
      const known = before.sla ?? startSla(createdAt === undefined ? nowMs : Date.parse(createdAt));
      // What is due under the old target is reported first: a record that is resolved after its breach was breached.
      const marked = terms ? markDue(known, terms, nowMs) : known;
      // A clock that has ended keeps what was measured.
      const isOver = ended.includes(before.state) && ended.includes(after.state);
      if (isOver && !before.sla) return after;
      return enter(marked, after, isOver ? levels.get(marked.revision) : levels.current(), nowMs);
    },
    markDue(document, nowMs) {
      const terms = findOwn(document);
      if (!document.sla || !terms) return document;
      return withTerms(document, markDue(document.sla, terms, nowMs), terms);
    },
    recalculate({ document, created_at }, nowMs) {
      if (ended.includes(document.state)) return document;
      const known = document.sla ?? startSla(Date.parse(created_at));
      const after = enter(known, document, levels.current(), nowMs);
      const terms = findOwn(after);
      // Earlier releases stored when a breach was noticed.
      return after.sla && terms
        ? withTerms(after, markDue(moveMarks(after.sla, terms, nowMs), terms, nowMs), terms)
        : after;
    },
    list(document) {
      const terms = findOwn(document);
      if (!document.sla || !terms) return { sla_breach_at: null, sla_warning_at: null, sla_met_at: null };
      const breachAt = findTimeUsed(document.sla, terms.resolveMs, terms.hours);
      const isMet = breachAt === null && getClock(document.sla) === 'ended';
      return {
        sla_breach_at: toIsoOrNull(breachAt),
        sla_warning_at: toIsoOrNull(getWarningAt(document.sla, terms)),
        sla_met_at: isMet ? toIsoOrNull(document.sla.phases.at(-1)?.from) : null,
      };
    },
    indexKeys({ id, deleted, document }) {
      const terms = deleted || !document.sla || getClock(document.sla) !== 'running' ? null : findOwn(document);
      const keys = terms && document.sla ? toMarkKeys(id, document.sla, terms) : null;
      return keys ?? { due_pk: null, due_sk: null };
    },
  };
}

/** The SLA is internal, but what it reports is part of the history. */
export function diffTracked<Document extends Tracked>(before: Document, after: Document): Changes {
  const [{ sla: old, ...fields }, { sla, ...changed }] = [before, after];
  return { ...diffFields(fields, changed), ...diffMarks(old, sla) };
}

/** For record types whose whole document, without the SLA, is part of the response. */
export function toTrackedResponse<Document extends Tracked>({ document, ...record }: StoredRecord<Document>) {
  const { sla: _sla, ...fields } = document;
  return toDocumentResponse({ ...record, document: fields });
}
