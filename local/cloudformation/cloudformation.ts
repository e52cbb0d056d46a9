// CloudFormation's read operations: the stacks' resources with their physical ids, and their outputs.
import { AwsError } from '../aws/error.ts';
import { type AwsService, createQueryService, type Input, unsupportedOperationError } from '../aws/service.ts';
import type { XmlElement } from '../aws/xml.ts';
import type { Clock } from '../clock/clock.ts';
import { type Resource, type Stack, type StackEnvironment, toStackId } from '../template/resource-type.ts';

export interface CloudFormation {
  readonly service: Required<AwsService>;
  load(resources: readonly Resource[], stack: Stack): void;
}

interface LoadedStack {
  summary: { StackId: string; StackName: string; CreationTime: string; StackStatus: string };
  resources: readonly Resource[];
  outputs: readonly [name: string, value: string][];
}

const status = 'CREATE_COMPLETE';

export function createCloudFormation(options: { environment: StackEnvironment; clock: Clock }): CloudFormation {
  const { environment, clock } = options;
  let loaded: readonly LoadedStack[] = [];
  return {
    load(_resources, stack) {
      const CreationTime = new Date(clock.now()).toISOString();
      loaded = Object.entries(stack.stacks).map(([StackName, { resources, outputs }]) => ({
        summary: {
          StackId: toStackId({ ...environment, stackName: StackName }),
          StackName,
          CreationTime,
          StackStatus: status,
        },
        resources: resources.map((id) => stack.get(id)),
        outputs: outputs.map((name) => [name, stack.outputs[name] ?? '']),
      }));
    },
    service: createQueryService({
      signingName: 'cloudformation',
      namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
      access(operation) {
        if (!Object.hasOwn(operations, operation)) throw unsupportedOperationError('cloudformation', operation);
        return [{ action: `cloudformation:${operation}`, resource: '*' }];
      },
      call(operation, input) {
        const { StackName: name } = input;
        if (name === undefined && operation.endsWith('Resources')) {
          throw new AwsError('ValidationError', 'StackName is required');
        }
        const stacks = loaded.filter(({ summary }) => [summary.StackName, summary.StackId, undefined].includes(name));
        if (stacks.length === 0) throw new AwsError('ValidationError', `Stack with id ${name} does not exist`);
        return operations[operation]?.(stacks, input) ?? {};
      },
    }),
  };
}

const operations: Readonly<Record<string, (stacks: readonly LoadedStack[], input: Input) => XmlElement>> = {
  DescribeStacks: (stacks) => ({
    Stacks: {
      member: stacks.map(({ summary, outputs }) => ({
        ...summary,
        Outputs: { member: outputs.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })) },
      })),
    },
  }),
  ListStacks: (stacks) => ({ StackSummaries: { member: stacks.map(({ summary }) => summary) } }),
  ListStackResources: (stacks) => ({
    StackResourceSummaries: {
      member: stacks.flatMap(({ summary, resources }) =>
        resources.map((resource) => ({ ...toResourceSummary(resource), LastUpdatedTimestamp: summary.CreationTime })),
      ),
    },
  }),
  DescribeStackResources: (stacks, { LogicalResourceId: wanted }) => ({
    StackResources: {
      member: stacks.flatMap(({ summary: { StackName, StackId, CreationTime }, resources }) =>
        resources
          .filter(({ logicalId }) => wanted === undefined || logicalId === wanted)
          .map((resource) => ({ StackName, StackId, ...toResourceSummary(resource), Timestamp: CreationTime })),
      ),
    },
  }),
};

function toResourceSummary({ logicalId, physicalId, type }: Resource): XmlElement {
  return {
    LogicalResourceId: logicalId,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    ResourceStatus: status,
  };
}
