// Calls of functions at moments that have gone by, while a past is made. All of them run in one worker thread, where the
// code that functions share gets fast once instead of once per function, and several at once, each at its own time. They
// act as the operator of the machine, not in their roles: nothing is being proved about them here.
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import { workerProgram } from './bootstrap-code.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { logFunctionLine } from './function-log.ts';
import type { PastCall, PastMessage, PastSetup } from './worker/past.ts';

export interface PastCalls {
  /** The function's answer; rejects when it fails or takes too long. */
  call(functionName: string, payload: unknown, atMs: number): Promise<unknown>;
  end(): Promise<void>;
}

export interface PastCallsOptions {
  find(functionName: string): FunctionDefinition;
  /** What all functions see of the world, together. */
  environment: Record<string, string>;
  connect(): MessagePort;
  log: Log;
}

const longestCallMs = 30_000;

export function openPastCalls({ find, environment, connect, log }: PastCallsOptions): PastCalls {
  const line = connect();
  const setup: PastSetup = { awsUrl: environment.AWS_ENDPOINT_URL ?? '', line };
  const worker = new Worker(workerProgram('past'), {
    eval: true,
    name: 'past',
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

  worker.on('message', (message: PastMessage) => {
    if (message.kind === 'log') return logFunctionLine(log, { ...message, functionName: 'past', requestId: undefined });
    const call = open.get(message.number);
    open.delete(message.number);
    if (message.kind === 'answer') call?.resolve(message.payload);
    else call?.reject(new Error(message.error));
  });
  const fail = (error: Error) => {
    for (const { reject } of open.values()) reject(error);
    open.clear();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the worker of the past ended with ${code}`)));

  return {
    call(functionName, payload, atMs) {
      const { name, codeFolder, handler, timeoutMs } = find(functionName);
      const call: PastCall = {
        number: ++number,
        functionName: name,
        taskRoot: codeFolder,
        handler,
        payload,
        atMs,
        timeoutMs,
      };
      return new Promise((resolve, reject) => {
        const late = () => reject(new Error(`${name} did not answer within ${longestCallMs / 1_000} s`));
        const timer = setTimeout(late, longestCallMs);
        const settled =
          <Value>(settle: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(timer);
            settle(value);
          };
        open.set(call.number, { resolve: settled(resolve), reject: settled(reject) });
        worker.postMessage(call);
      });
    },
    async end() {
      await worker.terminate();
    },
  };
}
