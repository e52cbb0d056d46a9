import * as z from 'zod';

// Findings of an analysis. Model output is validated against these schemas before it is returned.

const confidence = z.number().min(0).max(1).meta({
  description:
    'How well the record and similar incidents support the findings, from 0 to 1. Low if there is little evidence.',
});

const steps = z.array(z.string().min(1).max(1_000)).max(12);

export const rootCauseFindings = z
  .strictObject({
    probable_root_cause: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ description: 'The most probable cause. If there is too little evidence, a sentence that says so.' }),
    confidence,
    resolution_steps: steps.meta({
      description: 'Steps in order. The record or a similar incident supports each step.',
    }),
    related_problem: z
      .string()
      .max(64)
      .nullable()
      .meta({ description: 'ID of the problem behind the record, or null.' }),
    similar_past_incidents: z
      .array(z.string().max(64))
      .max(20)
      .meta({ description: 'Ids of similar resolved incidents that support the cause.' }),
    estimated_resolution_minutes: z
      .int()
      .min(0)
      .max(525_600)
      .nullable()
      .meta({ description: 'Estimated from the duration of similar incidents. null if there are none.' }),
  })
  .meta({ id: 'RootCauseFindings', description: 'The probable root cause and the steps to resolve it.' });

export const impactFindings = z
  .strictObject({
    impact: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ description: 'The known impact: the affected people and systems, and the severity.' }),
    confidence,
    affected: z
      .array(z.string().min(1).max(200))
      .max(20)
      .meta({ description: 'Affected services, sites, teams or users.' }),
    risks: steps.meta({ description: 'Risks while the incident is open.' }),
    similar_past_incidents: z
      .array(z.string().max(64))
      .max(20)
      .meta({ description: 'Ids of similar resolved incidents.' }),
  })
  .meta({ id: 'ImpactFindings', description: 'The affected people and systems, and the risks.' });

export const summaryFindings = z
  .strictObject({
    summary: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ description: 'What happened and the current status, in a few sentences.' }),
    confidence,
    key_points: steps.meta({ description: 'Facts that a colleague needs to continue the work.' }),
    open_questions: steps.meta({ description: 'Questions that the record does not answer.' }),
  })
  .meta({ id: 'SummaryFindings', description: 'A summary of the record.' });

export const analysisTypes = ['root_cause', 'impact', 'summary'] as const;

export type AnalysisType = (typeof analysisTypes)[number];

export const findingsSchemas = {
  root_cause: rootCauseFindings,
  impact: impactFindings,
  summary: summaryFindings,
} as const satisfies Record<AnalysisType, z.ZodType>;
