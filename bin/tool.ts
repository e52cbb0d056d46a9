// Shared by the command-line tools: prints an expected error as one line, without a stack.
import { BackupError } from '../local/storage/backup.ts';
import { StorageUnavailable, StorageUnusable, toStorageError } from '../local/storage/errors.ts';
import { UsageError } from './server/settings.ts';

export { UsageError };

export async function runTool(work: (args: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    const reason = toStorageError(error);
    const expected = [BackupError, StorageUnusable, StorageUnavailable, UsageError].some(
      (kind) => reason instanceof kind,
    );
    console.error(expected ? (reason as Error).message : error);
    process.exitCode = 1;
  }
}
