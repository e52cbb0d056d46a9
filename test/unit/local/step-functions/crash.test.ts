import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSqs } from '../../../../local/sqs/sqs.ts';
import { ExecutionStore } from '../../../../local/step-functions/execution-store.ts';
import { createStepFunctions } from '../../../../local/step-functions/step-functions.ts';
import { aTestRuntime } from '../test-runtime.ts';
import { crashMachine, crashQueue, machineArn, queueArn } from './crash-stack.ts';

/** Kills the child after some acknowledgements and resolves with all that it printed. */
async function killAfter(lines: number, folder: string): Promise<string[]> {
  const script = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line);
    if (acknowledged.length === lines) child.kill('SIGKILL');
  }
  return acknowledged;
}

describe('kill -9', () => {
  it('loses no acknowledged message or execution, and continues their waits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'local-'));
    const acknowledged = await killAfter(60, folder);
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);

    const runtime = aTestRuntime(folder, Date.now());
    const sqs = createSqs(runtime);
    const machines = createStepFunctions({ ...runtime, callAws: async () => ({}) });
    const executions = new ExecutionStore(runtime.storage);
    sqs.load([crashQueue]);
    machines.load([crashMachine]);
    await sqs.start();
    await machines.start();
    await runtime.clock.waitUntilIdle();

    const executionArn = (name: string) => `${machineArn.replace('stateMachine', 'execution')}:${name}`;
    const runs = acknowledged.filter((name) => name.startsWith('run-'));
    expect(new Set(runs.map((name) => executions.find(executionArn(name))?.status))).toEqual(new Set(['RUNNING']));
    const bodies = (await sqs.receive(queueArn, 10_000)).map(({ body }) => body);
    expect(bodies).toEqual(expect.arrayContaining(acknowledged.filter((name) => name.startsWith('message-'))));

    await runtime.clock.advance(3_600_000);
    expect(new Set(runs.map((name) => executions.find(executionArn(name))?.status))).toEqual(new Set(['SUCCEEDED']));
    runtime.end();
  });
});
