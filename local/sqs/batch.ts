// A batch succeeds or fails entry by entry; only a batch that is wrong as a whole is refused as a whole.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import { oldCode, sqsError } from './error.ts';

export function checkBatch(kind: string, entries: Input): asserts entries is { Id: string }[] {
  if (!Array.isArray(entries) || entries.length === 0) {
    throw sqsError('EmptyBatchRequest', `There should be at least one ${kind} in the request.`);
  }
  if (entries.length > 10) {
    throw sqsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${entries.length}.`,
    );
  }
  const seen = new Set<string>();
  for (const { Id } of entries) {
    if (!/^[\w-]{1,80}$/.test(String(Id ?? ''))) {
      throw sqsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    if (seen.has(Id)) throw sqsError('BatchEntryIdsNotDistinct', `Id ${Id} repeated.`);
    seen.add(Id);
  }
}

export async function runBatch(entries: Input[], run: (entry: Input) => Promise<object>) {
  const Successful: object[] = [];
  const Failed: object[] = [];
  await Promise.all(
    entries.map(async (entry) => {
      try {
        Successful.push({ Id: entry.Id, ...(await run(entry)) });
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        Failed.push({ Id: entry.Id, SenderFault: true, Code: oldCode(error), Message: error.message });
      }
    }),
  );
  return { Successful, ...(Failed.length > 0 ? { Failed } : {}) };
}
