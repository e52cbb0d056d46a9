import type {
  ContentBlock,
  ConverseCommandInput,
  ConverseCommandOutput,
  Message,
  Tool,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { requireValue } from '../../platform/require-value.ts';
import type { ModelAnswer, ModelContent, ModelMessage, ModelRequest, ModelTool, ToolUse } from './model.ts';

// The forms of Bedrock's Converse, made from ours and read back.

/** Facts, not fancy: the same evidence gives the same answer. */
const temperature = 0;

export function toConverseInput(request: ModelRequest, modelId: string): ConverseCommandInput {
  const { system, messages, tools = [], mustUse, maxTokens } = request;
  return {
    modelId,
    system: [{ text: system }],
    messages: messages.map(toMessage),
    inferenceConfig: { maxTokens, temperature },
    ...(tools.length > 0 && {
      toolConfig: { tools: tools.map(toTool), ...(mustUse && { toolChoice: { tool: { name: mustUse } } }) },
    }),
  };
}

export function toAnswer(output: ConverseCommandOutput, modelId: string): ModelAnswer {
  const content = (output.output?.message?.content ?? []).flatMap(fromBlock);
  const toolUses = content.flatMap((each): ToolUse[] => (each.kind === 'tool_use' ? [each] : []));
  const { inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens } = output.usage ?? {};
  return {
    text: content.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('\n'),
    toolUses,
    stopReason: output.stopReason ?? 'end_turn',
    // A router chooses among models and says which one it chose.
    modelUsed: output.trace?.promptRouter?.invokedModelId ?? modelId,
    tokensUsed: totalTokens,
    message: { role: 'assistant', content },
  };
}

function toMessage({ role, content }: ModelMessage): Message {
  return { role, content: content.map(toBlock) };
}

function toBlock(content: ModelContent): ContentBlock {
  switch (content.kind) {
    case 'text':
      return { text: content.text };
    case 'tool_use':
      return { toolUse: { toolUseId: content.id, name: content.name, input: asDocument(content.input) } };
    case 'tool_result': {
      const status = content.failed ? 'error' : 'success';
      return {
        toolResult: { toolUseId: content.id, content: [{ json: asDocument({ result: content.output }) }], status },
      };
    }
  }
}

function fromBlock({ text, toolUse }: ContentBlock): ModelContent[] {
  if (text !== undefined) return [{ kind: 'text', text }];
  if (toolUse) {
    const { toolUseId, name, input } = toolUse;
    return [{ kind: 'tool_use', id: requireValue(toolUseId), name: requireValue(name), input }];
  }
  // Reasoning and citations are of no use here.
  return [];
}

function toTool({ name, description, input }: ModelTool): Tool {
  const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return { toolSpec: { name, description, inputSchema: { json: asDocument(inlined(schema, $defs)) } } };
}

/** Schemas with names refer to each other by them; models read forms that are in one piece. */
function inlined(schema: unknown, named: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => inlined(each, named));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...own } = schema as { $ref?: unknown };
  const target = typeof $ref === 'string' ? named[$ref.replace('#/$defs/', '')] : undefined;
  // A schema's own name is a string; a property called id is a schema.
  const whole = Object.entries({ ...(target as object), ...own }).filter(
    ([key, value]) => key !== 'id' || typeof value !== 'string',
  );
  return Object.fromEntries(whole.map(([key, value]) => [key, inlined(value, named)]));
}

/** Plain JSON: the SDK's documents know neither undefined nor dates. */
function asDocument(value: unknown): NonNullable<ContentBlock.ToolUseMember['toolUse']['input']> {
  return JSON.parse(JSON.stringify(value ?? {}));
}
