import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';
import { formatFunctionArn, parseFunctionReference } from './function-definition.ts';

const labels = 'nothing on one machine reads it';

export const resourceTypes: ResourceTypes = {
  'AWS::Lambda::Function': {
    ref: toFunctionName,
    attributes: (logicalId, properties, environment) => ({
      Arn: formatFunctionArn(toFunctionName(logicalId, properties, environment), environment),
    }),
    supported: {
      FunctionName: true,
      Code: { S3Bucket: true, S3Key: true, ZipFile: true },
      Handler: true,
      Runtime: true,
      Role: true,
      MemorySize: true,
      Timeout: true,
      Environment: { Variables: true },
      LoggingConfig: { LogGroup: true },
    },
    ignored: {
      Architectures: 'a function runs on the processor of this machine',
      TracingConfig: 'no traces are collected on one machine',
      Description: labels,
      Tags: labels,
    },
  },
  'AWS::Lambda::Permission': {
    ref: (logicalId) => logicalId,
    attributes: (logicalId) => ({ Id: logicalId }),
    supported: {},
    ignored: Object.fromEntries(
      ['Action', 'FunctionName', 'Principal', 'SourceArn'].map((name) => [
        name,
        'the runtime itself makes these calls',
      ]),
    ),
  },
  'AWS::Lambda::Version': {
    ref: (_logicalId, properties, environment) => toQualifiedArn(properties.FunctionName, '1', environment),
    attributes: (_logicalId, properties, environment) => ({
      Version: '1',
      FunctionArn: toQualifiedArn(properties.FunctionName, '1', environment),
    }),
    supported: { FunctionName: true },
    ignored: {
      Description: labels,
    },
  },
  'AWS::Lambda::Alias': {
    ref: (_logicalId, properties, environment) =>
      toQualifiedArn(properties.FunctionName, String(properties.Name), environment),
    attributes: (_logicalId, properties, environment) => ({
      AliasArn: toQualifiedArn(properties.FunctionName, String(properties.Name), environment),
    }),
    supported: { FunctionName: true, Name: true, FunctionVersion: true },
    ignored: {
      Description: labels,
    },
  },
  'AWS::Lambda::EventSourceMapping': {
    ref: (logicalId, _properties, environment) => deriveUuid(`${environment.stackName}/${logicalId}`),
    attributes: (logicalId, _properties, environment) => {
      const id = deriveUuid(`${environment.stackName}/${logicalId}`);
      const { region, accountId } = environment;
      return {
        Id: id,
        EventSourceMappingArn: `arn:aws:lambda:${region}:${accountId}:event-source-mapping:${id}`,
      };
    },
    supported: {
      EventSourceArn: true,
      FunctionName: true,
      BatchSize: true,
      MaximumBatchingWindowInSeconds: true,
      FunctionResponseTypes: true,
      ScalingConfig: { MaximumConcurrency: true },
      StartingPosition: true,
      MaximumRetryAttempts: true,
      MaximumRecordAgeInSeconds: true,
      BisectBatchOnFunctionError: true,
      DestinationConfig: { OnFailure: { Destination: true } },
      FilterCriteria: { Filters: { Pattern: true } },
    },
    ignored: {
      Tags: labels,
    },
  },
};

function toFunctionName(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  if (typeof properties.FunctionName === 'string') return properties.FunctionName;
  const maxLength = 64;
  const name = `${environment.stackName}-${logicalId}`;
  if (name.length <= maxLength) return name;
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, maxLength - suffix.length - 1)}-${suffix}`;
}

function toQualifiedArn(reference: unknown, qualifier: string, environment: StackEnvironment): string {
  const parsed = parseFunctionReference(String(reference));
  if (!parsed) throw new Error(`${String(reference)} does not name a function`);
  return `${formatFunctionArn(parsed.name, environment)}:${qualifier}`;
}

/** CloudFormation uses a random UUID; here it must be the same at every start. */
function deriveUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
