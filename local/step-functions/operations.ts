// The operations of the Step Functions API: validation, required permission and response. Times are epoch seconds.
import { AwsError } from '../aws/error.ts';
import { type Access, type Input, type MemberTypes, unsupportedOperationError } from '../aws/service.ts';
import type { Row } from '../storage/storage.ts';
import type { Execution, ExecutionStore } from './execution-store.ts';
import { StateError } from './failure.ts';
import type { Machine, MachineStore } from './machine-store.ts';
import { parseToken, type TaskToken } from './task-token.ts';

export interface StepFunctionsCore {
  store: ExecutionStore;
  machines: MachineStore;
  startExecution(machine: Machine, name: string | undefined, input: string): Promise<Execution>;
  stopExecution(execution: Execution, error: string, cause: string): Promise<number>;
  /** Resolves to whether the task still waited for its result. */
  reportTask(token: TaskToken, result: { output: unknown } | { failure: StateError }): Promise<boolean>;
}

export const memberTypes: MemberTypes = new Map([
  ['cause', 'string'],
  ['error', 'string'],
  ['input', 'string'],
  ['name', 'string'],
  ['output', 'string'],
  ['statusFilter', 'string'],
  ['taskToken', 'string'],
]);

const machineOperations = ['StartExecution', 'ListExecutions', 'DescribeStateMachine'];
const executionOperations = ['DescribeExecution', 'StopExecution', 'GetExecutionHistory'];

export function getAccess(operation: string, input: Input): Access[] {
  const action = `states:${operation}`;
  if (machineOperations.includes(operation)) {
    return [{ action, resource: parseArn(input.stateMachineArn, 'stateMachine') }];
  }
  if (executionOperations.includes(operation)) {
    return [{ action, resource: parseArn(input.executionArn, 'execution') }];
  }
  if (operation === 'SendTaskSuccess' || operation === 'SendTaskFailure') {
    const { execution } = parseToken(input.taskToken);
    const parts = execution.split(':');
    return [{ action, resource: [...parts.slice(0, 5), 'stateMachine', parts[6]].join(':') }];
  }
  if (operation === 'ListStateMachines') return [{ action, resource: '*' }];
  throw unsupportedOperationError('states', operation);
}

export function createOperations(core: StepFunctionsCore): (operation: string, input: Input) => Promise<unknown> {
  const { store, machines } = core;
  const operations: Record<string, (input: Input) => Promise<unknown>> = {
    async StartExecution(input) {
      const machine = getMachine(machines, input.stateMachineArn);
      const { arn, startMs } = await core.startExecution(machine, input.name, input.input ?? '{}');
      return { executionArn: arn, startDate: startMs / 1000 };
    },
    async StopExecution(input) {
      const stopMs = await core.stopExecution(getExecution(store, input), input.error ?? '', input.cause ?? '');
      return { stopDate: stopMs / 1000 };
    },
    async SendTaskSuccess({ taskToken, output }) {
      return reportTask(core, taskToken, { output: parseOutput(output) });
    },
    async SendTaskFailure({ taskToken, error = '', cause = '' }) {
      return reportTask(core, taskToken, { failure: new StateError(error, cause) });
    },
    async DescribeExecution(input) {
      const execution = getExecution(store, input);
      const { output, error, cause } = execution;
      return {
        ...toSummary(execution),
        input: execution.input,
        inputDetails: { included: true },
        ...(output === undefined ? {} : { output, outputDetails: { included: true } }),
        ...(error === undefined ? {} : { error }),
        ...(cause === undefined ? {} : { cause }),
        redriveStatus: 'NOT_REDRIVABLE',
        redriveStatusReason: 'The local runtime does not redrive executions',
      };
    },
    async GetExecutionHistory(input) {
      const events = store.listEvents(getExecution(store, input).arn);
      const withData = input.includeExecutionData ?? true;
      const ordered = input.reverseOrder ? events.reverse() : events;
      return toPage(ordered, input, 'events', (row) => toHistoryEvent(row, withData));
    },
    async ListExecutions(input) {
      const machine = getMachine(machines, input.stateMachineArn);
      const [offset, limit] = [parseOffset(input), parseLimit(input)];
      const found = store.list(machine.arn, input.statusFilter, offset, limit + 1);
      const nextToken = found.length > limit ? { nextToken: String(offset + limit) } : {};
      return { executions: found.slice(0, limit).map(toSummary), ...nextToken };
    },
    async DescribeStateMachine(input) {
      const { definition, roleArn, revision, ...machine } = getMachine(machines, input.stateMachineArn);
      return { ...toMachineSummary(machine), status: 'ACTIVE', definition, roleArn, revisionId: String(revision) };
    },
    async ListStateMachines(input) {
      const sorted = [...machines.declared.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      return toPage(sorted, input, 'stateMachines', toMachineSummary);
    },
  };
  return async (operation, input) => operations[operation]?.(input);
}

async function reportTask(
  core: StepFunctionsCore,
  token: unknown,
  result: { output: unknown } | { failure: StateError },
) {
  if (await core.reportTask(parseToken(token), result)) return {};
  throw new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
}

function parseOutput(output: unknown): unknown {
  try {
    return JSON.parse(String(output));
  } catch (error) {
    throw new AwsError('InvalidOutput', `Invalid Output: '${(error as Error).message}'`);
  }
}

function getMachine(machines: MachineStore, arn: string): Machine {
  const machine = machines.declared.get(arn);
  if (!machine) throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return machine;
}

function getExecution(store: ExecutionStore, { executionArn }: Input): Execution {
  const execution = store.find(executionArn);
  if (!execution) throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  return execution;
}

function toMachineSummary({ arn, name, createdMs }: Pick<Machine, 'arn' | 'name' | 'createdMs'>) {
  return { stateMachineArn: arn, name, type: 'STANDARD', creationDate: createdMs / 1000 };
}

function toSummary({ arn, machineArn, name, status, startMs, stopMs }: Execution) {
  return {
    executionArn: arn,
    stateMachineArn: machineArn,
    name,
    status,
    startDate: startMs / 1000,
    ...(stopMs === undefined ? {} : { stopDate: stopMs / 1000 }),
    redriveCount: 0,
  };
}

function toHistoryEvent(row: Row, withData: boolean) {
  const type = String(row.type);
  const details = JSON.parse(String(row.details)) as Record<string, unknown>;
  if (!withData) for (const field of ['input', 'output', 'parameters']) delete details[field];
  return {
    timestamp: Number(row.time_ms) / 1000,
    type,
    id: Number(row.id),
    previousEventId: Number(row.previous),
    ...(Object.keys(details).length > 0 ? { [getDetailsField(type)]: details } : {}),
  };
}

/** All kinds of state share two fields for entered and exited; every other event type has its own field. */
function getDetailsField(type: string): string {
  if (type.endsWith('StateEntered')) return 'stateEnteredEventDetails';
  if (type.endsWith('StateExited')) return 'stateExitedEventDetails';
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}EventDetails`;
}

function toPage<T>(all: readonly T[], input: Input, name: string, toEntry: (item: T) => object) {
  const [offset, limit] = [parseOffset(input), parseLimit(input)];
  return {
    [name]: all.slice(offset, offset + limit).map(toEntry),
    ...(offset + limit < all.length ? { nextToken: String(offset + limit) } : {}),
  };
}

function parseLimit(input: Input): number {
  const limit = input.maxResults || 100;
  if (Number.isInteger(limit) && limit > 0 && limit <= 1000) return limit;
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value '${limit}' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 1000`,
  );
}

function parseOffset(input: Input): number {
  const offset = Number(input.nextToken ?? 0);
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new AwsError('InvalidToken', `Invalid Token: '${input.nextToken}'`);
}

function parseArn(arn: unknown, kind: string): string {
  if (typeof arn === 'string' && new RegExp(`^arn:[^:]+:states:[^:]+:\\d{12}:${kind}:.+$`).test(arn)) return arn;
  throw new AwsError('InvalidArn', `Invalid Arn: '${arn}'`);
}
