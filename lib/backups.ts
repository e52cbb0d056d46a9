import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { EventLog } from './event-log.ts';
import type { Records } from './records.ts';

export interface BackupsProps {
  records: Records;
  eventLog: EventLog;
  /** The ARN of the vault in the other account. */
  copyTo: string;
}

/** As long as point-in-time recovery. */
const retention = Duration.days(35);

/**
 * Copies the tables to another account every day, so that data survives the loss of this one. The other account must be able
 * to use the key of the vault here, so it is not the key of the tables.
 */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { records, eventLog, copyTo }: BackupsProps) {
    super(scope, id);
    const [, , , , otherAccount = ''] = copyTo.split(':');
    const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
    const key = new Key(this, 'Key', {
      description: 'Encrypts backups of the incident service.',
      enableKeyRotation: true,
      removalPolicy,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [new AccountPrincipal(otherAccount)],
        actions: ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
        resources: ['*'],
      }),
    );
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason: 'AWS documents this managed policy as the one for backups.',
    });
    const plan = new BackupPlan(this, 'Plan', {
      backupVault: new BackupVault(this, 'Vault', { encryptionKey: key, removalPolicy }),
      backupPlanRules: [
        new BackupPlanRule({
          scheduleExpression: Schedule.cron({ hour: '5', minute: '0' }),
          deleteAfter: retention,
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'OtherVault', copyTo),
              deleteAfter: retention,
            },
          ],
        }),
      ],
    });
    const tables = [records.table, eventLog.table].map((table) => BackupResource.fromDynamoDbTable(table));
    plan.addSelection('Tables', {
      resources: tables,
      role: role.withoutPolicyUpdates(),
      disableDefaultBackupPolicy: true,
    });
  }
}
