// Error messages that differ between DynamoDB Local and AWS. The runtime uses those of AWS.
import type { RecordedCall } from './case.ts';

export interface ExpectedError extends Record<string, unknown> {
  name: string;
  message: string | RegExp;
}

const keyMismatch = 'The provided key element does not match the schema';
const startingKey = 'The provided starting key is invalid: The provided key element does not match the schema';

/** `service` is the message of AWS, which may depend on the call. A pattern matches text that names the attribute. */
const wordings: readonly {
  reason: string;
  local: string | RegExp;
  service: string | RegExp | ((call: RecordedCall, local: string) => string | RegExp);
}[] = [
  {
    reason: 'AWS prefixes the refusals of its framework with their number',
    local: /^Value (null|\[\]|t+) at '/,
    service: (_call, local) => `1 validation error detected: ${local.replace(/^Value ([^n ]\S*) at/, "Value '$1' at")}`,
  },
  {
    reason: 'the service names a missing table only where the call is about the table itself',
    local: 'Cannot do operations on a non-existent table',
    service: ({ operation, input }) =>
      ['DescribeTable', 'DeleteTable'].includes(operation)
        ? `Requested resource not found: Table: ${input.TableName} not found`
        : 'Requested resource not found',
  },
  {
    reason: 'the service names the table',
    local: 'Cannot create preexisting table',
    service: ({ input }) => `Table already exists: ${input.TableName}`,
  },
  {
    reason: 'the service names the missing parameter',
    local: 'Cannot have null key for GetItem, DeleteItem, or UpdateItem',
    service: "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null",
  },
  {
    reason: 'the service has one rejection for a key that is not of the schema',
    local: 'The number of conditions on the keys is invalid',
    service: keyMismatch,
  },
  {
    reason: 'the service names the missing key of an item, and has one rejection for a key that is not of the schema',
    local: 'One of the required keys was not given a value',
    service: ({ input }) =>
      JSON.stringify(input).includes('"Item"')
        ? /^One or more parameter values were invalid: Missing the key \w+ in the item$/
        : keyMismatch,
  },
  {
    reason: 'the service names the key of an item and both types',
    local: /^(One or more parameter values were invalid: Type mismatch for key|Invalid attribute value type)$/,
    service: ({ input }) =>
      JSON.stringify(input).includes('"Item"')
        ? /^One or more parameter values were invalid: Type mismatch for (key \w+ expected: [SNB] actual: \w+|Index Key \w+ Expected: [SNB] Actual: \w+ IndexName: \w+)$/
        : keyMismatch,
  },
  {
    reason: 'the service names the index key and both types',
    local: 'One or more parameter values were invalid: Type mismatch for Index Key',
    service:
      /^One or more parameter values were invalid: Type mismatch for Index Key \w+ Expected: [SNB] Actual: \w+ IndexName: \w+$/,
  },
  {
    reason: 'the service says which key is too long',
    local:
      /^(Hash primary key values must be under 2048 bytes|One or more parameter values were invalid: Size limit exceeded)/,
    service:
      /^One or more parameter values were invalid: (Size of hashkey has exceeded the maximum size limit of2048 bytes|Aggregated size of all range keys has exceeded the size limit of 1024 bytes)$/,
  },
  {
    reason: 'the service shows what is no number',
    local: /A value provided cannot be converted into a number/,
    service: (_call, local) => {
      const [before, after] = local.split('A value provided cannot be converted into a number');
      return new RegExp(`^${before}The parameter cannot be converted to a numeric value(: .+)?${after}$`);
    },
  },
  {
    reason: 'the service words the limit of 38 digits otherwise',
    local: 'DynamoDB only supports precision up to 38 digits',
    service: 'Attempting to store more than 38 significant digits in a Number',
  },
  {
    reason: 'the service shows the set',
    local: 'One or more parameter values were invalid: Input collection of type BS contains duplicates.',
    service: /^One or more parameter values were invalid: Input collection \[.*\]of type BS contains duplicates\.$/,
  },
  {
    reason: 'the service says what ReturnValues may be',
    local: 'Return values set to invalid value',
    service: ({ operation }) =>
      operation === 'UpdateItem'
        ? /^1 validation error detected: Value 'SOME' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set/
        : 'ReturnValues can only be ALL_OLD or NONE',
  },
  {
    reason: 'DynamoDB Local lists types of its own making',
    local: /operator or function: attribute_type, operand type: \{/,
    service:
      'Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}',
  },
  {
    reason: 'the service names the key that the condition lacks',
    local: 'Query condition missed key schema element',
    service: /^Query condition missed key schema element: \w+$/,
  },
  {
    reason: 'the service has one rejection for a starting key that is not of the schema',
    local:
      /^(Exclusive Start Key must have same size as table's key schema|The provided starting key is invalid|Type mismatch for attribute to update)$/,
    service: startingKey,
  },
  {
    reason: 'the service checks Select like every parameter with fixed choices',
    local: 'Select must be ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES, COUNT, or SPECIFIC_ATTRIBUTES',
    service:
      /^1 validation error detected: Value '\w+' at 'select' failed to satisfy constraint: Member must satisfy enum value set/,
  },
  {
    reason: 'DynamoDB Local derives the bound from a wrong number of segments',
    local: /Value '(-1|0)' at 'segment'/,
    service:
      /^1 validation error detected: Value '(-1|0)' at '(segment|totalSegments)' failed to satisfy constraint: Member must have value greater than or equal to [01]$/,
  },
  {
    reason: 'the service checks the time-to-live specification like every parameter',
    local:
      /^(TimeToLiveSpecification cannot be null|AttributeName cannot be null when time to live is being enabled|Names of key attributes and attributes projected)/,
    service:
      /^1 validation error detected: Value (null|'') at 'timeToLiveSpecification(\.attributeName)?' failed to satisfy constraint: /,
  },
  {
    reason: 'an empty item lacks its key',
    local: 'Item to put in PutItem cannot be null',
    service: 'One or more parameter values were invalid: Missing the key pk in the item',
  },
];

/** The message of AWS. */
export function toServiceError(call: RecordedCall): ExpectedError {
  const error = call.error!;
  const wording = wordings.find(({ local }) => matches(local, error.message));
  if (!wording) return error;
  const { service } = wording;
  return { ...error, message: typeof service === 'function' ? service(call, error.message) : service };
}

export function unneededWordings(messages: readonly string[]): string[] {
  return wordings
    .filter(({ local }) => !messages.some((message) => matches(local, message)))
    .map(({ reason }) => reason);
}

function matches(local: string | RegExp, message: string): boolean {
  return typeof local === 'string' ? local === message : local.test(message);
}
