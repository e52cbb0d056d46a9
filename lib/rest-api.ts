import {
  AccessLogFormat,
  ApiDefinition,
  CfnApiKey,
  type CfnDeployment,
  CfnUsagePlan,
  CfnUsagePlanKey,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
  type ThrottleSettings,
} from 'aws-cdk-lib/aws-apigateway';
import type { UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnAlias, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Annotations, Fn, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { apiPrefixes, stageName, usagePlanTag } from '../contract/http.ts';
import { rateLimits } from '../contract/rate-limits.ts';
import { type OperationName, operations } from '../contract/routes.ts';
import { toConsumersPlanName } from './api-keys.ts';
import { type Environment, toInstanceName } from './environments.ts';
import { aliasName, type ServiceFunction, toFunctionName } from './functions.ts';
import { buildGatewayBody } from './gateway-body.ts';
import type { Identity } from './identity.ts';
import type { Routes } from './routes.ts';

// The REST API from the contract, its stage with the throttling limits, and the usage plans of its consumers.

export interface RestApiProps {
  environment: Environment;
  /** Web pages of this origin may read the gateway's own errors. Absent if the console has the API's origin. */
  allowedOrigin: string | undefined;
  identity: Identity;
  routes: Routes;
}

const stageLimits = { rateLimit: 5_000, burstLimit: 10_000 };

/** The burst of all APIs of an account and region, unless its quota is raised. */
const defaultAccountBurst = 5_000;

export class RestApi extends Construct {
  readonly api: SpecRestApi;

  constructor(scope: Construct, id: string, props: RestApiProps) {
    super(scope, id);
    const { environment, identity } = props;
    const { clients, canary, commandLine } = identity.directory;
    this.api = this.createApi(props);
    // The gateway also limits programs. All users share the client of the console or of the command line, so the gateway can only limit them
    // together; the table rate-limits counts each of them.
    const consumers = { rateLimit: rateLimits.general.limit, burstLimit: 2 * rateLimits.general.limit };
    const programs = new Map([...clients, ['canary', canary]]);
    this.addPlan('Consumers', toConsumersPlanName(environment), consumers, programs);
    this.addPlan(
      'People',
      `${environment.serviceInstance}-people`,
      stageLimits,
      new Map([
        ['console', identity.console],
        ['command-line', commandLine],
      ]),
    );
  }

  private createApi({ environment, allowedOrigin, identity, routes }: RestApiProps): SpecRestApi {
    const functions = new Set([...Object.values(routes.functions), routes.unmatched, identity.authorizer]);
    const body = buildGatewayBody({
      title: toInstanceName(environment),
      findIntegration: ({ name }) => toInvocationUri(routes.functions[name as OperationName]),
      unmatchedIntegration: toInvocationUri(routes.unmatched),
      authorizer: toInvocationUri(identity.authorizer),
      credentials: this.invokingRole(environment).roleArn,
      allowedOrigin,
    });
    const api = new SpecRestApi(this, 'Api', {
      restApiName: toInstanceName(environment),
      apiDefinition: ApiDefinition.fromInline(body),
      endpointTypes: [EndpointType.REGIONAL],
      failOnWarnings: true,
      cloudWatchRole: true,
      deployOptions: {
        stageName,
        throttlingRateLimit: stageLimits.rateLimit,
        throttlingBurstLimit: stageLimits.burstLimit,
        // Metrics per method are priced per method and month; those of the functions are free.
        metricsEnabled: false,
        tracingEnabled: true,
        loggingLevel: MethodLoggingLevel.ERROR,
        accessLogDestination: new LogGroupLogDestination(this.accessLogs(environment)),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    // The body only names the functions, so they must exist before requests can reach them.
    const deployment = api.latestDeployment?.node.defaultChild as CfnDeployment;
    for (const { target } of functions)
      deployment.addResourceDependency(target.node.defaultChild as CfnFunction | CfnAlias);
    acknowledge(api);
    if (environment.address === 'distribution') {
      Annotations.of(api).addInfoV2(
        'incidents:stage-burst',
        `The stage admits bursts of ${stageLimits.burstLimit} requests, but an account admits ${defaultAccountBurst} by default. See docs/scaling.md.`,
      );
    }
    return api;
  }

  private accessLogs({ logRetention, removalPolicy }: Environment): LogGroup {
    return new LogGroup(this, 'AccessLogs', { retention: logRetention, removalPolicy });
  }

  /**
   * One role for all integrations takes the place of a permission resource per function and route. It names the functions by
   * their common prefix: a list of a hundred names exceeds the size that IAM allows.
   */
  private invokingRole(environment: Environment): Role {
    const resource = `${functionArn}:${toFunctionName(toInstanceName(environment), '*')}`;
    const statement = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [Fn.sub(resource)] });
    const role = new Role(this, 'InvokingRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { permissions: new PolicyDocument({ statements: [statement] }) },
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${resource.replace(/\$\{([^}]+)\}/g, '<$1>')}]`,
      reason: 'The prefix covers the functions and aliases of this stack only, and only the gateway assumes the role.',
    });
    return role;
  }

  /** A consumer's API key is its client id, which the authorizer passes to the gateway; callers never send it. */
  private addPlan(
    id: string,
    name: string,
    throttle: ThrottleSettings,
    consumers: ReadonlyMap<string, UserPoolClient>,
  ): void {
    const plan = new CfnUsagePlan(this, id, {
      usagePlanName: name,
      throttle,
      tags: [{ key: usagePlanTag, value: name }],
      apiStages: [{ apiId: this.api.restApiId, stage: this.api.deploymentStage.stageName, throttle: unlimitedMethods }],
    });
    for (const [consumer, client] of consumers) {
      const key = new CfnApiKey(this, `Key-${consumer}`, { value: client.userPoolClientId, enabled: true });
      const keyId = key.attrApiKeyId;
      new CfnUsagePlanKey(this, `PlanKey-${consumer}`, { keyId, keyType: 'API_KEY', usagePlanId: plan.attrId });
    }
  }
}

/** Operations without a rate limit: limits of a method replace those of the plan. */
const unlimitedMethods = Object.fromEntries(
  operations
    .filter(({ rateLimit }) => rateLimits[rateLimit] === null)
    .flatMap(({ method, path }) => apiPrefixes.map((prefix) => [`${prefix}${path}/${method}`, stageLimits])),
);

function toInvocationUri(fn: ServiceFunction): string {
  const gateway = `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions`;
  return Fn.sub(`${gateway}/${toArnTemplate(fn)}/invocations`);
}

const functionArn = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function`;

/** By name: a reference to the function itself would be circular, since functions refer to the address of the gateway. */
function toArnTemplate({ name, alias }: ServiceFunction): string {
  const qualifier = alias ? `:${aliasName}` : '';
  return `${functionArn}:${name}${qualifier}`;
}

const accessLogFields = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  path: '$context.path',
  route: '$context.resourcePath',
  status: '$context.status',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integrationLatency',
  authorizer_latency_ms: '$context.authorizer.latency',
  caller: '$context.authorizer.caller_id',
  client: '$context.authorizer.client_id',
  source_ip: '$context.identity.sourceIp',
  error: '$context.error.responseType',
  trace_id: '$context.xrayTraceId',
};

function acknowledge(api: SpecRestApi): void {
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG2',
    reason: 'The functions validate every part of a request against the contract and list all problems in one answer.',
  });
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG3',
    reason: 'A web ACL is priced per month and per request; an account that wants one attaches it to the stage.',
  });
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'The gateway writes its logs with this role; AWS documents the managed policy as the one to use.',
  });
}
