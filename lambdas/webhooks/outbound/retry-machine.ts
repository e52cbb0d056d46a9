import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { clientDefaults, createSharedClient } from '../../platform/clients/shared-client.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { type Delivery, getSecondsUntilRetry, isOpen } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryKey, DeliveryStore } from './delivery-store.ts';

// Redrives deliveries whose message or execution was lost. Workers read the stored delivery first, so a duplicate
// message causes no second attempt.

interface RedriveTools {
  deliveries: Pick<DeliveryStore, 'due' | 'find' | 'postpone'>;
  queue: DeliveryQueue;
  machine: RetryMachine;
  clock: Clock;
  log: Log;
}

export async function redriveDeliveries(tools: RedriveTools): Promise<{ redriven: number }> {
  let [redriven, failures] = [0, 0];
  for await (const keys of tools.deliveries.due(tools.clock.now())) {
    for (let first = 0; first < keys.length; first += sideBySide) {
      const some = keys.slice(first, first + sideBySide);
      const done = await Promise.allSettled(some.map((key) => redrive(key, tools)));
      for (const [place, result] of done.entries()) {
        if (result.status === 'fulfilled') redriven += result.value;
        else {
          failures++;
          tools.log('error', 'a delivery could not be redriven', { ...some[place], ...toErrorFields(result.reason) });
        }
      }
    }
  }
  if (redriven > 0) tools.log('warn', 'deliveries were redriven', { redriven });
  if (failures > 0) throw new Error(`${failures} deliveries could not be redriven`);
  return { redriven };
}

const sideBySide = 8;

async function redrive(key: DeliveryKey, { deliveries, queue, machine, clock }: RedriveTools): Promise<number> {
  const delivery = await deliveries.find(key);
  if (!delivery || !isOpen(delivery)) return 0;
  const nowMs = clock.now();
  if (delivery.status === 'pending') {
    await queue.send('slow', [{ known: { webhook_id: key.webhookId, id: key.deliveryId } }]);
  } else {
    // A failed execution keeps its name, so this one needs another.
    await machine.start(delivery, nowMs, `-${nowMs}`);
  }
  await deliveries.postpone(delivery, nowMs);
  return 1;
}

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
