import { createHash } from 'node:crypto';
import type { ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

const documentation = 'describes, changes nothing';

const behavior = {
  PathPattern: true,
  TargetOriginId: true,
  AllowedMethods: true,
  CachePolicyId: true,
  OriginRequestPolicyId: true,
  ResponseHeadersPolicyId: true,
  FunctionAssociations: { EventType: true, FunctionARN: true },
  Compress: true,
  // The runtime's server does not terminate TLS.
  ViewerProtocolPolicy: true,
} as const;

export const resourceTypes: ResourceTypes = {
  'AWS::CloudFront::Distribution': {
    ref: createId,
    attributes: (logicalId, _properties, environment) => ({
      Id: createId(logicalId, undefined, environment),
      DomainName: new URL(environment.publicUrl).hostname,
    }),
    supported: {
      DistributionConfig: {
        Enabled: true,
        Comment: true,
        DefaultCacheBehavior: behavior,
        CacheBehaviors: behavior,
        // This runtime does not cache responses, so error caching has no effect.
        CustomErrorResponses: { ErrorCode: true, ErrorCachingMinTTL: true },
        Origins: {
          Id: true,
          DomainName: true,
          OriginAccessControlId: true,
          S3OriginConfig: { OriginAccessIdentity: true },
          // The gateway is in the same process.
          CustomOriginConfig: true,
        },
        // Edge locations and HTTP versions do not apply to one machine.
        HttpVersion: true,
        IPV6Enabled: true,
        PriceClass: true,
      },
    },
    ignored: { Tags: documentation },
  },
  'AWS::CloudFront::OriginAccessControl': {
    ref: createId,
    attributes: (logicalId, properties, environment) => ({ Id: createId(logicalId, properties, environment) }),
    supported: {},
    ignored: { OriginAccessControlConfig: 'buckets are reached without the network' },
  },
  'AWS::CloudFront::ResponseHeadersPolicy': {
    ref: createId,
    attributes: (logicalId, properties, environment) => ({ Id: createId(logicalId, properties, environment) }),
    supported: {
      ResponseHeadersPolicyConfig: {
        Name: true,
        Comment: true,
        SecurityHeadersConfig: {
          ContentSecurityPolicy: { ContentSecurityPolicy: true, Override: true },
          ContentTypeOptions: { Override: true },
          FrameOptions: { FrameOption: true, Override: true },
          ReferrerPolicy: { ReferrerPolicy: true, Override: true },
          StrictTransportSecurity: {
            AccessControlMaxAgeSec: true,
            IncludeSubdomains: true,
            Preload: true,
            Override: true,
          },
        },
        CustomHeadersConfig: { Items: { Header: true, Value: true, Override: true } },
      },
    },
  },
  'AWS::CloudFront::Function': {
    ref: toFunctionArn,
    attributes: (logicalId, properties, environment) => ({
      FunctionARN: toFunctionArn(logicalId, properties, environment),
    }),
    supported: { Name: true, FunctionCode: true, FunctionConfig: { Comment: true, Runtime: true } },
    ignored: { AutoPublish: 'the newest code is the one that runs' },
  },
};

function toFunctionArn(_logicalId: string, properties: { Name: string }, { accountId }: StackEnvironment): string {
  return `arn:aws:cloudfront::${accountId}:function/${properties.Name}`;
}

function createId(logicalId: string, _properties: unknown, { stackName }: StackEnvironment): string {
  const digest = createHash('sha256').update(`${stackName}/${logicalId}`).digest('hex');
  return `E${digest.slice(0, 13).toUpperCase()}`;
}
