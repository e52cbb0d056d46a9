// Starts and ends the worker threads that run functions.
import { type MessagePort, Worker } from 'node:worker_threads';
import { getBootstrapCode } from './function-code.ts';
import { exitMessage, type WorkerSetup } from './worker/protocol.ts';
import type { WorkerGroup } from './worker-groups.ts';

export interface ThreadOptions {
  group: WorkerGroup;
  clockOffset: Float64Array;
  awsUrl: string;
  addresses: WorkerSetup['addresses'];
  /** The thread's own process.env. */
  environment: Record<string, string>;
  /** Opens a message transport for the worker's AWS calls. */
  connect?(): MessagePort;
}

/** Every worker eventually uses this much memory; a smaller value means more frequent garbage collection. */
const maxYoungGenerationSizeMb = 12;

/** A stuck worker does not see the exit message, so it is terminated after this time. */
const exitTimeoutMs = 1_000;

export function startThread(options: ThreadOptions, lastStartedCall: Int32Array): Worker {
  const { group, clockOffset, awsUrl, addresses, environment } = options;
  const line = options.connect?.();
  const setup: WorkerSetup = {
    awsUrl,
    addresses,
    line,
    isLowPriority: group.isLowPriority,
    clockOffset,
    lastStartedCall,
  };
  return new Worker(getBootstrapCode(), {
    eval: true,
    name: group.name.slice(0, 60),
    env: environment,
    // Functions do not inherit the loaders and flags of the main thread.
    execArgv: [],
    argv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: group.heapMb, maxYoungGenerationSizeMb },
    workerData: setup,
    transferList: line ? [line] : [],
  });
}

/**
 * Asks the worker to exit first: terminating a thread inside a native module (such as a running model) can crash the
 * whole process.
 */
export async function endThread(worker: Worker): Promise<void> {
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage(exitMessage);
  const timer = setTimeout(() => void worker.terminate(), exitTimeoutMs);
  await exited;
  clearTimeout(timer);
}
