// Creates the AWS services and connects them: which service may call which, and in which order they start.
import type { ApiKeyStore } from './api-gateway/api-key-store.ts';
import { createControlPlane } from './api-gateway/control-plane.ts';
import { resourceTypes as apiGatewayTypes } from './api-gateway/resource-types.ts';
import type { AccessKey } from './aws/access-keys.ts';
import type { AwsEndpoint } from './aws/endpoint.ts';
import { type AwsService, type Caller, operator } from './aws/service.ts';
import { createBedrock } from './bedrock/bedrock.ts';
import type { ConverseModel } from './bedrock/converse.ts';
import type { Clock } from './clock/clock.ts';
import { createCloudFormation } from './cloudformation/cloudformation.ts';
import { resourceTypes as cloudFormationTypes } from './cloudformation/custom-resources.ts';
import { resourceTypes as cloudFrontTypes } from './cloudfront/resource-types.ts';
import { Metrics } from './cloudwatch/metrics.ts';
import { type Cognito, createCognito } from './cognito/cognito.ts';
import { resourceTypes as cognitoTypes } from './cognito/resource-types.ts';
import { createDynamoDb, type DynamoDb } from './dynamodb/dynamodb.ts';
import { resourceTypes as dynamoDbTypes } from './dynamodb/resource-types.ts';
import type { TrustedProxies } from './forwarded-headers.ts';
import { createIam, type Iam } from './iam/iam.ts';
import { resourceTypes as iamTypes } from './iam/resource-types.ts';
import { createSts } from './iam/sts.ts';
import { createKms } from './kms/kms.ts';
import { resourceTypes as kmsTypes } from './kms/resource-types.ts';
import { createEventSources } from './lambda/event-sources/event-sources.ts';
import { createFunctions, type Functions } from './lambda/functions.ts';
import { resourceTypes as lambdaTypes } from './lambda/resource-types.ts';
import type { Log } from './log.ts';
import type { RuntimeService } from './runtime-service.ts';
import { resourceTypes as s3Types } from './s3/resource-types.ts';
import { createS3, type S3 } from './s3/s3.ts';
import { resourceTypes as schedulerTypes } from './scheduler/resource-types.ts';
import { createScheduler, type Scheduler } from './scheduler/scheduler.ts';
import { createOutbox, type Outbox } from './ses/outbox.ts';
import { createSes, type MailTransport } from './ses/ses.ts';
import { resourceTypes as snsTypes } from './sns/resource-types.ts';
import { createSns, type Sns } from './sns/sns.ts';
import { resourceTypes as sqsTypes } from './sqs/resource-types.ts';
import { createSqs } from './sqs/sqs.ts';
import { resourceTypes as stepFunctionsTypes } from './step-functions/resource-types.ts';
import { createStepFunctions } from './step-functions/step-functions.ts';
import { alwaysExpendable, type Storage } from './storage/storage.ts';
import type { StorageFaults } from './storage/storage-faults.ts';
import type { Resource, ResourceTypes, Stack, StackEnvironment } from './template/resource-type.ts';

/** Every CloudFormation type that a service supports. */
export const resourceTypes: ResourceTypes = {
  ...apiGatewayTypes,
  ...cloudFormationTypes,
  ...cloudFrontTypes,
  ...cognitoTypes,
  ...dynamoDbTypes,
  ...iamTypes,
  ...kmsTypes,
  ...lambdaTypes,
  ...s3Types,
  ...schedulerTypes,
  ...snsTypes,
  ...sqsTypes,
  ...stepFunctionsTypes,
};

export interface CloudOptions {
  storage: Storage;
  faults: StorageFaults;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  assetFolder: string;
  dataFolder: string;
  endpoint: AwsEndpoint;
  /** Proxies whose X-Forwarded-For header is trusted. */
  proxies: TrustedProxies;
  /** Gives the operator of this machine full access. */
  operatorKey: AccessKey;
  model?: ConverseModel | undefined;
  /** Sends e-mails; absent: they go to the outbox. */
  sendMail?: MailTransport | undefined;
  wrapService?: ((service: AwsService) => AwsService) | undefined;
}

type LoadedService = Partial<RuntimeService> & { load?(resources: readonly Resource[], stack: Stack): unknown };

export interface Cloud {
  readonly cognito: Cognito;
  readonly dynamoDb: DynamoDb;
  /** API keys created by API calls. */
  readonly apiKeys: ApiKeyStore;
  readonly sns: Sns;
  readonly outbox: Outbox;
  readonly metrics: Metrics;
  readonly s3: S3;
  readonly scheduler: Scheduler;
  /** In load and start order. */
  readonly services: readonly LoadedService[];
  /** They invoke functions without a request, so they load and start after all services. */
  readonly eventSources: readonly LoadedService[];
  readonly functions: Functions;
  invoke: RoleCalls['invoke'];
}

export function createCloud(options: CloudOptions): Cloud {
  const { endpoint, operatorKey, assetFolder, dataFolder, faults, model, sendMail, wrapService, ...base } = options;
  const metrics = new Metrics();
  const recordMetric = metrics.record;
  const iam = createIam(base);
  const dynamoDb = createDynamoDb(base);
  const bedrock = createBedrock({ ...base, model });
  const kms = createKms(base);
  const s3 = createS3({ ...base, dataFolder, faults });
  const sqs = createSqs(base);
  const cognito = createCognito({
    ...base,
    invoke: (arn, payload) => functions.invoke(arn, payload),
    publish: (event) => scheduler.publish(event),
  });
  const apiGateway = createControlPlane(base);
  const connect = () => endpoint.connect();
  const functions = createFunctions({
    ...base,
    assetFolder,
    connect,
    operatorKey,
    metrics,
    mayAssume: iam.mayAssume,
  });
  const { invoke, authorized } = createRoleCalls(iam, functions);
  const outbox = createOutbox(base);
  const ses = createSes({ ...base, outbox, transport: sendMail });
  const sns = createSns({ ...base, outbox });
  const cloudFormation = createCloudFormation(base);
  const stepFunctions = createStepFunctions({ ...base, recordMetric, callAws: endpoint.call.bind(endpoint) });
  const scheduler = createScheduler({
    ...base,
    // If the completed delivery is not stored, the schedule invokes its function again.
    invoke: authorized('lambda:InvokeFunction', (arn, event: unknown) =>
      functions.invokeEvent(arn, event, alwaysExpendable),
    ),
  });
  const streams = dynamoDb.streams;
  const mappings = createEventSources({
    ...base,
    recordMetric,
    functions,
    queues: sqs,
    streams,
    authorize: iam.authorize,
  });
  const services = [iam, kms, dynamoDb, s3, sqs, sns, cognito, apiGateway, functions, stepFunctions, cloudFormation];
  const awsServices = [bedrock, ses, createSts(base), ...services].flatMap((each) =>
    'service' in each ? [wrapService?.(each.service) ?? each.service] : [],
  );
  metrics.addGauges(() =>
    sqs
      .countVisible()
      .map(({ name, visible }) => ['AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: name }, visible]),
  );
  const identify = (accessKeyId: string) =>
    accessKeyId === operatorKey.accessKeyId
      ? { caller: operator, secretAccessKey: operatorKey.secretAccessKey }
      : functions.identify(accessKeyId);
  endpoint.open({ services: awsServices, authorize: iam.authorize, identify });
  const eventSources = [mappings, scheduler];
  return {
    apiKeys: apiGateway.keys,
    cognito,
    dynamoDb,
    sns,
    outbox,
    s3,
    metrics,
    scheduler,
    services,
    eventSources,
    functions,
    invoke,
  };
}

type RoleCalls = ReturnType<typeof createRoleCalls>;

/** Calls from one service to another on behalf of a role of the template, authorized by that role's policies. */
function createRoleCalls(iam: Iam, functions: Functions) {
  const authorized =
    <Input, Output>(action: string, call: (resource: string, input: Input) => Promise<Output>) =>
    async (resource: string, input: Input, caller?: Caller): Promise<Output> => {
      if (caller) iam.authorize(caller, [{ action, resource }]);
      return call(resource, input);
    };
  return {
    authorized,
    invoke: authorized('lambda:InvokeFunction', (arn, payload: unknown) => functions.invoke(arn, payload)),
  };
}
