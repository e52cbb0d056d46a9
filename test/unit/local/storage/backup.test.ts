import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectStore } from '../../../../local/s3/object-store.ts';
import { BackupError, backUp, restore } from '../../../../local/storage/backup.ts';
import { lockFolder } from '../../../../local/storage/data-folder.ts';
import { Storage } from '../../../../local/storage/storage.ts';

let base: string;
let data: string;
let target: string;
let restored: string;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'backup-'));
  [data, target, restored] = ['data', 'backup', 'restored'].map((name) => join(base, name)) as [string, string, string];
  mkdirSync(data);
  const storage = new Storage(data);
  storage.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value BLOB)');
  for (let row = 0; row < 50; row++) await storage.write(() => put(storage, `row-${row}`));
  storage.close();
  writeFileSync(join(data, 'credentials.json'), '{"users":[]}');
  await objects(data).put(anObject('one'), Buffer.from('object one'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (storage: Storage, name: string) =>
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
  it('restore the database, the objects and the credentials, readable only by their owner', async () => {
    const { files } = await backUp(data, target);
    expect(Object.keys(files)).toEqual([
      'credentials.json',
      'runtime.db',
      expect.stringMatching(/^s3\/bucket\/\w{64}$/),
    ]);
    await restore(target, restored, { replace: false });
    expect(rows(restored)).toEqual(rows(data));
    expect(await objectText(restored, 'one')).toBe('object one');
    expect(readFileSync(join(restored, 'credentials.json'), 'utf8')).toBe('{"users":[]}');
    for (const folder of [target, restored]) expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('copy a folder that a server uses, at one point in time', async () => {
    const lock = lockFolder(data);
    const storage = new Storage(data);
    const half = () => storage.prepare("SELECT COUNT(*) AS n FROM pairs WHERE name LIKE 'both%'").get()!.n;
    await storage.write(() => ['both-1', 'both-2'].map((name) => put(storage, name)));
    const backup = backUp(data, target);
    await Promise.all([backup, storage.write(() => ['both-3', 'both-4'].map((name) => put(storage, name)))]);
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
