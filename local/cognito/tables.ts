import type { Storage } from '../storage/storage.ts';

/** The tables of Cognito's durable state. Times are milliseconds of the runtime's clock. */
export function createTables(storage: Storage): void {
  storage.exec(`
    CREATE TABLE IF NOT EXISTS cognito_keys (
      pool_id TEXT NOT NULL, purpose TEXT NOT NULL, pem TEXT NOT NULL,
      PRIMARY KEY (pool_id, purpose)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS cognito_clients (
      pool_id TEXT NOT NULL, client_id TEXT NOT NULL, secret TEXT, settings TEXT NOT NULL, origin TEXT NOT NULL,
      created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL,
      PRIMARY KEY (pool_id, client_id)
    ) STRICT;
    CREATE UNIQUE INDEX IF NOT EXISTS cognito_clients_by_id ON cognito_clients (client_id);
    CREATE TABLE IF NOT EXISTS cognito_users (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      pool_id TEXT NOT NULL, sub TEXT NOT NULL, username TEXT NOT NULL, username_key TEXT NOT NULL, email_key TEXT,
      password_hash TEXT, password_set_ms INTEGER NOT NULL, status TEXT NOT NULL, enabled INTEGER NOT NULL,
      attributes TEXT NOT NULL, signed_out_ms INTEGER NOT NULL DEFAULT 0,
      created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL,
      UNIQUE (pool_id, sub), UNIQUE (pool_id, username_key), UNIQUE (pool_id, email_key)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS cognito_memberships (
      pool_id TEXT NOT NULL, group_name TEXT NOT NULL, sub TEXT NOT NULL,
      PRIMARY KEY (pool_id, sub, group_name)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS cognito_memberships_by_group ON cognito_memberships (pool_id, group_name);
    CREATE TABLE IF NOT EXISTS cognito_identities (
      pool_id TEXT NOT NULL, provider TEXT NOT NULL, subject TEXT NOT NULL, sub TEXT NOT NULL,
      PRIMARY KEY (pool_id, provider, subject)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS cognito_oidc (
      model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL,
      uid TEXT, grant_id TEXT, account_id TEXT, client_id TEXT, expires_ms INTEGER NOT NULL,
      PRIMARY KEY (model, id)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS cognito_oidc_by_grant ON cognito_oidc (grant_id);
    CREATE INDEX IF NOT EXISTS cognito_oidc_by_account ON cognito_oidc (account_id);
    CREATE INDEX IF NOT EXISTS cognito_oidc_by_expiry ON cognito_oidc (expires_ms);
    CREATE TABLE IF NOT EXISTS cognito_revoked (
      origin_jti TEXT PRIMARY KEY, expires_ms INTEGER NOT NULL
    ) STRICT;
  `);
}
