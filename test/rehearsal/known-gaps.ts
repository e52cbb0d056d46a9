// What moto and DynamoDB Local are known to do differently from AWS. Anything else fails the rehearsal.

const unsupported = /^unsupported$/;

/** Resources that moto cannot create, by type. */
export const knownGaps: Readonly<Record<string, RegExp>> = {
  'AWS::ApiGateway::Account': unsupported,
  // moto reads no methods from the OpenAPI body of a REST API.
  'AWS::ApiGateway::Deployment': /doesn't contain any methods/,
  'AWS::ApiGateway::Stage': unsupported,
  'AWS::ApiGateway::UsagePlanKey': /Invalid API Key identifier/,
  'AWS::CloudFormation::CustomResource': unsupported,
  'AWS::CloudFront::Distribution': unsupported,
  'AWS::CloudFront::Function': unsupported,
  'AWS::CloudFront::OriginAccessControl': unsupported,
  'AWS::CloudFront::ResponseHeadersPolicy': unsupported,
  'AWS::CodeDeploy::DeploymentGroup': unsupported,
};

/** Responses to DynamoDB calls. */
export const knownDifferences: readonly { pattern: RegExp; reason: string }[] = [];
