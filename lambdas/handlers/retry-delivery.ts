import { deployedAttempts } from '../webhooks/deployed-attempts.ts';
import { retryDelivery } from '../webhooks/retry-delivery.ts';
import type { Retry } from '../webhooks/retry-machine.ts';

const tools = deployedAttempts();

export const handler = (retry: Retry) => retryDelivery(retry, tools);
