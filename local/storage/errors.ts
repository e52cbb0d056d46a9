import type { Log } from '../log.ts';

/** The disk is full or failing. Nothing was acknowledged; a retry may succeed. */
export class StorageUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The data is damaged or was written by a newer version, so it must not be opened. */
export class StorageUnusable extends Error {}

const reasons: readonly [code: string, reason: string][] = [
  ['SQLITE_FULL', 'The disk is full.'],
  ['SQLITE_IOERR', 'The disk reported an error.'],
  ['SQLITE_CANTOPEN', 'A file of the data folder cannot be opened.'],
  ['SQLITE_NOMEM', 'There is not enough memory.'],
];

const fileReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EIO: 'The disk reported an error.',
  EMFILE: 'Too many files are open.',
  ENFILE: 'Too many files are open.',
};

/** Converts disk errors of SQLite and the file system; returns any other error unchanged. */
export function toStorageError(error: unknown): unknown {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  const reason = fileReasons[code] ?? reasons.find(([prefix]) => code.startsWith(prefix))?.[1];
  return reason === undefined ? error : new StorageUnavailable(reason, error);
}

/** Logs each kind of failure once until the disk works again, and each recovery once. */
export class DiskHealth {
  private readonly log: Pick<Log, 'warn' | 'error'> | undefined;
  private readonly reported = new Set<string>();

  constructor(log: Pick<Log, 'warn' | 'error'> | undefined) {
    this.log = log;
  }

  reportFailure(error: unknown): void {
    const { message, cause } = error as Error;
    if (this.reported.has(message)) return;
    this.reported.add(message);
    this.log?.error(`${message} Writes are rejected until it works again.`, { cause: String(cause ?? '') });
  }

  reportSuccess(): void {
    if (this.reported.size === 0) return;
    this.reported.clear();
    this.log?.warn('The disk works again. Writes are accepted.');
  }
}
