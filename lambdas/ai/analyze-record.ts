import type { AnalyzeRequest } from '../../contract/ai.ts';
import { findingsOf } from '../../contract/findings.ts';
import type { routes } from '../../contract/routes.ts';
import type { WorkNote } from '../../contract/work-notes.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { notePrefix, toWorkNote } from '../incidents/work-note.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { ItemStore } from '../records/item-store.ts';
import { versionsOf } from './cache/answer-cache.ts';
import { type ContextRecord, contextRecord, stateOf, textOf } from './context-record.ts';
import type { Assistant } from './deployed-assistant.ts';
import { type Evidence, evidenceOf, withEvidence } from './evidence.ts';
import { passageFinder } from './knowledge/find-passages.ts';
import { startDeadline } from './model/deadline.ts';
import type { Converse } from './model/model.ts';
import { structuredAnswer } from './model/structured-answer.ts';
import { analyzePrompt, analyzePromptVersion } from './prompts/analyze.ts';
import { fieldLines, type Passage } from './prompts/passage.ts';
import { stopwatch, told } from './told.ts';

const rememberedForSeconds = 30 * 60;

export interface AnalysisTools {
  assistant: Assistant;
  converse: Converse;
  store: Pick<ItemStore, 'range'>;
}

export function analyzeRecord(tools: AnalysisTools): UseCase<typeof routes.analyzeRecord> {
  return async ({ body }, { caller }) => {
    const elapsedMs = stopwatch();
    const context = await contextRecord(body.record_type, body.record_id, tools.assistant.read);
    const question = {
      endpoint: 'analyze',
      scope: [body.model, body.analysis_type, analyzePromptVersion, stateOf(context)],
      text: body.record_id,
      callerId: caller.id,
      rememberedForSeconds,
      matching: 'exact',
    } as const;
    const { value, match } = await tools.assistant.cache(question, () => analyze(body, context, tools));
    const { findings, usage } = value;
    const { record_id, analysis_type } = body;
    return { status: 200, body: { record_id, analysis_type, findings, ...told(usage, elapsedMs(), match) } };
  };
}

async function analyze(request: AnalyzeRequest, context: ContextRecord, { assistant, converse, store }: AnalysisTools) {
  const { analysis_type: analysisType, model } = request;
  const text = textOf(context);
  const find = passageFinder(assistant.embed, assistant.index, assistant.read);
  const [evidence, articles, notes] = await Promise.all([
    evidenceOf(text, context.record.id, assistant),
    find(text, mostArticles),
    notesOf(context.record.id, store),
  ]);
  const { tool, system, messages, maxTokens } = analyzePrompt({
    analysisType,
    record: context.passage,
    notes,
    evidence: [...casePassages(evidence), ...articles.passages],
  });
  const answer = await structuredAnswer(converse, { model, tool, system, messages, maxTokens }, startDeadline());
  const { value, ...usage } = answer;
  const findings = withEvidence(analysisType, findingsOf[analysisType].parse(value), evidence, context);
  const usedVersions = versionsOf([...evidence.records, ...articles.articles]);
  return { value: { findings, usage }, usedVersions };
}

const mostArticles = 4;
const mostNotes = 30;

/** Private notes are for their authors and managers; an analysis is for everybody. */
async function notesOf(id: string, store: Pick<ItemStore, 'range'>): Promise<Passage[]> {
  const items = await store.range({ pk: id, prefix: notePrefix, order: 'newest first' }, mostNotes);
  const notes: WorkNote[] = items.map(toWorkNote).filter(({ visibility }) => visibility !== 'private');
  return notes.reverse().map(({ id: source, body }) => ({ source, kind: 'work note', text: body }));
}

function casePassages({ similar, records }: Evidence): Passage[] {
  return records.map(({ record }) => {
    const { short_description, description, resolution } = record.document as IncidentDocument;
    const minutes = similar.find(({ id }) => id === record.id)?.facts.minutes;
    return {
      source: record.id,
      kind: 'similar case',
      title: short_description,
      text: fieldLines({ description, resolution, minutes_to_resolution: minutes }),
    };
  });
}
