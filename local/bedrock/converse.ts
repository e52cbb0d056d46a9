// The part of Bedrock's Converse that the models of this runtime implement. Other parameters are rejected with Bedrock's
// ValidationException.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';

export interface ConverseRequest {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** The name of the tool that the model must use. */
  toolChoice: string | undefined;
  maxTokens: number;
  temperature: number | undefined;
}

export interface Message {
  role: 'user' | 'assistant';
  content: readonly Block[];
}

/** Has exactly one of these. */
export interface Block {
  text?: string;
  toolUse?: { toolUseId: string; name: string; input: unknown };
  toolResult?: ToolResult;
}

export interface ToolResult {
  toolUseId: string;
  content: readonly { json?: unknown; text?: string }[];
  status?: 'success' | 'error';
}

export interface ToolSpec {
  name: string;
  description: string;
  schema: Schema;
}

/** The part of JSON Schema that the built-in model reads. */
export interface Schema {
  type?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
  examples?: readonly unknown[];
}

export interface ConverseAnswer {
  content: readonly Block[];
  stopReason: 'end_turn' | 'tool_use' | 'max_tokens';
  inputTokens: number;
  outputTokens: number;
  /** The model that answered. */
  modelId: string;
}

export interface ConverseModel {
  converse(request: ConverseRequest): Promise<ConverseAnswer>;
}

const defaultMaxTokens = 4_096;

export function parseConverse(input: Input): ConverseRequest {
  assertKnown(input, ['messages', 'system', 'inferenceConfig', 'toolConfig']);
  const { toolConfig = {}, inferenceConfig = {}, messages, system = [] } = input;
  assertKnown(toolConfig, ['tools', 'toolChoice']);
  assertKnown(inferenceConfig, ['maxTokens', 'temperature']);
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('A conversation needs a message.');
  messages.forEach(assertMessage);
  if (messages[0].role !== 'user') throw invalid('A conversation must start with a user message.');
  const { maxTokens = defaultMaxTokens, temperature } = inferenceConfig;
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw invalid('inferenceConfig.maxTokens must be 1 or more.');
  const rules = system.map((block: Input) => {
    if (typeof block?.text !== 'string') throw invalid('The local model supports only text in system.');
    return block.text;
  });
  const tools: ToolSpec[] = (toolConfig.tools ?? []).map(parseTool);
  const toolChoice = toolConfig.toolChoice?.tool?.name;
  if (toolConfig.toolChoice && !tools.some(({ name }) => name === toolChoice))
    throw invalid('toolConfig.toolChoice must name a tool of toolConfig.tools.');
  return { system: rules.join('\n'), messages, tools, toolChoice, maxTokens, temperature };
}

export function toConverseOutput(answer: ConverseAnswer, latencyMs: number): object {
  const { content, stopReason, inputTokens, outputTokens, modelId } = answer;
  return {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs },
    // A prompt router of Bedrock names the model that it chose in the same way.
    trace: { promptRouter: { invokedModelId: modelId } },
  };
}

function assertMessage(message: Input, index: number, messages: Input[]): void {
  const { role, content } = message ?? {};
  if (role !== 'user' && role !== 'assistant') throw invalid('The role of a message must be user or assistant.');
  if (!Array.isArray(content) || content.length === 0) throw invalid('A message needs content.');
  for (const block of content) {
    const isKnown = typeof block?.text === 'string' || block?.toolUse || Array.isArray(block?.toolResult?.content);
    const names = Object.keys(block ?? {}).join(', ');
    if (!isKnown) throw invalid(`The local model supports text, toolUse and toolResult, not ${names}.`);
  }
  // Bedrock expects the result of every tool use in the next message.
  const given = (messages[index + 1]?.content ?? []).map((block: Block) => block.toolResult?.toolUseId);
  const missing = content.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []).filter((id) => !given.includes(id));
  if (missing.length > 0) throw invalid(`Expected toolResult blocks for the following ids: ${missing.join(', ')}`);
}

function parseTool({ toolSpec }: Input): ToolSpec {
  const { name = '', description = '', inputSchema } = toolSpec ?? {};
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) throw invalid('A tool needs a name of letters and digits.');
  if (inputSchema?.json?.type !== 'object') throw invalid(`The input schema of ${name} must be of type object.`);
  return { name, description, schema: inputSchema.json };
}

function assertKnown(value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw invalid(`The local model does not support ${unknown.join(', ')}.`);
}

function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}
