// Bedrock's conversations and OpenAI's chat completions, the one in terms of the other.
import { AwsError } from '../../aws/error.ts';
import type { Block, ConverseAnswer, ConverseRequest, Message, ToolResult } from '../converse.ts';

/** As much of a completion as is read; servers differ in the rest. */
interface ChatCompletion {
  choices?: {
    message?: {
      content?: string | null;
      tool_calls?: { id?: string; function?: { name?: string; arguments?: string | object } }[];
    };
    finish_reason?: string;
  }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
}

export function toChatRequest(request: ConverseRequest, model: string): object {
  const { system, messages, tools, toolChoice, maxTokens, temperature } = request;
  const functions = tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages.flatMap(toChatMessages)],
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    stream: false,
    ...(tools.length > 0 && { tools: functions, tool_choice: toChoice(toolChoice) }),
  };
}

export function fromCompletion({ choices, usage }: ChatCompletion, model: string): ConverseAnswer {
  const { message, finish_reason } = choices?.[0] ?? {};
  if (!message) throw broken('an answer without a message');
  const uses = (message.tool_calls ?? []).map((call, place): Block => {
    const { name, arguments: json = '{}' } = call.function ?? {};
    if (!name) throw broken('a call of a tool without a name');
    return { toolUse: { toolUseId: call.id || `tooluse_${place}`, name, input: toInput(json) } };
  });
  const text = message.content?.trim() ?? '';
  const content = [...(text === '' ? [] : [{ text }]), ...uses];
  if (content.length === 0) throw broken('an empty answer');
  return {
    content,
    stopReason: uses.length > 0 ? 'tool_use' : finish_reason === 'length' ? 'max_tokens' : 'end_turn',
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    modelId: `openai-compatible.${model}`,
  };
}

/** There, results are messages of their own, before the text beside them. */
function toChatMessages({ role, content }: Message): object[] {
  const text = content.flatMap((block) => block.text ?? []).join('\n');
  if (role === 'user') {
    const results = content.flatMap(({ toolResult }) => (toolResult ? [toResult(toolResult)] : []));
    return text === '' ? results : [...results, { role, content: text }];
  }
  const calls = content.flatMap(({ toolUse }) => {
    if (!toolUse) return [];
    const { toolUseId: id, name, input = {} } = toolUse;
    return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
  });
  return [{ role, content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }];
}

function toResult({ toolUseId, content, status }: ToolResult): object {
  const said = content.map(({ text, json }) => text ?? JSON.stringify(json)).join('\n');
  return { role: 'tool', tool_call_id: toolUseId, content: status === 'error' ? `error: ${said}` : said };
}

function toChoice(choice: ConverseRequest['toolChoice']): unknown {
  if (choice === 'auto') return 'auto';
  return choice === 'any' ? 'required' : { type: 'function', function: { name: choice.tool } };
}

/** Small models do not always write JSON; what they wrote fits no schema, and so goes back to them. */
function toInput(json: string | object): unknown {
  if (typeof json === 'object') return json;
  try {
    return JSON.parse(json);
  } catch {
    return { unreadable: json.slice(0, 1_000) };
  }
}

function broken(what: string): AwsError {
  return new AwsError('ModelErrorException', `The server of the language model gave ${what}.`, { status: 424 });
}
