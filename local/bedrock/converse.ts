// The forms of Bedrock's Converse as far as the models of this runtime understand them. What they do not understand is
// refused with Bedrock's own kind of error, never ignored.
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
  content: readonly Content[];
}

export type Content =
  | { kind: 'text'; text: string }
  | { kind: 'tool_use'; id: string; name: string; input: unknown }
  | { kind: 'tool_result'; id: string; failed: boolean; outputs: readonly unknown[] };

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
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxItems?: number;
  minItems?: number;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  format?: string;
  examples?: readonly unknown[];
  default?: unknown;
}

export interface ConverseAnswer {
  content: readonly (Content & { kind: 'text' | 'tool_use' })[];
  stopReason: 'end_turn' | 'tool_use' | 'max_tokens';
  inputTokens: number;
  outputTokens: number;
  /** The model that really answered. */
  modelId: string;
}

export interface ConverseModel {
  converse(request: ConverseRequest): Promise<ConverseAnswer>;
}

const usualMaxTokens = 4_096;

export function parseConverse(input: Input): ConverseRequest {
  known(input, ['messages', 'system', 'inferenceConfig', 'toolConfig', 'requestMetadata'], '');
  const { toolConfig = {}, inferenceConfig = {} } = input;
  known(toolConfig, ['tools', 'toolChoice'], 'toolConfig.');
  known(inferenceConfig, ['maxTokens', 'temperature', 'topP', 'stopSequences'], 'inferenceConfig.');
  if (!Array.isArray(input.messages) || input.messages.length === 0) throw invalid('A conversation needs a message.');
  const messages = input.messages.map(parseMessage);
  if (messages[0]?.role !== 'user') throw invalid('A conversation must start with a user message.');
  checkToolResults(messages);
  const tools = (toolConfig.tools ?? []).map(parseTool);
  const { maxTokens = usualMaxTokens, temperature } = inferenceConfig;
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw invalid('inferenceConfig.maxTokens must be 1 or more.');
  const system = (input.system ?? []).map((block: Input) => toText(block, 'system')).join('\n');
  return { system, messages, tools, toolChoice: parseChoice(toolConfig.toolChoice, tools), maxTokens, temperature };
}

export function converseOutput(answer: ConverseAnswer, latencyMs: number): object {
  const { content, stopReason, inputTokens, outputTokens, modelId } = answer;
  const blocks = content.map((each) =>
    each.kind === 'text'
      ? { text: each.text }
      : { toolUse: { toolUseId: each.id, name: each.name, input: each.input } },
  );
  return {
    output: { message: { role: 'assistant', content: blocks } },
    stopReason,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs },
    // As a router of Bedrock does: whatever was asked for, this one answered.
    trace: { promptRouter: { invokedModelId: modelId } },
  };
}

function parseMessage(message: Input): Message {
  const { role, content } = message ?? {};
  if (role !== 'user' && role !== 'assistant') throw invalid('The role of a message is user or assistant.');
  if (!Array.isArray(content) || content.length === 0) throw invalid('A message needs content.');
  return { role, content: content.map(parseContent) };
}

function parseContent(block: Input): Content {
  if (typeof block?.text === 'string') return { kind: 'text', text: block.text };
  const { toolUse, toolResult } = block ?? {};
  if (toolUse) return { kind: 'tool_use', id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input };
  if (toolResult) {
    const outputs = (toolResult.content ?? []).map((each: Input) => each.json ?? toText(each, 'toolResult'));
    return { kind: 'tool_result', id: toolResult.toolUseId, failed: toolResult.status === 'error', outputs };
  }
  throw invalid(`The local model reads text, toolUse and toolResult, not ${Object.keys(block ?? {}).join(', ')}.`);
}

/** Bedrock wants an answer to every question of the model, right after it. */
function checkToolResults(messages: readonly Message[]): void {
  messages.forEach(({ content }, place) => {
    const asked = content.flatMap((each) => (each.kind === 'tool_use' ? [each.id] : []));
    if (asked.length === 0) return;
    const given = new Set(
      messages[place + 1]?.content.flatMap((each) => (each.kind === 'tool_result' ? [each.id] : [])),
    );
    const missing = asked.filter((id) => !given.has(id));
    if (missing.length > 0) throw invalid(`Expected toolResult blocks for the following ids: ${missing.join(', ')}`);
  });
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

function toText(block: Input, where: string): string {
  if (typeof block?.text !== 'string') throw invalid(`The local model reads text in ${where} only.`);
  return block.text;
}

function known(value: object, names: readonly string[], where: string): void {
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw invalid(`The local model does not understand ${where}${unknown.join(', ')}.`);
}

function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message, { status: 400 });
}
