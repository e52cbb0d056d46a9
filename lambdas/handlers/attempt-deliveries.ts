import type { SQSEvent } from 'aws-lambda';
import { sfnClient } from '../platform/clients/sfn.ts';
import { env } from '../platform/env.ts';
import { attemptDeliveries } from '../webhooks/attempt-deliveries.ts';
import { deployedAttempts } from '../webhooks/deployed-attempts.ts';
import { retryMachine } from '../webhooks/retry-machine.ts';

const { RETRY_MACHINE } = env('RETRY_MACHINE');
const tools = { ...deployedAttempts(), machine: retryMachine(sfnClient(), RETRY_MACHINE) };

export const handler = (batch: SQSEvent) => attemptDeliveries(batch, tools);
