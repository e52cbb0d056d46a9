import * as z from 'zod';
import { analysisTypes, impactFindings, rootCauseFindings, summaryFindings } from './findings.ts';
import { idPatterns } from './ids.ts';
import { incidentId } from './incidents.ts';
import { defaultModel, modelAlias } from './models.ts';
import { acrossFields, line, text } from './records.ts';
import { incidentStates, priorities } from './states.ts';

// Requests and responses of the AI operations.

const questionCharacters = 4_000;

const score = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description, examples: [0.87] });

/** Metadata in every AI response. */
const responseMetadata = {
  model_used: z.string().meta({
    description:
      'Model that produced the answer, with its provider, or the embedding model if no language model was called.',
    examples: ['us.anthropic.claude-sonnet-5-5'],
  }),
  tokens_used: z.int().min(0).meta({ description: 'Language model tokens used; 0 if no language model was called.' }),
  latency_ms: z.int().min(0).meta({ description: 'Processing time in milliseconds.' }),
  cache_hit: z.boolean().meta({ description: 'Whether the answer came from the cache.' }),
  cache: z
    .strictObject({
      matched: z.string().optional().meta({ description: 'Cached question. Present only if the caller asked it.' }),
      similarity: score('Similarity of the two questions; 1 if they are identical.'),
      age_seconds: z.int().min(0).meta({ description: 'Age of the cached answer in seconds.' }),
    })
    .optional()
    .meta({ description: 'Cache details. Present only if `cache_hit` is true.' }),
};

export const responseMetadataExample = {
  model_used: 'local.all-MiniLM-L6-v2-support-int8.2',
  tokens_used: 0,
  latency_ms: 21,
  cache_hit: false,
};

export const modelled = {
  ...responseMetadataExample,
  model_used: 'us.anthropic.claude-sonnet-5-5',
  tokens_used: 812,
};

export const recordKinds = ['incident', 'change'] as const;

const recordId = line(64, 'ID of the record.');

export const askRequest = z
  .strictObject({
    question: text(questionCharacters, 'Question to answer.'),
    context_record: z
      .strictObject({ type: z.enum(recordKinds), id: recordId })
      .optional()
      .meta({ description: 'Record the question refers to.' }),
    max_kb_results: z
      .int()
      .min(1)
      .max(20)
      .default(5)
      .meta({ description: 'Maximum number of knowledge base passages to use.' }),
    model: modelAlias.default(defaultModel),
  })
  .meta({ id: 'Question', description: 'Question for the knowledge base.' });

export type AskRequest = z.output<typeof askRequest>;

const foundArticle = {
  article_id: z
    .string()
    .meta({ description: 'ID of the article, or of the problem that is a known error.', examples: ['KB4T9X2MC'] }),
  title: z.string(),
  relevance: score('Relevance of the best matching passage.'),
};

const citation = z.strictObject(foundArticle).meta({ id: 'Citation', description: 'Article that supports an answer.' });

export const maxRelated = 3;

const relatedArticle = z
  .strictObject(foundArticle)
  .meta({ id: 'RelatedArticle', description: 'Related article that may help.' });

export const askAnswer = z
  .strictObject({
    answer: z.string().meta({
      description:
        'Markdown. High confidence: the answer. Middle: a quotation begins with "Closest match, may not answer exactly:". Low: begins ' +
        'with "Not found".',
    }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .meta({
        description:
          'Probability that the first citation answers the question, calibrated on labeled questions: about 80% of the ' +
          'answers with 0.8 are correct.',
        examples: [0.87],
      }),
    citations: z
      .array(citation)
      .meta({ description: 'Articles that support the answer, best first. Empty if no answer was found.' }),
    related: z
      .array(relatedArticle)
      .max(maxRelated)
      .meta({
        description:
          'Articles that may help if no answer was found, best first. Empty if the question was answered or no article is ' +
          'relevant.',
      }),
    ...responseMetadata,
  })
  .meta({ id: 'AnsweredQuestion', description: 'Answer with its sources.' });

export const analyzeRequest = z
  .strictObject({
    record_type: z.enum(recordKinds).default('incident').meta({ description: 'Type of the record.' }),
    record_id: recordId,
    analysis_type: z.enum(analysisTypes).default('root_cause').meta({ description: 'Type of analysis.' }),
    model: modelAlias.default(defaultModel),
  })
  .meta({ id: 'AnalysisRequest', description: 'Record to analyze.' });

export type AnalyzeRequest = z.output<typeof analyzeRequest>;

export const analysis = z
  .strictObject({
    record_id: z.string(),
    analysis_type: z.enum(analysisTypes),
    findings: z.union([rootCauseFindings, impactFindings, summaryFindings]),
    confidence_basis: z.string().meta({
      description: 'What the confidence is based on.',
      examples: ['Based on 2 work notes and 5 similar resolved incidents, the best 71% similar.'],
    }),
    related_articles: z
      .array(relatedArticle)
      .max(maxRelated)
      .meta({ description: 'Published articles related to the record, best first.' }),
    ...responseMetadata,
  })
  .meta({ id: 'Analysis', description: 'Findings about a record, supported by similar incidents.' });

export const exemplarsRequest = z
  .strictObject({
    record_type: z
      .literal('incident')
      .default('incident')
      .meta({ description: 'Record type. Only incidents are supported.' }),
    description: text(questionCharacters, 'Description of the incident.'),
    category: line(100, 'Return only incidents in this category.').optional(),
    top_k: z.int().min(1).max(20).default(5).meta({ description: 'Maximum number of results.' }),
    include_open: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to include open incidents, which may be duplicates.' }),
  })
  .meta({ id: 'ExemplarsRequest', description: 'Description to find similar incidents for.' });

export type ExemplarsRequest = z.output<typeof exemplarsRequest>;

const exemplar = z
  .strictObject({
    incident_id: incidentId,
    title: z.string().meta({ description: 'Short description of the incident.' }),
    description: z.string(),
    state: z.enum(incidentStates),
    resolution: z.string().meta({ description: 'Resolution; empty if the incident is open or none was recorded.' }),
    resolution_time_min: z.int().min(0).meta({ description: 'Minutes from creation to resolution; 0 while open.' }),
    similarity_score: score('Similarity of the texts.'),
    same_title_count: z.int().min(1).meta({
      description: 'Number of similar incidents with this title. Only the most similar one is listed.',
    }),
    reason: z.string().optional().meta({
      description: 'Why it is similar. Present only if a language model is configured and answered in time.',
    }),
  })
  .meta({ id: 'Exemplar', description: 'Similar incident.' });

export const exemplarsAnswer = z
  .strictObject({ exemplars: z.array(exemplar), count: z.int().min(0), ...responseMetadata })
  .meta({ id: 'Exemplars', description: 'Similar incidents, most similar first.' });

export const suggestible = ['category', 'priority', 'assignment_group'] as const;

export const suggestRequest = z
  .strictObject({
    text: text(questionCharacters, 'Description of the incident.'),
    suggest_for: z
      .array(z.enum(suggestible))
      .min(1)
      .max(suggestible.length)
      .default([...suggestible])
      .meta({ description: 'Fields to suggest. `category` includes the subcategory.' }),
    current: z
      .strictObject({
        category: line(100, 'Chosen category.').nullable().optional(),
        subcategory: line(100, 'Chosen subcategory.').nullable().optional(),
        priority: z.enum(priorities).nullable().optional(),
        assignment_group: line(100, 'Chosen group.').nullable().optional(),
      })
      .optional()
      .meta({
        description:
          'Values the user has already chosen. These fields get no suggestion, except for a higher priority.',
      }),
  })
  .meta({ id: 'SuggestRequest', description: 'Text to suggest field values for.' });

export type SuggestRequest = z.output<typeof suggestRequest>;

const basedOn = z
  .array(z.strictObject({ incident_id: z.string(), title: z.string() }))
  .meta({ description: 'Incidents behind the suggestion, most similar first.' });

const candidate = <Value extends z.ZodType>(value: Value) => ({
  value,
  confidence: score('Probability that the suggestion is correct.'),
  based_on: basedOn,
});

const withAlternatives = <Value extends z.ZodType>(value: Value) => ({
  ...candidate(value),
  alternatives: z
    .array(z.strictObject(candidate(value)))
    .max(2)
    .meta({ description: 'Next best values.' }),
});

const suggestion = z
  .strictObject(withAlternatives(z.string()))
  .meta({ id: 'Suggestion', description: 'Value suggested from similar resolved incidents.' });

export const suggestions = z
  .strictObject({
    category: suggestion.optional(),
    subcategory: suggestion.optional(),
    priority: z
      .strictObject({
        ...withAlternatives(z.enum(priorities)),
        reasoning: z.string().meta({ description: 'Incidents and keywords behind the suggestion.' }),
      })
      .optional(),
    assignment_group: suggestion.optional(),
  })
  .meta({ id: 'Suggestions', description: 'Suggested values. Fields without a match are omitted.' });

export const suggestAnswer = z
  .strictObject({ suggestions, ...responseMetadata })
  .meta({ id: 'SuggestAnswer', description: 'Suggested field values.' });

export const queryRequest = z
  .strictObject({
    query: text(questionCharacters, 'Question about the records.').optional(),
    question: text(questionCharacters, 'Alias of `query`.').optional(),
    conversation_id: z
      .string()
      .regex(idPatterns.conversation, 'must be the conversation_id of an earlier response')
      .optional()
      .meta({ description: 'Continues an earlier conversation; without it, a new one begins.' }),
    model: modelAlias.default(defaultModel),
  })
  .refine(
    ({ query, question }) => (query === undefined) !== (question === undefined),
    acrossFields<{ query?: unknown; question?: unknown }>({
      of: [],
      at: 'query',
      error: ({ query }) => (query === undefined ? 'is required' : 'cannot be combined with question'),
    }),
  )
  .meta({ id: 'Query', description: 'Question about the records.' });

export type QueryRequest = z.output<typeof queryRequest>;

export const queryAnswer = z
  .strictObject({
    answer: z.string(),
    citations: z.array(citation).meta({ description: 'Articles the answer used.' }),
    records: z
      .array(z.strictObject({ type: z.string(), id: z.string(), title: z.string() }))
      .meta({ description: 'Records that the answer names.' }),
    lists: z.array(z.string()).meta({
      description:
        'Paths of the API that return the same records or figures, by filters or by `id`; none for more than 100 records without a ' +
        'list filter.',
    }),
    tools_used: z
      .array(z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()) }))
      .meta({ description: 'Tool calls made to find the answer.' }),
    conversation_id: z.string(),
    ...responseMetadata,
  })
  .meta({ id: 'QueryAnswer', description: 'Answer based on the records, with the tool calls made.' });

export const exampleBasedOn = [{ incident_id: 'INC3M8Q0ZT', title: 'Printer in Oslo jams' }];

export const base = { capability: 'ai', method: 'POST', access: 'viewer' } as const;

/** Named, so that an operator knows what to do without reading logs. */
export const modelErrors = ['model_access_denied', 'model_not_in_region', 'model_retired', 'model_throttled'] as const;
