// The server's log: JSON lines in two files of limited size in the data folder. Warnings and errors also go to stderr.
// Logging never throws: when the disk is full, lines are buffered up to a limit and then counted.
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createJsonLog, type Log } from '../../local/log.ts';

const maxFileBytes = 20 * 1024 * 1024;
const maxWaitingBytes = 1024 * 1024;
const flushAfterMs = 200;

export interface LogFile extends Log {
  path: string;
  /** Writes buffered lines until the disk is full. */
  flush(): void;
  close(): void;
}

/** `write` is replaced in tests of a failing disk. */
export function openLogFile(folder: string, write: typeof writeSync = writeSync): LogFile {
  const path = join(folder, 'server.log');
  let file: number | undefined;
  let bytes = 0;
  let waiting = Buffer.alloc(0);
  let lines: string[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;

  const open = () => {
    const opened = openSync(path, 'a', 0o600);
    bytes = statSync(path).size;
    return opened;
  };
  const rotate = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
    renameSync(path, `${path}.1`);
  };
  const gather = () => {
    const added = Buffer.from(lines.join(''));
    if (waiting.length + added.length <= maxWaitingBytes) waiting = Buffer.concat([waiting, added]);
    else dropped += lines.length;
    lines = [];
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    gather();
    try {
      file ??= open();
      while (waiting.length > 0) {
        const written = write(file, waiting);
        bytes += written;
        waiting = waiting.subarray(written);
      }
      if (dropped > 0) {
        const count = dropped;
        dropped = 0;
        log.warn('log lines were dropped, because the log could not be written', { lines: count });
      }
      if (bytes >= maxFileBytes) rotate();
    } catch {
      timer ??= setTimeout(flush, flushAfterMs * 5).unref();
    }
  };
  const log = createJsonLog((line) => {
    lines.push(line);
    timer ??= setTimeout(flush, flushAfterMs).unref();
  });
  const withNotice =
    (level: 'warn' | 'error'): Log['warn'] =>
    (message, fields) => {
      log[level](message, fields);
      process.stderr.write(`${level}: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}\n`);
    };
  file = open();
  return {
    path,
    info: log.info,
    warn: withNotice('warn'),
    error: withNotice('error'),
    flush,
    close() {
      flush();
      clearTimeout(timer);
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
