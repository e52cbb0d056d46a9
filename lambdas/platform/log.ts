// Structured logs: one JSON object per line, so that CloudWatch Logs Insights can query every field.

type Level = 'info' | 'warn' | 'error';

export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

export const log: Log = (level, message, fields = {}) => {
  console.log(JSON.stringify({ level, message, ...fields }));
};

/** What an unexpected error looks like in the log. It never goes into an answer. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause === undefined ? {} : { cause: String(error.cause) };
  return { error: error.message, error_name: error.name, stack: error.stack, ...cause };
}
