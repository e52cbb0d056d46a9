import type * as z from 'zod';
import type { ModelAlias } from '../../../contract/models.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { ContentBlock, Message, ToolUseBlock } from './message-shapes.ts';

// What the AI layer asks of a language model, and what it gets. Messages have the form of Bedrock's Converse.

export interface ModelRequest {
  model: ModelAlias;
  /** The rules; never anything that a user or a record wrote. */
  system: string;
  /** User and assistant in turns, the user first. */
  messages: readonly Message[];
  tools?: readonly ModelTool[];
  /** The one tool that must be used; absent: as the model likes. */
  mustUse?: string;
  maxTokens: number;
}

export interface ModelTool {
  name: string;
  description: string;
  input: z.ZodType;
}

export interface ModelUsage {
  /** The provider-qualified id of the model that answered. */
  modelUsed: string;
  /** Input and output together, of all calls. */
  tokensUsed: number;
}

export interface ModelAnswer extends ModelUsage {
  text: string;
  /** With inputs as the model wrote them: not validated. */
  toolUses: readonly ToolUseBlock[];
  /** The answer as the next turn of the conversation. */
  message: Message;
}

/**
 * One turn of a conversation. Trouble at the provider (throttled, down, too slow) is a ServiceError 503 with
 * Retry-After, after a bounded number of attempts within the time left.
 */
export type Converse = (request: ModelRequest, deadline: Deadline) => Promise<ModelAnswer>;

/** How much time is left for an answer. */
export interface Deadline {
  remainingMs(): number;
}

export const userText = (text: string): Message => ({ role: 'user', content: [{ text }] });

/** What a tool gave, or why it failed. */
export function toToolResult({ toolUseId }: ToolUseBlock, output: unknown, failed: boolean): ContentBlock {
  // Plain JSON: the SDK's documents know neither undefined nor dates.
  const json = JSON.parse(JSON.stringify({ result: output }));
  return { toolResult: { toolUseId, content: [{ json }], status: failed ? 'error' : 'success' } };
}

/** The gateway times out after 29 s and the function after 28. The difference is for reads, writes and the cache. */
export const answerWithinMs = 24_000;

/** Starts now, on a monotonic clock. */
export function startDeadline(
  withinMs: number = answerWithinMs,
  nowMs: () => number = () => performance.now(),
): Deadline {
  const endMs = nowMs() + withinMs;
  return { remainingMs: () => Math.max(0, endMs - nowMs()) };
}

// Structured answers: the model must use one tool whose input is the answer. Input that does not match the schema goes back to
// the model once, with the problems. If the second attempt does not match either, the request fails with 503.

export interface StructuredRequest<Schema extends z.ZodType> extends Omit<ModelRequest, 'tools' | 'mustUse'> {
  tool: ModelTool & { input: Schema };
}

const maxAttempts = 2;

export async function structuredAnswer<Schema extends z.ZodType>(
  converse: Converse,
  { tool, ...request }: StructuredRequest<Schema>,
  deadline: Deadline,
): Promise<ModelUsage & { value: z.output<Schema> }> {
  let messages = request.messages;
  let tokensUsed = 0;
  for (let number = 1; number <= maxAttempts; number++) {
    const answer = await converse({ ...request, messages, tools: [tool], mustUse: tool.name }, deadline);
    tokensUsed += answer.tokensUsed;
    const use = answer.toolUses.find(({ name }) => name === tool.name);
    const parsed = tool.input.safeParse(use?.input);
    if (parsed.success) return { value: parsed.data as z.output<Schema>, modelUsed: answer.modelUsed, tokensUsed };
    messages = [...messages, answer.message, { role: 'user', content: [correct(use, parsed.error)] }];
  }
  throw new ServiceError('unavailable', 'The language model did not return a valid answer. Try again.', {
    headers: { 'Retry-After': '5' },
  });
}

function correct(use: ToolUseBlock | undefined, { issues }: z.ZodError): ContentBlock {
  if (!use) return { text: 'Answer by using the tool.' };
  const problems = issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).slice(0, 10);
  return toToolResult(use, { problems }, true);
}
