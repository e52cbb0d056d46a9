import { mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogFile } from '../../../bin/log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines = () =>
  readFileSync(join(folder, 'server.log'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('openLogFile', () => {
  it('never throws on a full disk, and writes buffered lines completely when there is space', () => {
    let isFull = true;
    // A disk that takes a few bytes of a line before it is full.
    const write = ((file: number, bytes: Buffer) => {
      if (!isFull) return writeSync(file, bytes);
      if (bytes.length > 7) return writeSync(file, bytes.subarray(0, 7));
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    }) as typeof writeSync;
    const log = openLogFile(folder, write);
    log.info('one');
    log.flush();
    log.info('two');
    isFull = false;
    log.flush();
    log.close();
    expect(lines()).toEqual([expect.objectContaining({ message: 'one' }), expect.objectContaining({ message: 'two' })]);
  });

  it('counts the lines that it had to drop', () => {
    let isFull = true;
    const write = ((file: number, bytes: Buffer) => {
      if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return writeSync(file, bytes);
    }) as typeof writeSync;
    const log = openLogFile(folder, write);
    for (let line = 0; line < 5; line++) {
      log.info('x'.repeat(400_000));
      log.flush();
    }
    isFull = false;
    log.flush();
    log.close();
    const written = lines();
    expect(written.filter(({ level }) => level === 'info')).toHaveLength(2);
    expect(written.at(-1)).toMatchObject({ lines: 3 });
  });
});
