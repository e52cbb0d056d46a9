// Durable state machines of the Amazon States Language: waits and retries survive a restart.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import { type AwsService, createJsonService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { RecordMetric } from '../cloudwatch/metrics.ts';
import type { Log } from '../log.ts';
import { requireValue } from '../require-value.ts';
import type { RuntimeService } from '../runtime-service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource } from '../template/resource-type.ts';
import { assertSupported } from '../template/template.ts';
import { checkDefinition, type Definition } from './definition.ts';
import { type Execution, ExecutionStore } from './execution-store.ts';
import { Interpreter } from './interpreter.ts';
import { type Machine, MachineStore } from './machine-store.ts';
import { createOperations, getAccess, memberTypes } from './operations.ts';
import type { CallAws } from './task.ts';
import type { TaskToken } from './task-token.ts';

export interface StepFunctionsOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  callAws: CallAws;
  /** An execution with a longer history fails, which ends endless loops. */
  maxEvents?: number;
  recordMetric?: RecordMetric;
}

export interface StepFunctions extends RuntimeService {
  readonly service: Required<AwsService>;
  /** Sets up the template's state machines; throws an error that lists all unsupported features. */
  load(resources: readonly Resource[]): void;
}

const nameRetentionMs = 90 * 24 * 3_600_000;
const maxInputBytes = 262_144;
const awsMaxEvents = 25_000;

export function createStepFunctions(options: StepFunctionsOptions): StepFunctions {
  const { storage, clock } = options;
  const store = new ExecutionStore(storage);
  const machines = new MachineStore(storage);
  const interpreter = new Interpreter({ maxEvents: awsMaxEvents, ...options, store, machines });

  /** Returns the running execution if name and input are the same; any other use of its name fails for 90 days. */
  const startExecution = async (machine: Machine, name: string = randomUUID(), input: string) => {
    checkName(name);
    const data = parseInput(input);
    const startMs = clock.now();
    const { arn: machineArn, revision } = machine;
    const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const opened: Execution = { arn, machineArn, name, revision, status: 'RUNNING', input, startMs };
    const execution = await storage.write(() => {
      const existing = store.find(arn);
      if (existing?.status === 'RUNNING' && existing.input === input) return existing;
      if (existing && (existing.stopMs ?? startMs) > startMs - nameRetentionMs) {
        throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
      }
      if (existing) store.delete(arn);
      interpreter.open(opened, data);
      return opened;
    });
    if (execution === opened) interpreter.run(arn);
    return execution;
  };

  const core = {
    store,
    machines,
    startExecution: (machine: Machine, name: string | undefined, input: string) =>
      clock.track(() => startExecution(machine, name, input)),
    stopExecution: (execution: Execution, error: string, cause: string) =>
      storage.write(() => {
        const current = requireValue(store.find(execution.arn));
        if (current.status === 'RUNNING') interpreter.abort(current, error, cause);
        return current.stopMs ?? clock.now();
      }),
    reportTask: (token: TaskToken, result: Parameters<Interpreter['report']>[1]) =>
      clock.track(async () => {
        const wasWaiting = await storage.write(() => interpreter.report(token, result));
        if (wasWaiting) interpreter.run(token.execution);
        return wasWaiting;
      }),
  };

  return {
    name: 'step-functions',
    service: createJsonService({
      memberTypes,
      signingName: 'states',
      jsonVersion: '1.0',
      access: getAccess,
      call: createOperations(core),
    }),
    load: (resources) => loadMachines(resources, machines, clock),
    async start() {
      storage.writeNow(() => {
        for (const arn of store.listStoppedBefore(clock.now() - nameRetentionMs)) store.delete(arn);
      });
      interpreter.start();
    },
    async stop() {
      interpreter.stop();
    },
  };
}

function checkName(name: unknown): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among those AWS does not allow.
  const forbidden = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/;
  if (typeof name === 'string' && name.length >= 1 && name.length <= 80 && !forbidden.test(name)) return;
  throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
}

function parseInput(input: unknown): unknown {
  const invalidInput = (reason: string) =>
    new AwsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${reason}'`);
  if (typeof input !== 'string') throw invalidInput('The input must be a JSON string');
  if (Buffer.byteLength(input) > maxInputBytes) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${maxInputBytes}`,
    );
  }
  try {
    return JSON.parse(input);
  } catch (error) {
    throw invalidInput((error as Error).message);
  }
}

function loadMachines(resources: readonly Resource[], machines: MachineStore, clock: Clock): void {
  const problems: string[] = [];
  for (const resource of resources.filter(({ type }) => type === 'AWS::StepFunctions::StateMachine')) {
    const { logicalId, properties, attributes, physicalId } = resource;
    try {
      const text = String(properties.DefinitionString);
      const found = checkDefinition(JSON.parse(text) as Definition);
      problems.push(...found.map((problem) => `${logicalId}: ${problem}`));
      if (found.length === 0)
        machines.declare(physicalId, requireValue(attributes.Name), String(properties.RoleArn), text, clock.now());
    } catch (error) {
      problems.push(`${logicalId}: ${(error as Error).message}`);
    }
  }
  assertSupported('Step Functions', problems);
}
