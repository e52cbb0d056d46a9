// The Step Functions API: what each operation checks, needs permission for, and answers. Times are epoch seconds.
import { AwsError } from '../aws/error.ts';
import type { Access, Input } from '../aws/service.ts';
import type { Execution, Machine } from './execution.ts';
import type { ExecutionStore } from './execution-store.ts';
import { historyPage } from './history.ts';
import type { MachineStore } from './machine-store.ts';

export interface Core {
  store: ExecutionStore;
  machines: MachineStore;
  startExecution(machine: Machine, name: string | undefined, input: string): Promise<Execution>;
  stopExecution(execution: Execution, error: string, cause: string): Promise<number>;
}

const onMachine = ['StartExecution', 'ListExecutions', 'DescribeStateMachine'];
const onExecution = ['DescribeExecution', 'StopExecution', 'GetExecutionHistory', 'DescribeStateMachineForExecution'];

export function accessOf(operation: string, input: Input): Access[] {
  const action = `states:${operation}`;
  if (onMachine.includes(operation)) return [{ action, resource: arn(input.stateMachineArn, 'stateMachine') }];
  if (onExecution.includes(operation)) return [{ action, resource: arn(input.executionArn, 'execution') }];
  if (operation === 'ListStateMachines') return [{ action, resource: '*' }];
  if (operation === 'StartSyncExecution') {
    throw new AwsError('StateMachineTypeNotSupported', 'The local runtime has standard state machines only.');
  }
  throw new AwsError(
    'UnknownOperationException',
    `The local runtime does not implement the Step Functions operation ${operation}.`,
  );
}

export function createOperations(core: Core): (operation: string, input: Input) => Promise<unknown> {
  const operations: Record<string, (input: Input) => Promise<unknown>> = {
    ...machineOperations(core),
    ...executionOperations(core),
  };
  return async (operation, input) => operations[operation]!(input);
}

export function findMachine(machines: MachineStore, machineArn: string): Machine {
  const machine = machines.declared.get(machineArn);
  if (!machine) throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${machineArn}'`);
  return machine;
}

function machineOperations({ store, machines }: Core) {
  return {
    async DescribeStateMachine(input: Input) {
      return describeMachine(findMachine(machines, input.stateMachineArn));
    },
    async ListStateMachines(input: Input) {
      const all = [...machines.declared.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      return page(all, input, 'stateMachines', ({ arn: stateMachineArn, name, createdMs }) => {
        return { stateMachineArn, name, type: 'STANDARD', creationDate: createdMs / 1000 };
      });
    },
    async ListExecutions(input: Input) {
      const machine = findMachine(machines, input.stateMachineArn);
      const size = pageSize(input);
      const from = pageStart(input);
      const found = store.executions(machine.arn, input.statusFilter, from, size + 1);
      return {
        executions: found.slice(0, size).map(summary),
        ...(found.length > size ? { nextToken: String(from + size) } : {}),
      };
    },
  };
}

function executionOperations(core: Core) {
  const { store, machines } = core;
  const execution = (input: Input): Execution => {
    const found = store.execution(input.executionArn);
    if (!found) throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${input.executionArn}'`);
    return found;
  };
  return {
    async StartExecution(input: Input) {
      const machine = findMachine(machines, input.stateMachineArn);
      const started = await core.startExecution(machine, input.name, input.input ?? '{}');
      return { executionArn: started.arn, startDate: started.startMs / 1000 };
    },
    async StopExecution(input: Input) {
      const stopMs = await core.stopExecution(execution(input), input.error ?? '', input.cause ?? '');
      return { stopDate: stopMs / 1000 };
    },
    async DescribeExecution(input: Input) {
      const found = execution(input);
      return {
        ...summary(found),
        input: found.input,
        inputDetails: { included: true },
        ...(found.output === undefined ? {} : { output: found.output, outputDetails: { included: true } }),
        ...(found.error === undefined ? {} : { error: found.error }),
        ...(found.cause === undefined ? {} : { cause: found.cause }),
        redriveCount: 0,
        redriveStatus: 'NOT_REDRIVABLE',
        redriveStatusReason: 'The local runtime does not redrive executions',
      };
    },
    async DescribeStateMachineForExecution(input: Input) {
      const found = execution(input);
      const machine = machines.get(found.machineArn);
      const { creationDate, status: _, type: __, ...described } = describeMachine(machine);
      const definition = machines.definitionText(found.machineArn, found.revision);
      return { ...described, definition, revisionId: String(found.revision), updateDate: creationDate };
    },
    async GetExecutionHistory(input: Input) {
      const found = execution(input);
      return historyPage(store.events(found.arn), input, pageSize(input), pageStart(input));
    },
  };
}

function describeMachine({ arn: stateMachineArn, name, definition, roleArn, createdMs, revision }: Machine) {
  return {
    stateMachineArn,
    name,
    status: 'ACTIVE',
    definition,
    roleArn,
    type: 'STANDARD',
    creationDate: createdMs / 1000,
    loggingConfiguration: { level: 'OFF', includeExecutionData: false },
    tracingConfiguration: { enabled: false },
    revisionId: String(revision),
  };
}

function summary({ arn: executionArn, machineArn, name, status, startMs, stopMs }: Execution) {
  return {
    executionArn,
    stateMachineArn: machineArn,
    name,
    status,
    startDate: startMs / 1000,
    ...(stopMs === undefined ? {} : { stopDate: stopMs / 1000 }),
    redriveCount: 0,
  };
}

function page<T>(all: readonly T[], input: Input, name: string, shape: (item: T) => object) {
  const from = pageStart(input);
  const size = pageSize(input);
  return {
    [name]: all.slice(from, from + size).map(shape),
    ...(from + size < all.length ? { nextToken: String(from + size) } : {}),
  };
}

function pageSize(input: Input): number {
  const size = input.maxResults || 100;
  if (Number.isInteger(size) && size > 0 && size <= 1000) return size;
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value '${size}' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 1000`,
  );
}

function pageStart(input: Input): number {
  const from = Number(input.nextToken ?? 0);
  if (Number.isInteger(from) && from >= 0) return from;
  throw new AwsError('InvalidToken', `Invalid Token: '${input.nextToken}'`);
}

function arn(given: unknown, kind: string): string {
  if (typeof given === 'string' && new RegExp(`^arn:[^:]+:states:[^:]+:\\d{12}:${kind}:.+$`).test(given)) return given;
  throw new AwsError('InvalidArn', `Invalid Arn: '${given}'`);
}
