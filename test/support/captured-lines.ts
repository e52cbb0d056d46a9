/** Runs work and returns the JSON lines that it writes to standard output. */
export async function captureLines(work: () => unknown): Promise<Record<string, unknown>[]> {
  const { write } = process.stdout;
  const lines: Record<string, unknown>[] = [];
  process.stdout.write = (line: unknown) => {
    lines.push(JSON.parse(String(line)));
    return true;
  };
  try {
    await work();
    return lines;
  } finally {
    process.stdout.write = write;
  }
}
