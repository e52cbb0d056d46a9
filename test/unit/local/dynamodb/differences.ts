// Known differences between DynamoDB Local and DynamoDB in AWS, where the runtime follows AWS. Each entry has a reason;
// nothing else may differ from the recordings.
import { normalizeNumber } from '../../../../local/dynamodb/number.ts';
import type { Item, RecordedCall } from './case.ts';
import { type ExpectedError, toServiceError, unneededWordings } from './wordings.ts';

export interface Expected {
  output?: unknown;
  error?: ExpectedError;
}

/** Responses that differ in more than wording, by call. */
const responses: readonly {
  reason: string;
  applies: (call: RecordedCall, name: string) => boolean;
  service: (call: RecordedCall) => Expected;
}[] = [
  {
    reason: 'DynamoDB Local tells the capacity of deleting nothing though nobody asked',
    applies: ({ operation, input, output }) =>
      operation === 'DeleteItem' && !!output && input.ReturnConsumedCapacity === undefined,
    service: ({ output }) => ({ output: without(output, 'ConsumedCapacity') }),
  },
  {
    reason: 'reading nothing costs the smallest read',
    applies: ({ operation, output }) =>
      (operation === 'Query' || operation === 'Scan') && getCapacity(output)?.CapacityUnits === 0,
    service: ({ input, output }) => ({
      output: withCapacity(output, () => (input.ConsistentRead === true ? 1 : 0.5)),
    }),
  },
  {
    reason: 'a key that is not there costs the smallest read in a batch too',
    applies: ({ operation, input, output }) =>
      operation === 'BatchGetItem' &&
      !!input.ReturnConsumedCapacity &&
      JSON.stringify(input).includes('nobody') &&
      !!output,
    service: ({ output }) => ({
      output: { ...(output as object), ConsumedCapacity: [{ TableName: 'one', CapacityUnits: 2 }] },
    }),
  },
  {
    reason: 'DynamoDB Local compares the keys of a batch as written, so it takes 1 and 1.0 for two',
    applies: ({ operation, input }) =>
      operation === 'BatchGetItem' && JSON.stringify(input).includes('{"N":"1"}},{"pk":{"S":"a"},"sk":{"N":"1.0"}'),
    service: () => expectValidationError('Provided list of item keys contains duplicates'),
  },
  {
    reason: 'deleting nothing costs one unit, in a batch too',
    applies: ({ operation, input, output }) =>
      operation === 'BatchWriteItem' && JSON.stringify(input).includes('nobody') && !!output,
    service: ({ output }) => ({
      output: { ...(output as object), ConsumedCapacity: [{ TableName: 'one', CapacityUnits: 1 }] },
    }),
  },
  {
    reason: 'deleting nothing in a transaction costs two units like every write in one',
    applies: ({ operation, input, output }) =>
      operation === 'TransactWriteItems' && JSON.stringify(input).includes('nobody') && !!output,
    service: () => ({ output: { ConsumedCapacity: [{ TableName: 'one', CapacityUnits: 2 }] } }),
  },
  {
    reason: 'a condition check costs as much as a write',
    applies: ({ operation, input, output }) =>
      operation === 'TransactWriteItems' &&
      !!output &&
      !!input.ReturnConsumedCapacity &&
      JSON.stringify(input).includes('ConditionCheck'),
    service: () => ({
      output: { ConsumedCapacity: [{ TableName: 'one', CapacityUnits: 4, Table: { CapacityUnits: 4 } }] },
    }),
  },
  {
    reason: 'DynamoDB Local adds bytes of its own to the entries of local indexes',
    applies: ({ output }, name) => name === 'counts index writes of big items' && !!getCapacity(output),
    service: ({ output }) => {
      const capacity = getCapacity(output)!;
      const local = capacity.LocalSecondaryIndexes as { local: { CapacityUnits: number } };
      return {
        output: {
          ConsumedCapacity: {
            ...capacity,
            CapacityUnits: capacity.CapacityUnits - 1,
            LocalSecondaryIndexes: { local: { CapacityUnits: local.local.CapacityUnits - 1 } },
          },
        },
      };
    },
  },
  {
    reason: 'reading an index costs by what is projected into it',
    applies: ({ input, output }, name) =>
      name === 'counts index reads by what is projected' &&
      ['keys', 'some'].includes(String(input.IndexName)) &&
      !!output,
    service: ({ output }) => ({ output: withCapacity(output, (units) => (units === 0 ? 0 : 0.5)) }),
  },
  {
    reason: 'a page ends after reading 1 MB, also when the filter lets nothing through',
    applies: ({ input }, name) => name === 'ends a page at 1 MB' && input.FilterExpression === 'v = :x',
    service: () => ({
      output: { Items: [], Count: 0, ScannedCount: 6, LastEvaluatedKey: { pk: { S: 'p' }, sk: { N: '6' } } },
    }),
  },
  {
    reason: 'DynamoDB Local does not check the type of the key of a local index in an update',
    applies: ({ operation, input, output }, name) =>
      name === 'rejects index keys of the wrong type' && operation === 'UpdateItem' && !!output && !!input,
    service: () =>
      expectValidationError(
        'One or more parameter values were invalid: Type mismatch for Index Key colour Expected: S Actual: N IndexName: localKeys',
      ),
  },
  {
    reason: 'the service checks parameters with fixed choices that DynamoDB Local ignores',
    applies: ({ input }) =>
      [input.ReturnConsumedCapacity, input.ReturnItemCollectionMetrics].some((one) => one === 'SOME' || one === 'ALL'),
    service: () =>
      expectValidationError(
        /^1 validation error detected: Value '\w+' at 'return\w+' failed to satisfy constraint: Member must satisfy enum value set: /,
      ),
  },
  {
    reason: 'DynamoDB Local fails on a billing mode it does not know',
    applies: ({ input }) => input.BillingMode === 'FREE',
    service: () =>
      expectValidationError(
        "1 validation error detected: Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]",
      ),
  },
  {
    reason: 'DynamoDB Local takes any stream view',
    applies: (_call, name) => name === 'answers a table with a bad stream view',
    service: () =>
      expectValidationError(/^1 validation error detected: Value 'ALL' at 'streamSpecification.streamViewType'/),
  },
  {
    reason: 'DynamoDB Local lists the streams of deleted tables of the same name',
    applies: ({ operation, output }) => operation === 'ListStreams' && !!output,
    service: ({ output }) => ({ output: { Streams: (output as { Streams: unknown[] }).Streams.slice(0, 1) } }),
  },
  {
    reason: 'DynamoDB Local forgets the type of an empty map in a stream record',
    applies: ({ operation, output }) => operation === 'GetRecords' && JSON.stringify(output ?? '').includes('"t":{}'),
    service: ({ output }) => ({ output: JSON.parse(JSON.stringify(output).replace('"t":{}', '"t":{"M":{}}')) }),
  },
  {
    reason: 'DynamoDB Local gives an index without entries the size of the table',
    applies: ({ output }) => JSON.stringify(output ?? '').includes('"IndexSizeBytes":13,"ItemCount":0'),
    service: ({ output }) => ({
      output: JSON.parse(
        JSON.stringify(output).replaceAll('"IndexSizeBytes":13,"ItemCount":0', '"IndexSizeBytes":0,"ItemCount":0'),
      ),
    }),
  },
  {
    reason: 'a table that is being deleted says so',
    applies: ({ operation, output }) => operation === 'DeleteTable' && !!output,
    service: ({ output }) => ({
      output: JSON.parse(JSON.stringify(output).replace('"TableStatus":"ACTIVE"', '"TableStatus":"DELETING"')),
    }),
  },
  {
    reason: 'UPDATED_OLD and UPDATED_NEW give the paths that were updated, not the attributes around them',
    applies: ({ input, output }, name) =>
      /^returns UPDATED_\w+ of an update$/.test(name) && /doc\./.test(String(input.UpdateExpression)) && !!output,
    service: ({ input }) => ({
      output: { Attributes: updatedPaths(String(input.ReturnValues), String(input.UpdateExpression)) },
    }),
  },
  {
    reason: 'a condition check that fails says it in the same words as a write',
    applies: ({ error }) => JSON.stringify(error ?? '').includes('"The conditional request failed."'),
    service: ({ error }) => ({
      error: JSON.parse(
        JSON.stringify(error).replaceAll('"The conditional request failed."', '"The conditional request failed"'),
      ),
    }),
  },
  {
    reason: 'an item that a transaction cannot write cancels it, with the reason beside the others',
    applies: ({ operation, error }, name) =>
      operation === 'TransactWriteItems' &&
      error?.name === 'ValidationException' &&
      (name === 'gives a reason for items that cannot be updated' || /too big|delete with a wrong key/.test(name)) &&
      !/empty string/.test(JSON.stringify(error)),
    service: (call) => {
      const items = call.input.TransactItems as { Put?: { Item: { pk: { S: string } } } }[];
      // AWS validates the keys before it reads any item.
      if (items.some(({ Put }) => Put?.Item.pk.S === '')) {
        return expectValidationError(
          'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
        );
      }
      const { message } = toServiceError(call);
      return expectCancellation([
        { Code: 'ValidationError', Message: message },
        ...items.slice(1).map(() => ({ Code: 'None' })),
      ]);
    },
  },
  {
    reason: 'the reason names the key and both types',
    applies: ({ error }) =>
      /"One or more parameter values were invalid: Type mismatch for (Index Key|key)"/.test(
        JSON.stringify(error ?? ''),
      ) && !!error?.CancellationReasons,
    service: ({ error }) =>
      expectCancellation([
        {
          Code: 'ValidationError',
          Message: JSON.stringify(error).includes('Index Key')
            ? 'One or more parameter values were invalid: Type mismatch for Index Key colour Expected: S Actual: N IndexName: byColour'
            : 'One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N',
        },
      ]),
  },
  {
    reason: 'an update in a transaction needs an expression',
    applies: (_call, name) => name === 'rejects a transaction with an update without an expression',
    service: ({ operation, output }) =>
      operation === 'Scan'
        ? { output }
        : expectValidationError(
            "1 validation error detected: Value null at 'transactItems.1.member.update.updateExpression' failed to satisfy constraint: Member must not be null",
          ),
  },
];

/** Converts a recorded response to the one of AWS. */
export function getExpected(name: string, call: RecordedCall): Expected {
  const difference = responses.find(({ applies }) => applies(call, name));
  if (difference) {
    const { output, error } = difference.service(call);
    return error ? { error } : plainNumbers({ output });
  }
  if (call.error) return { error: toServiceError(call) };
  return plainNumbers({ output: call.output });
}

/** The reasons of differences that no recorded call needs. */
export function unneededDifferences(calls: readonly (readonly [name: string, call: RecordedCall])[]): string[] {
  const unneeded = responses.filter(({ applies }) => !calls.some(([name, call]) => applies(call, name)));
  const errors = calls.flatMap(([, { error }]) => (error ? [error.message] : []));
  return [...unneeded.map(({ reason }) => reason), ...unneededWordings(errors)];
}

/** DynamoDB Local returns nested and computed numbers as written; AWS normalizes them. */
function plainNumbers(expected: Expected): Expected {
  return JSON.parse(JSON.stringify(expected), (name, value) => {
    if (name === 'N' && typeof value === 'string') return normalizeNumber(value);
    return name === 'NS' && Array.isArray(value) ? value.map(normalizeNumber) : value;
  }) as Expected;
}

function expectValidationError(message: string | RegExp): Expected {
  return { error: { name: 'ValidationException', message } };
}

function expectCancellation(CancellationReasons: readonly { Code: string; Message?: unknown }[]): Expected {
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return { error: { name: 'TransactionCanceledException', message, CancellationReasons } };
}

interface Capacity extends Record<string, unknown> {
  CapacityUnits: number;
}

function getCapacity(output: unknown): Capacity | undefined {
  return (output as { ConsumedCapacity?: Capacity } | undefined)?.ConsumedCapacity;
}

function withCapacity(output: unknown, change: (units: number) => number): unknown {
  return JSON.parse(JSON.stringify(output), (name, value) => (name === 'CapacityUnits' ? change(value) : value));
}

function without(output: unknown, name: string): unknown {
  return Object.fromEntries(Object.entries(output as object).filter(([key]) => key !== name));
}

function updatedPaths(wanted: string, expression: string): Item {
  const first = expression.startsWith('SET num');
  if (wanted === 'UPDATED_OLD') {
    return first
      ? {
          num: { N: '10.5' },
          doc: { M: { a: { N: '1' } } },
          arr: { L: [{ N: '2' }] },
          str: { S: 'abc' },
          strings: { SS: ['a', 'b'] },
        }
      : { doc: { M: { b: { M: { c: { S: 'deep' } } }, arr: { L: [{ S: 'x' }] } } }, arr: { L: [{ N: '1' }] } };
  }
  return first
    ? {
        num: { N: '11.5' },
        doc: { M: { a: { N: '1' }, z: { N: '1' } } },
        arr: { L: [{ N: '1' }] },
        fresh: { N: '1' },
        strings: { SS: ['b'] },
      }
    : { doc: { M: { b: { M: { c: { N: '1' } } } } } };
}
