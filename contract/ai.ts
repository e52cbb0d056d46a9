import * as z from 'zod';
import { acrossFields } from './across-fields.ts';
import { analysisTypes, impactFindings, rootCauseFindings, summaryFindings } from './findings.ts';
import { incidentId, incidentStates } from './incidents.ts';
import { defaultModel, modelAlias } from './models.ts';
import { defineOperations } from './operation.ts';
import { priorities } from './priority.ts';
import { line, text } from './records.ts';

// What the AI layer does. It only reads: nothing here changes a record.

const questionCharacters = 4_000;

const score = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description, examples: [0.87] });

/** Every answer says what it took. */
const told = {
  model_used: z.string().meta({
    description: 'The model that answered; the embedding model where no language model was needed.',
    examples: ['us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
  }),
  tokens_used: z.int().min(0).meta({ description: 'Tokens of language models; 0 when none was asked.' }),
  latency_ms: z.int().min(0).meta({ description: 'How long it took, in milliseconds.' }),
  cache_hit: z.boolean().meta({ description: 'Whether an earlier answer to the same question was given again.' }),
  cache: z
    .strictObject({
      matched: z.string().optional().meta({ description: 'The earlier question; only when you asked it yourself.' }),
      similarity: score('How alike the two are; 1 for the same words.'),
      age_seconds: z.int().min(0).meta({ description: 'How old the answer is.' }),
    })
    .optional()
    .meta({ description: 'Only when `cache_hit` is true.' }),
};

const toldExample = { model_used: 'all-MiniLM-L6-v2-int8.1', tokens_used: 0, latency_ms: 21, cache_hit: false };

const modelled = { ...toldExample, model_used: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', tokens_used: 812 };

export const recordKinds = ['incident', 'change'] as const;

const recordId = line(64, 'The id of the record.');

export const askRequest = z
  .strictObject({
    question: text(questionCharacters, 'What you want to know.'),
    context_record: z
      .strictObject({ type: z.enum(recordKinds), id: recordId })
      .optional()
      .meta({ description: 'A record that the question is about.' }),
    max_kb_results: z
      .int()
      .min(1)
      .max(20)
      .default(5)
      .meta({ description: 'How many passages of the knowledge base to read.' }),
    model: modelAlias.default(defaultModel),
  })
  .meta({ id: 'Question', description: 'A question to the knowledge base.' });

export type AskRequest = z.output<typeof askRequest>;

const foundArticle = {
  article_id: z.string().meta({ description: 'The article.', examples: ['KB4T9X2MC'] }),
  title: z.string(),
  relevance: score('The score of its best passage in the search.'),
};

const citation = z
  .strictObject(foundArticle)
  .meta({ id: 'Citation', description: 'An article that an answer rests on.' });

export const maxRelated = 3;

const relatedArticle = z
  .strictObject(foundArticle)
  .meta({ id: 'RelatedArticle', description: 'An article that may help although the answer was not found.' });

export const askAnswer = z
  .strictObject({
    answer: z.string().meta({
      description:
        'Markdown. High confidence: the answer. Middle: begins with "Closest match, may not answer exactly:". Low: begins ' +
        'with "Not found".',
    }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .meta({
        description:
          'How probable it is that the first citation answers the question: of answers with 0.8, about 80 % are right. ' +
          'Calibrated on labelled questions; low when the answer was not found.',
        examples: [0.87],
      }),
    citations: z.array(citation).meta({ description: 'Best first; empty when the answer was not found.' }),
    related: z
      .array(relatedArticle)
      .max(maxRelated)
      .meta({
        description:
          'Articles that may help when the answer was not found, best first. Empty with an answer, and when no article ' +
          'comes near the question.',
      }),
    ...told,
  })
  .meta({ id: 'AnsweredQuestion', description: 'An answer with what it rests on.' });

export const analyzeRequest = z
  .strictObject({
    record_type: z.enum(recordKinds).default('incident').meta({ description: 'The kind of record.' }),
    record_id: recordId,
    analysis_type: z.enum(analysisTypes).default('root_cause').meta({ description: 'What to find out.' }),
    model: modelAlias.default(defaultModel),
  })
  .meta({ id: 'AnalysisRequest', description: 'A record to analyse.' });

export type AnalyzeRequest = z.output<typeof analyzeRequest>;

export const analysis = z
  .strictObject({
    record_id: z.string(),
    analysis_type: z.enum(analysisTypes),
    findings: z.union([rootCauseFindings, impactFindings, summaryFindings]),
    related_articles: z
      .array(relatedArticle)
      .max(maxRelated)
      .meta({ description: 'Published articles that fit the record, best first.' }),
    ...told,
  })
  .meta({ id: 'Analysis', description: 'What a record tells, with similar cases as evidence.' });

export const exemplarsRequest = z
  .strictObject({
    record_type: z.literal('incident').default('incident').meta({ description: 'Only incidents have exemplars.' }),
    description: text(questionCharacters, 'What happened.'),
    category: line(100, 'Only incidents of this category.').optional(),
    top_k: z.int().min(1).max(20).default(5).meta({ description: 'How many at most.' }),
    include_open: z.boolean().default(false).meta({ description: 'Also open incidents, which may be duplicates.' }),
  })
  .meta({ id: 'ExemplarsRequest', description: 'What to find similar incidents for.' });

export type ExemplarsRequest = z.output<typeof exemplarsRequest>;

const exemplar = z
  .strictObject({
    incident_id: incidentId,
    title: z.string().meta({ description: 'Its short description.' }),
    description: z.string(),
    state: z.enum(incidentStates),
    resolution: z.string().meta({ description: 'How it was solved; empty when open, or when nobody wrote it down.' }),
    resolution_time_min: z.int().min(0).meta({ description: 'Minutes from creation to resolution; 0 while open.' }),
    similarity_score: score('How alike the texts are.'),
  })
  .meta({ id: 'Exemplar', description: 'A similar incident.' });

export const exemplarsAnswer = z
  .strictObject({ exemplars: z.array(exemplar), count: z.int().min(0), ...told })
  .meta({ id: 'Exemplars', description: 'Similar incidents, most similar first.' });

export const suggestible = ['category', 'priority', 'assignment_group'] as const;

export const suggestRequest = z
  .strictObject({
    text: text(questionCharacters, 'What happened.'),
    suggest_for: z
      .array(z.enum(suggestible))
      .min(1)
      .max(suggestible.length)
      .default([...suggestible])
      .meta({ description: 'What to suggest; a category brings its subcategory along.' }),
    current: z
      .strictObject({
        category: line(100, 'The chosen category.').nullable().optional(),
        subcategory: line(100, 'The chosen subcategory.').nullable().optional(),
        priority: z.enum(priorities).nullable().optional(),
        assignment_group: line(100, 'The chosen group.').nullable().optional(),
      })
      .optional()
      .meta({
        description: 'What a person chose already. These fields get no suggestion; a priority only a higher one.',
      }),
  })
  .meta({ id: 'SuggestRequest', description: 'What to suggest fields for.' });

export type SuggestRequest = z.output<typeof suggestRequest>;

const basedOn = z
  .array(z.strictObject({ incident_id: z.string(), title: z.string() }))
  .meta({ description: 'The incidents behind it, most similar first.' });

const candidate = <Value extends z.ZodType>(value: Value) => ({
  value,
  confidence: score('How often such a suggestion is right.'),
  based_on: basedOn,
});

const withAlternatives = <Value extends z.ZodType>(value: Value) => ({
  ...candidate(value),
  alternatives: z
    .array(z.strictObject(candidate(value)))
    .max(2)
    .meta({ description: 'The next best values.' }),
});

const suggestion = z
  .strictObject(withAlternatives(z.string()))
  .meta({ id: 'Suggestion', description: 'What similar resolved incidents had.' });

export const suggestions = z
  .strictObject({
    category: suggestion.optional(),
    subcategory: suggestion.optional(),
    priority: z
      .strictObject({
        ...withAlternatives(z.enum(priorities)),
        reasoning: z.string().meta({ description: 'The incidents and words behind it.' }),
      })
      .optional(),
    assignment_group: suggestion.optional(),
  })
  .meta({ id: 'Suggestions', description: 'Fields that nothing similar is known for are left out.' });

export const suggestAnswer = z
  .strictObject({ suggestions, ...told })
  .meta({ id: 'SuggestAnswer', description: 'Suggested fields.' });

export const queryRequest = z
  .strictObject({
    query: text(questionCharacters, 'What you want to know about the records.').optional(),
    question: text(questionCharacters, 'The same as `query`.').optional(),
    conversation_id: z
      .string()
      .regex(/^conv_[0-9A-HJKMNP-TV-Z]{26}$/, 'must be a conversation_id of an earlier answer')
      .optional()
      .meta({ description: 'Goes on with an earlier conversation.' }),
    model: modelAlias.default(defaultModel),
  })
  .refine(
    ({ query, question }) => (query === undefined) !== (question === undefined),
    acrossFields<{ query?: unknown; question?: unknown }>({
      of: [],
      at: 'query',
      error: ({ query }) => (query === undefined ? 'is required' : 'must not be given together with question'),
    }),
  )
  .meta({ id: 'Query', description: 'A question about the records.' });

export type QueryRequest = z.output<typeof queryRequest>;

export const queryAnswer = z
  .strictObject({
    answer: z.string(),
    citations: z.array(citation).meta({ description: 'Articles that were looked at.' }),
    records: z
      .array(z.strictObject({ type: z.string(), id: z.string(), title: z.string() }))
      .meta({ description: 'Records that the answer names.' }),
    tools_used: z
      .array(z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()) }))
      .meta({ description: 'How the answer was found.' }),
    conversation_id: z.string(),
    ...told,
  })
  .meta({ id: 'QueryAnswer', description: 'An answer from the records, with how it was found.' });

const exampleBasedOn = [{ incident_id: 'INC3M8Q0ZT', title: 'Printer in Oslo jams' }];

const base = { capability: 'ai', method: 'POST', access: 'viewer' } as const;

export const aiOperations = defineOperations({
  askQuestion: {
    ...base,
    path: '/ai/ask',
    summary: 'Ask the knowledge base',
    description:
      'Answers from published articles, cites them and says how sure it is (`confidence`). A middle confidence gives the ' +
      'closest match and says so; a low one gives "Not found" and `related` articles. ' +
      'A question that means the same as one answered within the last hour gets that answer from the cache.',
    rateLimit: 'ai_ask',
    body: askRequest,
    bodyExample: { question: 'What does VPN error 809 mean?', max_kb_results: 5 },
    responses: {
      200: {
        description: 'The answer.',
        body: askAnswer,
        example: {
          answer: 'Error 809: the firewall on the way drops UDP 500 and 4500. Use another network.',
          confidence: 0.87,
          citations: [{ article_id: 'KB4T9X2MC', title: 'Error codes of the VPN client', relevance: 0.81 }],
          related: [],
          ...modelled,
        },
      },
    },
    errors: ['not_found'],
  },
  analyzeRecord: {
    ...base,
    path: '/ai/analyze',
    summary: 'Analyse a record',
    description:
      'Findings from the record, similar resolved incidents and the knowledge base. Ids and times come from the data, ' +
      'not from a model. With little evidence the confidence is low and the text says so.',
    rateLimit: 'ai_analyze',
    body: analyzeRequest,
    bodyExample: { record_type: 'incident', record_id: 'INC7Q2M4KX', analysis_type: 'root_cause' },
    responses: {
      200: {
        description: 'The findings.',
        body: analysis,
        example: {
          record_id: 'INC7Q2M4KX',
          analysis_type: 'root_cause',
          findings: {
            probable_root_cause: 'The relay was added to a block list after a hacked account.',
            confidence: 0.72,
            resolution_steps: ['Remove the relay from the block list.', 'Drain the queue.'],
            related_problem: null,
            similar_past_incidents: ['INC3M8Q0ZT'],
            estimated_resolution_minutes: 140,
          },
          related_articles: [{ article_id: 'KB4T9X2MC', title: 'Mail relay on a block list', relevance: 0.7 }],
          ...modelled,
        },
      },
    },
    errors: ['not_found'],
  },
  findExemplars: {
    ...base,
    path: '/ai/exemplars',
    summary: 'Find similar incidents',
    description: 'Most similar first, with how they were solved and how long it took. Needs no language model.',
    rateLimit: 'ai_exemplars',
    body: exemplarsRequest,
    bodyExample: { record_type: 'incident', description: 'Mail to other companies is delayed', top_k: 3 },
    responses: {
      200: {
        description: 'The exemplars.',
        body: exemplarsAnswer,
        example: {
          exemplars: [
            {
              incident_id: 'INC3M8Q0ZT',
              title: 'Mail to external addresses is delayed',
              description: 'Mail to external addresses is delayed',
              state: 'resolved',
              resolution: 'Relay removed from the block list, queue drained.',
              resolution_time_min: 140,
              similarity_score: 0.91,
            },
          ],
          count: 1,
          ...toldExample,
        },
      },
    },
  },
  suggestFields: {
    ...base,
    path: '/ai/suggest',
    summary: 'Suggest fields of an incident',
    description:
      'From what similar resolved incidents had, with alternatives and the incidents behind them. Fields in `current` ' +
      'stay as they are. Words of the text can raise a priority, never lower it. Needs no language model.',
    rateLimit: 'ai_suggest',
    body: suggestRequest,
    bodyExample: { text: 'Nobody in Oslo can print', suggest_for: ['category', 'priority'] },
    responses: {
      200: {
        description: 'The suggestions.',
        body: suggestAnswer,
        example: {
          suggestions: {
            category: { value: 'hardware', confidence: 0.92, based_on: exampleBasedOn, alternatives: [] },
            subcategory: { value: 'printer', confidence: 0.9, based_on: exampleBasedOn, alternatives: [] },
            priority: {
              value: 'P3',
              confidence: 0.66,
              based_on: exampleBasedOn,
              alternatives: [{ value: 'P4', confidence: 0.2, based_on: [] }],
              reasoning: '4 of 5 similar incidents were P3, among them INC3M8Q0ZT.',
            },
          },
          ...toldExample,
        },
      },
    },
  },
  queryRecords: {
    ...base,
    path: '/ai/query',
    summary: 'Ask about the records',
    description:
      'A copilot with tools that only read: incidents, changes, configuration items, knowledge. The answer shows which ' +
      'it used. Answers are not cached, since they are about now.',
    rateLimit: 'ai_query',
    body: queryRequest,
    bodyExample: { query: 'Which P1 incidents of the network group are open?' },
    responses: {
      200: {
        description: 'The answer.',
        body: queryAnswer,
        example: {
          answer: 'One is open: INC7Q2M4KX, the core switch in Oslo.',
          citations: [],
          records: [{ type: 'incident', id: 'INC7Q2M4KX', title: 'Core switch in Oslo is down' }],
          tools_used: [{ name: 'search_incidents', input: { priority: ['P1'], assignment_group: 'network' } }],
          conversation_id: 'conv_01J9Z6W5V4T3S2R1Q0P9N8M7K6',
          ...modelled,
        },
      },
    },
    errors: ['not_found'],
  },
});
