import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { type RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './functions.ts';

export interface EventLogProps {
  key: Key;
  removalPolicy: RemovalPolicy;
  deletionProtection: boolean;
}

/**
 * The table `events`: the event feed and the delivery log. It is separate from `records` because its items are derived
 * from records, change often and expire, and because it needs no stream.
 */
export class EventLog extends Construct {
  readonly table: Table;
  private readonly key: Key;

  constructor(scope: Construct, id: string, { key, removalPolicy, deletionProtection }: EventLogProps) {
    super(scope, id);
    this.key = key;
    this.table = new Table(this, 'Events', {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: key,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires_at',
      removalPolicy,
      deletionProtection,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_pk', type: AttributeType.STRING },
      sortKey: { name: 'due_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'list',
      partitionKey: { name: 'list_pk', type: AttributeType.STRING },
      sortKey: { name: 'list_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['created_at', 'delivery', 'event', 'expires_at', 'status'],
    });
  }

  /** Allows reading one event or one delivery. */
  readonly grantGet = (fn: ServiceFunction): void => {
    this.grant(fn, ['dynamodb:GetItem'], ['kms:Decrypt']);
  };

  /** Allows reading events or deliveries in order. */
  readonly grantQuery = (fn: ServiceFunction): void => {
    this.grant(fn, ['dynamodb:Query'], ['kms:Decrypt']);
  };

  /** Allows appending events. */
  readonly grantAppend = (fn: ServiceFunction): void => {
    this.grant(fn, ['dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem', 'dynamodb:GetItem'], ['kms:Decrypt']);
    this.grantWrite(fn);
  };

  readonly grantWrite = (fn: ServiceFunction): void => {
    const key = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'];
    this.grant(fn, ['dynamodb:PutItem', 'dynamodb:UpdateItem'], key);
  };

  /** Allows adding to the audit log and tracking sign-in attempts, and nothing else in the table. */
  readonly grantWriteAudit = (fn: ServiceFunction): void => {
    this.grantPartitions(fn, ['dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'], ['audit#*', 'sign-ins#*']);
    this.allowKey(fn, ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']);
  };

  /** Allows storing what the identity provider said about people, and adding that to the audit log. */
  readonly grantKeepSessions = (fn: ServiceFunction): void => {
    this.grantPartitions(fn, ['dynamodb:GetItem', 'dynamodb:PutItem'], ['audit#*', 'sso#*']);
    this.allowKey(fn, ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']);
  };

  readonly grantReadAudit = (fn: ServiceFunction): void => {
    this.grantPartitions(fn, ['dynamodb:Query'], ['audit#*']);
    this.allowKey(fn, ['kms:Decrypt']);
  };

  /** Allows reading deliveries in order, also by status. */
  readonly grantListDeliveries = (fn: ServiceFunction): void => {
    this.grantQuery(fn);
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/list`]);
  };

  /** Allows finding deliveries that are due. */
  readonly grantFindDue = (fn: ServiceFunction): void => {
    fn.allow(['dynamodb:Query'], [`${this.table.tableArn}/index/due`]);
    this.allowKey(fn, ['kms:Decrypt']);
  };

  private grantPartitions(fn: ServiceFunction, actions: readonly string[], partitions: readonly string[]): void {
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } };
    fn.allow(actions, [this.table.tableArn], condition);
    fn.lambda.addEnvironment('EVENTS_TABLE', this.table.tableName);
  }

  private grant(fn: ServiceFunction, actions: readonly string[], keyActions: readonly string[]): void {
    fn.grant(actions, [this.table.tableArn], { EVENTS_TABLE: this.table.tableName });
    this.allowKey(fn, keyActions);
  }

  /** Limits the use of the key to DynamoDB. */
  private allowKey(fn: ServiceFunction, actions: readonly string[]): void {
    const { region, urlSuffix } = Stack.of(this);
    fn.allow(actions, [this.key.keyArn], { StringEquals: { 'kms:ViaService': `dynamodb.${region}.${urlSuffix}` } });
  }
}
