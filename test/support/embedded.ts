import { execFileSync } from 'node:child_process';

/** The vectors of texts, from the real model. */
export function embedTexts(texts: readonly string[]): Float32Array[] {
  const { NODE_OPTIONS: _jestOnly, ...env } = process.env;
  const program = ['--import', 'tsx', 'test/support/embed-texts.ts'];
  const output = execFileSync(process.execPath, program, { input: JSON.stringify(texts), env, timeout: 60_000 });
  return (JSON.parse(output.toString()) as number[][]).map((numbers) => Float32Array.from(numbers));
}
