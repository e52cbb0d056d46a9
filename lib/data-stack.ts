import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { DefaultStackSynthesizer, type IStackSynthesizer, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { createAttachmentBucket } from './attachments.ts';
import { Backups } from './backups.ts';
import type { Environment } from './environments.ts';
import { EventLog } from './event-log.ts';
import { createSnapshotBucket } from './list-snapshots.ts';
import { Records } from './records.ts';
import { Secrets } from './secrets.ts';
import { Directory } from './user-pool.ts';

/**
 * Everything that a new deployment could not create again: records, people, clients with secrets, and keys. It refers to
 * nothing in the service's stack, so that the service can fail, roll back or be deleted without it. Only identifiers that
 * never change are exported (docs/decisions/0113-data-and-service-stacks.md).
 */
export class DataStack extends Stack {
  readonly records: Records;
  readonly secrets: Secrets;
  readonly eventLog: EventLog;
  readonly directory: Directory;
  readonly snapshots: Bucket;
  readonly attachments: Bucket;

  constructor(scope: Construct, id: string, environment: Environment) {
    const { removalPolicy, deletionProtection, backupVault } = environment;
    super(scope, id, {
      ...describeStack('Data of the incident management service'),
      terminationProtection: deletionProtection,
    });
    this.records = new Records(this, 'Records', environment);
    this.secrets = new Secrets(this, 'Secrets', environment);
    const { key } = this.records;
    this.eventLog = new EventLog(this, 'EventLog', { key, removalPolicy, deletionProtection });
    this.directory = new Directory(this, 'Identity', environment);
    this.snapshots = createSnapshotBucket(this, this.records);
    this.attachments = createAttachmentBucket(this, this.records, environment);
    const { records, eventLog } = this;
    if (backupVault) new Backups(this, 'Backups', { records, eventLog, copyTo: backupVault });
  }

  get tables(): readonly Table[] {
    const { table, aiCache, rateLimits } = this.records;
    return [table, aiCache, rateLimits, this.eventLog.table];
  }
}

export function describeStack(description: string): StackProps {
  // CDK's interfaces and classes disagree under exactOptionalPropertyTypes, hence the `as`.
  const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
  return {
    // CloudFormation accepts 1 MB. Indentation would be almost half of it.
    suppressTemplateIndentation: true,
    description,
    synthesizer: synthesizer as IStackSynthesizer,
  };
}
