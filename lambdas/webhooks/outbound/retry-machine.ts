import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';

/** The input of the state machine, which waits and then sends the message to the queue (lib/retry-definition.ts). */
export interface RetryExecution {
  webhook_id: string;
  delivery_id: string;
  /** The number of the attempt to make. */
  attempt: number;
  wait_seconds: number;
  queue_url: string;
}

export type StartRetry = (execution: RetryExecution) => Promise<void>;

/** Starts one execution per attempt, even if it is called twice. */
export function createRetryStarter(client: SFNClient, machineArn: string): StartRetry {
  return async (execution) => {
    const name = `${execution.delivery_id}-${execution.attempt}`;
    try {
      await client.send(
        new StartExecutionCommand({ stateMachineArn: machineArn, name, input: JSON.stringify(execution) }),
      );
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  };
}
