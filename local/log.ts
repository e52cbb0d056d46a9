/** One JSON object per line, to where the runtime was told to write; functions' own lines pass through the same door. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export function jsonLog(write: (line: string) => void): Log {
  const entry =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(`${JSON.stringify({ level, time: new Date().toISOString(), message, ...fields })}\n`);
  return { info: entry('info'), warn: entry('warn'), error: entry('error') };
}
