/** Writes one JSON object per line. Log lines of functions use the same log. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export function createJsonLog(write: (line: string) => void): Log {
  const entry =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(`${JSON.stringify({ level, time: new Date().toISOString(), message, ...fields })}\n`);
  return { info: entry('info'), warn: entry('warn'), error: entry('error') };
}

/** The stack of an error, or the thrown value as text. */
export function formatError(error: unknown): string {
  return String((error as Error)?.stack ?? error);
}
