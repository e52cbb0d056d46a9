import type { Load } from './load.ts';

export function row(name: string, load: Load, bare: Load): Record<string, string> {
  const failed = Object.entries(load.statuses).filter(([status]) => Number(status) >= 400);
  return {
    what: name,
    'per second': load.perSecond.toFixed(0),
    'of bare': `${((100 * load.perSecond) / bare.perSecond).toFixed(1)} %`,
    'p50 ms': load.p50Ms.toFixed(2),
    'p99 ms': load.p99Ms.toFixed(2),
    'not 2xx': failed.map(([status, count]) => `${count} × ${status}`).join(', ') || '-',
  };
}

export function printTable(title: string, rows: readonly Record<string, string>[]): void {
  const names = Object.keys(rows[0]!);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((each) => each[name]!.length)));
  const line = (cells: readonly string[]) => cells.map((cell, index) => cell.padEnd(widths[index]!)).join('  ');
  console.log(`\n${title}\n${line(names)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  for (const each of rows) console.log(line(names.map((name) => each[name]!)));
}
