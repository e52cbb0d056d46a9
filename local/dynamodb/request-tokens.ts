// Client tokens of transactions: the same token with the same request within ten minutes runs once, with another
// request it is refused. Tokens are written with the transaction, so this holds over a crash too.
import { createHash } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';

const validMs = 10 * 60 * 1000;
const cleanEveryMs = 60 * 1000;

export class RequestTokens {
  private readonly storage: Storage;
  private readonly clock: Clock;
  private cleanedMs = Number.NEGATIVE_INFINITY;

  constructor(storage: Storage, clock: Clock) {
    this.storage = storage;
    this.clock = clock;
    storage.exec(
      `CREATE TABLE IF NOT EXISTS dynamodb_request_tokens (
        token TEXT PRIMARY KEY, request BLOB NOT NULL, expires_ms INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS dynamodb_request_tokens_age ON dynamodb_request_tokens (expires_ms);`,
    );
  }

  /** Inside the transaction's write: how to remember it, before it changes anything; undefined when it ran before. */
  check(token: string, request: unknown): (() => void) | undefined {
    const now = this.clock.now();
    const digest = createHash('sha256').update(JSON.stringify(request)).digest();
    const known = this.storage
      .prepare('SELECT request FROM dynamodb_request_tokens WHERE token = ? AND expires_ms > ?')
      .get([token, now]);
    if (known) {
      if (digest.equals(known.request as Buffer)) return undefined;
      throw new AwsError('IdempotentParameterMismatchException', '');
    }
    return () => {
      this.clean(now);
      this.storage
        .prepare('INSERT OR REPLACE INTO dynamodb_request_tokens (token, request, expires_ms) VALUES (?, ?, ?)')
        .run([token, digest, now + validMs]);
    };
  }

  private clean(now: number): void {
    if (now - this.cleanedMs < cleanEveryMs) return;
    this.cleanedMs = now;
    this.storage.prepare('DELETE FROM dynamodb_request_tokens WHERE expires_ms <= ?').run([now]);
  }
}
