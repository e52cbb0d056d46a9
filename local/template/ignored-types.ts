// Resource types that have no effect on one machine. Types that are neither here nor supported stop the start. References
// to their names and ARNs still resolve.
import type { ResourceType, ResourceTypes } from './resource-type.ts';

function ignore(service: string, kind: string, attributeNames: readonly string[] = ['Arn']): ResourceType {
  return {
    supported: true,
    ref: (logicalId, _properties, environment) => `${environment.stackName}-${logicalId}`,
    attributes: (logicalId, _properties, { region, accountId, stackName }) => {
      const name = `${stackName}-${logicalId}`;
      const arn = `arn:aws:${service}:${region}:${accountId}:${kind}${name}`;
      return Object.fromEntries(attributeNames.map((attribute) => [attribute, attribute.endsWith('Arn') ? arn : name]));
    },
  };
}

export const ignoredTypes: ResourceTypes = {
  // No alarm is evaluated; /_local/metrics shows which ones the metrics would raise.
  'AWS::CloudWatch::Alarm': ignore('cloudwatch', 'alarm:'),
  'AWS::CloudWatch::Dashboard': ignore('cloudwatch', 'dashboard/'),
  // All functions and the gateway write to one log.
  'AWS::Logs::LogGroup': ignore('logs', 'log-group:'),
  // The gateway's account-wide logging role.
  'AWS::ApiGateway::Account': ignore('apigateway', 'account/'),
  // There is one version of each function; an alias leads to it.
  'AWS::CodeDeploy::Application': ignore('codedeploy', 'application:'),
  'AWS::CodeDeploy::DeploymentGroup': ignore('codedeploy', 'deploymentgroup:'),
  'AWS::CDK::Metadata': ignore('cdk', 'metadata/'),
};
