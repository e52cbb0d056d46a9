// App clients. Every start writes the template's clients, which keep their secrets; clients created through the API stay
// until they are deleted.
import { createRandomText } from '../aws/access-keys.ts';
import type { Clock } from '../clock/clock.ts';
import { requireValue } from '../require-value.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { Client, ClientSettings } from './client.ts';
import type { UserPool } from './user-pool.ts';

export class ClientStore {
  private readonly storage: Storage;
  private readonly clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.storage = storage;
    this.clock = clock;
  }

  get(poolId: string, clientId: unknown): Client | undefined {
    if (typeof clientId !== 'string') return undefined;
    const row = this.storage
      .prepare('SELECT * FROM cognito_clients WHERE client_id = ? AND pool_id = ?')
      .get([clientId, poolId]);
    return row && toClient(row);
  }

  /** Clients in the order of their ids, after the given one. */
  list(poolId: string, afterId: string, limit: number): Client[] {
    return this.storage
      .prepare('SELECT * FROM cognito_clients WHERE pool_id = ? AND client_id > ? ORDER BY client_id LIMIT ?')
      .all([poolId, afterId, limit])
      .map(toClient);
  }

  create(poolId: string, settings: ClientSettings): Promise<Client> {
    const clientId = createRandomText(26);
    return this.storage.write(() => {
      this.put(poolId, clientId, settings, 'api');
      return requireValue(this.get(poolId, clientId));
    });
  }

  update(poolId: string, clientId: string, settings: ClientSettings): Promise<void> {
    return this.storage.write(() => {
      this.storage
        .prepare('UPDATE cognito_clients SET settings = ?, modified_ms = ? WHERE pool_id = ? AND client_id = ?')
        .run([JSON.stringify(settings), this.clock.now(), poolId, clientId]);
    });
  }

  /** Also deletes the grants of the client. */
  delete(poolId: string, clientId: string): Promise<void> {
    return this.storage.write(() => {
      this.storage.prepare('DELETE FROM cognito_clients WHERE pool_id = ? AND client_id = ?').run([poolId, clientId]);
      this.storage.prepare('DELETE FROM cognito_oidc WHERE client_id = ?').run([clientId]);
    });
  }

  /** Creates, updates and deletes stored clients to match the template. */
  deploy(pool: UserPool): void {
    this.storage.writeNow(() => {
      const known = new Set(pool.clients.map(({ clientId }) => clientId));
      const stored = this.storage
        .prepare(`SELECT client_id FROM cognito_clients WHERE pool_id = ? AND origin = 'template'`)
        .all([pool.id]);
      for (const { client_id: clientId } of stored) {
        if (known.has(clientId as string)) continue;
        this.storage.prepare('DELETE FROM cognito_clients WHERE client_id = ?').run([clientId]);
        this.storage.prepare('DELETE FROM cognito_oidc WHERE client_id = ?').run([clientId]);
      }
      for (const { clientId, settings } of pool.clients) this.put(pool.id, clientId, settings, 'template');
    });
  }

  private put(poolId: string, clientId: string, settings: ClientSettings, origin: 'api' | 'template'): void {
    const before = this.get(poolId, clientId);
    if (before && JSON.stringify(before.settings) === JSON.stringify(settings)) return;
    const secret = settings.GenerateSecret ? (before?.secret ?? createRandomText(51)) : null;
    const now = this.clock.now();
    this.storage
      .prepare(
        `INSERT INTO cognito_clients (pool_id, client_id, secret, settings, origin, created_ms, modified_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (pool_id, client_id) DO UPDATE
         SET secret = excluded.secret, settings = excluded.settings, modified_ms = excluded.modified_ms`,
      )
      .run([poolId, clientId, secret, JSON.stringify(settings), origin, before?.createdMs ?? now, now]);
  }
}

function toClient(row: Row): Client {
  return {
    poolId: row.pool_id as string,
    clientId: row.client_id as string,
    secret: (row.secret as string | null) ?? undefined,
    settings: JSON.parse(row.settings as string),
    createdMs: Number(row.created_ms),
    modifiedMs: Number(row.modified_ms),
  };
}
