// Redirects a function's output to the runtime's log. Console methods keep their level; direct writes to stdout and
// stderr are split into lines.
import { format } from 'node:util';
import type { LogLevel } from './protocol.ts';

const levels: Readonly<Record<string, LogLevel>> = {
  log: 'info',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
  warn: 'warn',
  error: 'error',
};

export function redirectOutput(write: (level: LogLevel, text: string) => void): void {
  for (const [method, level] of Object.entries(levels)) {
    Object.assign(console, { [method]: (...values: unknown[]) => void write(level, format(...values)) });
  }
  splitIntoLines(process.stdout, (line) => write('info', line));
  splitIntoLines(process.stderr, (line) => write('error', line));
}

function splitIntoLines(stream: NodeJS.WriteStream, write: (line: string) => void): void {
  const maxLineLength = 1024 * 1024;
  let rest = '';
  const writeChunk = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    const text = rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('utf8'));
    const lines = text.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) {
      lines.push(rest);
      rest = '';
    }
    for (const line of lines) if (line !== '') write(line);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') process.nextTick(callback);
    return true;
  };
  stream.write = writeChunk as typeof stream.write;
}
