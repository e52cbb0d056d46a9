import * as z from 'zod';

// Findings of an analysis. Model output is validated against these schemas before it is returned.

const confidence = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'From 0 to 1: how well the record and similar cases support this. Little evidence is low.' });

const steps = z.array(z.string().min(1).max(1_000)).max(12);

export const rootCauseFindings = z
  .strictObject({
    probable_root_cause: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ description: 'The most probable cause, or a sentence that says there is too little evidence.' }),
    confidence,
    resolution_steps: steps.meta({
      description: 'What to do, in order, each step supported by the record or a similar case.',
    }),
    related_problem: z.string().max(64).nullable().meta({ description: 'Id of a problem named in the record.' }),
    similar_past_incidents: z
      .array(z.string().max(64))
      .max(20)
      .meta({ description: 'Ids of the similar past cases that support the cause.' }),
    estimated_resolution_minutes: z
      .int()
      .min(0)
      .max(525_600)
      .nullable()
      .meta({ description: 'From how long similar cases took; null without any.' }),
  })
  .meta({ id: 'RootCauseFindings', description: 'Why it happened and what helps.' });

export const impactFindings = z
  .strictObject({
    impact: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ description: 'What is affected and how badly, as far as it is known.' }),
    confidence,
    affected: z
      .array(z.string().min(1).max(200))
      .max(20)
      .meta({ description: 'Services, sites, teams or users named.' }),
    risks: steps.meta({ description: 'Risks while the incident is open.' }),
    similar_past_incidents: z.array(z.string().max(64)).max(20).meta({ description: 'Ids of similar past cases.' }),
  })
  .meta({ id: 'ImpactFindings', description: 'Whom and what it affects.' });

export const summaryFindings = z
  .strictObject({
    summary: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ description: 'What happened and where it stands, in a few sentences.' }),
    confidence,
    key_points: steps.meta({ description: 'What a colleague taking over must know.' }),
    open_questions: steps.meta({ description: 'What the record leaves open.' }),
  })
  .meta({ id: 'SummaryFindings', description: 'The record in a few sentences.' });

export const analysisTypes = ['root_cause', 'impact', 'summary'] as const;

export type AnalysisType = (typeof analysisTypes)[number];

export const findingsSchemas = {
  root_cause: rootCauseFindings,
  impact: impactFindings,
  summary: summaryFindings,
} as const satisfies Record<AnalysisType, z.ZodType>;
