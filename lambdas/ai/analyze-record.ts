import type { AnalyzeRequest } from '../../contract/ai-schemas.ts';
import { findingsSchemas } from '../../contract/findings.ts';
import type { routes } from '../../contract/routes.ts';
import { notePrefix, toWorkNote } from '../incidents/work-notes.ts';
import type { UseCase } from '../platform/http/response.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Assistant, startStopwatch, toResponseMetadata } from './assistant.ts';
import { toVersions } from './cache/answer-cache.ts';
import { applyEvidence, type ContextRecord, type Evidence, findEvidence, readContext } from './evidence.ts';
import { createPassageFinder } from './knowledge/find-passages.ts';
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
  { assistant, converse, store, findAffected }: AnalysisTools,
) {
  const { record, text } = context;
  const find = createPassageFinder(assistant.embed, assistant.engine, assistant.read);
  const [evidence, articles, notes, affected] = await Promise.all([
    findEvidence(context, assistant),
    find(text, maxPassages),
    readNotes(record.id, store),
    analysisType === 'impact' ? findAffected(record) : [],
  ]);
  // An article that probably does not fit would add steps and risks of something else.
  const [best] = articles.confidence >= minArticleConfidence ? articles.passages : [];
  const passages = articles.passages.filter(({ source }) => source === best?.source);
  const prompt = buildAnalyzePrompt({
    analysisType,
    record: context.passage,
    notes,
    evidence: [...toCasePassages(evidence), ...passages],
  });
  const { value, ...usage } = await requestStructuredAnswer(converse, { model, ...prompt }, startDeadline());
  const findings = applyEvidence(analysisType, findingsSchemas[analysisType].parse(value), evidence, record, affected);
  const usedVersions = toVersions([...evidence.records, ...articles.articles]);
  return { value: { findings, related_articles: articles.related, usage }, usedVersions };
}

/** Oldest first, without private notes, because everybody may read the analysis. */
async function readNotes(id: string, store: Pick<ItemStore, 'range'>): Promise<Passage[]> {
  const items = await store.range({ pk: id, prefix: notePrefix, order: 'newest first' }, maxNotes);
  const notes = items.map(toWorkNote).filter(({ visibility }) => visibility !== 'private');
  return notes.reverse().map(({ id: source, body }) => ({ source, kind: 'work note', text: body }));
}

function toCasePassages({ similar, records }: Evidence): Passage[] {
  return records.map(({ record: { id, document } }) => {
    const { short_description: title, description, resolution } = document;
    const minutes_to_resolution = similar.find((each) => each.id === id)?.facts.minutes;
    return {
      source: id,
      kind: 'similar case',
      title,
      text: formatFields({ description, resolution, minutes_to_resolution }),
    };
  });
}
