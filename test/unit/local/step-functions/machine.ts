// A state machine under test: its functions are plain ones, and the clock moves only when told.
import { AwsError } from '../../../../local/aws/error.ts';
import type { Caller } from '../../../../local/aws/service.ts';
import { resourceTypes } from '../../../../local/step-functions/resource-types.ts';
import { createStepFunctions, type StepFunctions } from '../../../../local/step-functions/step-functions.ts';
import { aGround, aResource, type Ground } from '../sqs/ground.ts';

export const machineArn = 'arn:aws:states:eu-west-1:123456789012:stateMachine:machine';
export const roleArn = 'arn:aws:iam::123456789012:role/machine';
export const functionArn = (name: string) => `arn:aws:lambda:eu-west-1:123456789012:function:${name}`;

type FakeFunction = (payload: never) => unknown;

export interface MachineTest {
  ground: Ground;
  parts: StepFunctions;
  invoked: { name: string; payload: unknown; atMs: number; caller: Caller }[];
  called: { service: string; operation: string; input: unknown; caller: Caller }[];
  /** Starts an execution and lets it come to rest. */
  start(input?: unknown, name?: string): Promise<string>;
  result(executionArn: string): { status: string; output?: unknown; error?: string; cause?: string };
  end(): void;
}

export async function aMachine(
  definition: object,
  functions: Record<string, FakeFunction> = {},
  ground: Ground = aGround(),
): Promise<MachineTest> {
  const invoked: MachineTest['invoked'] = [];
  const called: MachineTest['called'] = [];
  const parts = createStepFunctions({
    ...ground,
    mostEvents: 500,
    async invoke(arn, payload, caller) {
      const name = arn.split(':').pop()!;
      invoked.push({ name, payload, atMs: ground.clock.now(), caller });
      const run = functions[name];
      if (!run) throw new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, { status: 404 });
      try {
        return { payload: await run(payload as never) };
      } catch (error) {
        const { name: errorType, message: errorMessage } = error as Error;
        return { payload: { errorType, errorMessage }, functionError: 'Unhandled' };
      }
    },
    async callAws(service, operation, input, caller) {
      called.push({ service, operation, input, caller });
      const run = functions[`${service}:${operation}`];
      return run ? run(input as never) : {};
    },
  });
  parts.load([
    aResource(resourceTypes, 'AWS::StepFunctions::StateMachine', 'Machine', {
      StateMachineName: 'machine',
      RoleArn: roleArn,
      DefinitionString: JSON.stringify(definition),
    }),
  ]);
  await parts.start();
  return {
    ground,
    parts,
    invoked,
    called,
    async start(input = {}, name) {
      const arn = await parts.startExecution(machineArn, JSON.stringify(input), name);
      await ground.clock.idle();
      return arn;
    },
    result(arn) {
      const { status, output, error, cause } = parts.execution(arn)!;
      return {
        status,
        ...(output === undefined ? {} : { output: JSON.parse(output) }),
        ...(error === undefined ? {} : { error }),
        ...(cause === undefined ? {} : { cause }),
      };
    },
    end: () => ground.end(),
  };
}

export class NamedError extends Error {
  constructor(name: string, message = 'no') {
    super(message);
    this.name = name;
  }
}

/** One state, with what it needs to stand alone. */
export const oneState = (state: object, others: object = {}) => ({
  StartAt: 'Only',
  States: { Only: { End: true, ...state }, ...others },
});
