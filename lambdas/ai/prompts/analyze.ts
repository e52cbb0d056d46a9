import type * as z from 'zod';
import { type AnalysisType, findingsSchemas } from '../../../contract/findings.ts';
import { userText } from '../model/model.ts';
import { dataRules, fenceFor, type Passage, toPromptText } from './passage.ts';

// One record, looked at for its cause, its impact or in summary, with what is known of similar cases.

/** Part of the cache's key: raise it with every change that can change an answer. */
export const analyzePromptVersion = 'analyze-2';

export interface AnalyzeInput<Type extends AnalysisType> {
  analysisType: Type;
  /** The record itself, with its fields as lines. */
  record: Passage;
  /** Its notes, oldest first. */
  notes: readonly Passage[];
  /** Similar resolved cases and articles, best first. */
  evidence: readonly Passage[];
}

export function analyzePrompt<Type extends AnalysisType>(input: AnalyzeInput<Type>) {
  const { analysisType, record, notes, evidence } = input;
  const material = [record, ...notes, ...evidence];
  const fence = fenceFor(...material.map(({ text }) => text));
  const { task, tool } = tasks[analysisType];
  const parts = [
    'The record, its notes, and what is known of similar cases:',
    ...material.map((passage) => toPromptText(fence, passage)),
    `${task} Answer with the tool ${tool.name}. With little evidence, give a low confidence and say what is missing.`,
  ];
  return {
    system: `You analyse records of an IT service desk.\n${dataRules(fence)}`,
    messages: [userText(parts.join('\n\n'))],
    tool: { ...tool, input: findingsSchemas[analysisType] } as typeof tool & { input: (typeof findingsSchemas)[Type] },
    maxTokens: 1_500,
  };
}

const tasks = {
  root_cause: {
    task: 'Find the most probable root cause and what resolves it.',
    tool: { name: 'report_root_cause', description: 'Reports the probable root cause of the record and what helps.' },
  },
  impact: {
    task: 'Say what and whom this affects, and what may follow.',
    tool: { name: 'report_impact', description: 'Reports whom and what the record affects.' },
  },
  summary: {
    task: 'Sum up what happened and where it stands.',
    tool: { name: 'report_summary', description: 'Reports the record in a few sentences.' },
  },
} as const satisfies Record<AnalysisType, { task: string; tool: { name: string; description: string } }>;

export type Findings<Type extends AnalysisType> = z.output<(typeof findingsSchemas)[Type]>;
