import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::S3::Bucket': {
    ref: (logicalId, properties, environment) => bucketName(logicalId, properties, environment),
    attributes: (logicalId, properties, environment) => {
      const name = bucketName(logicalId, properties, environment);
      return {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${environment.region}.amazonaws.com`,
      };
    },
    supported: {
      BucketName: true,
      // Uploads in parts are refused, so none can be left incomplete. Rules that expire objects are not understood.
      LifecycleConfiguration: { Rules: { Id: true, Status: true, Prefix: true, AbortIncompleteMultipartUpload: true } },
    },
    ignored: {
      BucketEncryption: 'objects are as safe as the data folder they are in',
      OwnershipControls: 'there is one account on one machine, which owns every object',
      PublicAccessBlockConfiguration: 'nothing here is public: every call needs a role that allows it',
      Tags: 'nothing on one machine reads tags',
    },
  },
  'AWS::S3::BucketPolicy': {
    ref: (logicalId) => logicalId,
    supported: {},
    ignored: {
      Bucket: 'access is decided by the policies of the calling role',
      PolicyDocument: 'it demands TLS or admits other services, and both ends are this process',
    },
  },
};

/** Bucket names are lower case and have at most 63 characters. */
function bucketName(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  if (typeof properties.BucketName === 'string') return properties.BucketName;
  const name = `${stackName}-${logicalId}`.toLowerCase();
  if (name.length <= 63) return name;
  return `${name.slice(0, 50)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
