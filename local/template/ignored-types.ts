// Resource types without effect on one machine. References to their names and ARNs still resolve. A type that is neither
// supported nor listed here stops the start.
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
  // Alarms are not evaluated; /_local/metrics lists those that the metrics would raise.
  'AWS::CloudWatch::Alarm': ignore('cloudwatch', 'alarm:'),
  'AWS::CloudWatch::Dashboard': ignore('cloudwatch', 'dashboard/'),
  // Traces end at this machine.
  'AWS::XRay::SamplingRule': ignore('xray', 'sampling-rule/', ['RuleARN', 'RuleName']),
  // All functions and the gateway write to one log.
  'AWS::Logs::LogGroup': ignore('logs', 'log-group:'),
  // The gateway's account-wide logging role.
  'AWS::ApiGateway::Account': ignore('apigateway', 'account/'),
  // Gradual deployments do not run here: each function has one version.
  'AWS::CodeDeploy::Application': ignore('codedeploy', 'application:'),
  'AWS::CodeDeploy::DeploymentGroup': ignore('codedeploy', 'deploymentgroup:'),
  'AWS::CDK::Metadata': ignore('cdk', 'metadata/'),
};
