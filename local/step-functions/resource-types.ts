import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::StepFunctions::StateMachine': {
    ref: (logicalId, properties, environment) =>
      toMachineArn(toMachineName(logicalId, properties, environment), environment),
    attributes: (logicalId, properties, environment) => {
      const name = toMachineName(logicalId, properties, environment);
      return { Arn: toMachineArn(name, environment), Name: name, StateMachineRevisionId: 'INITIAL' };
    },
    supported: {
      StateMachineName: true,
      RoleArn: true,
      DefinitionString: true,
    },
    ignored: {
      LoggingConfiguration: 'GetExecutionHistory returns every step',
      TracingConfiguration: 'the local runtime has no tracing service',
      EncryptionConfiguration: 'the data folder is not encrypted',
      Tags: 'the local runtime does not read tags',
    },
  },
};

export function toMachineArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:states:${region}:${accountId}:stateMachine:${name}`;
}

function toMachineName(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  if (typeof properties.StateMachineName === 'string') return properties.StateMachineName;
  const name = `${environment.stackName}-${logicalId}`;
  if (name.length <= 80) return name;
  return `${name.slice(0, 67)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
