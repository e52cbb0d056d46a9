// An execution's events in the shape of GetExecutionHistory.
import type { Input } from '../aws/service.ts';
import type { Row } from '../storage/storage.ts';

export function historyPage(rows: readonly Row[], input: Input, size: number, from: number) {
  const ordered = input.reverseOrder ? [...rows].reverse() : rows;
  return {
    events: ordered.slice(from, from + size).map((row) => event(row, input.includeExecutionData ?? true)),
    ...(from + size < ordered.length ? { nextToken: String(from + size) } : {}),
  };
}

function event(row: Row, withData: boolean) {
  const details = JSON.parse(String(row.details)) as Record<string, unknown>;
  if (!withData) for (const field of ['input', 'output', 'parameters']) delete details[field];
  const field = detailsField(String(row.type));
  return {
    timestamp: Number(row.time_ms) / 1000,
    type: String(row.type),
    id: Number(row.id),
    previousEventId: Number(row.previous),
    ...(field && Object.keys(details).length > 0 ? { [field]: details } : {}),
  };
}

/** States share one shape each for being entered and left; every other event has a shape named after it. */
function detailsField(type: string): string | undefined {
  if (type.endsWith('StateEntered')) return 'stateEnteredEventDetails';
  if (type.endsWith('StateExited')) return 'stateExitedEventDetails';
  if (type === 'LambdaFunctionStarted') return undefined;
  return `${type[0]!.toLowerCase()}${type.slice(1)}EventDetails`;
}
