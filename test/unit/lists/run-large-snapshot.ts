import { execFileSync } from 'node:child_process';

/** Runs the program that measures lists with many words, and returns its output. */
export function runLargeSnapshot(...given: readonly string[]): string {
  const program = ['--import', 'tsx', 'test/unit/lists/large-snapshot.ts', ...given];
  return String(
    execFileSync(process.execPath, program, { env: { ...process.env, NODE_OPTIONS: '' }, timeout: 170_000 }),
  );
}
