// A function's definition in the template, validated at load, and the environment variables of its code.
import { devNull } from 'node:os';
import { toFunctionAccessKeyId } from '../aws/access-keys.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';

export interface FunctionDefinition {
  name: string;
  arn: string;
  roleArn: string;
  handler: string;
  runtime: string;
  memorySizeMb: number;
  timeoutMs: number;
  codeFolder: string;
  variables: Record<string, string>;
  logGroupName: string;
}

const minComputingMemoryMb = 1_024;

/** Lambda allots CPU by memory size, so a function with a large memory size is compute-heavy. */
export function isComputeHeavy({ memorySizeMb }: Pick<FunctionDefinition, 'memorySizeMb'>): boolean {
  return memorySizeMb >= minComputingMemoryMb;
}

/** Lambda sets these itself and rejects functions that define them. */
const reservedVariables = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_DEFAULT_REGION',
  'AWS_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_LAMBDA_RUNTIME_API',
  'LAMBDA_TASK_ROOT',
  'LAMBDA_RUNTIME_DIR',
]);

export function parseFunctionDefinition(
  resource: Resource,
  codeFolder: string,
  environment: StackEnvironment,
): FunctionDefinition {
  const { logicalId, physicalId: name, properties } = resource;
  const createError = (problem: string) => new Error(`${logicalId} (AWS::Lambda::Function): ${problem}`);
  const { Handler: handler, Runtime: runtime, Role: roleArn } = properties;
  if (typeof runtime !== 'string' || !runtime.startsWith('nodejs'))
    throw createError(`runtime ${runtime} cannot run here, only nodejs*`);
  if (typeof handler !== 'string') throw createError('it has no Handler');
  if (typeof roleArn !== 'string') throw createError('it has no Role');
  const memorySizeMb = parseInteger(properties.MemorySize ?? 128, 128, 10_240);
  if (memorySizeMb === undefined) throw createError(`MemorySize ${properties.MemorySize} is not within 128 and 10240`);
  const timeoutSeconds = parseInteger(properties.Timeout ?? 3, 1, 900);
  if (timeoutSeconds === undefined) throw createError(`Timeout ${properties.Timeout} is not within 1 and 900`);
  const variables = Object.fromEntries(
    Object.entries(properties.Environment?.Variables ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const reservedNames = Object.keys(variables).filter((key) => reservedVariables.has(key));
  if (reservedNames.length > 0)
    throw createError(`its environment sets reserved variables: ${reservedNames.join(', ')}`);
  return {
    name,
    arn: formatFunctionArn(name, environment),
    roleArn,
    handler,
    runtime,
    memorySizeMb,
    timeoutMs: timeoutSeconds * 1000,
    codeFolder,
    variables,
    logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
  };
}

export function formatFunctionArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:lambda:${region}:${accountId}:function:${name}`;
}

/** The variables of the template and of Lambda; the variables of this process are not inherited. */
export function buildWorkerEnvironment(
  definition: FunctionDefinition,
  environment: StackEnvironment,
  logStreamName: string,
  secretAccessKey: string,
): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: environment.awsUrl,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    // Ignore the AWS settings of the machine's user.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
    ...definition.variables,
    _HANDLER: definition.handler,
    // Tracing libraries need this header. Sampled=0 disables tracing.
    _X_AMZN_TRACE_ID: `Root=1-00000000-${'0'.repeat(24)};Parent=${'0'.repeat(16)};Sampled=0`,
    AWS_REGION: environment.region,
    AWS_DEFAULT_REGION: environment.region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memorySizeMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroupName,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    LAMBDA_TASK_ROOT: definition.codeFolder,
    AWS_ACCESS_KEY_ID: toFunctionAccessKeyId(definition.name),
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: 'local',
  };
}

function parseInteger(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return Number.isInteger(number) && (number as number) >= min && (number as number) <= max
    ? (number as number)
    : undefined;
}

interface FunctionReference {
  name: string;
  qualifier: string | undefined;
}

const form =
  /^(?:arn:[\w-]+:lambda:[\w-]+:\d{12}:function:|\d{12}:function:|function:)?([A-Za-z0-9_-]{1,140})(?::(\$LATEST|[A-Za-z0-9_-]+))?$/;

/** Accepts a name, partial or full ARN (with or without a qualifier), or an API Gateway integration URI. */
export function parseFunctionReference(text: string): FunctionReference | undefined {
  const inIntegration = /\/functions\/(.+)\/invocations$/.exec(text)?.[1];
  const match = form.exec(inIntegration ?? text);
  return match?.[1] === undefined ? undefined : { name: match[1], qualifier: match[2] };
}
