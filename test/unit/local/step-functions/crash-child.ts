// Starts executions and sends messages, and prints the name of each one when it is acknowledged, until it is killed.
import { writeSync } from 'node:fs';
import { Clock } from '../../../../local/clock/clock.ts';
import { createJsonLog } from '../../../../local/log.ts';
import { createSqs } from '../../../../local/sqs/sqs.ts';
import { createStepFunctions } from '../../../../local/step-functions/step-functions.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import { crashMachine, crashQueue, environment, queueArn } from './crash-stack.ts';
import { startExecution } from './machine.ts';

const storage = new Storage(process.argv[2]!);
const base = { storage, clock: new Clock(), environment, log: createJsonLog(() => {}) };
const sqs = createSqs(base);
const machines = createStepFunctions({ ...base, callAws: async () => ({}) });
sqs.load([crashQueue]);
machines.load([crashMachine]);
await sqs.start();
await machines.start();

for (let round = 0; round < 100_000; round++) {
  await Promise.all([
    sqs.send(queueArn, `message-${round}`).then(() => writeSync(1, `message-${round}\n`)),
    startExecution(machines, '{}', `run-${round}`).then(() => writeSync(1, `run-${round}\n`)),
  ]);
}
