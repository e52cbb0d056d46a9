// A language model on a server that speaks OpenAI's chat completions (Ollama, llama.cpp, vLLM and many others do). A
// conversation in Bedrock's form is sent there in theirs, and the answer comes back in Bedrock's.
import { AwsError } from '../../aws/error.ts';
import type { ConverseModel } from '../converse.ts';
import { type ChatCompletion, fromCompletion, toChatRequest } from './chat-completions.ts';

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

const usualTimeoutMs = 120_000;
const largestAnswerCharacters = 4_000_000;

export function forwardedModel({ url, model, apiKey, timeoutMs = usualTimeoutMs }: ForwardOptions): ConverseModel {
  const address = completionsAddress(url);
  const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  return {
    async converse(request) {
      const body = JSON.stringify(toChatRequest(request, model));
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(
        unreachable,
      );
      const text = await response.text().catch(unreachable);
      if (!response.ok) throw refusal(response.status, text);
      return fromCompletion(parsed(text), model);
    },
  };
}

/** Where chat completions are, whichever way the address of the server was given. */
export function completionsAddress(url: string): string {
  const base = url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return `${/\/v\d+$/.test(base) ? base : `${base}/v1`}/chat/completions`;
}

function unreachable(error: unknown): never {
  if ((error as Error).name === 'TimeoutError') {
    throw new AwsError('ModelTimeoutException', 'The language model did not answer in time.', { status: 408 });
  }
  const { cause, message } = error as { cause?: { code?: string }; message?: string };
  const why = cause?.code ?? message;
  throw new AwsError('ServiceUnavailableException', `The server of the language model is not reachable (${why}).`, {
    status: 503,
  });
}

/** The server's own words help whoever set it up; functions pass none of them on. */
function refusal(status: number, text: string): AwsError {
  const said = text.replace(/\s+/g, ' ').slice(0, 300);
  const message = `The server of the language model answered ${status}: ${said}`;
  if (status === 429) return new AwsError('ThrottlingException', message, { status: 429 });
  if (status >= 500) return new AwsError('ServiceUnavailableException', message, { status: 503 });
  return new AwsError('ValidationException', message, { status: 400 });
}

function parsed(text: string): ChatCompletion {
  try {
    if (text.length <= largestAnswerCharacters) return JSON.parse(text);
  } catch {
    // Told below.
  }
  throw new AwsError('ModelErrorException', 'The server of the language model did not answer with JSON.', {
    status: 424,
  });
}
