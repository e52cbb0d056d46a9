import {
  analysis,
  analyzeRequest,
  askAnswer,
  askRequest,
  base,
  exampleBasedOn,
  exemplarsAnswer,
  exemplarsRequest,
  modelErrors,
  modelled,
  queryAnswer,
  queryRequest,
  responseMetadataExample,
  suggestAnswer,
  suggestRequest,
} from './ai-schemas.ts';
import { aiStatistics, aiStatisticsExample, aiStatisticsQuery } from './ai-statistics.ts';
import { knownErrorOperation } from './known-errors.ts';
import { defineOperations } from './operation.ts';
import { candidateOperation } from './problem-candidates.ts';

// AI operations. They are read-only.

export const aiOperations = defineOperations({
  askQuestion: {
    ...base,
    path: '/ai/ask',
    summary: 'Ask the knowledge base',
    description:
      'Answers a question from published articles, with citations and a `confidence`. At medium confidence, the answer is ' +
      'the closest match and says so; at low confidence, it is "Not found" with `related` articles. Answers are cached for ' +
      'one hour and reused for questions with the same meaning.',
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
    errors: ['not_found', ...modelErrors],
  },
  analyzeRecord: {
    ...base,
    path: '/ai/analyze',
    summary: 'Analyze a record',
    description:
      'Analyzes a record using similar resolved incidents and the knowledge base. IDs and durations come from stored data, ' +
      'not from the model. If there is little evidence, the confidence is low and the findings say so.',
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
          confidence_basis: 'Based on 2 work notes and 5 similar resolved incidents, the best 71% similar.',
          related_articles: [{ article_id: 'KB4T9X2MC', title: 'Mail relay on a block list', relevance: 0.7 }],
          ...modelled,
        },
      },
    },
    errors: ['not_found', ...modelErrors],
  },
  findExemplars: {
    ...base,
    path: '/ai/exemplars',
    summary: 'Find similar incidents',
    description:
      'Returns the most similar incidents with their resolution and resolution time, without OpenSearch among the 120,000 that were created or ' +
      'changed last. Uses no language model.',
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
              same_title_count: 1,
            },
          ],
          count: 1,
          ...responseMetadataExample,
        },
      },
    },
  },
  suggestFields: {
    ...base,
    path: '/ai/suggest',
    summary: 'Suggest incident fields',
    description:
      'Suggests field values from similar resolved incidents, without OpenSearch among the 120,000 that were created or changed last, with ' +
      'alternatives. Fields in `current` get no suggestion. ' +
      'Keywords in the text can raise the priority but never lower it. Uses no language model.',
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
          ...responseMetadataExample,
        },
      },
    },
  },
  queryRecords: {
    ...base,
    path: '/ai/query',
    summary: 'Query the records',
    description:
      'A copilot with tools that only read: incidents, changes, requests, configuration items, knowledge, people on call and, for ' +
      'managers, webhooks. It counts, measures and compares. The answer shows which tools it used, what it did not understand, and the ' +
      'lists or statistics with the same results. A repeated question is answered from the cache for a minute, until a record changes.',
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
          lists: ['/incidents?priority=P1&assignment_group=network'],
          tools_used: [
            { name: 'search', input: { kind: 'incidents', priority: ['P1'], assignment_group: ['network'] } },
          ],
          conversation_id: 'conv_01J9Z6W5V4T3S2R1Q0P9N8M7K6',
          ...modelled,
        },
      },
    },
    errors: ['not_found', ...modelErrors],
  },
  getKnownErrors: knownErrorOperation,
  findProblemCandidates: candidateOperation,
  getAiStatistics: {
    ...base,
    method: 'GET',
    path: '/ai/statistics',
    access: 'itsm_manager',
    summary: 'Get the hit rate of the AI cache',
    description:
      'Counts the answers to questions, analyses, similar incidents and suggestions that came from the cache, in total and ' +
      'per day (UTC). The copilot is not counted.',
    rateLimit: 'general',
    query: aiStatisticsQuery,
    responses: { 200: { description: 'The statistics.', body: aiStatistics, example: aiStatisticsExample } },
  },
});
