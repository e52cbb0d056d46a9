import type * as z from 'zod';
import type { analysis, recordKinds } from '../../contract/ai-schemas.ts';
import type { AnalysisType } from '../../contract/findings.ts';
import { idPatterns } from '../../contract/ids.ts';
import type { ReadCiGraph } from '../cmdb/ci-graph.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ReadRecord, ReadRecords } from '../lists/record-store.ts';
import { notFound } from '../records/change-record.ts';
import { type Assistant, roundShare } from './assistant.ts';
import { calibration } from './knowledge/calibration.ts';
import type { FoundIncident } from './knowledge/incident-search.ts';
import { formatFields, type Passage } from './prompts/passage.ts';
import { toCloseness } from './suggestions/votes.ts';

// The record and the similar incidents that an answer is based on. The model only writes text: ids, times, names and the
// confidence come from the data.

export interface ContextRecord {
  record: ReadRecord<Readonly<Record<string, unknown>>>['record'];
  /** The record for a prompt. */
  passage: Passage;
  /** Describes the record. */
  text: string;
  /** Changes with every change of a field or note. */
  state: string;
}

/** Throws 404 if no record of that kind has the id. */
export async function readContext(
  kind: (typeof recordKinds)[number],
  id: string,
  read: ReadRecords,
): Promise<ContextRecord> {
  const [found] = idPatterns[kind].test(id) ? await read<Readonly<Record<string, unknown>>>([id]) : [];
  if (!found) throw notFound(id);
  const { record } = found;
  const { sla: _, ai_suggested_resolution: __, ...fields } = record.document;
  const texts = [fields.short_description, fields.description].filter((part) => typeof part === 'string');
  const passage = { source: id, kind, text: formatFields({ ...fields, created_at: record.created_at }) };
  return { record, passage, text: texts.join('\n'), state: `${record.version}-${record.notes_count}` };
}

export interface Evidence {
  /** Most similar first. */
  similar: readonly FoundIncident[];
  records: readonly ReadRecord<IncidentDocument>[];
}

const maxSimilar = 6;

export async function findEvidence({ text, record }: ContextRecord, { nearest, read }: Assistant): Promise<Evidence> {
  const found = await nearest(text, maxSimilar, { open: false, exceptId: record.id });
  const near = found.filter(({ cosine }) => cosine >= calibration.similarity.evidence);
  const records = await read<IncidentDocument>(near.map(({ id }) => id));
  const ids = new Set(records.map((each) => each.record.id));
  return { similar: near.filter(({ id }) => ids.has(id)), records };
}

type Findings = z.output<typeof analysis>['findings'];

const maxAffected = 20;

/** For findings that notes or the change of the record support. */
const maxOwnConfidence = 0.85;

/**
 * Replaces facts that the model wrote by those of the evidence. `affected` are names of configuration items. Of similar
 * incidents with the same title, the most similar one is listed.
 */
export function applyEvidence(
  type: AnalysisType,
  findings: Findings,
  { similar, problem }: Pick<Evidence, 'similar'> & { problem: string | null },
  { document }: Pick<ContextRecord['record'], 'document'>,
  affected: readonly string[],
  hasOwnEvidence = false,
): Findings {
  const max = type === 'summary' ? 1 : Math.max(toConfidence(similar), hasOwnEvidence ? maxOwnConfidence : 0);
  const confidence = roundShare(Math.min(findings.confidence, max));
  const isFirst = ({ facts: { title } }: FoundIncident, place: number) =>
    similar.findIndex((each) => each.facts.title === title) === place;
  const similar_past_incidents = similar.filter(isFirst).map(({ id }) => id);
  if ('probable_root_cause' in findings) {
    return {
      ...findings,
      confidence,
      resolution_steps: removeRepeated(findings.resolution_steps),
      similar_past_incidents,
      related_problem: problem,
      estimated_resolution_minutes: computeMedian(similar.map(({ facts }) => facts.minutes)),
    };
  }
  if ('affected' in findings) {
    // The assigned group is not affected. Ids of items are redundant where their names are known.
    const named = findings.affected.filter(
      (name) => name !== document.assignment_group && !(affected.length > 0 && idPatterns.ci.test(name)),
    );
    const all = removeRepeated([...affected, ...named]).slice(0, maxAffected);
    return { ...findings, confidence, affected: all, similar_past_incidents };
  }
  return { ...findings, confidence };
}

/** Removes texts that differ from an earlier one only in case and punctuation, or, if they are long, in names. */
function removeRepeated(texts: readonly string[]): string[] {
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

/** The more incidents and the more similar the best one, the higher the confidence. */
function toConfidence(similar: Evidence['similar']): number {
  const [nearest] = similar;
  if (!nearest) return 0.15;
  return Math.min(0.95, (0.3 + 0.65 * toCloseness(nearest.cosine)) * (similar.length / (similar.length + 0.4)));
}

function computeMedian(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return below === undefined || above === undefined ? null : Math.round((below + above) / 2);
}

const maxNames = 15;

/** Finds the names of the configuration items of a record, then of the items that depend directly on them. */
export function createAffectedItemFinder(readGraph: ReadCiGraph) {
  return async ({ document }: ContextRecord['record']): Promise<string[]> => {
    const { ci_id, ci_ids } = document;
    const ids = [ci_id, ...(Array.isArray(ci_ids) ? ci_ids : [])].filter((id) => typeof id === 'string');
    if (ids.length === 0) return [];
    const graph = await readGraph(ids, 'dependents', 0);
    const dependents = ids.flatMap((id) => graph.getSteps('dependents', id).map(({ node }) => node));
    const names = [...ids, ...dependents].flatMap((id) => graph.describe(id)?.name ?? []);
    return [...new Set(names)].slice(0, maxNames);
  };
}
