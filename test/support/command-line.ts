// Runs the command line as tests need it.
import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../cli/run.ts';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  stdin?: Readable;
  environment?: Record<string, string>;
  signal?: AbortSignal;
  /** Get everything on standard output and standard error, as it comes. */
  onOutput?(text: string): void;
  onMessage?(text: string): void;
}

/** Runs a command of `itsm` in this process. */
export async function runInProcess(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const { stdin = Readable.from([]), environment = {}, signal = new AbortController().signal } = options;
  const { onOutput, onMessage } = options;
  const stdout = collect(onOutput);
  const stderr = collect(onMessage);
  const code = await runCommandLine(args, {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment,
    signal,
    version: '1.2.3',
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(onText: (text: string) => void = () => {}) {
  let all = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      all += chunk;
      onText(all);
      done();
    },
  });
  return { stream, text: () => all };
}

/** A promise that the test resolves. */
export function aSignal() {
  let fire = () => {};
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fired, fire: () => fire() };
}
