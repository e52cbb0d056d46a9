// Runs the AWS command line, which people need for a deployment anyway, instead of an SDK client for each service.
import { execFile } from 'node:child_process';
import { UsageError } from './tool.ts';

/** Resolves with the parsed output. Rejects with AwsCliError if the call failed. */
export type RunAws = (...args: readonly string[]) => Promise<unknown>;

/** The message is what the command line printed, such as "An error occurred (AccessDenied) when calling …". */
export class AwsCliError extends UsageError {}

const timeoutMs = 120_000;

export const runAws: RunAws = (...args) =>
  new Promise((resolve, reject) => {
    execFile('aws', [...args, '--output', 'json'], { timeout: timeoutMs }, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') reject(new UsageError('Install the AWS command line (version 2) first.'));
      else if (error?.killed) reject(new AwsCliError(`No response within ${timeoutMs / 1_000} seconds.`));
      else if (error) reject(new AwsCliError(stderr.replaceAll(/\s+/g, ' ').trim() || error.message));
      else resolve(stdout.trim() === '' ? undefined : JSON.parse(stdout));
    });
  });
