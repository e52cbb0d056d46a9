import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderUnavailable, lockFolder } from '../../../../local/storage/data-folder.ts';
import { Storage } from '../../../../local/storage/storage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

describe('lockFolder', () => {
  it('lets one server use a folder at a time', () => {
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(FolderUnavailable);
    lock.release();
    lockFolder(folder).release();
  });

  it('reports a folder that is not writable', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => lockFolder(join(folder, 'file', 'data'))).toThrow('is not writable');
  });
});
