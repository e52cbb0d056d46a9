// CloudFormation's read operations: the stack's resources with their physical ids, and its outputs.
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
  stack: Stack;
  loadedAt: string;
}

const status = 'CREATE_COMPLETE';

export function createCloudFormation(options: { environment: StackEnvironment; clock: Clock }): CloudFormation {
  const { environment, clock } = options;
  let loaded: LoadedStack | undefined;
  return {
    load(_resources, stack) {
      loaded = { stack, loadedAt: new Date(clock.now()).toISOString() };
    },
    service: createQueryService({
      signingName: 'cloudformation',
      namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
      access(operation) {
        if (!Object.hasOwn(operations, operation)) throw unsupportedOperationError('cloudformation', operation);
        const resource = operation === 'ListStacks' ? '*' : toStackId(environment);
        return [{ action: `cloudformation:${operation}`, resource }];
      },
      call(operation, input) {
        const { StackName: name } = input;
        const isKnown = name === undefined || name === environment.stackName || name === toStackId(environment);
        if (!loaded || !isKnown) throw new AwsError('ValidationError', `Stack with id ${name} does not exist`);
        if (name === undefined && operation.endsWith('Resources')) {
          throw new AwsError('ValidationError', 'StackName is required');
        }
        return operations[operation]?.(loaded, input) ?? {};
      },
    }),
  };
}

const operations: Readonly<Record<string, (loaded: LoadedStack, input: Input) => XmlElement>> = {
  DescribeStacks: ({ stack, loadedAt }) => ({
    Stacks: {
      member: [
        {
          ...toStackSummary(stack, loadedAt),
          Outputs: {
            member: Object.entries(stack.outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
          },
        },
      ],
    },
  }),
  ListStacks: ({ stack, loadedAt }) => ({ StackSummaries: { member: [toStackSummary(stack, loadedAt)] } }),
  ListStackResources: ({ stack, loadedAt }) => ({
    StackResourceSummaries: {
      member: stack.resources.map((resource) => ({ ...toResourceSummary(resource), LastUpdatedTimestamp: loadedAt })),
    },
  }),
  DescribeStackResources({ stack, loadedAt }, { LogicalResourceId: wanted }) {
    const resources = stack.resources.filter(({ logicalId }) => wanted === undefined || logicalId === wanted);
    const { StackId, StackName } = toStackSummary(stack, loadedAt);
    const member = resources.map((resource) => ({
      StackName,
      StackId,
      ...toResourceSummary(resource),
      Timestamp: loadedAt,
    }));
    return { StackResources: { member } };
  },
};

function toStackSummary({ environment }: Stack, CreationTime: string) {
  return { StackId: toStackId(environment), StackName: environment.stackName, CreationTime, StackStatus: status };
}

function toResourceSummary({ logicalId, physicalId, type }: Resource): XmlElement {
  return {
    LogicalResourceId: logicalId,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    ResourceStatus: status,
  };
}
