// A state machine under test: its messages go to a fake queue, and its clock moves only when a test advances it.
import type { Caller } from '../../../../local/aws/service.ts';
import { sendMessageResource, waitForTokenResource } from '../../../../local/step-functions/definition.ts';
import { ExecutionStore } from '../../../../local/step-functions/execution-store.ts';
import { resourceTypes } from '../../../../local/step-functions/resource-types.ts';
import { createStepFunctions, type StepFunctions } from '../../../../local/step-functions/step-functions.ts';
import { aResource, aTestRuntime, type TestRuntime } from '../test-runtime.ts';

export const machineArn = 'arn:aws:states:eu-west-1:123456789012:stateMachine:machine';
export const roleArn = 'arn:aws:iam::123456789012:role/machine';

export interface MachineTest {
  runtime: TestRuntime;
  stepFunctions: StepFunctions;
  calls: { service: string; operation: string; input: unknown; caller: Caller; timeMs: number }[];
  /** Starts an execution and runs it until it waits or ends. */
  start(input?: unknown, name?: string): Promise<string>;
  getResult(executionArn: string): { status: string; output?: unknown; error?: string; cause?: string };
  end(): void;
}

/** `send` is what the queue does with a message. */
export async function aMachine(
  definition: object,
  send: () => unknown = () => ({ MessageId: 'm' }),
  runtime: TestRuntime = aTestRuntime(),
): Promise<MachineTest> {
  const calls: MachineTest['calls'] = [];
  const stepFunctions = createStepFunctions({
    ...runtime,
    maxEvents: 500,
    async callAws(service, operation, input, caller) {
      calls.push({ service, operation, input, caller, timeMs: runtime.clock.now() });
      return send();
    },
  });
  stepFunctions.load([aMachineResource(definition)]);
  await stepFunctions.start();
  return {
    runtime,
    stepFunctions,
    calls,
    async start(input = {}, name) {
      const arn = await startExecution(stepFunctions, JSON.stringify(input), name);
      await runtime.clock.waitUntilIdle();
      return arn;
    },
    getResult(arn) {
      const { status, output, error, cause } = new ExecutionStore(runtime.storage).find(arn)!;
      return {
        status,
        ...(output === undefined ? {} : { output: JSON.parse(output) }),
        ...(error === undefined ? {} : { error }),
        ...(cause === undefined ? {} : { cause }),
      };
    },
    end: () => runtime.end(),
  };
}

export async function startExecution({ service }: StepFunctions, input: string, name?: string): Promise<string> {
  const request = { stateMachineArn: machineArn, input, ...(name === undefined ? {} : { name }) };
  const { executionArn } = (await service.call('StartExecution', request, () => {})) as { executionArn: string };
  return executionArn;
}

export const aMachineResource = (definition: unknown, name = 'machine') =>
  aResource(resourceTypes, 'AWS::StepFunctions::StateMachine', 'Machine', {
    StateMachineName: name,
    RoleArn: roleArn,
    DefinitionString: typeof definition === 'string' ? definition : JSON.stringify(definition),
  });

export const aTask = (more: object = {}) => ({
  Type: 'Task',
  Resource: sendMessageResource,
  Parameters: { QueueUrl: 'q', MessageBody: 'text' },
  End: true,
  ...more,
});

/** A Map whose iterations send a message and wait for its token for a minute. */
export const aMap = (processor: object = {}, more: object = {}) => ({
  Type: 'Map',
  ItemProcessor: { StartAt: 'Item', States: { Item: aTokenTask() }, ...processor },
  End: true,
  ...more,
});

export const aTokenTask = (more: object = {}) =>
  aTask({
    Resource: waitForTokenResource,
    Parameters: { QueueUrl: 'q', MessageBody: { 'item.$': '$', 'token.$': '$$.Task.Token' } },
    TimeoutSeconds: 60,
    ...more,
  });

/** A machine that starts with the given state. */
export const startingWith = (state: object, others: object = {}) => ({
  StartAt: 'First',
  States: { First: { End: true, ...state }, ...others },
});
