import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { StorageUnusable } from '../../../../local/storage/errors.ts';
import { formatVersion } from '../../../../local/storage/integrity.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import { random } from '../../../support/random.ts';

const frameBytes = 24 + 4096;
const headerBytes = 32;

let folder: string;
let crashed: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'integrity-'));
  crashed = mkdtempSync(join(tmpdir(), 'integrity-'));
});
afterEach(() => {
  for (const path of [folder, crashed]) rmSync(path, { recursive: true, force: true });
});

/** Writes a few rows and leaves in `crashed` what kill -9 would. */
async function crash(rows = 20): Promise<void> {
  const storage = new Storage(folder);
  storage.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value TEXT)');
  for (let row = 0; row < rows; row++) await storage.write(() => put(storage, `row-${row}`));
  cpSync(folder, crashed, { recursive: true, force: true });
  storage.close();
}

const put = (storage: Storage, name: string) =>
  storage.prepare('INSERT INTO pairs VALUES (?, ?)').run([name, 'x'.repeat(2_000)]);
const count = (storage: Storage) => Number(storage.prepare('SELECT COUNT(*) AS rows FROM pairs').get()!.rows);
const log = () => join(crashed, 'runtime.db-wal');

function reopen(path = crashed): number {
  const storage = new Storage(path);
  const rows = count(storage);
  storage.close();
  return rows;
}

describe('a data folder after a crash', () => {
  it('contains every acknowledged write', async () => {
    await crash();
    expect(reopen()).toBe(20);
  });

  it('is rejected when any bit of the flushed log has changed', async () => {
    await crash();
    const intact = readFileSync(log());
    const dice = random(20261115);
    for (let round = 0; round < 40; round++) {
      const bytes = Buffer.from(intact);
      // Unused salt and sequence bytes are covered by the checksum of the header, too.
      const place = dice.below(bytes.length);
      bytes[place]! ^= 1 << dice.below(8);
      writeFileSync(log(), bytes);
      expect(() => new Storage(crashed)).toThrow(StorageUnusable);
    }
    writeFileSync(log(), intact);
    expect(reopen()).toBe(20);
  });

  it('is rejected when the log is missing or too short', async () => {
    await crash();
    truncateSync(log(), headerBytes + 3 * frameBytes);
    expect(() => new Storage(crashed)).toThrow(/3 of its \d+ pages can be read.*npm run restore/);
    rmSync(log());
    expect(() => new Storage(crashed)).toThrow('is missing');
    rmSync(join(crashed, 'runtime.db-flushed'));
    new Storage(crashed).close();
  });

  it('opens with an incomplete last write, which was never acknowledged', async () => {
    await crash();
    const torn = Buffer.alloc(2 * frameBytes + 100, 7);
    readFileSync(log()).copy(torn, 8, 16, 24);
    writeFileSync(log(), Buffer.concat([readFileSync(log()), torn]));
    expect(reopen()).toBe(20);
  });

  it('is rejected when the structure of the database is damaged', async () => {
    await crash();
    reopen();
    const path = join(crashed, 'runtime.db');
    const bytes = readFileSync(path);
    bytes.fill(0xee, 4096, 8192);
    writeFileSync(path, bytes);
    // An unclean stop: a log with something in it.
    const database = new Database(path);
    database.exec('CREATE TABLE IF NOT EXISTS other (x)');
    cpSync(`${path}-wal`, join(folder, 'kept-wal'));
    database.close();
    cpSync(join(folder, 'kept-wal'), `${path}-wal`);
    expect(() => new Storage(crashed)).toThrow(/is damaged .*npm run restore/s);
  });
});

describe('a data folder after a clean stop', () => {
  it('is one file with an empty log', async () => {
    await crash();
    expect(statSync(join(folder, 'runtime.db')).size).toBeGreaterThan(40_000);
    const path = join(folder, 'runtime.db-wal');
    expect(existsSync(path) ? statSync(path).size : 0).toBe(0);
    expect(reopen(folder)).toBe(20);
  });
});

describe('the format of a data folder', () => {
  const setVersion = (version: number) => {
    const database = new Database(join(folder, 'runtime.db'));
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };
  const version = () => {
    const database = new Database(join(folder, 'runtime.db'));
    const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    database.close();
    return found;
  };

  it('is stored, and migrated if it has no version', async () => {
    await crash();
    setVersion(0);
    expect(reopen(folder)).toBe(20);
    expect(version()).toBe(formatVersion);
  });

  it('is rejected in one sentence when it is newer or unknown', async () => {
    await crash();
    for (const unknown of [formatVersion + 1, -3]) {
      setVersion(unknown);
      expect(() => new Storage(folder)).toThrow(StorageUnusable);
      expect(() => new Storage(folder)).toThrow(`has the format ${unknown}`);
    }
  });

  it('is rejected when the file is no database', () => {
    writeFileSync(join(folder, 'runtime.db'), 'x'.repeat(10_000));
    expect(() => new Storage(folder)).toThrow(/is damaged .*npm run restore/);
  });
});
