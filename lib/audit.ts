import { CfnRule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { directoryCalls } from '../contract/audit.ts';
import type { EventLog } from './event-log.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';
import { type Directory, signInFunction } from './user-pool.ts';

export interface AuditProps {
  functions: Functions;
  identity: Identity;
  eventLog: EventLog;
}

/**
 * Adds events of the user pool to the audit log: sign-ins through triggers, and changes of users, groups and clients
 * through CloudTrail. event-pipeline.ts adds the actions of API callers from the stream of committed writes.
 */
export class Audit extends Construct {
  readonly directoryChanges: ServiceFunction;

  constructor(scope: Construct, id: string, { functions, identity, eventLog }: AuditProps) {
    super(scope, id);
    const signIns = functions.create({
      name: signInFunction,
      capability: 'identity',
      description: 'Writes sign-ins and failed sign-ins to the audit log.',
      timeoutSeconds: 5,
    });
    eventLog.grantWriteAudit(signIns);
    const { userPool } = identity.directory;
    const principal = new ServicePrincipal('cognito-idp.amazonaws.com');
    signIns.lambda.addPermission('SignIns', { principal, sourceArn: userPool.userPoolArn });
    this.directoryChanges = functions.create({
      name: 'record-directory-changes',
      capability: 'identity',
      description: 'Writes changes to users, groups and app clients to the audit log.',
    });
    eventLog.grantWriteAudit(this.directoryChanges);
    identity.grantFindPeople(this.directoryChanges);
    this.followDirectory(identity.directory, this.directoryChanges);
  }

  /** These functions change clients of API keys and roles of people, which have their own entries. */
  ignoreCallsBy(functions: readonly ServiceFunction[]): void {
    const roles = functions.flatMap(({ lambda }) => lambda.role?.roleArn ?? []);
    this.directoryChanges.lambda.addEnvironment('API_KEY_ROLES', roles.join(','));
  }

  private followDirectory({ userPool }: Directory, target: ServiceFunction): void {
    const rule = new CfnRule(this, 'DirectoryChanges', {
      description: 'Matches CloudTrail events about users, groups and app clients of the user pool.',
      eventPattern: {
        source: ['aws.cognito-idp'],
        'detail-type': ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['cognito-idp.amazonaws.com'],
          eventName: Object.keys(directoryCalls),
          requestParameters: { userPoolId: [userPool.userPoolId] },
        },
      },
      targets: [{ id: 'Record', arn: target.lambda.functionArn }],
    });
    // Beside the rule: in the stack of the function, both stacks would refer to each other.
    new CfnPermission(this, 'Permission', {
      action: 'lambda:InvokeFunction',
      functionName: target.lambda.functionArn,
      principal: 'events.amazonaws.com',
      sourceArn: rule.attrArn,
    });
  }
}
