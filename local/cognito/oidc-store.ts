// Stores oidc-provider's sessions, codes, grants and refresh tokens, so they survive a restart. Access tokens are JWTs and
// need no storage.
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';
import { toOriginJti } from './tokens.ts';

export interface OidcPayload {
  uid?: string;
  grantId?: string;
  accountId?: string;
  clientId?: string;
  consumed?: number;
  [name: string]: unknown;
}

const maxAccessTokenMs = 86_400_000;

export class OidcStore {
  private readonly storage: Storage;
  private readonly clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.storage = storage;
    this.clock = clock;
  }

  find(model: string, id: string): OidcPayload | undefined {
    return toPayload(
      this.storage.prepare('SELECT payload FROM cognito_oidc WHERE model = ? AND id = ?').get([model, id]),
    );
  }

  findByUid(model: string, uid: string): OidcPayload | undefined {
    return toPayload(
      this.storage.prepare('SELECT payload FROM cognito_oidc WHERE model = ? AND uid = ?').get([model, uid]),
    );
  }

  async upsert(model: string, id: string, payload: OidcPayload, expiresInSeconds: number): Promise<void> {
    if (model === 'AccessToken') return;
    const now = this.clock.now();
    await this.storage.write(() => {
      this.deleteExpired(now);
      this.storage
        .prepare(
          `INSERT OR REPLACE INTO cognito_oidc (model, id, payload, uid, grant_id, account_id, client_id, expires_ms)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run([
          model,
          id,
          JSON.stringify(payload),
          payload.uid ?? null,
          (model === 'Grant' ? id : payload.grantId) ?? null,
          payload.accountId ?? null,
          payload.clientId ?? null,
          now + expiresInSeconds * 1000,
        ]);
    });
  }

  /** Marks a code as used; false if it was used before, so only one of two concurrent requests succeeds. */
  consume(model: string, id: string): Promise<boolean> {
    return this.storage.write(() => {
      const payload = this.find(model, id);
      if (!payload || payload.consumed !== undefined) return false;
      this.storage
        .prepare('UPDATE cognito_oidc SET payload = ? WHERE model = ? AND id = ?')
        .run([JSON.stringify({ ...payload, consumed: Math.floor(this.clock.now() / 1000) }), model, id]);
      return true;
    });
  }

  /** Returns and deletes an entry, unless it has expired. Only one of two concurrent calls gets it. */
  take(model: string, id: string): Promise<OidcPayload | undefined> {
    return this.storage.write(() => {
      const row = this.storage
        .prepare('DELETE FROM cognito_oidc WHERE model = ? AND id = ? RETURNING payload, expires_ms')
        .get([model, id]);
      return Number(row?.expires_ms) > this.clock.now() ? toPayload(row) : undefined;
    });
  }

  async destroy(model: string, id: string): Promise<void> {
    await this.storage.write(() =>
      this.storage.prepare('DELETE FROM cognito_oidc WHERE model = ? AND id = ?').run([model, id]),
    );
  }

  /** Revokes all tokens of one sign-in; userInfo then rejects its access tokens. */
  async revokeByGrantId(grantId: string): Promise<void> {
    await this.storage.write(() => {
      this.storage.prepare('DELETE FROM cognito_oidc WHERE grant_id = ?').run([grantId]);
      this.storage
        .prepare('INSERT OR REPLACE INTO cognito_revoked (origin_jti, expires_ms) VALUES (?, ?)')
        .run([toOriginJti(grantId), this.clock.now() + maxAccessTokenMs]);
    });
  }

  isRevoked(originId: string): boolean {
    return this.storage.prepare('SELECT 1 FROM cognito_revoked WHERE origin_jti = ?').get([originId]) !== undefined;
  }

  private deleteExpired(nowMs: number): void {
    this.storage.prepare('DELETE FROM cognito_oidc WHERE expires_ms < ?').run([nowMs]);
    this.storage.prepare('DELETE FROM cognito_revoked WHERE expires_ms < ?').run([nowMs]);
  }
}

function toPayload(row: Record<string, unknown> | undefined): OidcPayload | undefined {
  return row && JSON.parse(row.payload as string);
}
