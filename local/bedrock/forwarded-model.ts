// A language model on another server with OpenAI's chat completions (Ollama, llama.cpp, vLLM and others). Translates
// Bedrock's conversations to chat completions and back.
import { AwsError } from '../aws/error.ts';
import type { Block, ConverseAnswer, ConverseModel, ConverseRequest, Message, ToolResult } from './converse.ts';

export interface ForwardOptions {
  /** Address of the API, with or without /v1 at its end. */
  url: string;
  /** The server's name of the model. */
  model: string;
  /** Sent as a bearer token. */
  apiKey?: string | undefined;
  timeoutMs?: number;
}

/** A model on a laptop may take long; functions time out earlier by themselves. */
const defaultTimeoutMs = 120_000;
const maxAnswerCharacters = 4_000_000;

export function forwardedModel({ url, model, apiKey, timeoutMs = defaultTimeoutMs }: ForwardOptions): ConverseModel {
  const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  const send = async (body: string) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(toCompletionsUrl(url), { method: 'POST', headers, body, signal, redirect: 'error' });
    return { status: response.status, text: await response.text() };
  };
  return {
    async converse(request) {
      const { status, text } = await send(JSON.stringify(toChatRequest(request, model))).catch(rethrowUnreachable);
      if (status >= 300) throw toServerError(status, text);
      return toAnswer(parseCompletion(text), request, model);
    },
  };
}

export function toCompletionsUrl(url: string): string {
  const base = url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return `${/\/v\d+$/.test(base) ? base : `${base}/v1`}/chat/completions`;
}

function toChatRequest(request: ConverseRequest, model: string): object {
  const { system, messages, tools, toolChoice, maxTokens, temperature } = request;
  const functions = tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  const choice = toolChoice === undefined ? 'auto' : { type: 'function', function: { name: toolChoice } };
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages.flatMap(toChatMessages)],
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    stream: false,
    ...(tools.length > 0 && { tools: functions, tool_choice: choice }),
  };
}

/** In chat completions, tool results are messages of their own, before the user's text. */
function toChatMessages({ role, content }: Message): object[] {
  const text = content.flatMap((block) => block.text ?? []).join('\n');
  if (role === 'user') {
    const results = content.flatMap(({ toolResult }) => (toolResult ? [toToolMessage(toolResult)] : []));
    return text === '' ? results : [...results, { role, content: text }];
  }
  const calls = content.flatMap(({ toolUse }) => {
    if (!toolUse) return [];
    const { toolUseId: id, name, input = {} } = toolUse;
    return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
  });
  return [{ role, content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }];
}

function toToolMessage({ toolUseId, content, status }: ToolResult): object {
  const text = content.map((each) => each.text ?? JSON.stringify(each.json)).join('\n');
  return { role: 'tool', tool_call_id: toolUseId, content: status === 'error' ? `error: ${text}` : text };
}

/** The fields that we read; servers differ in the others. */
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

function parseCompletion(text: string): ChatCompletion {
  try {
    if (text.length <= maxAnswerCharacters) return JSON.parse(text);
  } catch {
    // Rejected below.
  }
  throw invalidCompletion('no JSON');
}

function toAnswer({ choices, usage }: ChatCompletion, request: ConverseRequest, model: string): ConverseAnswer {
  const { message, finish_reason } = choices?.[0] ?? {};
  if (!message) throw invalidCompletion('a completion without a message');
  const uses = (message.tool_calls ?? []).map((call, index): Block => {
    const { name, arguments: json = '{}' } = call.function ?? {};
    if (!name) throw invalidCompletion('a tool call without a name');
    return { toolUse: { toolUseId: call.id || `tooluse_${index}`, name, input: parseArguments(json) } };
  });
  const text = removeThoughts(message.content ?? '');
  const requested = uses.length === 0 ? readRequestedUse(text, request.toolChoice) : undefined;
  if (requested) uses.push(requested);
  const content = [...(text === '' || requested ? [] : [{ text }]), ...uses];
  if (content.length === 0) throw invalidCompletion('an empty message');
  return {
    content,
    stopReason: uses.length > 0 ? 'tool_use' : finish_reason === 'length' ? 'max_tokens' : 'end_turn',
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    modelId: `openai-compatible.${model}`,
  };
}

/** Models that think write their thoughts before the answer, if the server does not separate them. */
function removeThoughts(text: string): string {
  const end = text.lastIndexOf('</think>');
  return (end < 0 ? text : text.slice(end + '</think>'.length)).trim();
}

/** Some servers ignore the tool choice. Their model then writes the input of the tool as text, often in a code block. */
function readRequestedUse(text: string, name: string | undefined): Block | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (!name || start < 0 || end < start) return undefined;
  try {
    return { toolUse: { toolUseId: 'tooluse_0', name, input: JSON.parse(text.slice(start, end + 1)) } };
  } catch {
    return undefined;
  }
}

/** Small models do not always write JSON. Their text matches no schema, so the function returns it for correction. */
function parseArguments(json: string | object): unknown {
  if (typeof json === 'object') return json;
  try {
    return JSON.parse(json);
  } catch {
    return { unreadable: json.slice(0, 1_000) };
  }
}

function rethrowUnreachable(error: Error & { cause?: { code?: string } }): never {
  if (error.name === 'TimeoutError') {
    throw new AwsError('ModelTimeoutException', 'The language model did not respond in time.', { status: 408 });
  }
  const message = `The language model's server is not reachable (${error.cause?.code ?? error.message}).`;
  throw new AwsError('ServiceUnavailableException', message, { status: 503 });
}

/**
 * The error that Bedrock returns for the same cause, so that functions report it like that. Quotes the server for the
 * person who set it up; functions do not return this message.
 */
function toServerError(status: number, text: string): AwsError {
  const message = `The language model's server returned ${status}: ${text.replace(/\s+/g, ' ').slice(0, 300)}`;
  if ([401, 402, 403].includes(status)) return new AwsError('AccessDeniedException', message, { status: 403 });
  if (status === 404) return new AwsError('ResourceNotFoundException', message, { status });
  if (status === 408) return new AwsError('ModelTimeoutException', message, { status });
  if (status === 429) return new AwsError('ThrottlingException', message, { status });
  if (status >= 500) return new AwsError('ServiceUnavailableException', message, { status: 503 });
  // Often a prompt that exceeds the context of the model, or a model without tools.
  return new AwsError('ModelErrorException', message, { status: 424 });
}

function invalidCompletion(what: string): AwsError {
  return new AwsError('ModelErrorException', `The language model's server returned ${what}.`, { status: 424 });
}
