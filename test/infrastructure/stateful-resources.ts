import type { Template } from 'aws-cdk-lib/assertions';
import { listStacks } from './stack.ts';

// What must survive an update of a deployed stack. CloudFormation replaces a resource when its logical id changes, and when
// one of the properties below does; a replaced resource is empty and has another address.

type Json = Readonly<Record<string, unknown>>;

/** By type: the properties whose change replaces the resource. Names are in the list, because none has one of its own. */
const replacing: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::UsagePlan': [],
  'AWS::CloudFront::Distribution': [],
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration', 'Schema'],
  'AWS::Cognito::UserPoolClient': ['GenerateSecret'],
  'AWS::Cognito::UserPoolGroup': ['GroupName'],
  'AWS::Cognito::UserPoolResourceServer': ['Identifier'],
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::StepFunctions::StateMachine': ['StateMachineName', 'StateMachineType'],
};

interface StatefulResource {
  type: string;
  /** A resource that another stack declares is a new one. */
  stack: string;
  /** The properties that it must keep. */
  properties: Json;
  /** Of tables, by name. */
  indexes?: Readonly<Record<string, unknown>>;
}

export type StatefulResources = Readonly<Record<string, StatefulResource>>;

export function describeStateful(template: Template): StatefulResources {
  const stacks = Object.entries(listStacks(template));
  const findStack = (id: string) => stacks.find(([, ids]) => ids.includes(id))?.[0] ?? '';
  const resources = Object.entries(template.toJSON().Resources as Record<string, { Type: string; Properties?: Json }>);
  const stateful = resources.flatMap(([id, { Type, Properties = {} }]): [string, StatefulResource][] => {
    const names = replacing[Type];
    if (!names) return [];
    const properties = Object.fromEntries(
      names.filter((name) => name in Properties).map((name) => [name, Properties[name]]),
    );
    if (Type !== 'AWS::DynamoDB::Table') return [[id, { type: Type, stack: findStack(id), properties }]];
    return [
      [
        id,
        {
          type: Type,
          stack: findStack(id),
          properties: { ...properties, ...describeKeys(Properties) },
          indexes: describeIndexes(Properties),
        },
      ],
    ];
  });
  return Object.fromEntries(stateful.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface KeyElement {
  AttributeName: string;
}

interface Index {
  IndexName: string;
  KeySchema: KeyElement[];
  Projection: unknown;
}

function describeKeys({ KeySchema, AttributeDefinitions }: Json): Json {
  const keys = (KeySchema as KeyElement[]).map(({ AttributeName }) => AttributeName);
  const definitions = AttributeDefinitions as KeyElement[];
  return { keyTypes: definitions.filter(({ AttributeName }) => keys.includes(AttributeName)) };
}

function describeIndexes({ GlobalSecondaryIndexes = [] }: Json): Record<string, unknown> {
  const indexes = GlobalSecondaryIndexes as Index[];
  return Object.fromEntries(
    indexes.map(({ IndexName, KeySchema, Projection }) => [IndexName, { KeySchema, Projection }]),
  );
}

/** What an update from the recorded to the current resources would destroy, or what CloudFormation would reject. */
export function listDangers(recorded: StatefulResources, current: StatefulResources): string[] {
  return Object.entries(recorded).flatMap(([id, before]) => {
    const after = current[id];
    if (!after) return [`${id} (${before.type}) would be deleted or replaced: its logical id is gone.`];
    const isSame = before.type === after.type && JSON.stringify(before.properties) === JSON.stringify(after.properties);
    const changes = countIndexChanges(before.indexes ?? {}, after.indexes ?? {});
    return [
      ...(before.stack === after.stack
        ? []
        : [`${id} (${before.type}) would be replaced: it moved to ${after.stack}.`]),
      ...(isSame ? [] : [`${id} (${before.type}) would be replaced: a property changed that identifies it.`]),
      ...(changes > 1 ? [`${id} changes ${changes} indexes, and DynamoDB accepts one per deployment.`] : []),
    ];
  });
}

/** An index whose keys or projection change is deleted and created again. */
function countIndexChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): number {
  const removed = Object.keys(before).filter((name) => !(name in after));
  const added = Object.keys(after).filter((name) => !(name in before));
  const altered = Object.keys(before).filter(
    (name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return removed.length + added.length + 2 * altered.length;
}

/** The stack of the data is deployed first, and CloudFormation deletes no export that the deployed service still imports. */
export function listExports(template: Template): string[] {
  return template.toJSON().Metadata.exports;
}
