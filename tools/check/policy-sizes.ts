import { resolve } from '../../local/template/intrinsics.ts';

// The size of policies as IAM counts it: resolved, without spaces. References count with their maximum length, for the
// longest instance name, partition and region.

const maxInstanceCharacters = 20;
const maxLengthStackName = `incidents-${'x'.repeat(maxInstanceCharacters)}`;
const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::AccountId': '123456789012',
  'AWS::URLSuffix': 'amazonaws.com.cn',
  'AWS::StackName': maxLengthStackName,
};
const suffix = 'X'.repeat(13);
const maxLengthService = 'cognito-idp';

interface LinkedTemplate {
  Resources: Readonly<Record<string, { Type: string; Properties?: Record<string, unknown> }>>;
  Stacks?: Readonly<Record<string, { resources: readonly string[] }>>;
}

export function measurePolicies({ Resources, Stacks = {} }: LinkedTemplate): { id: string; size: number }[] {
  const stackNames = new Map(
    Object.entries(Stacks).flatMap(([name, { resources }]) => resources.map((id) => [id, toLongestName(name)])),
  );
  const toPhysicalId = (id: string) => `${stackNames.get(id) ?? maxLengthStackName}-${id}-${suffix}`;
  const lookup = {
    ref: (name: string) => pseudoParameters[name] ?? toPhysicalId(name),
    attribute: (logicalId: string, name: string) => toAttribute(toPhysicalId(logicalId), name),
    condition: () => true,
  };
  return Object.entries(Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
    .map(([id, { Properties = {} }]) => {
      const documents = ((Properties.Policies ?? []) as { PolicyDocument: unknown }[]).map(({ PolicyDocument }) =>
        resolve(PolicyDocument, lookup),
      );
      const texts = documents.map((document) => JSON.stringify(document).replaceAll(/\s/g, ''));
      const names = texts.map((text) => text.replaceAll(/\bincidents-[a-z][a-z0-9-]*?(?=--)/g, maxLengthStackName));
      return { id, size: names.reduce((sum, text) => sum + text.length, 0) };
    });
}

/** The name of a nested stack has its logical id and a suffix of its own. */
function toLongestName(stackName: string): string {
  const longest = stackName.replace(/^incidents-.*?(?=-(?:data|service)(?:-|$))/, maxLengthStackName);
  return /-(?:data|service)$/.test(longest) ? longest : `${longest}-${suffix}`;
}

function toAttribute(physicalId: string, name: string): string {
  if (!name.endsWith('Arn')) return physicalId;
  const { 'AWS::Partition': partition, 'AWS::Region': region, 'AWS::AccountId': account } = pseudoParameters;
  const arn = `arn:${partition}:${maxLengthService}:${region}:${account}:${physicalId}`;
  return name === 'StreamArn' ? `${arn}/stream/2026-01-01T00:00:00.000` : arn;
}
