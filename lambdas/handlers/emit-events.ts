import type { DynamoDBStreamEvent } from 'aws-lambda';
import { deployedEmitter } from '../events/deployed-emitter.ts';
import { type EmitTools, emitEvents } from '../events/emit-events.ts';
import { deployedQueueing } from '../webhooks/deployed-queueing.ts';
import { queueEvents } from '../webhooks/queue-deliveries.ts';

const queueing = deployedQueueing();
const tools: EmitTools = { ...deployedEmitter(), tell: (events) => queueEvents(events, queueing) };

export const handler = (batch: DynamoDBStreamEvent) => emitEvents(batch, tools);
