// Resource types that exist for the cloud's sake and mean nothing on one machine. They are named here, and only here, so
// that a type that is merely unknown still stops the start. Their names and ARNs resolve, since others refer to them.
import type { ResourceType, ResourceTypes } from './resource-type.ts';

function nothing(service: string, kind: string, attributeNames: readonly string[] = ['Arn']): ResourceType {
  return {
    honoured: true,
    ref: (logicalId, _properties, environment) => `${environment.stackName}-${logicalId}`,
    attributes: (logicalId, _properties, { region, accountId, stackName }) => {
      const arn = `arn:aws:${service}:${region}:${accountId}:${kind}${stackName}-${logicalId}`;
      return Object.fromEntries(
        attributeNames.map((name) => [name, name.endsWith('Arn') ? arn : `${stackName}-${logicalId}`]),
      );
    },
  };
}

export const typesWithoutMeaning: ResourceTypes = {
  // Nobody is woken by a laptop; the log shows what an alarm would.
  'AWS::CloudWatch::Alarm': nothing('cloudwatch', 'alarm:'),
  'AWS::CloudWatch::CompositeAlarm': nothing('cloudwatch', 'alarm:'),
  'AWS::CloudWatch::Dashboard': nothing('cloudwatch', 'dashboard/'),
  // All functions and the gateway log to one place here.
  'AWS::Logs::LogGroup': nothing('logs', 'log-group:'),
  'AWS::Logs::MetricFilter': nothing('logs', 'metric-filter:'),
  'AWS::Logs::ResourcePolicy': nothing('logs', 'resource-policy:'),
  // The gateway's account-wide logging role.
  'AWS::ApiGateway::Account': nothing('apigateway', 'account/'),
  // The runtime's own HTTP server stands where the edge network would.
  'AWS::CloudFront::Distribution': nothing('cloudfront', 'distribution/', ['Id', 'DomainName']),
  'AWS::CloudFront::OriginAccessControl': nothing('cloudfront', 'origin-access-control/', ['Id']),
  'AWS::CloudFront::ResponseHeadersPolicy': nothing('cloudfront', 'response-headers-policy/', ['Id']),
  'AWS::CloudFront::Function': nothing('cloudfront', 'function/', ['FunctionARN', 'FunctionMetadata.FunctionARN']),
  'AWS::CDK::Metadata': nothing('cdk', 'metadata/'),
};
