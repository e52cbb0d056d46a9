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

/** Hides the metrics that a suite emits but does not check. */
export function hideMetrics(): void {
  const { write } = process.stdout;
  beforeAll(() => {
    const others = (...args: Parameters<typeof write>) =>
      String(args[0]).startsWith('{"_aws"') || write.apply(process.stdout, args);
    process.stdout.write = others as typeof write;
  });
  afterAll(() => {
    process.stdout.write = write;
  });
}
