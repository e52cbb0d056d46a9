import type { ConverseCommandInput, ConverseCommandOutput, Tool } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import type { ModelAnswer, ModelRequest, ModelTool } from './model.ts';

// Requests and answers in the form of Bedrock's Converse.

/** Facts, not fancy: the same evidence gives the same answer. */
const temperature = 0;

export function toConverseInput(request: ModelRequest, modelId: string): ConverseCommandInput {
  const { system, messages, tools = [], mustUse, maxTokens } = request;
  return {
    modelId,
    system: [{ text: system }],
    messages: [...messages],
    inferenceConfig: { maxTokens, temperature },
    ...(tools.length > 0 && {
      toolConfig: { tools: tools.map(toTool), ...(mustUse && { toolChoice: { tool: { name: mustUse } } }) },
    }),
  };
}

export function toAnswer({ output, usage, trace }: ConverseCommandOutput, modelId: string): ModelAnswer {
  const content = output?.message?.content ?? [];
  const { inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens } = usage ?? {};
  return {
    text: content.flatMap(({ text }) => text ?? []).join('\n'),
    toolUses: content.flatMap(({ toolUse }) => toolUse ?? []),
    // A router chooses among models and says which one it chose.
    modelUsed: trace?.promptRouter?.invokedModelId ?? modelId,
    tokensUsed: totalTokens,
    message: { role: 'assistant', content },
  };
}

function toTool({ name, description, input }: ModelTool): Tool {
  const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(input, { io: 'input' });
  const json = JSON.parse(JSON.stringify(inlined(schema, $defs)));
  return { toolSpec: { name, description, inputSchema: { json } } };
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
