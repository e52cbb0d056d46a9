import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type Delivery, secondsToWait } from './delivery.ts';

/** What the machine hands to the function that makes the attempt, and gets back from it. */
export interface Retry {
  webhook_id: string;
  delivery_id: string;
  /** The number of the attempt to make. */
  attempt: number;
  wait_seconds: number;
}

export interface RetryMachine {
  /** Sees to the attempts that are left. `occasion` tells starts apart that are not to be taken for one. */
  start(delivery: Delivery, nowMs: number, occasion?: string): Promise<void>;
}

export function retryMachine(client: SFNClient, machineArn: string): RetryMachine {
  return {
    async start(delivery, nowMs, occasion = '') {
      const input = JSON.stringify(nextRetry(delivery, nowMs));
      try {
        await client.send(
          new StartExecutionCommand({ stateMachineArn: machineArn, name: `${delivery.id}${occasion}`, input }),
        );
      } catch (error) {
        // Somebody started it before: twice is once.
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
      }
    },
  };
}

export function nextRetry(delivery: Delivery, nowMs: number): Retry {
  return {
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    attempt: delivery.attempts.length + 1,
    wait_seconds: secondsToWait(delivery, nowMs),
  };
}
