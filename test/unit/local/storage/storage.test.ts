import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { ObjectStore } from '../../../../local/s3/object-store.ts';
import { BackupError, backUp, restore } from '../../../../local/storage/backup.ts';
import { FolderUnavailable, lockFolder } from '../../../../local/storage/data-folder.ts';
import { StorageUnusable } from '../../../../local/storage/errors.ts';
import { formatVersion } from '../../../../local/storage/integrity.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import { random } from '../../../support/random.ts';

let folder: string;
let crashed: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storage-'));
  crashed = mkdtempSync(join(tmpdir(), 'crashed-'));
});
afterEach(() => {
  for (const path of [folder, crashed]) rmSync(path, { recursive: true, force: true });
});

function openStorage(): Storage {
  const storage = new Storage(folder);
  storage.exec('CREATE TABLE IF NOT EXISTS pairs (name TEXT PRIMARY KEY, value TEXT)');
  return storage;
}

const put = (storage: Storage, name: string) => storage.prepare('INSERT INTO pairs VALUES (?, ?)').run([name, 'x']);
const names = (storage: Storage) =>
  storage
    .prepare('SELECT name FROM pairs ORDER BY name')
    .all()
    .map(({ name }) => name);

describe('Storage', () => {
  it('rolls back only the failed write of a shared commit', async () => {
    const storage = openStorage();
    const results = await Promise.allSettled([
      storage.write(() => put(storage, 'a')),
      storage.write(() => {
        put(storage, 'b');
        throw new Error('no');
      }),
      storage.write(() => put(storage, 'c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(names(storage)).toEqual(['a', 'c']);
    storage.close();
  });

  it('rejects only a checked write that fails before its first change', async () => {
    const storage = openStorage();
    let undone = 0;
    storage.onUndo(() => undone++);
    const results = await Promise.allSettled([
      storage.writeChecked(() => put(storage, 'a')),
      storage.writeChecked(() => {
        throw new Error('no');
      }),
      storage.writeChecked(() => put(storage, 'c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(names(storage)).toEqual(['a', 'c']);
    expect(undone).toBe(0);
    storage.close();
  });

  it('rejects the whole commit when a checked write fails after a change', async () => {
    const storage = openStorage();
    let undone = 0;
    storage.onUndo(() => undone++);
    const results = await Promise.allSettled([
      storage.write(() => put(storage, 'a')),
      storage.writeChecked(() => {
        put(storage, 'b');
        throw new Error('no');
      }),
      storage.writeChecked(() => put(storage, 'c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(names(storage)).toEqual([]);
    expect(undone).toBe(1);
    await storage.writeChecked(() => put(storage, 'd'));
    expect(names(storage)).toEqual(['d']);
    storage.close();
  });

  it('shows earlier writes of the same commit to later ones', async () => {
    const storage = openStorage();
    const [, seen] = await Promise.all([storage.write(() => put(storage, 'a')), storage.write(() => names(storage))]);
    expect(seen).toEqual(['a']);
    storage.close();
  });

  it('keeps acknowledged writes when it is reopened', async () => {
    const storage = openStorage();
    await storage.write(() => put(storage, 'a'));
    storage.close();
    const again = openStorage();
    expect(names(again)).toEqual(['a']);
    again.close();
  });

  it('acknowledges an expendable write before it is on disk, and writes it later', async () => {
    const storage = openStorage();
    const order: string[] = [];
    await Promise.all([
      storage.write(() => put(storage, 'durable')).then(() => order.push('durable')),
      storage
        .write(
          () => put(storage, 'expendable'),
          () => true,
        )
        .then(() => order.push('expendable')),
    ]);
    expect(order).toEqual(['expendable', 'durable']);
    storage.close();
    const again = openStorage();
    expect(names(again)).toEqual(['durable', 'expendable']);
    again.close();
  });

  it('rejects writes after it is closed', async () => {
    const storage = openStorage();
    storage.close();
    await expect(storage.write(() => 1)).rejects.toThrow('closed');
  });
});

describe('a damaged page', () => {
  const query = 'SELECT name, value FROM pairs WHERE name = ?';

  it('is an error of the query that reads it, not of the process', async () => {
    const storage = openStorage();
    await storage.write(() => {
      put(storage, 'fine');
      storage.prepare("INSERT INTO pairs VALUES ('bad', CAST(x'6162ff' AS TEXT))").run();
    });
    const read = (name: string) => [
      () => storage.prepare(query).get([name])!.value,
      () => storage.prepare(query).all([name])[0]!.value,
      () => storage.prepareList(query).get([name])![1],
      () => storage.prepare('SELECT MAX(value) AS value FROM pairs WHERE name = ?').get([name])!.value,
    ];
    for (const damaged of read('bad')) expect(damaged).toThrow('is damaged');
    expect(read('fine').map((one) => one())).toEqual(['x', 'x', 'x', 'x']);
    storage.close();
  });

  it('is reported in the background after a clean stop', async () => {
    await crash(200);
    const path = join(folder, 'runtime.db');
    const bytes = readFileSync(path);
    bytes.fill(0xee, bytes.length - 8 * 4096);
    writeFileSync(path, bytes);
    const errors: string[] = [];
    const log = { warn: () => {}, error: (text: string) => void errors.push(text) };
    const storage = new Storage(folder, { log });
    await storage.checkPages();
    storage.close();
    expect(errors).toEqual([expect.stringMatching(/runtime.db is damaged .*npm run restore/s)]);
  });
});

describe('lockFolder', () => {
  it('lets one server use a folder at a time', () => {
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(FolderUnavailable);
    lock.release();
    lockFolder(folder).release();
  });

  it.each([
    ['garbage', 'garbage '.repeat(2_000)],
    ['half a header', 'SQLite format 3\0'],
  ])('replaces a lock that contains %s, and then locks', (_, content) => {
    writeFileSync(join(folder, 'lock.db'), content);
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow('Another server is using');
    lock.release();
  });

  it('reports a folder that is not writable', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => lockFolder(join(folder, 'file', 'data'))).toThrow('is not writable');
  });
});

const frameBytes = 24 + 4096;
const headerBytes = 32;

/** Writes a few rows and copies the folder to `crashed` before it is closed, like kill -9. */
async function crash(rows = 20): Promise<void> {
  const storage = new Storage(folder);
  storage.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value TEXT)');
  for (let row = 0; row < rows; row++) await storage.write(() => putLarge(storage, `row-${row}`));
  cpSync(folder, crashed, { recursive: true, force: true });
  storage.close();
}

const putLarge = (storage: Storage, name: string) =>
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

  it.each(['x', '', '0'.repeat(40)])('is rejected when the mark of the last flush is damaged as well', async (mark) => {
    await crash();
    truncateSync(log(), headerBytes + 3 * frameBytes);
    writeFileSync(join(crashed, 'runtime.db-flushed'), mark);
    expect(() => new Storage(crashed)).toThrow(/runtime.db-flushed is damaged.*npm run restore/);
  });

  it('is rejected when one digit of the mark has changed', async () => {
    await crash();
    const path = join(crashed, 'runtime.db-flushed');
    const mark = readFileSync(path, 'latin1');
    for (let place = 0; place < mark.length; place++) {
      writeFileSync(path, `${mark.slice(0, place)}${mark[place] === '1' ? '2' : '1'}${mark.slice(place + 1)}`);
      expect(() => new Storage(crashed)).toThrow('is damaged');
    }
  });

  it('says what it could read when the mark was deleted', async () => {
    await crash();
    truncateSync(log(), headerBytes + 3 * frameBytes + 100);
    rmSync(join(crashed, 'runtime.db-flushed'));
    const warnings: string[] = [];
    new Storage(crashed, { log: { warn: (text) => void warnings.push(text), error: () => {} } }).close();
    expect(warnings).toEqual([expect.stringMatching(/3 pages of the write-ahead log/)]);
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
    // After an unclean stop, the log is not empty.
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

let base: string;
let data: string;
let target: string;
let restored: string;

const putBytes = (storage: Storage, name: string) =>
  storage.prepare('INSERT INTO pairs VALUES (?, ?)').run([name, Buffer.from(name)]);
const objects = (folder: string) => new ObjectStore(join(folder, 's3', 'bucket'));
const anObject = (key: string) => ({ key, modifiedMs: 0, contentType: 'text/plain', headers: {} });

function rows(folder: string): unknown[] {
  const storage = new Storage(folder);
  const all = storage.prepare('SELECT name, hex(value) AS value FROM pairs ORDER BY name').all();
  storage.close();
  return all;
}

async function objectText(folder: string, key: string): Promise<string> {
  const object = (await objects(folder).get(key))!;
  const bytes = await object.read();
  await object.close();
  return bytes.toString();
}

describe('backUp and restore', () => {
  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'backup-'));
    [data, target, restored] = ['data', 'backup', 'restored'].map((name) => join(base, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(data);
    const storage = new Storage(data);
    storage.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value BLOB)');
    for (let row = 0; row < 50; row++) await storage.write(() => putBytes(storage, `row-${row}`));
    storage.close();
    writeFileSync(join(data, 'credentials.json'), '{"users":[]}');
    await objects(data).put(anObject('one'), Buffer.from('object one'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('restore the database, the objects and the credentials, readable only by their owner', async () => {
    const { files } = await backUp(data, target);
    expect(Object.keys(files)).toEqual([
      'credentials.json',
      'runtime.db',
      expect.stringMatching(/^s3\/bucket\/\w{64}$/),
    ]);
    const getModes = (folder: string) => Object.keys(files).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(getModes(target)).toEqual([0o600, 0o600, 0o600]);
    // As in backups of older versions.
    for (const name of Object.keys(files)) chmodSync(join(target, name), 0o644);
    await restore(target, restored, { replace: false });
    expect(getModes(restored)).toEqual([0o600, 0o600, 0o600]);
    expect(rows(restored)).toEqual(rows(data));
    expect(await objectText(restored, 'one')).toBe('object one');
    expect(readFileSync(join(restored, 'credentials.json'), 'utf8')).toBe('{"users":[]}');
    for (const folder of [target, restored]) expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('copy a folder that a server uses, at one point in time', async () => {
    const lock = lockFolder(data);
    const storage = new Storage(data);
    const half = () => storage.prepare("SELECT COUNT(*) AS n FROM pairs WHERE name LIKE 'both%'").get()!.n;
    await storage.write(() => ['both-1', 'both-2'].map((name) => putBytes(storage, name)));
    const backup = backUp(data, target);
    await Promise.all([backup, storage.write(() => ['both-3', 'both-4'].map((name) => putBytes(storage, name)))]);
    expect(half()).toBe(4);
    storage.close();
    lock.release();
    await restore(target, restored, { replace: false });
    const names = rows(restored).map((row) => (row as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(['both-1', 'both-2']));
    expect(names.filter((name) => name.startsWith('both')).length % 2).toBe(0);
  });

  it('reject a backup whose files have changed', async () => {
    await backUp(data, target);
    const path = join(target, 'runtime.db');
    const bytes = readFileSync(path);
    bytes[5_000]! ^= 1;
    writeFileSync(path, bytes);
    await expect(restore(target, restored, { replace: false })).rejects.toThrow('runtime.db changed or missing');
    expect(existsSync(restored)).toBe(false);
  });

  it('keep the existing folder, or rename it if asked to replace it', async () => {
    await backUp(data, target);
    await expect(backUp(data, target)).rejects.toThrow(BackupError);
    await expect(restore(target, data, { replace: false })).rejects.toThrow('--replace');
    const lock = lockFolder(data);
    await expect(restore(target, data, { replace: true })).rejects.toThrow('Stop it first');
    lock.release();
    const { replaced } = await restore(target, data, { replace: true });
    expect(rows(replaced!)).toEqual(rows(data));
  });

  it('reject a folder without data, and a folder that is not a backup', async () => {
    await expect(backUp(join(base, 'none'), target)).rejects.toThrow('There is no data');
    await expect(restore(data, restored, { replace: false })).rejects.toThrow('is not a backup');
  });
});
