// Client request tokens of transactions. For ten minutes, a token runs its request once and rejects any other request.
// Tokens are stored with the transaction, so they survive a crash. Lookups use memory and the storage only appends, which
// costs a tenth of an indexed table.

import { hash } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Clock } from '../clock/clock.ts';
import { requireValue } from '../require-value.ts';
import type { Row, Storage } from '../storage/storage.ts';

interface KnownToken {
  row: number;
  /** A digest of the request. */
  request: string;
  expiresMs: number;
}

const validMs = 10 * 60 * 1000;
const cleanEveryMs = 60 * 1000;

export class RequestTokens {
  private readonly storage: Storage;
  private readonly clock: Clock;
  /** In order of use. */
  private readonly tokens = new Map<string, KnownToken>();
  private cleanedMs = Number.NEGATIVE_INFINITY;
  /** After a rollback, some cached tokens may not be stored. */
  private mayBeStale = false;

  constructor(storage: Storage, clock: Clock) {
    this.storage = storage;
    this.clock = clock;
    storage.exec(
      `DROP TABLE IF EXISTS dynamodb_request_tokens;
      CREATE TABLE IF NOT EXISTS dynamodb_used_tokens (
        row INTEGER PRIMARY KEY, token TEXT NOT NULL, request TEXT NOT NULL, expires_ms INTEGER NOT NULL
      );`,
    );
    this.load();
    storage.onUndo(() => {
      this.mayBeStale = true;
    });
  }

  /** Must run inside the transaction's write. Returns a function that stores the token, or undefined for a replayed request. */
  check(token: string, request: string): (() => void) | undefined {
    if (this.mayBeStale) this.dropUnwritten();
    const nowMs = this.clock.now();
    const digest = hash('sha256', request, 'base64');
    const tokens = this.tokens.get(token);
    if (tokens && tokens.expiresMs > nowMs) {
      if (digest === tokens.request) return undefined;
      throw new AwsError('IdempotentParameterMismatchException', '');
    }
    return () => {
      this.clean(nowMs);
      this.store(token, digest, nowMs + validMs);
    };
  }

  private store(token: string, request: string, expiresMs: number): void {
    const { lastInsertRowid } = this.storage
      .prepare('INSERT INTO dynamodb_used_tokens (token, request, expires_ms) VALUES (?, ?, ?)')
      .run([token, request, expiresMs]);
    this.tokens.delete(token);
    this.tokens.set(token, { row: Number(lastInsertRowid), request, expiresMs });
  }

  private clean(nowMs: number): void {
    if (nowMs - this.cleanedMs < cleanEveryMs) return;
    this.cleanedMs = nowMs;
    let last = 0;
    for (const [token, { row, expiresMs }] of this.tokens) {
      if (expiresMs > nowMs) break;
      this.tokens.delete(token);
      last = row;
    }
    if (last > 0) this.storage.prepare('DELETE FROM dynamodb_used_tokens WHERE row <= ?').run([last]);
  }

  /** Drops only unwritten tokens: reloading all would be slow, because under load there are hundreds of thousands. */
  private dropUnwritten(): void {
    const { last } = requireValue(this.storage.prepare('SELECT MAX(row) AS last FROM dynamodb_used_tokens').get());
    for (const [token, { row }] of this.tokens) if (row > Number(last ?? 0)) this.tokens.delete(token);
    this.mayBeStale = false;
  }

  private load(): void {
    const rows = this.storage.prepare('SELECT row, token, request, expires_ms FROM dynamodb_used_tokens ORDER BY row');
    for (const row of rows.all()) this.tokens.set(String(row.token), toKnownToken(row));
  }
}

function toKnownToken(row: Row): KnownToken {
  return { row: Number(row.row), request: String(row.request), expiresMs: Number(row.expires_ms) };
}
