import type { AnalyzeRequest } from '../../contract/ai-schemas.ts';
import { findingsSchemas } from '../../contract/findings.ts';
import type { routes } from '../../contract/routes.ts';
import type { WorkNote } from '../../contract/work-notes.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { notePrefix, toWorkNote } from '../incidents/work-notes.ts';
import type { UseCase } from '../platform/http/response.ts';
import type { ItemStore } from '../records/item-store.ts';
import { toVersions } from './cache/answer-cache.ts';
import type { Assistant } from './deployed-assistant.ts';
import {
  type ContextRecord,
  contextRecord,
  type Evidence,
  findEvidence,
  getState,
  getText,
  withEvidence,
} from './evidence.ts';
import { passageFinder } from './knowledge/find-passages.ts';
import { type Converse, startDeadline, structuredAnswer } from './model/model.ts';
import { formatFields, type Passage } from './prompts/passage.ts';
import { analyzePrompt, analyzePromptVersion } from './prompts/prompts.ts';
import { stopwatch, toResponseMetadata } from './response-metadata.ts';

const cachedForSeconds = 30 * 60;

export interface AnalysisTools {
  assistant: Assistant;
  converse: Converse;
  store: Pick<ItemStore, 'range'>;
  /** The names of the configuration items that a record touches, and of those that depend on them. */
  nameAffected(context: ContextRecord): Promise<string[]>;
}

export function analyzeRecord(tools: AnalysisTools): UseCase<typeof routes.analyzeRecord> {
  return async ({ body }, { caller }) => {
    const elapsedMs = stopwatch();
    const context = await contextRecord(body.record_type, body.record_id, tools.assistant.read);
    const question = {
      endpoint: 'analyze',
      scope: [body.model, body.analysis_type, analyzePromptVersion, getState(context)],
      text: body.record_id,
      callerId: caller.id,
      ttlSeconds: cachedForSeconds,
      matching: 'exact',
    } as const;
    const { value, match } = await tools.assistant.cache(question, () => analyze(body, context, tools));
    const { findings, related_articles, usage } = value;
    const { record_id, analysis_type } = body;
    return {
      status: 200,
      body: { record_id, analysis_type, findings, related_articles, ...toResponseMetadata(usage, elapsedMs(), match) },
    };
  };
}

async function analyze(request: AnalyzeRequest, context: ContextRecord, tools: AnalysisTools) {
  const { assistant, converse, store, nameAffected } = tools;
  const { analysis_type: analysisType, model } = request;
  const text = getText(context);
  const find = passageFinder(assistant.embed, assistant.index, assistant.read);
  const [evidence, articles, notes, affected] = await Promise.all([
    findEvidence(text, context.record.id, assistant),
    find(text, maxPassages),
    readNotes(context.record.id, store),
    analysisType === 'impact' ? nameAffected(context) : [],
  ]);
  const passages = articles.tier === 'low' ? [] : articles.passages;
  const prompt = analyzePrompt({
    analysisType,
    record: context.passage,
    notes,
    evidence: [...toCasePassages(evidence), ...passages],
  });
  const { value, ...usage } = await structuredAnswer(converse, { model, ...prompt }, startDeadline());
  const findings = withEvidence(analysisType, findingsSchemas[analysisType].parse(value), evidence, context, affected);
  const usedVersions = toVersions([...evidence.records, ...articles.articles]);
  return { value: { findings, related_articles: articles.related, usage }, usedVersions };
}

const maxPassages = 4;
const maxNotes = 30;

/** Private notes are for their authors and managers; an analysis is for everybody. */
async function readNotes(id: string, store: Pick<ItemStore, 'range'>): Promise<Passage[]> {
  const items = await store.range({ pk: id, prefix: notePrefix, order: 'newest first' }, maxNotes);
  const notes: WorkNote[] = items.map(toWorkNote).filter(({ visibility }) => visibility !== 'private');
  return notes.reverse().map(({ id: source, body }) => ({ source, kind: 'work note', text: body }));
}

function toCasePassages({ similar, records }: Evidence): Passage[] {
  return records.map(({ record }) => {
    const { short_description, description, resolution } = record.document as IncidentDocument;
    const minutes = similar.find(({ id }) => id === record.id)?.facts.minutes;
    return {
      source: record.id,
      kind: 'similar case',
      title: short_description,
      text: formatFields({ description, resolution, minutes_to_resolution: minutes }),
    };
  });
}
