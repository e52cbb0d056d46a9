// Calls functions at past times while a seed is applied. All calls run concurrently in one worker thread, so the shared
// code is optimized once instead of once per function. They run as the operator, not with the functions' roles.
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import { loadWorkerProgram } from './function-code.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { logFunctionLine } from './invocation.ts';
import type { SeedCall, SeedMessage, SeedSetup } from './worker/seed.ts';

export interface SeedCalls {
  /** Resolves with the function's result; rejects when it fails or times out. */
  call(functionName: string, payload: unknown, atMs: number): Promise<unknown>;
  end(): Promise<void>;
}

interface SeedCallsOptions {
  find(functionName: string): FunctionDefinition;
  /** The environment variables of all functions, merged. */
  environment: Record<string, string>;
  connect(): MessagePort;
  log: Log;
}

const maxCallMs = 30_000;

export function openSeedCalls({ find, environment, connect, log }: SeedCallsOptions): SeedCalls {
  const line = connect();
  const setup: SeedSetup = { awsUrl: environment.AWS_ENDPOINT_URL ?? '', line };
  const worker = new Worker(loadWorkerProgram('seed'), {
    eval: true,
    name: 'seed',
    env: environment,
    execArgv: [],
    argv: [],
    stdout: true,
    stderr: true,
    workerData: setup,
    transferList: [line],
  });
  const open = new Map<number, { resolve(payload: unknown): void; reject(error: Error): void }>();
  let number = 0;

  worker.on('message', (message: SeedMessage) => {
    if (message.kind === 'log') return logFunctionLine(log, { ...message, functionName: 'seed', requestId: undefined });
    const call = open.get(message.number);
    open.delete(message.number);
    if (message.kind === 'returned') call?.resolve(message.payload);
    else call?.reject(new Error(message.error));
  });
  const fail = (error: Error) => {
    for (const { reject } of open.values()) reject(error);
    open.clear();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the seed worker exited with code ${code}`)));

  return {
    call(functionName, payload, atMs) {
      const { name, codeFolder, handler, timeoutMs } = find(functionName);
      const call: SeedCall = {
        number: ++number,
        functionName: name,
        taskRoot: codeFolder,
        handler,
        payload,
        atMs,
        timeoutMs,
      };
      return new Promise((resolve, reject) => {
        const late = () => reject(new Error(`${name} timed out after ${maxCallMs / 1_000} s`));
        const timer = setTimeout(late, maxCallMs);
        const withTimeout =
          <Value>(settle: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(timer);
            settle(value);
          };
        open.set(call.number, { resolve: withTimeout(resolve), reject: withTimeout(reject) });
        worker.postMessage(call);
      });
    },
    async end() {
      await worker.terminate();
    },
  };
}
