import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::S3::Bucket': {
    ref: toBucketName,
    attributes: (logicalId, properties, environment) => {
      const name = toBucketName(logicalId, properties, environment);
      return {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${environment.region}.amazonaws.com`,
      };
    },
    supported: { BucketName: true, LifecycleConfiguration: true },
    ignored: {
      BucketEncryption: 'the data folder is not encrypted',
      CorsConfiguration: 'presigned URLs have the origin of the public server',
      OwnershipControls: 'one account owns every object',
      PublicAccessBlockConfiguration: 'nothing is public: every call requires a role that allows it',
      VersioningConfiguration: 'backups of the data folder hold former objects',
      Tags: 'the local runtime does not read tags',
    },
  },
  'AWS::S3::BucketPolicy': {
    ref: (logicalId) => logicalId,
    supported: {},
    ignored: {
      Bucket: 'only the policies of the calling role decide about access',
      PolicyDocument: 'it requires TLS or admits other services, and both ends are this process',
    },
  },
};

/** Bucket names are lower case and have at most 63 characters. */
function toBucketName(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  if (typeof properties.BucketName === 'string') return properties.BucketName;
  const name = `${stackName}-${logicalId}`.toLowerCase();
  if (name.length <= 63) return name;
  return `${name.slice(0, 50)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
