// The server's log: JSON lines in the data folder, two files of bounded size, and what needs a person also on stderr.
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLog, type Log } from '../local/log.ts';

const largestFileBytes = 20 * 1024 * 1024;
const flushAfterMs = 200;

export interface LogFile extends Log {
  path: string;
  close(): void;
}

export function openLogFile(folder: string): LogFile {
  const path = join(folder, 'server.log');
  let file = openSync(path, 'a');
  let bytes = statSync(path).size;
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    bytes += writeSync(file, waiting);
    waiting = '';
    if (bytes < largestFileBytes) return;
    closeSync(file);
    renameSync(path, `${path}.1`);
    file = openSync(path, 'a');
    bytes = 0;
  };
  const write = (line: string) => {
    waiting += line;
    timer ??= setTimeout(flush, flushAfterMs).unref();
  };
  const log = jsonLog(write);
  const withNotice =
    (level: 'warn' | 'error'): Log['warn'] =>
    (message, fields) => {
      log[level](message, fields);
      process.stderr.write(`${level}: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}\n`);
    };
  return {
    path,
    info: log.info,
    warn: withNotice('warn'),
    error: withNotice('error'),
    close() {
      flush();
      closeSync(file);
    },
  };
}
