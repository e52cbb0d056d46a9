import type * as z from 'zod';
import type { analysis, recordKinds } from '../../contract/ai-schemas.ts';
import type { AnalysisType } from '../../contract/findings.ts';
import { idPatterns } from '../../contract/ids.ts';
import type { CiGraph } from '../cmdb/ci-graph.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ReadRecord, ReadRecords } from '../lists/record-store.ts';
import { notFound } from '../records/change-record.ts';
import type { Assistant } from './deployed-assistant.ts';
import { calibration } from './knowledge/calibration.ts';
import type { FoundIncident } from './knowledge/incident-search.ts';
import { formatFields, type Passage } from './prompts/passage.ts';
import { closeness, rounded } from './suggestions/votes.ts';

// What an analysis rests on: resolved incidents with similar texts. Ids, times, names and the confidence come from the
// data, whatever a model says; the model writes the text.

export interface Evidence {
  /** Most similar first. */
  similar: readonly FoundIncident[];
  records: readonly ReadRecord<IncidentDocument>[];
}

const maxSimilar = 6;

export async function findEvidence(text: string, ownId: string, { nearest, read }: Assistant): Promise<Evidence> {
  const found = await nearest(text, maxSimilar, ({ open }, id) => !open && id !== ownId);
  const near = found.filter(({ cosine }) => cosine >= calibration.similarity.evidence);
  const records = await read<IncidentDocument>(near.map(({ id }) => id));
  const ids = new Set(records.map(({ record }) => record.id));
  return { similar: near.filter(({ id }) => ids.has(id)), records };
}

type Findings = z.output<typeof analysis>['findings'];

/** `affected` are the names of configuration items that the record touches. */
export function withEvidence(
  type: AnalysisType,
  findings: Findings,
  { similar }: Evidence,
  { record }: ContextRecord,
  affected: readonly string[],
): Findings {
  const confidence = rounded(Math.min(findings.confidence, type === 'summary' ? 1 : toConfidence(similar)));
  const ids = similar.map(({ id }) => id);
  if ('probable_root_cause' in findings) {
    return {
      ...findings,
      confidence,
      resolution_steps: distinct(findings.resolution_steps),
      similar_past_incidents: ids,
      related_problem: findProblem(record.document, similar),
      estimated_resolution_minutes: median(similar.map(({ facts }) => facts.minutes)),
    };
  }
  if ('affected' in findings) {
    // The group works on it and is not affected; an item's id says nothing beside its name.
    const said = findings.affected.filter((name) => name !== record.document.assignment_group);
    const named = affected.length > 0 ? said.filter((name) => !idPatterns.ci.test(name)) : said;
    const names = distinct([...affected, ...named]).slice(0, maxAffected);
    return { ...findings, confidence, affected: names, similar_past_incidents: ids };
  }
  return { ...findings, confidence };
}

const maxAffected = 20;

/** Drops repeated texts, whatever their case and punctuation, and long ones that differ from an earlier one in names only. */
function distinct(texts: readonly string[]): string[] {
  const kept: { text: string; words: string[] }[] = [];
  for (const text of texts) {
    const [first = '', ...others] = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const words = [first.toLowerCase(), ...others];
    if (first !== '' && !kept.some((each) => isRepeated(each.words, words))) kept.push({ text, words });
  }
  return kept.map(({ text }) => text);
}

function isRepeated(earlier: readonly string[], words: readonly string[]): boolean {
  const differing = [...listMissing(earlier, words), ...listMissing(words, earlier)];
  const isName = (word: string) => /^\p{Lu}\p{Ll}/u.test(word);
  return 8 * differing.length <= earlier.length + words.length && differing.every(isName);
}

function listMissing(from: readonly string[], words: readonly string[]): string[] {
  const known = new Set(from.map((word) => word.toLowerCase()));
  return words.filter((word) => !known.has(word.toLowerCase()));
}

/** One distant case supports little; several close ones a lot. */
function toConfidence(similar: Evidence['similar']): number {
  const [nearest] = similar;
  if (!nearest) return 0.15;
  return Math.min(0.95, (0.3 + 0.65 * closeness(nearest.cosine)) * (similar.length / (similar.length + 0.4)));
}

/** The problem that the record names, or the one that most similar incidents belong to. */
function findProblem(document: Readonly<Record<string, unknown>>, similar: Evidence['similar']): string | null {
  if (typeof document.parent_problem_id === 'string') return document.parent_problem_id;
  const counts = new Map<string, number>();
  for (const { facts } of similar) {
    if (facts.problem !== null) counts.set(facts.problem, (counts.get(facts.problem) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best && best[1] * 2 > similar.length ? best[0] : null;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[middle - 1], sorted[middle]];
  return Math.round(sorted.length % 2 === 1 ? above : (below + above) / 2);
}

const maxNames = 15;

/** The names of the items that a record touches first, then those of the items that depend on them directly. */
export function affectedItems(graph: () => Promise<CiGraph>) {
  return async ({ record }: Pick<ContextRecord, 'record'>): Promise<string[]> => {
    const { ci_id, ci_ids } = record.document;
    const ids = [ci_id, ...(Array.isArray(ci_ids) ? ci_ids : [])].filter((id) => typeof id === 'string');
    if (ids.length === 0) return [];
    const { describe, getDependents } = await graph();
    const dependents = ids.flatMap((id) => getDependents(id).map(({ node }) => node));
    const names = [...ids, ...dependents].flatMap((id) => describe(id)?.name ?? []);
    return [...new Set(names)].slice(0, maxNames);
  };
}

export type RecordKind = (typeof recordKinds)[number];

const idForms: Readonly<Record<RecordKind, RegExp>> = { incident: /^INC\w{7}$/, change: /^CHG\w{7}$/ };

export interface ContextRecord extends Pick<ReadRecord<Readonly<Record<string, unknown>>>, 'record'> {
  passage: Passage;
}

/** Reads the record of a question for the prompt. Throws 404 if no record of that kind has the id. */
export async function contextRecord(kind: RecordKind, id: string, read: ReadRecords): Promise<ContextRecord> {
  const [found] = idForms[kind].test(id) ? await read<Readonly<Record<string, unknown>>>([id]) : [];
  if (!found) throw notFound(id);
  const { sla: _, ai_suggested_resolution: __, ...fields } = found.record.document;
  return { record: found.record, passage: { source: id, kind, text: formatFields(fields) } };
}

/** The text that describes the record. */
export function getText({ record }: ContextRecord): string {
  const { short_description, description } = record.document;
  return [short_description, description].filter((part) => typeof part === 'string').join('\n');
}

/** Changes whenever a field or note changes that prompts contain. */
export function getState({ record }: ContextRecord): string {
  return `${record.version}-${record.notes_count}`;
}
