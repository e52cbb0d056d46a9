// What Lambda sends to the on-failure destination: not the records, only where to find them in the stream.
import type { FunctionDefinition } from '../function-definition.ts';
import type { StreamRecord } from './ports.ts';

export interface Discarded {
  records: readonly StreamRecord[];
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invocations: number;
  /** undefined when no call was made; functionError is absent when the function itself named the failed items. */
  response: { requestId: string; functionError: string | undefined } | undefined;
}

const shardId = 'shardId-00000000000000000000-00000000';

export function failureMessage(
  { records, condition, invocations, response }: Discarded,
  streamArn: string,
  definition: FunctionDefinition,
  nowMs: number,
): string {
  const [first, last] = [records[0]!, records.at(-1)!];
  return JSON.stringify({
    requestContext: {
      requestId: response?.requestId,
      functionArn: definition.arn,
      condition,
      approximateInvokeCount: invocations,
    },
    ...(response && {
      responseContext: {
        statusCode: 200,
        executedVersion: '$LATEST',
        ...(response.functionError === undefined ? {} : { functionError: response.functionError }),
      },
    }),
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first.dynamodb.SequenceNumber,
      endSequenceNumber: last.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn,
    },
  });
}

export function arrivalMs(record: StreamRecord): number {
  return record.dynamodb.ApproximateCreationDateTime * 1000;
}

function arrival(record: StreamRecord): string {
  return new Date(arrivalMs(record)).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
