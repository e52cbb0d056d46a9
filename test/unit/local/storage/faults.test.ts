// A full or failing disk loses no acknowledged write. To run more rounds, or the seed that a failure printed:
// FAULT_ROUNDS=500 FAULT_SEED=… npm run jest -- storage/faults
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageUnavailable } from '../../../../local/storage/errors.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import { type FaultPoint, StorageFaults } from '../../../../local/storage/storage-faults.ts';
import { becomes } from '../../../support/becomes.ts';
import { type Random, random } from '../../../support/random.ts';

const rounds = Number(process.env.FAULT_ROUNDS ?? 30);
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const schema = 'CREATE TABLE IF NOT EXISTS pairs (name TEXT PRIMARY KEY, value TEXT)';

function openStorage(faults = new StorageFaults()): Storage {
  const storage = new Storage(folder, { faults, retryAfterMs: 2 });
  storage.exec(schema);
  return storage;
}

const put = (storage: Storage, name: string) =>
  storage.prepare('INSERT INTO pairs VALUES (?, ?)').run([name, 'x'.repeat(3_000)]);
const names = (storage: Storage) =>
  storage
    .prepare('SELECT name FROM pairs ORDER BY name')
    .all()
    .map(({ name }) => String(name));

describe('Storage on a full disk', () => {
  it('rejects and rolls back writes, continues to read, and recovers when there is space', async () => {
    const storage = openStorage();
    let undone = 0;
    storage.onUndo(() => undone++);
    await storage.write(() => put(storage, 'before'));
    const pages = Number(storage.prepare('PRAGMA page_count').get()!.page_count);
    storage.exec(`PRAGMA max_page_count = ${pages + 1}`);
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => storage.write(() => put(storage, `during-${index}`))),
    );
    for (const result of results) {
      expect(result.status).toBe('rejected');
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(StorageUnavailable);
    }
    expect(undone).toBe(1);
    expect(names(storage)).toEqual(['before']);
    const patient = storage.writeWithRetry(() =>
      Array.from({ length: 5 }, (_, index) => put(storage, `later-${index}`)),
    );
    storage.exec('PRAGMA max_page_count = 100000');
    await patient;
    expect(names(storage)).toHaveLength(6);
    storage.close();
  });
});

describe('Storage whose log cannot be flushed', () => {
  it('acknowledges only flushed writes, rejects writes until the log is rewritten, and then recovers', async () => {
    const faults = new StorageFaults();
    const said: string[] = [];
    const log = { warn: (text: string) => void said.push(text), error: (text: string) => void said.push(text) };
    const storage = new Storage(folder, { faults, retryAfterMs: 2, log });
    storage.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value TEXT)');
    const statement = storage.prepare('SELECT COUNT(*) AS rows FROM pairs');
    await storage.write(() => put(storage, 'before'));
    const fileBefore = statSync(join(folder, 'runtime.db-wal')).ino;
    faults.set({ at: 'flush', error: 'EIO' });
    await expect(storage.write(() => put(storage, 'in doubt'))).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(storage.write(() => put(storage, 'rejected'))).rejects.toBeInstanceOf(StorageUnavailable);
    expect(() => storage.writeNow(() => put(storage, 'rejected'))).toThrow(StorageUnavailable);
    let isSettled = false;
    const patient = storage
      .writeWithRetry(() => put(storage, 'patient'))
      .then(() => {
        isSettled = true;
      });
    await expect(storage.write(() => put(storage, 'rejected'))).rejects.toBeInstanceOf(StorageUnavailable);
    expect(isSettled).toBe(false);
    faults.clear();
    await patient;
    await storage.write(() => put(storage, 'after'));
    expect(names(storage)).toEqual(['after', 'before', 'in doubt', 'patient']);
    // The old file may have lost blocks, so nothing is acknowledged in it; earlier statements read the new one.
    expect(statSync(join(folder, 'runtime.db-wal')).ino).not.toBe(fileBefore);
    expect(statement.get()!.rows).toBe(4);
    expect(afterPowerCut()).toEqual(['after', 'before', 'in doubt', 'patient']);
    expect(said).toEqual([
      'The disk reported an error. Writes are rejected until it works again.',
      'The disk works again. Writes are accepted.',
    ]);
    storage.close();
  });

  it('keeps acknowledged writes whose blocks the file system drops after a failed flush', async () => {
    const faults = new StorageFaults();
    const storage = openStorage(faults);
    await storage.write(() => put(storage, 'before'));
    faults.set({ at: 'flush', error: 'ENOSPC' });
    await expect(storage.write(() => put(storage, 'in doubt'))).rejects.toBeInstanceOf(StorageUnavailable);
    truncateSync(join(folder, 'runtime.db-wal'), 100);
    faults.clear();
    await storage.writeWithRetry(() => put(storage, 'after'));
    expect(names(storage)).toEqual(['after', 'before', 'in doubt']);
    expect(afterPowerCut()).toEqual(['after', 'before', 'in doubt']);
    storage.close();
  });

  it('asks for a restart when a part of the log was lost before the flush failed', async () => {
    const faults = new StorageFaults();
    const said: string[] = [];
    const log = { warn: (text: string) => void said.push(text), error: (text: string) => void said.push(text) };
    const storage = new Storage(folder, { faults, retryAfterMs: 2, log });
    storage.exec(schema);
    await storage.write(() => put(storage, 'before'));
    faults.set({ at: 'flush', error: 'EIO' });
    truncateSync(join(folder, 'runtime.db-wal'), 100);
    await expect(storage.write(() => put(storage, 'in doubt'))).rejects.toBeInstanceOf(StorageUnavailable);
    faults.clear();
    await becomes(async () => said.length, 2);
    expect(said[1]).toMatch(/^The disk lost part of the write-ahead log. Restart the server./);
    await expect(storage.write(() => put(storage, 'rejected'))).rejects.toBeInstanceOf(StorageUnavailable);
    storage.close();
  });

  it('runs a write that retries once, although its flush failed', async () => {
    const faults = new StorageFaults();
    const storage = openStorage(faults);
    faults.set({ at: 'flush', error: 'ENOSPC', times: 3 });
    let runs = 0;
    await storage.writeWithRetry(() => {
      runs++;
      put(storage, 'once');
    });
    expect(runs).toBe(1);
    storage.close();
  });
});

describe(`Storage with faults at random places, ${rounds} rounds with the seed ${seed}`, () => {
  it('keeps every acknowledged write and no part of a rolled back one', async () => {
    const dice = random(seed);
    const faults = new StorageFaults();
    let storage = openStorage(faults);
    const acknowledged = new Set<string>();
    const inDoubt = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      setFault(faults, dice);
      await Promise.all(
        Array.from({ length: 1 + dice.below(6) }, (_, index) => {
          const pair = [`${round}-${index}-a`, `${round}-${index}-b`];
          return write(storage, dice, pair).then(
            () => addAll(acknowledged, pair),
            () => addAll(inDoubt, pair),
          );
        }),
      );
      if (dice.next() < 0.1) {
        faults.clear();
        storage.close();
        storage = openStorage(faults);
      }
      if (dice.next() < 0.2) {
        const survived = new Set(afterPowerCut());
        expect([...acknowledged].filter((name) => !survived.has(name))).toEqual([]);
      }
      const kept = new Set(names(storage));
      expect([...acknowledged].filter((name) => !kept.has(name))).toEqual([]);
      expect([...kept].filter((name) => !acknowledged.has(name) && !inDoubt.has(name))).toEqual([]);
      const halves = [...kept].filter((name) => !kept.has(name.replace(/.$/, (end) => (end === 'a' ? 'b' : 'a'))));
      expect(halves).toEqual([]);
    }
    storage.close();
  });
});

/** The names in a copy of the folder whose log is cut at the last flush. */
function afterPowerCut(): string[] {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  const frames = Number(readFileSync(join(copy, 'runtime.db-flushed'), 'utf8').split(' ')[1] ?? 0);
  truncateSync(join(copy, 'runtime.db-wal'), frames === 0 ? 0 : 32 + frames * (24 + 4096));
  const storage = new Storage(copy);
  storage.exec(schema);
  const survived = names(storage);
  storage.close();
  rmSync(copy, { recursive: true });
  return survived;
}

function addAll(names: Set<string>, added: readonly string[]): void {
  for (const name of added) names.add(name);
}

const points: FaultPoint[] = ['statement', 'commit', 'flush'];

function setFault(faults: StorageFaults, dice: Random): void {
  faults.clear();
  if (dice.next() < 0.2) return;
  const error = dice.pick(['ENOSPC', 'EIO'] as const);
  faults.set({ at: dice.pick(points), error, after: dice.below(6), times: 1 + dice.below(3) });
}

function write(storage: Storage, dice: Random, pair: readonly string[]): Promise<unknown> {
  const isRejected = dice.next() < 0.15;
  const work = () => {
    put(storage, pair[0]!);
    if (isRejected) throw new Error('rejected');
    put(storage, pair[1]!);
  };
  if (isRejected || dice.next() < 0.3) return storage.write(work);
  return dice.next() < 0.5 ? storage.writeChecked(work) : storage.writeWithRetry(work);
}
