import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type Delivery, secondsUntilRetry } from './delivery.ts';

/** What the machine waits for: it then asks the workers for the attempt. */
interface Retry {
  webhook_id: string;
  delivery_id: string;
  /** The number of the attempt to make. */
  attempt: number;
  wait_seconds: number;
}

export interface RetryMachine {
  /** Sees to the next attempt. `occasion` tells starts apart that are not to be taken for one. */
  start(delivery: Delivery, nowMs: number, occasion?: string): Promise<void>;
}

export function createRetryMachineClient(client: SFNClient, machineArn: string): RetryMachine {
  return {
    async start(delivery, nowMs, occasion = '') {
      const retry = nextRetry(delivery, nowMs);
      const name = `${delivery.id}-${retry.attempt}${occasion}`;
      try {
        await client.send(
          new StartExecutionCommand({ stateMachineArn: machineArn, name, input: JSON.stringify(retry) }),
        );
      } catch (error) {
        // Somebody started it before: twice is once.
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
      }
    },
  };
}

function nextRetry(delivery: Delivery, nowMs: number): Retry {
  return {
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    attempt: delivery.attempts.length + 1,
    wait_seconds: secondsUntilRetry(delivery, nowMs),
  };
}
