/** The disk is full or fails. Nothing was acknowledged; trying again later may help. */
export class StorageUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The data folder holds something that must not be opened: damaged, or written by a newer version. */
export class StorageRefused extends Error {}

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

/** Recognizes trouble of the disk in what SQLite and the file system throw; anything else stays as it is. */
export function toStorageError(error: unknown): unknown {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  const reason = fileReasons[code] ?? reasons.find(([prefix]) => code.startsWith(prefix))?.[1];
  return reason === undefined ? error : new StorageUnavailable(reason, error);
}
