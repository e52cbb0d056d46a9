// Bedrock's Converse, as far as the models of this runtime understand it. What they do not understand is rejected with
// Bedrock's own kind of error, never ignored.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';

export interface ConverseRequest {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** A tool's name, `any` for whichever, `auto` for none or any. */
  toolChoice: { tool: string } | 'any' | 'auto';
  maxTokens: number;
  temperature: number | undefined;
}

export interface Message {
  role: 'user' | 'assistant';
  content: readonly Block[];
}

/** Has one of them. */
export interface Block {
  text?: string;
  toolUse?: ToolUse;
  toolResult?: ToolResult;
}

export interface ToolUse {
  toolUseId: string;
  name: string;
  input: unknown;
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

/** JSON Schema, as far as a model here reads it. */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  minimum?: number;
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
  /** The model that really answered. */
  modelId: string;
}

export interface ConverseModel {
  converse(request: ConverseRequest): Promise<ConverseAnswer>;
}

const defaultMaxTokens = 4_096;

export function parseConverse(input: Input): ConverseRequest {
  assertKnown(input, ['messages', 'system', 'inferenceConfig', 'toolConfig', 'requestMetadata']);
  const { toolConfig = {}, inferenceConfig = {}, messages, system = [] } = input;
  assertKnown(toolConfig, ['tools', 'toolChoice']);
  assertKnown(inferenceConfig, ['maxTokens', 'temperature', 'topP', 'stopSequences']);
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('A conversation needs a message.');
  messages.forEach(assertMessage);
  if (messages[0].role !== 'user') throw invalid('A conversation must start with a user message.');
  const tools = (toolConfig.tools ?? []).map(parseTool);
  const { maxTokens = defaultMaxTokens, temperature } = inferenceConfig;
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw invalid('inferenceConfig.maxTokens must be 1 or more.');
  const rules = system.map((block: Input) => {
    if (typeof block?.text !== 'string') throw invalid('The local model reads text in system only.');
    return block.text;
  });
  const toolChoice = parseChoice(toolConfig.toolChoice, tools);
  return { system: rules.join('\n'), messages, tools, toolChoice, maxTokens, temperature };
}

export function converseOutput(answer: ConverseAnswer, latencyMs: number): object {
  const { content, stopReason, inputTokens, outputTokens, modelId } = answer;
  return {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs },
    // As a router of Bedrock does: whatever was asked for, this one answered.
    trace: { promptRouter: { invokedModelId: modelId } },
  };
}

function assertMessage(message: Input, place: number, messages: Input[]): void {
  const { role, content } = message ?? {};
  if (role !== 'user' && role !== 'assistant') throw invalid('The role of a message is user or assistant.');
  if (!Array.isArray(content) || content.length === 0) throw invalid('A message needs content.');
  for (const block of content) {
    const isRead = typeof block?.text === 'string' || block?.toolUse || Array.isArray(block?.toolResult?.content);
    if (!isRead) throw invalid(`The local model reads text, toolUse and toolResult, not ${Object.keys(block ?? {})}.`);
  }
  // Bedrock wants a result for every use of a tool, right after it.
  const given = (messages[place + 1]?.content ?? []).map((block: Block) => block.toolResult?.toolUseId);
  const missing = content.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []).filter((id) => !given.includes(id));
  if (missing.length > 0) throw invalid(`Expected toolResult blocks for the following ids: ${missing.join(', ')}`);
}

function parseTool({ toolSpec }: Input): ToolSpec {
  const schema = toolSpec?.inputSchema?.json;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(toolSpec?.name ?? '')) throw invalid('A tool needs a name of letters and digits.');
  if (schema?.type !== 'object') throw invalid(`The input schema of ${toolSpec.name} must be of type object.`);
  return { name: toolSpec.name, description: toolSpec.description ?? '', schema };
}

function parseChoice(choice: Input, tools: readonly ToolSpec[]): ConverseRequest['toolChoice'] {
  if (choice === undefined || choice.auto) return 'auto';
  if (tools.length === 0) throw invalid('toolConfig.toolChoice needs toolConfig.tools.');
  if (choice.any) return 'any';
  const name = choice.tool?.name;
  if (!tools.some((tool) => tool.name === name)) throw invalid(`There is no tool ${name} to choose.`);
  return { tool: name };
}

function assertKnown(value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw invalid(`The local model does not understand ${unknown.join(', ')}.`);
}

function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message, { status: 400 });
}
