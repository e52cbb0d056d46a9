import { runCommandLine } from './run.ts';

declare const packageVersion: string;

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  signal: stop.signal,
  version: packageVersion,
});
