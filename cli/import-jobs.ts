import type { JobResult, ServiceClient } from '../client/index.ts';
import type { ImportedRecord } from './convert-row.ts';
import { getCall } from './kinds.ts';

// Sends records in bulk jobs. A second run sends everything again: the service recognizes what it has.

const maxBatchRecords = 100;

/** A request has at most 1 MB. */
const maxBatchBytes = 900_000;

const concurrency = 4;

export interface ImportOptions {
  dry_run: boolean;
  emit_events: boolean;
}

/** Calls `onResult` for every record, with its position, in any order. */
export async function runImportJobs(
  client: ServiceClient,
  operation: string,
  records: readonly ImportedRecord[],
  options: ImportOptions,
  signal: AbortSignal,
  onResult: (index: number, result: JobResult) => void,
): Promise<void> {
  const batches = splitBatches(records).entries();
  const work = async () => {
    for (const [, { first, batch }] of batches) {
      const body = { operation: 'import', records: batch, ...options };
      const { job_id: id } = await getCall(client, operation)(body, { signal });
      const { results } = await client.jobs.wait(String(id), { signal });
      for (const result of results) onResult(first + result.index, result);
    }
  };
  // The workers share the iterator.
  await Promise.all(Array.from({ length: concurrency }, work));
}

function splitBatches(records: readonly ImportedRecord[]): { first: number; batch: ImportedRecord[] }[] {
  const batches: { first: number; batch: ImportedRecord[]; bytes: number }[] = [];
  for (const [index, record] of records.entries()) {
    const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    const last = batches.at(-1);
    if (last && last.batch.length < maxBatchRecords && last.bytes + bytes <= maxBatchBytes) {
      last.batch.push(record);
      last.bytes += bytes;
    } else batches.push({ first: index, batch: [record], bytes });
  }
  return batches;
}
