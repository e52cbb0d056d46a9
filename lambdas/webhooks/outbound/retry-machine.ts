import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { clientDefaults, createSharedClient } from '../../platform/clients/shared-client.ts';
import { type Delivery, getSecondsUntilRetry } from './delivery.ts';

/** The input of the state machine, which waits and then queues the attempt. */
interface Retry {
  webhook_id: string;
  delivery_id: string;
  /** The number of the attempt to make. */
  attempt: number;
  wait_seconds: number;
}

export interface RetryMachine {
  /** Schedules the next attempt. `occasion` makes the names of separate starts differ. */
  start(delivery: Delivery, nowMs: number, occasion?: string): Promise<void>;
}

export function createRetryMachineClient(client: SFNClient, machineArn: string): RetryMachine {
  return {
    async start(delivery, nowMs, occasion = '') {
      const retry = toRetryInput(delivery, nowMs);
      const name = `${delivery.id}-${retry.attempt}${occasion}`;
      try {
        await client.send(
          new StartExecutionCommand({ stateMachineArn: machineArn, name, input: JSON.stringify(retry) }),
        );
      } catch (error) {
        // Another call started it, so this one has nothing to do.
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
      }
    },
  };
}

function toRetryInput(delivery: Delivery, nowMs: number): Retry {
  return {
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    attempt: delivery.attempts.length + 1,
    wait_seconds: getSecondsUntilRetry(delivery, nowMs),
  };
}

export const sfnClient = createSharedClient(() => new SFNClient(clientDefaults));
