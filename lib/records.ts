import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './functions.ts';

// The tables. `records` holds all durable data, with its change stream. `rate-limits` and `ai-cache` are separate
// because their items expire soon and need neither stream nor history.

export interface RecordsProps {
  removalPolicy: RemovalPolicy;
  deletionProtection: boolean;
}

const lasting = {
  billingMode: BillingMode.PAY_PER_REQUEST,
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
} as const;

/** Its data is useless after minutes, so point-in-time recovery is explicitly off. */
const expendable = {
  billingMode: BillingMode.PAY_PER_REQUEST,
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false },
} as const;

const key = { name: 'pk', type: AttributeType.STRING } as const;

export class Records extends Construct {
  readonly table: Table;
  readonly rateLimits: Table;
  readonly aiCache: Table;
  readonly key: Key;

  constructor(scope: Construct, id: string, { removalPolicy, deletionProtection }: RecordsProps) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the records of the incident service.',
      enableKeyRotation: true,
      removalPolicy,
    });
    const encryption = { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key };
    this.table = new Table(this, 'Records', {
      ...lasting,
      ...encryption,
      partitionKey: key,
      sortKey: { name: 'sk', type: AttributeType.STRING },
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expires_at',
      removalPolicy,
      deletionProtection,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'feed',
      partitionKey: { name: 'feed_pk', type: AttributeType.STRING },
      sortKey: { name: 'feed_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['listing'],
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_pk', type: AttributeType.STRING },
      sortKey: { name: 'due_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'about',
      partitionKey: { name: 'about_pk', type: AttributeType.STRING },
      sortKey: { name: 'about_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    this.aiCache = new Table(this, 'AiCache', {
      ...expendable,
      ...encryption,
      partitionKey: key,
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires_at',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Counters contain no personal data and every request writes one, so the free key that DynamoDB owns is enough.
    this.rateLimits = new Table(this, 'RateLimits', {
      ...expendable,
      partitionKey: key,
      timeToLiveAttribute: 'expires_at',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    for (const table of [this.aiCache, this.rateLimits]) {
      Validations.of(table).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason: 'Its items expire and nothing depends on them: cached answers, counters of requests and of cache hits.',
      });
    }
  }

  /** Allows reading single records by id. */
  readonly grantGet = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:GetItem'], [this.table.tableArn], { RECORDS_TABLE: this.table.tableName });
    this.allowKey(fn, ['kms:Decrypt']);
  };

  /** Allows writing records in transactions. */
  readonly grantWrite = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:PutItem', 'dynamodb:UpdateItem'], [this.table.tableArn], {
      RECORDS_TABLE: this.table.tableName,
    });
    this.allowKey(fn, ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']);
  };

  /** Allows checking, in a transaction, that the records which fields refer to exist. */
  readonly grantCheck = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:ConditionCheckItem'], [this.table.tableArn], {});
  };

  /** Allows reading the notes and the history of a record. */
  readonly grantQuery = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:Query'], [this.table.tableArn], { RECORDS_TABLE: this.table.tableName, ...this.cursorKey });
    this.allowKey(fn, ['kms:Decrypt']);
  };

  /** Allows reading many records by id. */
  readonly grantBatchGet = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:BatchGetItem'], [this.table.tableArn], { RECORDS_TABLE: this.table.tableName });
    this.allowKey(fn, ['kms:Decrypt']);
  };

  /** Allows following changes of records and reading pages of them. */
  readonly grantList = (fn: ServiceFunction): void => {
    const environment = { RECORDS_TABLE: this.table.tableName, ...this.cursorKey };
    fn.grant(['dynamodb:BatchGetItem'], [this.table.tableArn], environment);
    this.grantFeed(fn);
  };

  /** Allows following changes of records. */
  readonly grantFeed = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:Query'], [`${this.table.tableArn}/index/feed`], { RECORDS_TABLE: this.table.tableName });
    this.allowKey(fn, ['kms:Decrypt']);
  };

  /** Allows reading whole lists of types with few records, which the index holds completely. */
  readonly grantListWhole = (fn: ServiceFunction): void => {
    this.grantFeed(fn);
    this.grantCursors(fn);
  };

  /** Allows sealing cursors of lists that are stored elsewhere. */
  readonly grantCursors = (fn: ServiceFunction): void => {
    for (const [name, value] of Object.entries(this.cursorKey)) fn.lambda.addEnvironment(name, value);
  };

  /** Returns the ARN of the stream of committed writes. */
  readonly grantReadStream = (fn: ServiceFunction): string => {
    const { tableStreamArn: stream } = this.table;
    if (!stream) throw new Error('the table of records has no stream');
    fn.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [stream]);
    // The action supports no resource.
    fn.allow(['dynamodb:ListStreams'], ['*']);
    this.allowKey(fn, ['kms:Decrypt']);
    return stream;
  };

  /** Allows finding due records. */
  readonly grantFindDue = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:Query'], [`${this.table.tableArn}/index/due`], { RECORDS_TABLE: this.table.tableName });
    this.allowKey(fn, ['kms:Decrypt']);
  };

  /** Allows finding open incidents by configuration item. */
  readonly grantFindAbout = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:Query'], [`${this.table.tableArn}/index/about`], { RECORDS_TABLE: this.table.tableName });
    this.allowKey(fn, ['kms:Decrypt']);
  };

  /** Allows caching answers. */
  readonly grantAiCache = (fn: ServiceFunction): void => {
    fn.grant(
      ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
      [this.aiCache.tableArn],
      { AI_CACHE_TABLE: this.aiCache.tableName },
    );
    this.allowKey(fn, ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']);
  };

  /** Allows recording the use of an API key, which returns its owner. Limited to the partition of the keys. */
  readonly grantUseApiKeys = (fn: ServiceFunction): void => {
    const keysOnly = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': 'api-keys' } };
    fn.allow(['dynamodb:GetItem', 'dynamodb:UpdateItem'], [this.table.tableArn], keysOnly);
    fn.lambda.addEnvironment('RECORDS_TABLE', this.table.tableName);
    this.allowKey(fn, ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']);
  };

  /** Allows counting requests. */
  readonly grantCount = (fn: ServiceFunction): void => {
    fn.grant(['dynamodb:UpdateItem'], [this.rateLimits.tableArn], { RATE_LIMITS_TABLE: this.rateLimits.tableName });
  };

  /**
   * The key that signs cursors. The signature detects altered cursors; a cursor reveals nothing that its owner may not
   * read, so a value that callers cannot guess is enough (docs/decisions/0008-pages.md).
   */
  private get cursorKey(): { CURSOR_KEY: string } {
    return { CURSOR_KEY: Stack.of(this).stackId };
  }

  /** Limits the use of the key to DynamoDB. */
  private allowKey(fn: ServiceFunction, actions: readonly string[]): void {
    const { region, urlSuffix } = Stack.of(this);
    fn.allow(actions, [this.key.keyArn], { StringEquals: { 'kms:ViaService': `dynamodb.${region}.${urlSuffix}` } });
  }
}

/** Invokes the function only for stream records that match one of the patterns. */
export function filterStream(...patterns: object[]): { filters: { pattern: string }[] } {
  return { filters: patterns.map((pattern) => ({ pattern: JSON.stringify(pattern) })) };
}
