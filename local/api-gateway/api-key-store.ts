// API keys and usage plan keys that were created by API calls. The template's keys are not stored.
import { createRandomText } from '../aws/access-keys.ts';
import type { Clock } from '../clock/clock.ts';
import type { Row, Storage } from '../storage/storage.ts';

export type Tags = Readonly<Record<string, string>>;

export interface CreatedKey {
  id: string;
  name: string;
  value: string;
  enabled: boolean;
  createdMs: number;
  tags: Tags;
}

export class ApiKeyStore {
  private readonly storage: Storage;
  private readonly clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.storage = storage;
    this.clock = clock;
    storage.exec(`
      CREATE TABLE IF NOT EXISTS api_gateway_keys (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL UNIQUE, enabled INTEGER NOT NULL,
        created_ms INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS api_gateway_plan_keys (
        plan_id TEXT NOT NULL, key_id TEXT NOT NULL, PRIMARY KEY (plan_id, key_id)
      ) STRICT;
    `);
    const columns = storage.prepare("SELECT name FROM pragma_table_info('api_gateway_keys')").all();
    if (!columns.some(({ name }) => name === 'tags')) storage.exec('ALTER TABLE api_gateway_keys ADD COLUMN tags TEXT');
  }

  /** Keys created by earlier releases have no tags; they get the tags of their plan. */
  tagUntagged(planId: string, tags: Tags): void {
    const untagged = 'tags IS NULL AND id IN (SELECT key_id FROM api_gateway_plan_keys WHERE plan_id = ?)';
    if (!this.storage.prepare(`SELECT 1 FROM api_gateway_keys WHERE ${untagged}`).get([planId])) return;
    const update = this.storage.prepare(`UPDATE api_gateway_keys SET tags = ? WHERE ${untagged}`);
    this.storage.writeNow(() => update.run([JSON.stringify(tags), planId]));
  }

  get(id: string): CreatedKey | undefined {
    const row = this.storage.prepare('SELECT * FROM api_gateway_keys WHERE id = ?').get([id]);
    return row && toKey(row);
  }

  findByValue(value: string): CreatedKey | undefined {
    const row = this.storage.prepare('SELECT * FROM api_gateway_keys WHERE value = ?').get([value]);
    return row && toKey(row);
  }

  /** Sorted by id, after the given one; matches name prefixes, as AWS does. */
  list(namePrefix: string, afterId: string, limit: number): CreatedKey[] {
    return this.storage
      .prepare('SELECT * FROM api_gateway_keys WHERE substr(name, 1, ?) = ? AND id > ? ORDER BY id LIMIT ?')
      .all([namePrefix.length, namePrefix, afterId, limit])
      .map(toKey);
  }

  create(name: string, value: string, enabled: boolean, tags: Tags): Promise<CreatedKey> {
    const key = { id: createRandomText(10), name, value, enabled, createdMs: this.clock.now(), tags };
    return this.storage.write(() => {
      this.storage
        .prepare('INSERT INTO api_gateway_keys (id, name, value, enabled, created_ms, tags) VALUES (?, ?, ?, ?, ?, ?)')
        .run([key.id, name, value, enabled ? 1 : 0, key.createdMs, JSON.stringify(tags)]);
      return key;
    });
  }

  /** Deletes the key and its usage plan keys. */
  delete(id: string): Promise<void> {
    return this.storage.write(() => {
      this.storage.prepare('DELETE FROM api_gateway_keys WHERE id = ?').run([id]);
      this.storage.prepare('DELETE FROM api_gateway_plan_keys WHERE key_id = ?').run([id]);
    });
  }

  listPlans(keyId: string): string[] {
    return this.storage
      .prepare('SELECT plan_id FROM api_gateway_plan_keys WHERE key_id = ? ORDER BY plan_id')
      .all([keyId])
      .map((row) => row.plan_id as string);
  }

  join(planId: string, keyId: string): Promise<void> {
    return this.storage.write(() => {
      this.storage.prepare('INSERT INTO api_gateway_plan_keys (plan_id, key_id) VALUES (?, ?)').run([planId, keyId]);
    });
  }
}

function toKey(row: Row): CreatedKey {
  return {
    id: row.id as string,
    name: row.name as string,
    value: row.value as string,
    enabled: row.enabled === 1,
    createdMs: Number(row.created_ms),
    tags: JSON.parse(String(row.tags ?? '{}')),
  };
}
