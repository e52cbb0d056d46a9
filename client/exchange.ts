import type { Environment } from './environment.ts';
import { ConnectionProblem, type ServiceProblem } from './problem.ts';

export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface RequestLimits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request and reads the whole response within the time limit. An abort by the caller throws the caller's
 * reason; every other failure is a ServiceProblem.
 */
export async function exchange(
  request: OutgoingRequest,
  { timeoutMs, signal }: RequestLimits,
  environment: Environment,
): Promise<ReceivedResponse> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const forward = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', forward, { once: true });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop.abort();
  }, timeoutMs);
  try {
    const { url, ...init } = request;
    const response = await environment.fetch(url, { ...init, redirect: 'error', signal: stop.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw timedOut ? createTimeoutProblem(request, timeoutMs) : createNetworkProblem(request, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}

function createTimeoutProblem({ method, url }: OutgoingRequest, timeoutMs: number): ServiceProblem {
  const detail = `${method} ${url} got no response within ${timeoutMs} ms.`;
  return new ConnectionProblem({ status: 0, code: 'timeout', title: 'The service did not respond in time', detail });
}

function createNetworkProblem({ method, url }: OutgoingRequest, cause: unknown): ServiceProblem {
  const detail = `${method} ${url} failed without a response: ${findReason(cause)}`;
  return new ConnectionProblem({
    status: 0,
    code: 'network_error',
    title: 'The service is not reachable',
    detail,
    cause,
  });
}

/** The message of Node's fetch is only "fetch failed"; its cause has the reason. */
function findReason(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string }; message?: string };
  return cause?.message || message || String(error);
}
