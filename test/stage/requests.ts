// Plain requests and bounded waits for the checks.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { apiRoot } from '../../client/index.ts';
import { parseObject } from '../../client/problem.ts';
import type { Stage } from './stage-under-test.ts';

const timeoutMs = 30_000;
const maxWaitMs = 60_000;
const pollMs = 100;

export interface PlainResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function send(
  stage: Stage,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<PlainResponse> {
  const response = await fetch(`${stage.url}${apiRoot}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseObject(text) };
}

/** Every error is a problem document with the id of its request. */
export function assertProblem({ status, headers, body }: PlainResponse, expected: number, code: string): void {
  assert.equal(`${status} ${body.code}`, `${expected} ${code}`);
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(body.request_id, headers.get('x-request-id'), 'request_id and X-Request-Id differ');
}

export function assertRateHeaders({ headers }: { headers: Headers }): void {
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
    assert.match(headers.get(name) ?? 'absent', /^\d+$/, `${name} is ${headers.get(name)}`);
}

/** Reads until the value is there, and returns it with the time that passed. */
export async function waitUntil<T>(
  what: string,
  read: () => Promise<T>,
  isReached: (value: T) => boolean,
): Promise<{ value: T; elapsedMs: number; reads: number }> {
  const startedAt = performance.now();
  for (let reads = 1; ; reads++) {
    const value = await read();
    const elapsedMs = Math.round(performance.now() - startedAt);
    if (isReached(value)) return { value, elapsedMs, reads };
    if (elapsedMs > maxWaitMs) throw new Error(`${what} did not happen within ${maxWaitMs / 1000} s`);
    await pause(pollMs);
  }
}
