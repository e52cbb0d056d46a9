// Bedrock's conversations and OpenAI's chat completions, the one in terms of the other.
import { AwsError } from '../../aws/error.ts';
import type { Content, ConverseAnswer, ConverseRequest, Message } from '../converse.ts';

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** As much of an answer as is read; servers differ in the rest. */
export interface ChatCompletion {
  choices?: { message?: { content?: string | null; tool_calls?: Partial<ToolCall>[] }; finish_reason?: string }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
}

export function toChatRequest(request: ConverseRequest, model: string): object {
  const { system, messages, tools, toolChoice, maxTokens, temperature } = request;
  const spoken = messages.flatMap(toChatMessages);
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...spoken],
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    stream: false,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description, parameters: schema },
      })),
      tool_choice: toChoice(toolChoice),
    }),
  };
}

export function fromCompletion({ choices, usage }: ChatCompletion, model: string): ConverseAnswer {
  const { message, finish_reason } = choices?.[0] ?? {};
  if (!message) throw broken('an answer without a message');
  const uses = (message.tool_calls ?? []).map((call, place) => {
    const { name, arguments: json = '{}' } = call.function ?? {};
    if (!name) throw broken('a call of a tool without a name');
    return { kind: 'tool_use', id: call.id || `tooluse_${place}`, name, input: toInput(json) } as const;
  });
  const text = message.content?.trim() ?? '';
  const content = [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...uses];
  if (content.length === 0) throw broken('an empty answer');
  return {
    content,
    stopReason: uses.length > 0 ? 'tool_use' : finish_reason === 'length' ? 'max_tokens' : 'end_turn',
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    modelId: `openai-compatible.${model}`,
  };
}

/** Results are messages of their own there, and come before what is said with them. */
function toChatMessages({ role, content }: Message): ChatMessage[] {
  const text = content.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('\n');
  if (role === 'assistant') {
    const calls = content.flatMap((each) => (each.kind === 'tool_use' ? [toCall(each)] : []));
    return [{ role, content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  const results = content.flatMap((each): ChatMessage[] => (each.kind === 'tool_result' ? [toResult(each)] : []));
  return text === '' ? results : [...results, { role, content: text }];
}

function toCall({ id, name, input }: Content & { kind: 'tool_use' }): ToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } };
}

function toResult({ id, failed, outputs }: Content & { kind: 'tool_result' }): ChatMessage {
  const said = outputs.map((output) => (typeof output === 'string' ? output : JSON.stringify(output))).join('\n');
  return { role: 'tool', tool_call_id: id, content: failed ? `error: ${said}` : said };
}

function toChoice(choice: ConverseRequest['toolChoice']): unknown {
  if (choice === 'auto') return 'auto';
  return choice === 'any' ? 'required' : { type: 'function', function: { name: choice.tool } };
}

/** Small models do not always write JSON; what they wrote goes on as it is, and does not fit whatever is expected. */
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
