import { sfnClient } from '../platform/clients/sfn.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { deployedQueueing } from '../webhooks/deployed-queueing.ts';
import { redriveDeliveries } from '../webhooks/redrive-deliveries.ts';
import { retryMachine } from '../webhooks/retry-machine.ts';

const { RETRY_MACHINE } = env('RETRY_MACHINE');
const tools = { ...deployedQueueing(), machine: retryMachine(sfnClient(), RETRY_MACHINE), log };

export const handler = () => redriveDeliveries(tools);
