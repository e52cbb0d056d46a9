// The tables. Definitions are stored and cached in memory; each table and index has its own SQLite table, named by a
// number that is never reused.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import type { Storage } from '../storage/storage.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { getAttribute, type Item } from './attribute-value.ts';
import { tableNotFoundError } from './errors.ts';
import { writeIndexEntry } from './index-entry.ts';
import { encodeKey } from './key.ts';
import { upgradeStream } from './stream-images.ts';
import {
  areKeysEqual,
  buildTable,
  type Index,
  type IndexDefinition,
  type Table,
  type TableDefinition,
} from './table.ts';
import { checkName } from './table-definition.ts';

const backfillChunk = 500;

export class Catalog {
  private readonly storage: Storage;
  private readonly environment: StackEnvironment;
  private readonly tables = new Map<string, Table>();
  /** Whether a rollback may leave the cache different from the storage. */
  private isChanged = false;

  constructor(storage: Storage, environment: StackEnvironment) {
    this.storage = storage;
    this.environment = environment;
    storage.exec(
      `CREATE TABLE IF NOT EXISTS dynamodb_tables (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL
      )`,
    );
    this.load();
    for (const { definition, sqlStream } of this.tables.values())
      if (definition.stream) upgradeStream(storage, sqlStream);
    storage.onUndo(() => {
      if (this.isChanged) this.load();
    });
  }

  /** Finds a table by name or ARN; throws DynamoDB's error otherwise. */
  get(name: unknown): Table {
    const table = typeof name === 'string' ? this.tables.get(name) : undefined;
    if (table) return table;
    const bare = typeof name === 'string' ? /^arn:aws:dynamodb:[^:]*:\d*:table\/([^/]+)$/.exec(name)?.[1] : undefined;
    if (bare !== undefined) return this.get(bare);
    checkName(name);
    throw tableNotFoundError();
  }

  find(name: string): Table | undefined {
    return this.tables.get(name);
  }

  withStream(streamArn: string): Table | undefined {
    for (const table of this.tables.values()) if (table.streamArn === streamArn) return table;
    return undefined;
  }

  list(): Table[] {
    return [...this.tables.values()].sort((one, two) => Buffer.compare(Buffer.from(one.name), Buffer.from(two.name)));
  }

  /** This and the following methods must run inside storage.write(). */
  create(definition: TableDefinition): Table {
    if (this.tables.has(definition.name)) {
      throw new AwsError('ResourceInUseException', `Table already exists: ${definition.name}`);
    }
    const { lastInsertRowid } = this.storage
      .prepare('INSERT INTO dynamodb_tables (name, definition) VALUES (?, ?)')
      .run([definition.name, JSON.stringify(definition)]);
    const table = buildTable(Number(lastInsertRowid), definition, this.environment);
    this.storage.exec(
      `CREATE TABLE ${table.sqlTable} (
        hash INTEGER NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL, size INTEGER NOT NULL, ttl INTEGER, item TEXT NOT NULL
      );
      CREATE UNIQUE INDEX ${table.sqlTable}_key ON ${table.sqlTable} (hash, pk, sk);
      CREATE INDEX ${table.sqlTable}_ttl ON ${table.sqlTable} (ttl) WHERE ttl IS NOT NULL;`,
    );
    for (const index of table.indexes) this.createIndexTable(index);
    if (definition.stream) this.createStreamTable(table);
    return this.cacheTable(table.id, definition);
  }

  drop(table: Table): void {
    for (const { sqlTable } of table.indexes) this.storage.exec(`DROP TABLE ${sqlTable}`);
    this.storage.exec(`DROP TABLE ${table.sqlTable}; DROP TABLE IF EXISTS ${table.sqlStream}`);
    this.storage.prepare('DELETE FROM dynamodb_tables WHERE id = ?').run([table.id]);
    this.tables.delete(table.name);
    this.isChanged = true;
  }

  /** Replaces a table's definition and keeps its items. */
  redefine(table: Table, definition: TableDefinition): Table {
    this.storage
      .prepare('UPDATE dynamodb_tables SET definition = ? WHERE id = ?')
      .run([JSON.stringify(definition), table.id]);
    const redefined = this.cacheTable(table.id, definition);
    if (definition.stream) this.createStreamTable(redefined);
    if (table.definition.ttlAttribute !== definition.ttlAttribute) this.backfillTimeToLive(redefined);
    return redefined;
  }

  /** Adds and drops global indexes to match the wanted ones; backfills new ones. */
  changeIndexes(table: Table, wanted: readonly IndexDefinition[]): Table {
    const kept = table.definition.indexes.filter(
      ({ kind, name }) => kind === 'local' || wanted.some((one) => one.name === name),
    );
    const added = wanted.filter(({ name }) => !table.definition.indexes.some((one) => one.name === name));
    for (const index of table.indexes) {
      if (!kept.some(({ name }) => name === index.name)) this.storage.exec(`DROP TABLE ${index.sqlTable}`);
    }
    let { nextIndexNumber } = table.definition;
    const numbered = added.map((index) => ({ ...index, number: nextIndexNumber++ }));
    const changed = this.redefine(table, { ...table.definition, indexes: [...kept, ...numbered], nextIndexNumber });
    const fresh = changed.indexes.filter(({ name }) => added.some((one) => one.name === name));
    for (const index of fresh) this.createIndexTable(index);
    if (fresh.length > 0) this.backfillIndexes(changed, fresh);
    return changed;
  }

  private load(): void {
    const rows = this.storage.prepare('SELECT id, name, definition FROM dynamodb_tables').all();
    this.tables.clear();
    for (const row of rows) this.cacheTable(Number(row.id), JSON.parse(String(row.definition)) as TableDefinition);
    this.isChanged = false;
  }

  private cacheTable(id: number, definition: TableDefinition): Table {
    this.isChanged = true;
    const table = buildTable(id, definition, this.environment);
    this.tables.set(definition.name, table);
    return table;
  }

  private createIndexTable({ sqlTable }: Index): void {
    this.storage.exec(
      `CREATE TABLE ${sqlTable} (
        hash INTEGER NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL, item_pk BLOB NOT NULL, item_sk BLOB NOT NULL,
        size INTEGER NOT NULL, item TEXT NOT NULL, PRIMARY KEY (hash, pk, sk, item_pk, item_sk)
      ) WITHOUT ROWID`,
    );
  }

  private createStreamTable({ sqlStream }: Table): void {
    this.storage.exec(
      `CREATE TABLE IF NOT EXISTS ${sqlStream} (
        sequence INTEGER PRIMARY KEY, created_ms INTEGER NOT NULL, event TEXT NOT NULL, keys TEXT NOT NULL,
        images BLOB, size INTEGER NOT NULL, cause TEXT NOT NULL
      )`,
    );
  }

  private backfillIndexes(table: Table, indexes: readonly Index[]): void {
    for (const { item } of this.readItems(table)) {
      for (const index of indexes) writeIndexEntry(this.storage, index, encodeKey(table.keys, item), undefined, item);
    }
  }

  private backfillTimeToLive(table: Table): void {
    const set = this.storage.prepare(`UPDATE ${table.sqlTable} SET ttl = ? WHERE rowid = ?`);
    this.storage.prepare(`UPDATE ${table.sqlTable} SET ttl = NULL WHERE ttl IS NOT NULL`).run();
    if (table.definition.ttlAttribute === undefined) return;
    for (const { rowid, item } of this.readItems(table)) {
      const expiry = getExpiry(table, item);
      if (expiry !== null) set.run([expiry, rowid]);
    }
  }

  private *readItems(table: Table): Generator<{ rowid: number; item: Item }> {
    const read = this.storage.prepare(
      `SELECT rowid AS rowid, item FROM ${table.sqlTable} WHERE rowid > ? ORDER BY rowid LIMIT ${backfillChunk}`,
    );
    let last = 0;
    for (let rows = read.all([last]); rows.length > 0; rows = read.all([last])) {
      for (const row of rows) {
        last = Number(row.rowid);
        yield { rowid: last, item: JSON.parse(String(row.item)) as Item };
      }
    }
  }
}

/** When an item expires, in seconds; null when it does not or the attribute is not a number. */
export function getExpiry(table: Table, item: Item): number | null {
  const { ttlAttribute } = table.definition;
  if (ttlAttribute === undefined) return null;
  const seconds = Math.floor(Number(getAttribute(item, ttlAttribute)?.N ?? Number.NaN));
  return Number.isSafeInteger(seconds) ? seconds : null;
}

/** Rejects a definition that would require replacing the table. */
export function requireCompatible(table: Table, wanted: TableDefinition): void {
  const reject = (what: string) => {
    throw new Error(
      `the table ${table.name} exists with ${what}; DynamoDB would have to replace it. ` +
        'Give it a new name or delete the data folder.',
    );
  };
  const show = (input: Input) => JSON.stringify(input);
  if (!areKeysEqual(table.keys, wanted.keys)) reject(`the keys ${show(table.keys)}, not ${show(wanted.keys)}`);
  const locals = (definition: TableDefinition) =>
    definition.indexes.filter(({ kind }) => kind === 'local').map(toShape);
  if (show(locals(table.definition)) !== show(locals(wanted))) reject('other local indexes');
  for (const index of wanted.indexes) {
    const existing = table.definition.indexes.find(({ name }) => name === index.name);
    if (existing && show(toShape(existing)) !== show(toShape(index))) reject(`another index ${index.name}`);
  }
}

function toShape({ name, kind, keys, projection, include }: IndexDefinition): unknown {
  return [name, kind, keys.hash, keys.range ?? null, projection, [...include].sort()];
}
