// A language model on a server that speaks OpenAI's chat completions (Ollama, llama.cpp, vLLM and many others do). A
// conversation in Bedrock's form is sent there in theirs, and the answer comes back in Bedrock's.
import { AwsError } from '../../aws/error.ts';
import type { ConverseModel } from '../converse.ts';
import { fromCompletion, toChatRequest } from './chat-completions.ts';

export interface ForwardOptions {
  /** Of the API, with or without /v1 at its end. */
  url: string;
  /** As the server calls it. */
  model: string;
  /** Sent as a bearer token, when the server wants one. */
  apiKey?: string | undefined;
  /** A model on a laptop may take long; functions give up earlier by themselves. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 120_000;
const maxAnswerCharacters = 4_000_000;

export function forwardedModel({ url, model, apiKey, timeoutMs = defaultTimeoutMs }: ForwardOptions): ConverseModel {
  const address = completionsAddress(url);
  const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  const send = async (body: string) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'error' });
    return { status: response.status, text: await response.text() };
  };
  return {
    async converse(request) {
      const { status, text } = await send(JSON.stringify(toChatRequest(request, model))).catch(rethrowUnreachable);
      if (status >= 300) throw toRejection(status, text);
      return fromCompletion(parse(text), model);
    },
  };
}

/** Where chat completions are, whichever way the address of the server was given. */
export function completionsAddress(url: string): string {
  const base = url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return `${/\/v\d+$/.test(base) ? base : `${base}/v1`}/chat/completions`;
}

function rethrowUnreachable(error: Error & { cause?: { code?: string } }): never {
  if (error.name === 'TimeoutError') {
    throw new AwsError('ModelTimeoutException', 'The language model did not answer in time.', { status: 408 });
  }
  const reason = error.cause?.code ?? error.message;
  const message = `The server of the language model is not reachable (${reason}).`;
  throw new AwsError('ServiceUnavailableException', message, { status: 503 });
}

/** The server's own words help whoever set it up; functions pass none of them on. */
function toRejection(status: number, text: string): AwsError {
  const message = `The server of the language model answered ${status}: ${text.replace(/\s+/g, ' ').slice(0, 300)}`;
  if (status === 429) return new AwsError('ThrottlingException', message, { status: 429 });
  if (status >= 500) return new AwsError('ServiceUnavailableException', message, { status: 503 });
  return new AwsError('ValidationException', message, { status: 400 });
}

function parse(text: string) {
  try {
    if (text.length <= maxAnswerCharacters) return JSON.parse(text);
  } catch {
    // Rejected below.
  }
  const message = 'The server of the language model did not answer with JSON.';
  throw new AwsError('ModelErrorException', message, { status: 424 });
}
