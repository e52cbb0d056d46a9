import type * as z from 'zod';
import type { ModelAlias } from '../../../contract/models.ts';

// What the AI layer asks of a language model, and what it gets. Nothing here knows Bedrock: the adapter beside it does.

export interface ModelRequest {
  model: ModelAlias;
  /** The rules; never anything that a user or a record wrote. */
  system: string;
  /** User and assistant in turns, the user first. */
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[];
  /** The one tool that must be used; absent: as the model likes. */
  mustUse?: string;
  maxTokens: number;
}

export interface ModelMessage {
  role: 'user' | 'assistant';
  content: readonly ModelContent[];
}

export type ModelContent =
  | { kind: 'text'; text: string }
  | { kind: 'tool_use'; id: string; name: string; input: unknown }
  | { kind: 'tool_result'; id: string; output: unknown; failed?: boolean };

export interface ModelTool {
  name: string;
  description: string;
  input: z.ZodType;
}

export interface ToolUse {
  id: string;
  name: string;
  /** As the model wrote it: not validated. */
  input: unknown;
}

export interface ModelUsage {
  /** The provider-qualified id of the model that answered. */
  modelUsed: string;
  /** Input and output together, of all calls. */
  tokensUsed: number;
}

export interface ModelAnswer extends ModelUsage {
  text: string;
  toolUses: readonly ToolUse[];
  stopReason: string;
  /** The answer as the next turn of the conversation. */
  message: ModelMessage;
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

export const userText = (text: string): ModelMessage => ({ role: 'user', content: [{ kind: 'text', text }] });
