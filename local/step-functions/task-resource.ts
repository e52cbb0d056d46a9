// What a Task's Resource names: a function, or an operation of a service of this runtime.
import type { Report, State } from './definition.ts';

export type TaskResource =
  | { kind: 'function'; functionArn: string }
  | { kind: 'invoke' }
  | {
      kind: 'service';
      /** As in a credential scope: dynamodb, sqs, sns, states. */
      service: string;
      operation: string;
      /** Put before the name of the service's errors. */
      errorPrefix: string;
      /** Optimised integrations turn objects into JSON text where the service wants text. */
      textFields: readonly string[];
    };

const optimised: Record<string, { operations: readonly string[]; errorPrefix: string; textFields: readonly string[] }> =
  {
    dynamodb: {
      operations: ['getItem', 'putItem', 'updateItem', 'deleteItem'],
      errorPrefix: 'DynamoDB',
      textFields: [],
    },
    sqs: { operations: ['sendMessage'], errorPrefix: 'SQS', textFields: ['MessageBody'] },
    sns: { operations: ['publish'], errorPrefix: 'SNS', textFields: ['Message'] },
    states: { operations: ['startExecution'], errorPrefix: 'StepFunctions', textFields: ['Input'] },
  };

const sdk: Record<string, { service: string; errorPrefix: string }> = {
  dynamodb: { service: 'dynamodb', errorPrefix: 'DynamoDb' },
  sqs: { service: 'sqs', errorPrefix: 'Sqs' },
  sns: { service: 'sns', errorPrefix: 'Sns' },
  sfn: { service: 'states', errorPrefix: 'Sfn' },
};

export function readResource(resource: unknown): TaskResource | undefined {
  const text = String(resource);
  if (/^arn:[^:]+:lambda:[^:]+:\d{12}:function:[^:]+(:[^:]+)?$/.test(text))
    return { kind: 'function', functionArn: text };
  const integration = /^arn:[^:]+:states:::(.+)$/.exec(text)?.[1];
  if (integration === undefined) return undefined;
  if (integration === 'lambda:invoke') return { kind: 'invoke' };
  const [first, second, third, ...rest] = integration.split(':');
  if (rest.length > 0) return undefined;
  if (first === 'aws-sdk') return sdkResource(second, third);
  const known = optimised[first!];
  if (!known || third !== undefined || !known.operations.includes(second!)) return undefined;
  const { errorPrefix, textFields } = known;
  return { kind: 'service', service: first!, operation: pascalCase(second!), errorPrefix, textFields };
}

export function checkResource(state: State, report: Report): void {
  const resource = readResource(state.Resource);
  if (!resource) {
    report(`the resource ${state.Resource} is not supported`);
    return;
  }
  const parameters = (state.Parameters ?? {}) as Record<string, unknown>;
  if (resource.kind === 'invoke') {
    if (!('FunctionName' in parameters || 'FunctionName.$' in parameters)) report('Parameters.FunctionName is missing');
    if ((parameters.InvocationType ?? 'RequestResponse') !== 'RequestResponse') {
      report(`the invocation type ${parameters.InvocationType} is not supported`);
    }
    for (const field of Object.keys(parameters)) {
      if (!['FunctionName', 'Payload', 'InvocationType', 'Qualifier'].includes(field.replace(/\.\$$/, ''))) {
        report(`Parameters.${field} of lambda:invoke is not supported`);
      }
    }
  }
}

function sdkResource(name: string | undefined, operation: string | undefined): TaskResource | undefined {
  const known = sdk[name ?? ''];
  if (!known || !operation || !/^[a-z][A-Za-z]*$/.test(operation)) return undefined;
  return { kind: 'service', ...known, operation: pascalCase(operation), textFields: [] };
}

function pascalCase(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}
