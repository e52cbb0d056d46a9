// Users and their groups. E-mail addresses are unique in a pool; the pool's settings decide whether case matters.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import { requireValue } from '../require-value.ts';
import type { Row, Storage } from '../storage/storage.ts';
import { standardAttributes, type UserPool } from './user-pool.ts';

export type UserStatus = 'CONFIRMED' | 'FORCE_CHANGE_PASSWORD';

export interface User {
  /** Increases with every user; lists are in this order. */
  number: number;
  poolId: string;
  sub: string;
  username: string;
  passwordHash: string | undefined;
  passwordSetMs: number;
  status: UserStatus;
  enabled: boolean;
  /** Without sub. */
  attributes: Record<string, string>;
  /** The user pool's endpoints reject tokens issued before this time. */
  signedOutMs: number;
  createdMs: number;
  modifiedMs: number;
}

export class UserStore {
  private readonly storage: Storage;
  private readonly clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.storage = storage;
    this.clock = clock;
  }

  findBySub(pool: UserPool, sub: string): User | undefined {
    const row = this.storage.prepare('SELECT * FROM cognito_users WHERE pool_id = ? AND sub = ?').get([pool.id, sub]);
    return row && toUser(row);
  }

  /** By user name, sub or e-mail address. */
  find(pool: UserPool, name: string): User | undefined {
    const row = this.storage
      .prepare('SELECT * FROM cognito_users WHERE pool_id = ?1 AND (username_key = ?2 OR email_key = ?2 OR sub = ?3)')
      .get([pool.id, toKey(pool, name), name]);
    return row && toUser(row);
  }

  /** Users in the order of their creation, after the given number. */
  list(pool: UserPool, afterNumber: number, limit: number): User[] {
    return this.storage
      .prepare('SELECT * FROM cognito_users WHERE pool_id = ? AND number > ? ORDER BY number LIMIT ?')
      .all([pool.id, afterNumber, limit])
      .map(toUser);
  }

  listInGroup(pool: UserPool, group: string, afterNumber: number, limit: number): User[] {
    return this.storage
      .prepare(
        `SELECT u.* FROM cognito_users u JOIN cognito_memberships m ON m.pool_id = u.pool_id AND m.sub = u.sub
         WHERE u.pool_id = ? AND m.group_name = ? AND u.number > ? ORDER BY u.number LIMIT ?`,
      )
      .all([pool.id, group, afterNumber, limit])
      .map(toUser);
  }

  count(pool: UserPool): number {
    const row = this.storage.prepare('SELECT count(*) AS n FROM cognito_users WHERE pool_id = ?').get([pool.id]);
    return Number(row?.n);
  }

  create(
    pool: UserPool,
    user: { username: string; passwordHash: string; attributes: Record<string, string> },
  ): Promise<User> {
    const sub = randomUUID();
    const now = this.clock.now();
    // As in Cognito, the user name is the sub if users sign in with their e-mail address.
    const username = sub;
    return this.storage.write(() => {
      this.assertUnique(pool, undefined, user.username, user.attributes.email);
      this.storage
        .prepare(
          `INSERT INTO cognito_users (pool_id, sub, username, username_key, email_key, password_hash, password_set_ms,
             status, enabled, attributes, created_ms, modified_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`,
        )
        .run([
          pool.id,
          sub,
          username,
          toKey(pool, username),
          toEmailKey(pool, user.attributes),
          user.passwordHash,
          now,
          'FORCE_CHANGE_PASSWORD',
          JSON.stringify(user.attributes),
          now,
          now,
        ]);
      return requireValue(this.findBySub(pool, sub));
    });
  }

  setPassword(user: User, passwordHash: string, status: UserStatus): Promise<void> {
    return this.update(user, 'password_hash = ?, password_set_ms = ?, status = ?', [
      passwordHash,
      this.clock.now(),
      status,
    ]);
  }

  setAttributes(pool: UserPool, user: User, attributes: Record<string, string>): Promise<void> {
    return this.storage.write(() => {
      this.assertUnique(pool, user.sub, undefined, attributes.email);
      this.updateNow(user, 'attributes = ?, email_key = ?', [JSON.stringify(attributes), toEmailKey(pool, attributes)]);
    });
  }

  /** Disabling also deletes the user's grants. */
  setEnabled(user: User, state: 'enabled' | 'disabled'): Promise<void> {
    return this.storage.write(() => {
      this.updateNow(user, 'enabled = ?', [state === 'enabled' ? 1 : 0]);
      if (state === 'disabled') this.deleteGrants(user);
    });
  }

  /** Revokes the user's refresh tokens; the browser's session stays, as in AWS. */
  signOut(user: User): Promise<void> {
    return this.storage.write(() => this.deleteGrants(user));
  }

  delete(user: User): Promise<void> {
    return this.storage.write(() => {
      this.storage.prepare('DELETE FROM cognito_users WHERE number = ?').run([user.number]);
      this.storage
        .prepare('DELETE FROM cognito_memberships WHERE pool_id = ? AND sub = ?')
        .run([user.poolId, user.sub]);
      this.storage.prepare('DELETE FROM cognito_identities WHERE pool_id = ? AND sub = ?').run([user.poolId, user.sub]);
      this.storage.prepare('DELETE FROM cognito_oidc WHERE account_id = ?').run([user.sub]);
    });
  }

  /** Names of the user's groups, lowest precedence first, as in Cognito. */
  listGroups(pool: UserPool, user: User): string[] {
    const rows = this.storage
      .prepare('SELECT group_name FROM cognito_memberships WHERE pool_id = ? AND sub = ?')
      .all([pool.id, user.sub]);
    const names = new Set(rows.map((row) => row.group_name));
    return pool.groups
      .filter(({ name }) => names.has(name))
      .sort((a, b) => (a.precedence ?? Infinity) - (b.precedence ?? Infinity) || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name);
  }

  addToGroup(user: User, group: string): Promise<void> {
    return this.storage.write(() => {
      this.storage
        .prepare('INSERT OR IGNORE INTO cognito_memberships (pool_id, group_name, sub) VALUES (?, ?, ?)')
        .run([user.poolId, group, user.sub]);
    });
  }

  removeFromGroup(user: User, group: string): Promise<void> {
    return this.storage.write(() => {
      this.storage
        .prepare('DELETE FROM cognito_memberships WHERE pool_id = ? AND group_name = ? AND sub = ?')
        .run([user.poolId, group, user.sub]);
    });
  }

  /** Links an identity of an external provider to a user; an identity belongs to one user. */
  link(user: User, provider: string, subject: string): Promise<void> {
    return this.storage.write(() => {
      const { changes } = this.storage
        .prepare('INSERT OR IGNORE INTO cognito_identities (pool_id, provider, subject, sub) VALUES (?, ?, ?, ?)')
        .run([user.poolId, provider, subject, user.sub]);
      if (changes === 0) throw createError('SourceUser is already linked to DestinationUser');
    });
  }

  findSubByIdentity(pool: UserPool, provider: string, subject: string): string | undefined {
    const row = this.storage
      .prepare('SELECT sub FROM cognito_identities WHERE pool_id = ? AND provider = ? AND subject = ?')
      .get([pool.id, provider, subject]);
    return row?.sub as string | undefined;
  }

  listIdentities({ poolId, sub }: User): { provider: string; subject: string }[] {
    return this.storage
      .prepare(
        'SELECT provider, subject FROM cognito_identities WHERE pool_id = ? AND sub = ? ORDER BY provider, subject',
      )
      .all([poolId, sub])
      .map((row) => ({ provider: row.provider as string, subject: row.subject as string }));
  }

  private assertUnique(pool: UserPool, sub: string | undefined, username?: string, email?: string): void {
    const isTaken = (name: string) => {
      const other = this.find(pool, name);
      return other !== undefined && other.sub !== sub;
    };
    if (username !== undefined && isTaken(username)) {
      throw new AwsError('UsernameExistsException', 'An account with the given email already exists.');
    }
    if (email !== undefined && isTaken(email)) {
      throw new AwsError('AliasExistsException', 'An account with the email already exists.');
    }
  }

  private deleteGrants(user: User): void {
    this.updateNow(user, 'signed_out_ms = ?', [this.clock.now()]);
    this.storage.prepare(`DELETE FROM cognito_oidc WHERE account_id = ? AND model <> 'Session'`).run([user.sub]);
  }

  private update(user: User, assignments: string, values: unknown[]): Promise<void> {
    return this.storage.write(() => this.updateNow(user, assignments, values));
  }

  private updateNow(user: User, assignments: string, values: unknown[]): void {
    const { changes } = this.storage
      .prepare(`UPDATE cognito_users SET ${assignments}, modified_ms = ? WHERE number = ?`)
      .run([...values, this.clock.now(), user.number]);
    if (changes === 0) throw new AwsError('UserNotFoundException', 'User does not exist.');
  }
}

function toKey(pool: UserPool, text: string): string {
  return pool.caseSensitive ? text : text.toLowerCase();
}

function toEmailKey(pool: UserPool, attributes: Record<string, string>): string | null {
  return attributes.email === undefined ? null : toKey(pool, attributes.email);
}

function toUser(row: Row): User {
  return {
    number: Number(row.number),
    poolId: row.pool_id as string,
    sub: row.sub as string,
    username: row.username as string,
    passwordHash: (row.password_hash as string | null) ?? undefined,
    passwordSetMs: Number(row.password_set_ms),
    status: row.status as UserStatus,
    enabled: row.enabled === 1,
    attributes: JSON.parse(row.attributes as string),
    signedOutMs: Number(row.signed_out_ms),
    createdMs: Number(row.created_ms),
    modifiedMs: Number(row.modified_ms),
  };
}

/** Validates the attributes of a new user against the pool's schema. */
export function createAttributes(pool: UserPool, username: string, given: Input): Record<string, string> {
  const attributes = parseAttributes(pool, given);
  if (!/^[^\s@]+@[^\s@]+$/.test(username)) throw createError('Username should be an email.');
  attributes.email = username;
  for (const [name, { required }] of pool.attributes) {
    if (required && attributes[name] === undefined) {
      throw createError(`Attributes did not conform to the schema: ${name}: The attribute is required`);
    }
  }
  return attributes;
}

/** A changed address becomes unverified, unless the same call verifies it. An empty value removes the attribute. */
export function applyAttributeChanges(pool: UserPool, user: User, given: Input): Record<string, string> {
  const changes = parseAttributes(pool, given);
  for (const name of Object.keys(changes)) {
    if (name === 'sub' || pool.attributes.get(name)?.mutable === false) {
      throw createError(`user.${name}: Attribute cannot be updated.`);
    }
  }
  const attributes = { ...user.attributes, ...changes };
  for (const name of ['email', 'phone_number']) {
    if (changes[name] !== undefined && changes[name] !== user.attributes[name] && !changes[`${name}_verified`]) {
      attributes[`${name}_verified`] = 'false';
    }
  }
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

export function toAttributeList({ sub, attributes }: User): { Name: string; Value: string }[] {
  return Object.entries({ sub, ...attributes }).map(([Name, Value]) => ({ Name, Value }));
}

function parseAttributes(pool: UserPool, given: Input): Record<string, string> {
  if (given !== undefined && !Array.isArray(given)) throw createError('UserAttributes must be a list');
  const attributes: Record<string, string> = {};
  for (const { Name, Value } of given ?? []) {
    if (!standardAttributes.has(Name) && !pool.attributes.has(Name)) {
      throw createError(
        `Attributes did not conform to the schema: Type for attribute {${Name}} could not be determined`,
      );
    }
    attributes[Name] = String(Value ?? '');
  }
  return attributes;
}

function createError(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}
