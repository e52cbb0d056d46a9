// Capacity units: the cost of calls, the ConsumedCapacity of responses, and totals for benchmarks.
import { requireValue } from '../require-value.ts';
import type { Table } from './table.ts';

const writeUnitBytes = 1024;
const readUnitBytes = 4096;

export function toWriteUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / writeUnitBytes));
}

/** Half a unit per 4 KB for an eventually consistent read, a whole one for a consistent read. */
export function toReadUnits(bytes: number, consistent: unknown): number {
  return Math.max(1, Math.ceil(bytes / readUnitBytes)) * (consistent === true ? 1 : 0.5);
}

/** Capacity units that one call consumed on one table and its indexes. */
export class Consumption {
  readonly table: Table;
  private onTable = 0;
  private readonly onIndexes = new Map<string, number>();

  constructor(table: Table) {
    this.table = table;
  }

  add(units: number, indexName?: string): void {
    if (indexName === undefined) this.onTable += units;
    else if (units > 0) this.onIndexes.set(indexName, (this.onIndexes.get(indexName) ?? 0) + units);
  }

  multiply(factor: number): void {
    this.onTable *= factor;
    for (const [name, units] of this.onIndexes) this.onIndexes.set(name, units * factor);
  }

  total(): number {
    let total = this.onTable;
    for (const units of this.onIndexes.values()) total += units;
    return total;
  }

  /** The ConsumedCapacity of a response; undefined unless requested. */
  toResponse(requested: unknown): object | undefined {
    if (requested !== 'TOTAL' && requested !== 'INDEXES') return undefined;
    const total = { TableName: this.table.name, CapacityUnits: this.total() };
    if (requested === 'TOTAL') return total;
    return {
      ...total,
      Table: { CapacityUnits: this.onTable },
      ...this.toIndexUnits('local', 'LocalSecondaryIndexes'),
      ...this.toIndexUnits('global', 'GlobalSecondaryIndexes'),
    };
  }

  private toIndexUnits(kind: 'local' | 'global', field: string): object {
    const spent = this.table.indexes.filter((index) => index.kind === kind && this.onIndexes.has(index.name));
    if (spent.length === 0) return {};
    return {
      [field]: Object.fromEntries(
        spent.map(({ name }) => [name, { CapacityUnits: requireValue(this.onIndexes.get(name)) }]),
      ),
    };
  }
}

/** Consumption of a call on several tables, in order of first use. */
export class Consumptions {
  private readonly byTable = new Map<string, Consumption>();

  on(table: Table): Consumption {
    const consumption = this.byTable.get(table.name) ?? new Consumption(table);
    this.byTable.set(table.name, consumption);
    return consumption;
  }

  list(): Consumption[] {
    return [...this.byTable.values()];
  }

  multiply(factor: number): void {
    for (const consumption of this.byTable.values()) consumption.multiply(factor);
  }

  toResponse(requested: unknown): { ConsumedCapacity?: unknown } {
    if (requested !== 'TOTAL' && requested !== 'INDEXES') return {};
    return { ConsumedCapacity: this.list().map((consumption) => consumption.toResponse(requested)) };
  }
}

/** Counted by operation, then table. */
export interface Usage {
  calls: Record<string, Record<string, number>>;
  consumed: Record<string, Record<string, number>>;
}

export class UsageCounter {
  private usage: Usage = { calls: {}, consumed: {} };

  count(operation: string, consumptions: readonly Consumption[]): void {
    for (const consumption of consumptions) {
      increase(this.usage.calls, operation, consumption.table.name, 1);
      increase(this.usage.consumed, operation, consumption.table.name, consumption.total());
    }
  }

  read(): Usage {
    return structuredClone(this.usage);
  }

  reset(): void {
    this.usage = { calls: {}, consumed: {} };
  }
}

function increase(
  counters: Record<string, Record<string, number>>,
  operation: string,
  table: string,
  by: number,
): void {
  counters[operation] ??= {};
  const counter = counters[operation];
  counter[table] = (counter[table] ?? 0) + by;
}
