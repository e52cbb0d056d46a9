import type { AnalyzeRequest } from '../../contract/ai-schemas.ts';
import { findingsSchemas } from '../../contract/findings.ts';
import { idPatterns } from '../../contract/ids.ts';
import type { routes } from '../../contract/routes.ts';
import type { ReadRecord, ReadRecords } from '../lists/record-store.ts';
import type { UseCase } from '../platform/http/response.ts';
import type { ItemStore } from '../records/item-store.ts';
import { notePrefix, toNote } from '../records/notes.ts';
import { type Assistant, startStopwatch, toResponseMetadata } from './assistant.ts';
import { toVersions } from './cache/answer-cache.ts';
import { applyEvidence, type ContextRecord, type Evidence, findEvidence, readContext } from './evidence.ts';
import { groupByTitle } from './find-exemplars.ts';
import { createPassageFinder } from './knowledge/find-passages.ts';
import { type FindKnownErrors, type KnownError, toKnownErrorPassage } from './knowledge/known-errors.ts';
import { type Converse, requestStructuredAnswer, startDeadline } from './model/language-model.ts';
import { formatFields, type Passage } from './prompts/passage.ts';
import { analyzePromptVersion, buildAnalyzePrompt } from './prompts/prompts.ts';

const ttlSeconds = 30 * 60;
const maxPassages = 4;

/** More likely right than not. */
const minArticleConfidence = 0.5;
const maxNotes = 30;

export interface AnalysisTools {
  assistant: Assistant;
  converse: Converse;
  store: Pick<ItemStore, 'range'>;
  /** Returns the names of the affected configuration items. */
  findAffected(record: ContextRecord['record']): Promise<string[]>;
  findKnownErrors: FindKnownErrors;
}

export function analyzeRecord(tools: AnalysisTools): UseCase<typeof routes.analyzeRecord> {
  return async ({ body }, { caller }) => {
    const elapsedMs = startStopwatch();
    const { record_id, analysis_type, model } = body;
    const context = await readContext(body.record_type, record_id, tools.assistant.read);
    const question = {
      endpoint: 'analyze',
      scope: [model, analysis_type, analyzePromptVersion, context.state],
      text: record_id,
      callerId: caller.id,
      ttlSeconds,
      matching: 'exact',
    } as const;
    const { value, match } = await tools.assistant.cache(question, () => analyze(body, context, tools));
    const { usage, ...analysis } = value;
    const metadata = toResponseMetadata(usage, elapsedMs(), match);
    return { status: 200, body: { record_id, analysis_type, ...analysis, ...metadata } };
  };
}

async function analyze(
  { analysis_type: analysisType, model }: AnalyzeRequest,
  context: ContextRecord,
  { assistant, converse, store, findAffected, findKnownErrors }: AnalysisTools,
) {
  const { record, text } = context;
  const find = createPassageFinder(assistant, assistant.engine, assistant.read);
  const [evidence, articles, notes, changes, affected, knownErrors] = await Promise.all([
    findEvidence(context, assistant),
    find(text, maxPassages),
    readNotes(record.id, store),
    readChange(record.document, assistant.read),
    analysisType === 'impact' ? findAffected(record) : [],
    findKnownErrors(text, record.id),
  ]);
  const problem = await findProblem(record, evidence, knownErrors, assistant.read);
  // An article that probably does not fit would add steps and risks of something else.
  const [best] = articles.confidence >= minArticleConfidence ? articles.passages : [];
  const passages = articles.passages.filter(({ source }) => source === best?.source);
  const prompt = buildAnalyzePrompt({
    analysisType,
    record: context.passage,
    notes: [...notes, ...changes.map(toChangePassage)],
    evidence: [...toCasePassages(evidence), ...knownErrors.map(toKnownErrorPassage), ...passages],
  });
  const { value, ...usage } = await requestStructuredAnswer(converse, { model, ...prompt }, startDeadline());
  const own = notes.length + changes.length;
  const parsed = findingsSchemas[analysisType].parse(value);
  const findings = applyEvidence(analysisType, parsed, { ...evidence, problem }, record, affected, own > 0);
  const confidence_basis = formatBasis({
    notes: notes.length,
    changes,
    evidence,
    hasArticle: best !== undefined,
    knownErrors,
  });
  const usedVersions = toVersions([...changes, ...evidence.records, ...articles.articles, ...knownErrors]);
  return { value: { findings, confidence_basis, related_articles: articles.related, usage }, usedVersions };
}

interface Basis {
  notes: number;
  changes: readonly ReadRecord<unknown>[];
  evidence: Evidence;
  hasArticle: boolean;
  knownErrors: readonly KnownError[];
}

function formatBasis({ notes, changes, evidence: { similar }, hasArticle, knownErrors }: Basis): string {
  const count = (number: number, noun: string) => (number > 0 ? [`${number} ${noun}${number > 1 ? 's' : ''}`] : []);
  const parts = [
    ...count(notes, 'work note'),
    ...changes.map(({ record: { id } }) => `change ${id}`),
    ...count(similar.length, 'similar resolved incident').map(
      (text) => `${text} (up to ${Math.round(100 * (similar[0]?.cosine ?? 0))}% similar)`,
    ),
    ...knownErrors.slice(0, 1).map(({ record: { id } }) => `known error ${id}`),
    ...(hasArticle ? ['an article'] : []),
  ];
  if (parts.length === 0) return 'Based on the record alone.';
  const last = parts.pop();
  return `Based on ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}.`;
}

/** The problem that the record names, the one that most similar incidents belong to, or the nearest known error. */
async function findProblem(
  { document }: ContextRecord['record'],
  { similar }: Evidence,
  [knownError]: readonly KnownError[],
  read: ReadRecords,
): Promise<string | null> {
  const named = typeof document.parent_problem_id === 'string' ? [document.parent_problem_id] : [];
  const problems = similar.flatMap(({ facts }) => facts.problem ?? []);
  const count = (problem: string) => problems.filter((each) => each === problem).length;
  const shared = problems.filter((problem) => 2 * count(problem) > similar.length);
  // Incidents of earlier releases name problems that do not exist.
  const [found] = await read([...new Set([...named, ...shared])].filter((id) => idPatterns.problem.test(id)));
  return found?.record.id ?? knownError?.record.id ?? null;
}

/** The change that caused or fixes an incident. */
async function readChange(
  { change_id }: ContextRecord['record']['document'],
  read: ReadRecords,
): Promise<ReadRecord<ChangeText>[]> {
  return typeof change_id === 'string' ? read<ChangeText>([change_id]) : [];
}

type ChangeText = Readonly<Record<string, unknown>> & { short_description: string };

function toChangePassage({ record: { id, document } }: ReadRecord<ChangeText>): Passage {
  return { source: id, kind: 'change', title: document.short_description, text: formatFields(document) };
}

/** Oldest first, without private notes, because everybody may read the analysis. */
async function readNotes(id: string, store: Pick<ItemStore, 'range'>): Promise<Passage[]> {
  const items = await store.range({ pk: id, prefix: notePrefix, order: 'newest first' }, maxNotes);
  const notes = items.map((item) => toNote(item)).filter(({ visibility }) => visibility !== 'private');
  return notes.reverse().map(({ id: source, body }) => ({ source, kind: 'work note', text: body }));
}

function toCasePassages({ similar, records }: Evidence): Passage[] {
  return groupByTitle(records).map(({ record: { id, document }, count }) => {
    const { short_description: title, description, resolution } = document;
    const minutes_to_resolution = similar.find((each) => each.id === id)?.facts.minutes;
    const fields = {
      description,
      resolution,
      minutes_to_resolution,
      ...(count > 1 && { incidents_with_this_title: count }),
    };
    return { source: id, kind: 'similar case', title, text: formatFields(fields) };
  });
}
