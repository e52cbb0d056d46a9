import { type CfnResource, CustomResource } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ApiKeys } from './api-keys.ts';
import type { Functions } from './functions.ts';
import type { ListSnapshots } from './list-snapshots.ts';

export interface StackDataProps {
  functions: Functions;
  listSnapshots: ListSnapshots;
  apiKeys: ApiKeys;
}

/** The gateway deletes five keys per second. */
const maxDeletionSeconds = 900;

/**
 * Deletes data that the stack created at run time when the stack itself is deleted: snapshots, which are copies, and keys
 * of the gateway. Resources that create such data depend on this one, so they are deleted first.
 */
export class StackData extends Construct {
  constructor(scope: Construct, id: string, { functions, listSnapshots, apiKeys }: StackDataProps) {
    super(scope, id);
    const remover = functions.create({
      name: 'remove-stack-data',
      capability: 'console',
      description: 'Deletes snapshots and API Gateway keys when the stack is deleted.',
      timeoutSeconds: maxDeletionSeconds,
    });
    listSnapshots.grantDelete(remover);
    apiKeys.grantDeleteKeys(remover);
    const removal = new CustomResource(this, 'Removal', { serviceToken: remover.lambda.functionArn });
    (removal.node.defaultChild as CfnResource).addPropertyOverride('ServiceTimeout', maxDeletionSeconds);
    listSnapshots.schedule.node.addDependency(removal);
  }
}
