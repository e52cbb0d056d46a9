import { setTimeout as pause } from 'node:timers/promises';
import type { AppClient } from '../identity/app-client-directory.ts';
import type { Clock } from '../platform/clock.ts';
import { type Log, toErrorFields } from '../platform/log.ts';

// Uses the service over its public address with a caller of its own. It reads every minute; it creates and deletes a record
// every quarter of an hour, because deleted records stay stored (docs/decisions/0108-canary.md). Configuration items are
// created by hand without events, and nobody is notified of them.

export interface CanaryTools {
  /** The root of the API. */
  apiUrl: string;
  tokenUrl: string;
  readClient(): Promise<AppClient>;
  clock: Clock;
  log: Log;
}

const maxRequestMs = 5_000;
const writeEveryMs = 15 * 60_000;

/** Before the end of a token. */
const renewalMs = 5 * 60_000;

/** Two, so that a single lost connection pages nobody. */
const maxAttempts = 2;

/** A write appears in lists within seconds. */
const maxListReads = 5;
const listPauseMs = 1_000;

const collection = '/cmdb/cis';
const item = { name: 'Canary', class: 'canary', attributes: { purpose: 'Checks that the service works.' } };

export function createCanary({ apiUrl, tokenUrl, readClient, clock, log }: CanaryTools): () => Promise<void> {
  let token: { value: string; expiresAtMs: number } | undefined;
  let nextWriteMs = 0;

  async function getToken(): Promise<string> {
    if (token && token.expiresAtMs > clock.now()) return token.value;
    const { clientId, clientSecret } = await readClient();
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const { access_token, expires_in } = await send(200, tokenUrl, { method: 'POST', body });
    token = { value: String(access_token), expiresAtMs: clock.now() + Number(expires_in) * 1_000 - renewalMs };
    return token.value;
  }

  async function call(status: number, method: string, path: string, body?: object): Promise<Json> {
    const headers = { authorization: `Bearer ${await getToken()}`, 'content-type': 'application/json' };
    return send(status, `${apiUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Also finds what a failed run left behind. */
  async function list(): Promise<string[]> {
    const { data } = await call(200, 'GET', `${collection}?class=${item.class}`);
    return (data as { id: string }[]).map(({ id }) => id);
  }

  async function write(): Promise<void> {
    const { id } = await call(201, 'POST', collection, item);
    await call(200, 'GET', `${collection}/${id}`);
    let ids = await list();
    for (let read = 1; !ids.includes(String(id)) && read < maxListReads; read++) {
      await pause(listPauseMs);
      ids = await list();
    }
    for (const each of new Set([...ids, String(id)])) await call(204, 'DELETE', `${collection}/${each}`);
    if (!ids.includes(String(id))) throw new Error(`the list does not contain ${id}`);
  }

  return async () => {
    const isWriteDue = clock.now() >= nextWriteMs;
    for (let attempt = 1; ; attempt++) {
      try {
        await call(200, 'GET', '/health');
        await (isWriteDue ? write() : list());
        break;
      } catch (error) {
        log('error', 'the canary failed', { attempt, ...toErrorFields(error) });
        if (attempt >= maxAttempts) throw error;
      }
    }
    if (isWriteDue) nextWriteMs = clock.now() + writeEveryMs;
  };
}

type Json = Record<string, unknown>;

async function send(expected: number, url: string, init: RequestInit): Promise<Json> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(maxRequestMs) });
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${init.method} ${url} returned ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}
