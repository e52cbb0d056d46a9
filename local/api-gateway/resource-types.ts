import { createHash } from 'node:crypto';
import type { ResourceTypes } from '../template/resource-type.ts';

const documentation = 'describes, changes nothing';

export const resourceTypes: ResourceTypes = {
  'AWS::ApiGateway::RestApi': {
    ref: (logicalId, _properties, environment) => createShortId(environment.stackName, logicalId),
    attributes: (logicalId, _properties, environment) => ({
      RestApiId: createShortId(environment.stackName, logicalId),
      RootResourceId: createShortId(environment.stackName, logicalId, 'root'),
    }),
    supported: { Body: true, Name: true },
    ignored: {
      Description: documentation,
      Tags: documentation,
      EndpointConfiguration: 'one machine has one kind of endpoint',
      FailOnWarnings: 'everything not understood stops the start',
      Mode: 'the body always replaces what was there',
      DisableExecuteApiEndpoint: 'there is no other address',
      MinimumCompressionSize: 'nothing is gained by compressing on loopback',
    },
  },
  'AWS::ApiGateway::Deployment': {
    ref: (logicalId, _properties, environment) => createShortId(environment.stackName, logicalId),
    supported: { RestApiId: true },
    ignored: { Description: documentation },
  },
  'AWS::ApiGateway::Stage': {
    ref: (_logicalId, properties) => properties.StageName,
    supported: {
      RestApiId: true,
      DeploymentId: true,
      StageName: true,
      MethodSettings: {
        HttpMethod: true,
        ResourcePath: true,
        ThrottlingRateLimit: true,
        ThrottlingBurstLimit: true,
        LoggingLevel: true,
        DataTraceEnabled: true,
        MetricsEnabled: true,
      },
      AccessLogSetting: { DestinationArn: true, Format: true },
    },
    ignored: {
      TracingEnabled: 'traces end at this machine; the trace header is passed on',
      Description: documentation,
      Tags: documentation,
    },
  },
  'AWS::ApiGateway::UsagePlan': {
    ref: (logicalId, _properties, environment) => createShortId(environment.stackName, logicalId),
    attributes: (logicalId, _properties, environment) => ({ Id: createShortId(environment.stackName, logicalId) }),
    supported: {
      UsagePlanName: true,
      ApiStages: { ApiId: true, Stage: true, Throttle: true },
      Throttle: { RateLimit: true, BurstLimit: true },
      Tags: { Key: true, Value: true },
    },
    ignored: { Description: documentation },
  },
  'AWS::ApiGateway::ApiKey': {
    ref: (logicalId, _properties, environment) => createShortId(environment.stackName, logicalId),
    attributes: (logicalId, _properties, environment) => ({
      APIKeyId: createShortId(environment.stackName, logicalId),
    }),
    supported: { Name: true, Value: true, Enabled: true },
    ignored: {
      Description: documentation,
      Tags: documentation,
      StageKeys: 'usage plans say where a key counts',
      CustomerId: documentation,
    },
  },
  'AWS::ApiGateway::UsagePlanKey': {
    ref: (logicalId, _properties, environment) => createShortId(environment.stackName, logicalId),
    attributes: (logicalId, _properties, environment) => ({ Id: createShortId(environment.stackName, logicalId) }),
    supported: { KeyId: true, KeyType: true, UsagePlanId: true },
  },
};

function createShortId(...parts: readonly string[]): string {
  return BigInt(`0x${createHash('sha256').update(parts.join('/')).digest('hex').slice(0, 16)}`)
    .toString(36)
    .slice(0, 10)
    .padEnd(10, '0');
}
