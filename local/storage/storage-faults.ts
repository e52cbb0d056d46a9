// Injects disk failures for tests. Errors look like errors of SQLite and the file system. A failed statement or commit
// rolls back its transaction, as SQLite does on a full disk.

export type FaultPoint = 'statement' | 'commit' | 'flush' | 'object';

export interface StorageFault {
  at: FaultPoint;
  error: 'ENOSPC' | 'EIO';
  /** How many operations succeed before the first one fails. */
  after?: number;
  /** How many operations fail; absent: all until the fault is removed. */
  times?: number;
}

export class StorageFaults {
  private fault: StorageFault | undefined;
  private passed = 0;
  private failed = 0;

  set(fault: StorageFault): void {
    this.fault = fault;
    this.passed = 0;
    this.failed = 0;
  }

  clear(): void {
    this.fault = undefined;
  }

  get current(): StorageFault | undefined {
    return this.fault;
  }

  /** Returns the error to throw at this point, if any. */
  next(point: FaultPoint): Error | undefined {
    if (!this.fault || this.fault.at !== point) return undefined;
    if (this.passed < (this.fault.after ?? 0)) {
      this.passed++;
      return undefined;
    }
    const { error } = this.fault;
    this.failed++;
    if (this.failed === this.fault.times) this.clear();
    const isSqlite = point === 'statement' || point === 'commit';
    const code = isSqlite ? (error === 'ENOSPC' ? 'SQLITE_FULL' : 'SQLITE_IOERR_WRITE') : error;
    return Object.assign(new Error(`${code}: injected fault`), { code });
  }
}

const points: readonly unknown[] = ['statement', 'commit', 'flush', 'object'] satisfies FaultPoint[];

/** Parses a storage fault from POST /_local/faults; undefined when it is invalid. */
export function parseStorageFault(command: Record<string, unknown>): StorageFault | undefined {
  const { service: _service, at, error, after, times, ...unknown } = command;
  const isValid =
    points.includes(at) &&
    (error === 'ENOSPC' || error === 'EIO') &&
    isCount(after, 0) &&
    isCount(times, 1) &&
    Object.keys(unknown).length === 0;
  if (!isValid) return undefined;
  return {
    at: at as FaultPoint,
    error,
    ...(after !== undefined && { after: after as number }),
    ...(times !== undefined && { times: times as number }),
  };
}

function isCount(value: unknown, min: number): boolean {
  return value === undefined || (Number.isInteger(value) && (value as number) >= min && (value as number) <= 1_000_000);
}
