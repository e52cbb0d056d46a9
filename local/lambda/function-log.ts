// A function's output as lines of the runtime's log. A line that is a JSON object already (a structured logger wrote
// it) is merged into the entry; anything else is its message.
import type { Log } from '../log.ts';
import type { LogLine } from './invocation.ts';
import type { LogLevel } from './worker/protocol.ts';

export function logFunctionLine(log: Log, line: LogLine): void {
  const known = {
    function: line.functionName,
    ...(line.requestId === undefined ? {} : { request_id: line.requestId }),
  };
  const structured = parsed(line.text);
  if (!structured) {
    write(log, line.level, line.text, known);
    return;
  }
  const { message, level, ...rest } = structured;
  const text = typeof message === 'string' ? message : message === undefined ? '' : JSON.stringify(message);
  write(log, levelOf(level) ?? line.level, text, { ...known, ...rest });
}

function write(log: Log, level: LogLevel, message: string, fields: Record<string, unknown>): void {
  if (level === 'debug') log.info(message, { ...fields, level });
  else log[level](message, fields);
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{') || !text.trimEnd().endsWith('}')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function levelOf(level: unknown): LogLevel | undefined {
  switch (String(level).toLowerCase()) {
    case 'trace':
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warn':
    case 'warning':
      return 'warn';
    case 'error':
    case 'critical':
    case 'fatal':
      return 'error';
    default:
      return undefined;
  }
}
