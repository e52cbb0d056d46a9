import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { RateLimit } from '../../../contract/rate-limits.ts';
import { dynamodbClient } from '../clients/dynamodb.ts';
import { clock } from '../clock.ts';
import { env } from '../env.ts';
import { createLimiter, type Limiter, type RateLimitStore, toOpenRange, type Window } from './limiter.ts';

// | Access pattern          | Table       | Key          |
// |-------------------------|-------------|--------------|
// | count a caller's window | rate-limits | pk = counter |
//
// An item is the caller's current window: started_at (ms), used, expires_at (TTL, seconds).

/** The limiter of this function. */
export function createTableLimiter(): Limiter {
  const { RATE_LIMITS_TABLE } = env('RATE_LIMITS_TABLE');
  return createLimiter(createRateLimitStore(dynamodbClient(), RATE_LIMITS_TABLE), clock);
}

export function createRateLimitStore(client: DynamoDBClient, table: string): RateLimitStore {
  const write = (input: Omit<UpdateItemCommandInput, 'TableName'>) =>
    update(client, { TableName: table, ReturnValues: 'ALL_NEW', ...input });
  return {
    join: (key, requests, nowMs, rateLimit) =>
      write({
        Key: { pk: { S: key } },
        UpdateExpression: 'ADD #used :requests',
        ConditionExpression: '#started > :after AND #started <= :upTo',
        ExpressionAttributeNames: { '#used': 'used', '#started': 'started_at' },
        ExpressionAttributeValues: { ':requests': toNumberAttribute(requests), ...toRangeValues(nowMs, rateLimit) },
      }),
    open: (key, requests, nowMs, rateLimit) =>
      write({
        Key: { pk: { S: key } },
        UpdateExpression: 'SET #used = :requests, #started = :now, #expires = :expires',
        ConditionExpression: 'attribute_not_exists(pk) OR #started <= :after OR #started > :upTo',
        ExpressionAttributeNames: { '#used': 'used', '#started': 'started_at', '#expires': 'expires_at' },
        ExpressionAttributeValues: {
          ':requests': toNumberAttribute(requests),
          ':now': toNumberAttribute(nowMs),
          ':expires': toNumberAttribute(Math.ceil(nowMs / 1_000) + rateLimit.windowSeconds + retentionSeconds),
          ...toRangeValues(nowMs, rateLimit),
        },
      }),
  };
}

/** DynamoDB deletes the item a minute after the window ended, when no clock can still consider it open. */
const retentionSeconds = 60;

async function update(client: DynamoDBClient, input: UpdateItemCommandInput): Promise<Window | undefined> {
  try {
    const { Attributes } = await client.send(new UpdateItemCommand(input));
    return { startedAtMs: Number(Attributes?.started_at?.N), used: Number(Attributes?.used?.N) };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

function toRangeValues(nowMs: number, rateLimit: RateLimit) {
  const { afterMs, upToMs } = toOpenRange(nowMs, rateLimit);
  return { ':after': toNumberAttribute(afterMs), ':upTo': toNumberAttribute(upToMs) };
}

function toNumberAttribute(value: number): { N: string } {
  return { N: String(value) };
}
