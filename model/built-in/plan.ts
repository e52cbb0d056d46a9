// What the copilot does for a question: the tool calls, remarks about the question, and what the answer leads with.
import type { ToolSpec } from '../../local/bedrock/converse.ts';
import type { Fields } from './describe-call.ts';
import type { Prompt } from './read-prompt.ts';
import type { Reading } from './reading.ts';
import type { TagQuestion } from './tag-question.ts';

export interface ToolCall {
  name: string;
  input: Fields;
}

export interface Plan {
  /** Empty if the reply is the answer. */
  calls: ToolCall[];
  reply?: string;
  /** Sentences about how the question was understood. */
  remarks: readonly string[];
  /** What the answer leads with. */
  reading: Pick<Reading, 'fields' | 'measures' | 'flags' | 'groupBy' | 'filters' | 'order'>;
  isContinued?: boolean;
}

export interface Planner {
  tag: TagQuestion;
  tools: readonly ToolSpec[];
  nowMs: number;
}

export type Talk = Pick<Prompt, 'earlier' | 'lastAnswer'>;

export interface Draft {
  kind: string;
  reading: Reading;
  unknown: readonly string[];
  question: string;
}

export const abilities =
  'I can look up and count incidents, problems, changes, requests, configuration items, knowledge articles, webhooks and people on call; ' +
  'compare teams or periods; and show how long things took. For example: "open P1 incidents of my team", "mean time to resolve ' +
  'per team last month", "who resolved INC…", "changes next week".';

export const cannotAnswer = `I cannot answer that from the records of this service. ${abilities}`;

export const nothing: Plan['reading'] = { fields: [], measures: [], flags: new Set(), groupBy: [], filters: {} };

export function toReply(reply: string): Plan {
  return { calls: [], reply, remarks: [], reading: nothing };
}

export function describeUnknown(words: readonly string[]): string[] {
  if (words.length === 0) return [];
  return [`I did not understand "${[...new Set(words)].join('", "')}".`];
}

export const recordKind =
  /\b(incidents?|known errors?|tickets?|tix|cases?|outages?|changes?|rfcs?|maintenance|deployments?|releases?|requests?|orders?|items?|cis?|assets?|servers?|systems?|machines?|articles?|knowledge|runbooks?|guides?|webhooks?)\b/i;

export const lists: ReadonlySet<string> = new Set([
  'incidents',
  'problems',
  'changes',
  'requests',
  'items',
  'articles',
]);

export const maxWords = 3;
