import type * as z from 'zod';
import type { analysis } from '../../contract/ai.ts';
import type { AnalysisType } from '../../contract/findings.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ReadRecord } from '../lists/record-store.ts';
import type { ContextRecord } from './context-record.ts';
import type { Assistant } from './deployed-assistant.ts';
import type { Found } from './knowledge/best-found.ts';
import { rounded } from './suggestions/votes.ts';

// What an analysis rests on: resolved incidents whose texts are similar. Ids, times and the confidence come from them,
// whatever a model says; its words come from a model.

export interface Evidence {
  similar: readonly Found<'incident'>[];
  records: readonly ReadRecord<IncidentDocument>[];
}

/** Below this an incident is another story. */
const leastSimilarity = 0.5;
const mostSimilar = 6;

export async function evidenceOf(text: string, ownId: string, { nearest, read }: Assistant): Promise<Evidence> {
  const found = await nearest(text, mostSimilar, (_, id) => id !== ownId);
  const near = found.filter(({ cosine }) => cosine >= leastSimilarity);
  const records = await read<IncidentDocument>(near.map(({ id }) => id));
  const ids = new Set(records.map(({ record }) => record.id));
  return { similar: near.filter(({ id }) => ids.has(id)), records };
}

type Findings = z.output<typeof analysis>['findings'];

export function withEvidence(
  type: AnalysisType,
  findings: Findings,
  { similar }: Evidence,
  { record }: ContextRecord,
): Findings {
  const confidence = rounded(Math.min(findings.confidence, type === 'summary' ? 1 : confidenceOf(similar)));
  const ids = similar.map(({ id }) => id);
  if ('probable_root_cause' in findings) {
    return {
      ...findings,
      confidence,
      similar_past_incidents: ids,
      related_problem: problemOf(record.document, similar),
      estimated_resolution_minutes: median(similar.map(({ facts }) => facts.minutes)),
    };
  }
  if ('affected' in findings) return { ...findings, confidence, similar_past_incidents: ids };
  return { ...findings, confidence };
}

/** One distant case supports little; several close ones a lot. */
function confidenceOf(similar: Evidence['similar']): number {
  if (similar.length === 0) return 0.15;
  const closeness = Math.min(1, Math.max(0, (similar[0]!.cosine - 0.4) / 0.5));
  return Math.min(0.95, (0.3 + 0.65 * closeness) * (similar.length / (similar.length + 0.4)));
}

/** The problem that the record names, or the one that most similar incidents belong to. */
function problemOf(document: Readonly<Record<string, unknown>>, similar: Evidence['similar']): string | null {
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
  return Math.round(sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2);
}
