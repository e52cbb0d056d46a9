// AWS::DynamoDB::Table in a template.
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';
import { toTableArn } from './table.ts';

/** Streams of the template's tables keep one label, so that their ARNs are the same at every start. */
export const templateStreamLabel = '2026-01-01T00:00:00.000';

const keySchema = { AttributeName: true, KeyType: true } as const;
const throughput = { ReadCapacityUnits: true, WriteCapacityUnits: true } as const;
const index = {
  IndexName: true,
  KeySchema: keySchema,
  Projection: { ProjectionType: true, NonKeyAttributes: true },
} as const;

export const resourceTypes: ResourceTypes = {
  'AWS::DynamoDB::Table': {
    ref: toTableName,
    attributes: (logicalId, properties, environment) => {
      const arn = toTableArn(toTableName(logicalId, properties, environment), environment);
      return {
        Arn: arn,
        ...(properties.StreamSpecification ? { StreamArn: `${arn}/stream/${templateStreamLabel}` } : {}),
      };
    },
    supported: {
      TableName: true,
      KeySchema: keySchema,
      AttributeDefinitions: { AttributeName: true, AttributeType: true },
      BillingMode: true,
      ProvisionedThroughput: throughput,
      GlobalSecondaryIndexes: { ...index, ProvisionedThroughput: throughput },
      LocalSecondaryIndexes: index,
      StreamSpecification: { StreamViewType: true },
      TimeToLiveSpecification: { AttributeName: true, Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    },
    ignored: {
      SSESpecification: 'the data folder is not encrypted',
      DeletionProtectionEnabled: 'nothing deletes a table of the template',
      Tags: 'the local runtime does not read tags',
    },
  },
};

function toTableName(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  return properties.TableName ?? `${stackName}-${logicalId}`;
}
