import { UserPoolOperation } from 'aws-cdk-lib/aws-cognito';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { directoryCalls } from '../contract/audit.ts';
import type { EventLog } from './event-log.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';

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
      name: 'record-sign-ins',
      capability: 'identity',
      description: 'Writes sign-ins and failed sign-ins to the audit log.',
      timeoutSeconds: 5,
    });
    eventLog.grantWriteAudit(signIns);
    identity.userPool.addTrigger(UserPoolOperation.PRE_AUTHENTICATION, signIns.lambda);
    identity.userPool.addTrigger(UserPoolOperation.POST_AUTHENTICATION, signIns.lambda);
    this.directoryChanges = functions.create({
      name: 'record-directory-changes',
      capability: 'identity',
      description: 'Writes changes to users, groups and app clients to the audit log.',
    });
    eventLog.grantWriteAudit(this.directoryChanges);
    identity.grantFindPeople(this.directoryChanges);
    this.followDirectory(identity, this.directoryChanges);
  }

  /** These functions change clients of API keys, which have their own entries. */
  ignoreCallsBy(functions: readonly ServiceFunction[]): void {
    const roles = functions.flatMap(({ lambda }) => lambda.role?.roleArn ?? []);
    this.directoryChanges.lambda.addEnvironment('API_KEY_ROLES', roles.join(','));
  }

  private followDirectory({ userPool }: Identity, target: ServiceFunction): void {
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
    target.lambda.addPermission('DirectoryChanges', {
      principal: new ServicePrincipal('events.amazonaws.com'),
      sourceArn: rule.attrArn,
    });
  }
}
