// Makes the disk fail on demand, for tests of what happens then. Errors look like SQLite's and the file system's own: a
// statement or commit that fails takes its whole transaction with it, as SQLite does on a full disk.

export type FaultPoint = 'statement' | 'commit' | 'flush' | 'object';

export interface StorageFault {
  at: FaultPoint;
  error: 'ENOSPC' | 'EIO';
  /** How many pass before the first one fails. */
  after?: number;
  /** How many fail; absent: all until the fault is removed. */
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

  /** The error that happens at this point now, if any. */
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
    return Object.assign(new Error(`${code}: a fault was set`), { code });
  }
}

const points: readonly unknown[] = ['statement', 'commit', 'flush', 'object'] satisfies FaultPoint[];

/** Reads what was sent to /_local/faults for the storage; undefined when it is something else. */
export function parseStorageFault(command: Record<string, unknown>): StorageFault | undefined {
  const { service: _service, at, error, after, times, ...unknown } = command;
  const fits =
    points.includes(at) &&
    (error === 'ENOSPC' || error === 'EIO') &&
    isCount(after, 0) &&
    isCount(times, 1) &&
    Object.keys(unknown).length === 0;
  if (!fits) return undefined;
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
