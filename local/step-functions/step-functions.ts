// State machines of the Amazon States Language, durable: an execution's position is on disk before each step, so waits
// and retries outlive the process. A Task that was in flight when the process died runs again.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import { type AwsService, jsonService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { Part } from '../part.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import type { Definition } from './definition.ts';
import { checkDefinition } from './definition-check.ts';
import type { Execution, ExecutionStatus, Machine } from './execution.ts';
import { ExecutionStore } from './execution-store.ts';
import { Interpreter } from './interpreter.ts';
import { MachineStore } from './machine-store.ts';
import { accessOf, createOperations, findMachine } from './operations.ts';
import type { CallAws, Invoke } from './task.ts';

export interface StepFunctionsOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  invoke: Invoke;
  callAws: CallAws;
  /** An execution with a longer history fails, so that no loop in a definition runs for ever. */
  mostEvents?: number;
}

export interface StepFunctions extends Part {
  readonly service: Required<AwsService>;
  /** Sets up the machines that the template declares; throws a list of what it cannot honour. */
  load(resources: readonly Resource[]): void;
  /** Returns the execution's ARN once it is on disk. Rejects with an AwsError, like the API. */
  startExecution(machineArn: string, input: string, name?: string): Promise<string>;
  execution(
    executionArn: string,
  ): { status: ExecutionStatus; output?: string; error?: string; cause?: string } | undefined;
}

const nameReuseMs = 90 * 24 * 3_600_000;
const longestInput = 262_144;
const awsMostEvents = 25_000;

export function createStepFunctions(options: StepFunctionsOptions): StepFunctions {
  const { storage, clock } = options;
  const store = new ExecutionStore(storage);
  const machines = new MachineStore(storage);
  const interpreter = new Interpreter({ mostEvents: awsMostEvents, ...options, store, machines });

  const core = {
    store,
    machines,
    startExecution: (machine: Machine, name: string | undefined, input: string) =>
      clock.busy(() => startExecution(machine, name, input, { ...options, store, machines, interpreter })),
    stopExecution: (execution: Execution, error: string, cause: string) =>
      storage.write(() => {
        const current = store.execution(execution.arn)!;
        if (current.status === 'RUNNING') interpreter.end(current, 'ABORTED', error, cause);
        return current.stopMs ?? clock.now();
      }),
  };

  return {
    name: 'step-functions',
    service: jsonService({ signingName: 'states', jsonVersion: '1.0', access: accessOf, call: createOperations(core) }),
    load: (resources) => loadMachines(resources, machines, clock),
    async start() {
      storage.writeNow(() => {
        for (const arn of store.stoppedBefore(clock.now() - nameReuseMs)) store.forgetExecution(arn);
      });
      interpreter.start();
    },
    async stop() {
      interpreter.stop();
    },
    async startExecution(machineArn, input, name) {
      return (await core.startExecution(findMachine(machines, machineArn), name, input)).arn;
    },
    execution: (arn) => store.execution(arn),
  };
}

interface Start {
  storage: Storage;
  clock: Clock;
  store: ExecutionStore;
  machines: MachineStore;
  interpreter: Interpreter;
}

/** The same name with the same input is the same execution while it runs; otherwise a name is taken for 90 days. */
async function startExecution(machine: Machine, given: string | undefined, input: string, start: Start) {
  const { storage, clock, store, machines, interpreter } = start;
  const name = given ?? randomUUID();
  checkName(name);
  const data = readInput(input);
  const { TimeoutSeconds } = machines.definition(machine.arn, machine.revision);
  const startMs = clock.now();
  const execution: Execution = {
    arn: `${machine.arn.replace(':stateMachine:', ':execution:')}:${name}`,
    machineArn: machine.arn,
    name,
    revision: machine.revision,
    status: 'RUNNING',
    input,
    startMs,
    ...(TimeoutSeconds === undefined ? {} : { timeoutMs: startMs + TimeoutSeconds * 1000 }),
  };
  const opened = await storage.write(() => {
    const existing = store.execution(execution.arn);
    if (existing?.status === 'RUNNING' && existing.input === input) return { execution: existing, effects: undefined };
    if (existing && (existing.stopMs ?? startMs) > startMs - nameReuseMs) {
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${execution.arn}'`);
    }
    if (existing) store.forgetExecution(existing.arn);
    return { execution, effects: interpreter.open(execution, data) };
  });
  if (opened.effects) interpreter.proceed(opened.execution, opened.effects);
  return opened.execution;
}

function checkName(name: unknown): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among those AWS does not allow.
  const forbidden = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/;
  if (typeof name === 'string' && name.length >= 1 && name.length <= 80 && !forbidden.test(name)) return;
  throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
}

function readInput(input: unknown): unknown {
  if (typeof input !== 'string') {
    throw new AwsError(
      'InvalidExecutionInput',
      "Invalid State Machine Execution Input: 'The input must be a JSON string'",
    );
  }
  if (Buffer.byteLength(input) > longestInput) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${longestInput}`,
    );
  }
  try {
    return JSON.parse(input);
  } catch (error) {
    throw new AwsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${(error as Error).message}'`);
  }
}

function loadMachines(resources: readonly Resource[], machines: MachineStore, clock: Clock): void {
  const problems: string[] = [];
  for (const resource of resources.filter(({ type }) => type === 'AWS::StepFunctions::StateMachine')) {
    const { logicalId, properties, attributes, physicalId } = resource;
    try {
      const text = definitionText(properties);
      const found = checkDefinition(JSON.parse(text) as Definition);
      if ((properties.StateMachineType ?? 'STANDARD') !== 'STANDARD') {
        found.push(`the type ${properties.StateMachineType} is not supported`);
      }
      problems.push(...found.map((problem) => `${logicalId}: ${problem}`));
      if (found.length === 0)
        machines.declare(physicalId, attributes.Name!, String(properties.RoleArn), text, clock.now());
    } catch (error) {
      problems.push(`${logicalId}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new Error(`Step Functions cannot honour the template:\n- ${problems.join('\n- ')}`);
}

function definitionText(properties: Resource['properties']): string {
  const { DefinitionString, Definition: object, DefinitionSubstitutions: substitutions = {} } = properties;
  const text = typeof DefinitionString === 'string' ? DefinitionString : JSON.stringify(object);
  if (text === undefined) throw new Error('the definition is missing');
  return text.replace(/\$\{([^}!]+)\}/g, (whole, key: string) =>
    Object.hasOwn(substitutions, key) ? String(substitutions[key]) : whole,
  );
}
