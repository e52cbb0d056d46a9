import { CfnEventSourceMapping, type CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnDomain } from 'aws-cdk-lib/aws-opensearchservice';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { CfnParameter, type CfnResource, CustomResource, Duration, Names, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Environment, toInstanceName } from './environments.ts';
import type { EventPipeline } from './event-pipeline.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { ListSnapshots } from './list-snapshots.ts';
import type { Records } from './records.ts';
import { reindexDefinition } from './reindex-definition.ts';
import { createMessageMachine } from './state-machine.ts';

export interface SearchProps {
  environment: Environment;
  records: Records;
}

/** A rebuild copies a part of a segment per message. */
const rebuildTimeoutSeconds = 120;

/** Of segments that are copied at the same time. */
const maxRebuilders = 4;

/** Of a message whose worker crashed. */
const maxRebuildDeliveries = 5;

/** Outlasts an outage of a weekend; after that, the messages are in the dead-letter queue. */
const maxReceives = 1_000;
const timeoutSeconds = 28;

/**
 * OpenSearch for lists and statistics, in addition to the tables: a domain of this stack, or on one machine the server that
 * a parameter names. Without an address, functions search in memory.
 */
export class Search extends Construct {
  private readonly endpoint: string;
  /** Starts the names of the indexes, and of the stacks of this instance. */
  private readonly prefix: string;
  private readonly domain: CfnDomain | undefined;

  private readonly records: Records;

  constructor(scope: Construct, id: string, { environment, records }: SearchProps) {
    super(scope, id);
    this.records = records;
    this.prefix = toInstanceName(environment);
    if (environment.address === 'parameter') {
      this.endpoint = new CfnParameter(Stack.of(this), 'SearchEndpoint', {
        type: 'String',
        description: 'The URL of OpenSearch; empty to search in memory.',
        default: '',
      }).valueAsString;
      return;
    }
    const domain = this.createDomain(environment, records);
    this.endpoint = `https://${domain.attrDomainEndpoint}`;
    this.domain = domain;
  }

  /** Allows searching. Searches are POST requests; GET reads the version and the mapping. */
  readonly grantRead = (fn: ServiceFunction): void => {
    this.grant(fn, ['es:ESHttpGet', 'es:ESHttpPost']);
  };

  /** Keeps the indexes up to date. Returns the resources that operators watch. */
  follow(functions: Functions, eventPipeline: EventPipeline): { machine: CfnStateMachine; retries: Queue } {
    return { retries: this.index(functions, eventPipeline), machine: this.rebuild(functions, eventPipeline) };
  }

  /** Nothing loads snapshots, and a replica of all records may not fit into memory. */
  replace({ writer }: ListSnapshots): void {
    writer.lambda.addEnvironment('SEARCH_ENDPOINT', this.endpoint);
  }

  /** Lets the consumer of the stream write documents, and retries those that OpenSearch rejects. */
  private index(functions: Functions, { emitter, deadLetterQueue }: EventPipeline): Queue {
    const queue = new Queue(this, 'Retries', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Longer than the function may run.
      visibilityTimeout: Duration.seconds(3 * timeoutSeconds),
      deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount: maxReceives },
    });
    this.grant(emitter, ['es:ESHttpPost']);
    emitter.grant(['sqs:SendMessage'], [queue.queueArn], { INDEX_RETRY_QUEUE_URL: queue.queueUrl });
    const worker = functions.create({
      name: 'retry-indexing',
      capability: 'lists',
      description: 'Writes records to OpenSearch that it rejected before.',
      timeoutSeconds,
    });
    this.grant(worker, ['es:ESHttpPost']);
    this.records.grantGet(worker);
    const { queueArn, queueUrl } = deadLetterQueue;
    worker.grant(['sqs:SendMessage'], [queueArn], { DEAD_LETTER_QUEUE_URL: queueUrl });
    worker.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [queue.queueArn]);
    new CfnEventSourceMapping(this, 'Messages', {
      functionName: worker.lambda.functionName,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: 2 },
    });
    return queue;
  }

  /** Creates the state machine that `npm run reindex` starts. */
  private rebuild(functions: Functions, { deadLetterQueue }: EventPipeline): CfnStateMachine {
    const queue = new Queue(this, 'Rebuilds', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(3 * rebuildTimeoutSeconds),
      deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount: maxRebuildDeliveries },
    });
    const machine = createMessageMachine(this, `${functions.instanceName}-reindex`, [queue], (partition) =>
      reindexDefinition(partition, queue.queueUrl),
    );
    const worker = functions.create({
      name: 'rebuild-indexes',
      capability: 'lists',
      description: 'Copies records to new indexes of OpenSearch.',
      memoryMb: 1_024,
      timeoutSeconds: rebuildTimeoutSeconds,
    });
    this.grant(worker, ['es:ESHttpGet', 'es:ESHttpPost', 'es:ESHttpPut', 'es:ESHttpDelete']);
    this.records.grantFeed(worker);
    worker.grant(['sqs:SendMessage'], [queue.queueArn], { REINDEX_QUEUE_URL: queue.queueUrl });
    worker.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [queue.queueArn]);
    worker.allow(['states:SendTaskSuccess', 'states:SendTaskFailure'], [machine.attrArn]);
    new CfnEventSourceMapping(this, 'RebuildMessages', {
      functionName: worker.lambda.functionName,
      eventSourceArn: queue.queueArn,
      batchSize: 1,
      scalingConfig: { maximumConcurrency: maxRebuilders },
    });
    if (this.domain) this.verifyDeployment(functions, machine);
    return machine;
  }

  /** Fails a deployment whose domain cannot be used, and rebuilds the indexes that a release lacks. */
  private verifyDeployment(functions: Functions, machine: CfnStateMachine): void {
    const verifier = functions.create({
      name: 'prepare-search',
      capability: 'lists',
      description: 'Checks OpenSearch during a deployment and starts the rebuild of missing indexes.',
      timeoutSeconds: 120,
    });
    this.grantRead(verifier);
    verifier.grant(['states:StartExecution'], [machine.attrArn], { REINDEX_MACHINE: machine.attrArn });
    const { code } = verifier.lambda.node.defaultChild as CfnFunction;
    const check = new CustomResource(this, 'Check', {
      serviceToken: verifier.lambda.functionArn,
      // CloudFormation runs the function whenever a property changes; another release may need other indexes.
      properties: { Release: (code as CfnFunction.CodeProperty).s3Key, Endpoint: this.endpoint },
    });
    (check.node.defaultChild as CfnResource).addPropertyOverride('ServiceTimeout', 300);
  }

  private grant(fn: ServiceFunction, actions: readonly string[]): void {
    const environment = { SEARCH_ENDPOINT: this.endpoint, SEARCH_PREFIX: this.prefix };
    if (this.domain) {
      fn.grant(actions, [`${this.domain.attrArn}/*`], environment);
      // The domain's ARN is a parameter of the function's stack, with this name of the CDK.
      Validations.of(fn).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<referenceto${Names.nodeUniqueId(this.domain.node)}Arn>/*]`,
        reason:
          'Requests name indexes, which rebuilds create; everything in the domain is a copy of records of this instance.',
      });
    } else for (const [name, value] of Object.entries(environment)) fn.lambda.addEnvironment(name, value);
  }

  private createDomain({ removalPolicy }: Environment, { key }: Records): CfnDomain {
    const { account, partition } = Stack.of(this);
    const domain = new CfnDomain(this, 'Domain', {
      engineVersion: 'OpenSearch_2.19',
      clusterConfig: {
        instanceType: 'r6g.large.search',
        instanceCount: 2,
        zoneAwarenessEnabled: true,
        zoneAwarenessConfig: { availabilityZoneCount: 2 },
      },
      ebsOptions: { ebsEnabled: true, volumeType: 'gp3', volumeSize: 100 },
      encryptionAtRestOptions: { enabled: true, kmsKeyId: key.keyId },
      nodeToNodeEncryptionOptions: { enabled: true },
      domainEndpointOptions: { enforceHttps: true, tlsSecurityPolicy: 'Policy-Min-TLS-1-2-PFS-2023-10' },
      // Leaves the decision to the roles of this account; only functions with a grant have the permission.
      accessPolicies: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: `arn:${partition}:iam::${account}:root` },
            Action: 'es:ESHttp*',
            Resource: '*',
          },
        ],
      },
    });
    domain.applyRemovalPolicy(removalPolicy);
    const signed =
      'Functions run outside a VPC and have no fixed addresses. Their signed requests need a permission of their role.';
    const slow = 'Durations of requests are in the traces of the functions; slow logs would contain texts of users.';
    Validations.of(domain).acknowledge(
      { id: 'AwsSolutions-OS1', reason: signed },
      { id: 'AwsSolutions-OS3', reason: signed },
      {
        id: 'AwsSolutions-OS4',
        reason:
          'Three more nodes would cost as much as the data nodes, whose indexes can be built again from the table.',
      },
      { id: 'AwsSolutions-OS9[LogExport::SEARCH_SLOW_LOGS]', reason: slow },
      { id: 'AwsSolutions-OS9[LogExport::INDEX_SLOW_LOGS]', reason: slow },
    );
    return domain;
  }
}
