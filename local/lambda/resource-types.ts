// Supported Lambda resource types. Templates with Layers, VpcConfig, DeadLetterConfig, TumblingWindowInSeconds or image
// functions are rejected on purpose.
import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';
import { formatFunctionArn, parseFunctionReference } from './function-definition.ts';

const labels = 'nothing on one machine reads it';

export const resourceTypes: ResourceTypes = {
  'AWS::Lambda::Function': {
    ref: functionName,
    attributes: (logicalId, properties, environment) => ({
      Arn: formatFunctionArn(functionName(logicalId, properties, environment), environment),
    }),
    supported: {
      FunctionName: true,
      Code: { S3Bucket: true, S3Key: true, ZipFile: true },
      Handler: true,
      Runtime: true,
      PackageType: true,
      Role: true,
      MemorySize: true,
      Timeout: true,
      Environment: { Variables: true },
      ReservedConcurrentExecutions: true,
      LoggingConfig: { LogGroup: true, LogFormat: true, ApplicationLogLevel: true, SystemLogLevel: true },
    },
    ignored: {
      Architectures: 'a function runs on the processor of this machine',
      TracingConfig: 'no traces are collected on one machine',
      Description: labels,
      Tags: labels,
      EphemeralStorage: "functions share this machine's temporary folder",
      KmsKeyArn: 'variables are as safe as the template they are in',
      SnapStart: 'a worker starts in milliseconds without a snapshot',
      RuntimeManagementConfig: 'the runtime is the node that runs all of this',
      RecursiveLoop: 'loops between services are not looked for',
    },
  },
  'AWS::Lambda::Permission': {
    ref: (logicalId) => logicalId,
    attributes: (logicalId) => ({ Id: logicalId }),
    supported: {},
    ignored: Object.fromEntries(
      [
        'Action',
        'FunctionName',
        'Principal',
        'SourceArn',
        'SourceAccount',
        'EventSourceToken',
        'FunctionUrlAuthType',
        'PrincipalOrgID',
        'InvokedViaFunctionUrl',
      ].map((name) => [name, 'who calls from outside a role is this runtime itself, wired by the template']),
    ),
  },
  'AWS::Lambda::Version': {
    ref: (_logicalId, properties, environment) => qualifiedArn(properties.FunctionName, '1', environment),
    attributes: (_logicalId, properties, environment) => ({
      Version: '1',
      FunctionArn: qualifiedArn(properties.FunctionName, '1', environment),
    }),
    supported: { FunctionName: true },
    ignored: {
      CodeSha256: 'a version here is always the code of this template',
      Description: labels,
      ProvisionedConcurrencyConfig: 'workers are warm after the first call',
      RuntimePolicy: 'the runtime is the node that runs all of this',
    },
  },
  'AWS::Lambda::Alias': {
    ref: (_logicalId, properties, environment) =>
      qualifiedArn(properties.FunctionName, String(properties.Name), environment),
    attributes: (_logicalId, properties, environment) => ({
      AliasArn: qualifiedArn(properties.FunctionName, String(properties.Name), environment),
    }),
    supported: { FunctionName: true, Name: true, FunctionVersion: true },
    ignored: {
      Description: labels,
      ProvisionedConcurrencyConfig: 'workers are warm after the first call',
      RoutingConfig: 'all versions here are the code of this template',
    },
  },
  'AWS::Lambda::EventInvokeConfig': {
    ref: (logicalId, _properties, environment) => stableUuid(`${environment.stackName}/${logicalId}`),
    supported: { FunctionName: true, Qualifier: true, MaximumRetryAttempts: true, MaximumEventAgeInSeconds: true },
  },
  'AWS::Lambda::EventSourceMapping': {
    ref: (logicalId, _properties, environment) => stableUuid(`${environment.stackName}/${logicalId}`),
    attributes: (logicalId, _properties, environment) => {
      const id = stableUuid(`${environment.stackName}/${logicalId}`);
      const { region, accountId } = environment;
      return {
        Id: id,
        EventSourceMappingArn: `arn:aws:lambda:${region}:${accountId}:event-source-mapping:${id}`,
      };
    },
    supported: {
      EventSourceArn: true,
      FunctionName: true,
      Enabled: true,
      BatchSize: true,
      MaximumBatchingWindowInSeconds: true,
      FunctionResponseTypes: true,
      ScalingConfig: { MaximumConcurrency: true },
      StartingPosition: true,
      MaximumRetryAttempts: true,
      MaximumRecordAgeInSeconds: true,
      BisectBatchOnFunctionError: true,
      ParallelizationFactor: true,
      DestinationConfig: { OnFailure: { Destination: true } },
      FilterCriteria: { Filters: { Pattern: true } },
    },
    ignored: {
      Tags: labels,
      KmsKeyArn: 'there is no filter to encrypt',
      MetricsConfig: 'no metrics are collected on one machine',
    },
  },
};

function functionName(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  if (typeof properties.FunctionName === 'string') return properties.FunctionName;
  const maxLength = 64;
  const name = `${environment.stackName}-${logicalId}`;
  if (name.length <= maxLength) return name;
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, maxLength - suffix.length - 1)}-${suffix}`;
}

function qualifiedArn(reference: unknown, qualifier: string, environment: StackEnvironment): string {
  const parsed = parseFunctionReference(String(reference));
  if (!parsed) throw new Error(`${String(reference)} does not name a function`);
  return `${formatFunctionArn(parsed.name, environment)}:${qualifier}`;
}

/** CloudFormation uses a random UUID; here it must stay the same across starts. */
function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
