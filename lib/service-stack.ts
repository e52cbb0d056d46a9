import type { Code } from 'aws-cdk-lib/aws-lambda';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import {
  CfnOutput,
  CfnParameter,
  DefaultStackSynthesizer,
  Fn,
  type IStackSynthesizer,
  Lazy,
  Stack,
} from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { AiAssistance } from './ai-assistance.ts';
import { ApiKeys } from './api-keys.ts';
import { Audit } from './audit.ts';
import { Backups } from './backups.ts';
import { BulkJobs } from './bulk-jobs.ts';
import { Canary } from './canary.ts';
import { ConsoleFiles } from './console-files.ts';
import type { Environment } from './environments.ts';
import { EventLog } from './event-log.ts';
import { EventPipeline } from './event-pipeline.ts';
import { Functions } from './functions.ts';
import { GradualDeployments, gradualOperations } from './gradual-deployments.ts';
import { commandLineRedirectUris, Identity, toLoginUrl } from './identity.ts';
import { ListSnapshots } from './list-snapshots.ts';
import { Operations } from './operations.ts';
import { Records } from './records.ts';
import { RestApi } from './rest-api.ts';
import { Routes } from './routes.ts';
import { Secrets } from './secrets.ts';
import { ServiceLevels } from './service-levels.ts';
import { StackData } from './stack-data.ts';
import { createOriginSecret, WebAcl } from './web-acl.ts';
import { WebHosting } from './web-hosting.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

export interface ServiceStackProps {
  environment: Environment;
  version: string;
  /** The folder with every bundled function. */
  code: Code;
  /** The folder with those that load the embedding model. */
  codeWithModel: Code;
  /** The folder with the console and the function that publishes it. */
  codeWithConsole: Code;
}

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { environment, version, ...code }: ServiceStackProps) {
    // CDK's interfaces and classes disagree under exactOptionalPropertyTypes, hence the `as`.
    const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
    super(scope, id, {
      // CloudFormation accepts 1 MB. Indentation would be almost half of it.
      suppressTemplateIndentation: true,
      description: 'Incident management service',
      synthesizer: synthesizer as IStackSynthesizer,
    });
    const { publicUrl, authUrl, webHosting, originSecret } = this.createAddresses(
      environment,
      () => restApi.api.restApiId,
    );

    const corsOrigins = this.listCorsOrigins(environment, publicUrl);
    const functions = new Functions(this, 'Functions', {
      ...code,
      logRetention: environment.logRetention,
      removalPolicy: environment.removalPolicy,
      environment: {
        SERVICE_DOMAIN: environment.serviceDomain ?? toHostName(environment, webHosting),
        SERVICE_INSTANCE: environment.serviceInstance,
        SERVICE_VERSION: version,
        SLA_MINUTES: JSON.stringify(environment.slaMinutes),
        ALLOWED_ORIGIN: publicUrl,
        CORS_ORIGINS: corsOrigins,
      },
    });
    const records = new Records(this, 'Records', environment);
    const secrets = new Secrets(this, 'Secrets', environment);
    const identity = new Identity(this, 'Identity', { environment, publicUrl, authUrl, functions, records });
    const apiKeys = new ApiKeys(this, 'ApiKeys', { environment, functions, records, identity });
    const serviceLevels = new ServiceLevels(this, 'ServiceLevels', { functions, records });
    const bulkJobs = new BulkJobs(this, 'BulkJobs', {
      functions,
      records,
      accountConcurrency: environment.accountConcurrency,
    });
    const { removalPolicy, deletionProtection, accountConcurrency } = environment;
    const listSnapshots = new ListSnapshots(this, 'ListSnapshots', { functions, records });
    const { loopbackReceivers } = environment;
    const eventLog = new EventLog(this, 'EventLog', { key: records.key, removalPolicy, deletionProtection });
    const audit = new Audit(this, 'Audit', { functions, identity, eventLog });
    const webhookDelivery = new WebhookDelivery(this, 'WebhookDelivery', {
      functions,
      records,
      secrets,
      eventLog,
      loopbackReceivers,
      accountConcurrency,
    });
    const eventPipeline = new EventPipeline(this, 'EventPipeline', { functions, records, eventLog, webhookDelivery });
    const aiAssistance = new AiAssistance(this, 'AiAssistance', {
      functions,
      records,
      listSnapshots,
      eventPipeline,
      models: environment.models,
    });
    const routes = new Routes(this, 'Routes', {
      aiAssistance,
      functions,
      records,
      bulkJobs,
      listSnapshots,
      identity,
      apiKeys,
      secrets,
      eventLog,
      webhookDelivery,
      requestCatalog: environment.requestCatalog,
    });
    audit.ignoreCallsBy([routes.functions.createApiKey, routes.functions.deleteApiKey, apiKeys.sweep]);
    const config = {
      base_url: publicUrl,
      auth_url: authUrl,
      client_id: identity.console.userPoolClientId,
      service_instance: environment.serviceInstance,
      command_line_client_id: identity.commandLine.userPoolClientId,
      command_line_redirect_uris: commandLineRedirectUris.join(' '),
    };
    new ConsoleFiles(this, 'ConsoleFiles', { functions, bucket: webHosting.bucket, config });
    // Without a domain or other origins, no other origin may call, and the gateway cannot refer to CloudFront.
    const hasOrigin = environment.address === 'parameter' || environment.domain || environment.corsOrigins;
    const allowedOrigin = hasOrigin
      ? (environment.corsOrigins?.[0] ?? Fn.select(0, Fn.split(',', corsOrigins)))
      : undefined;
    const restApi = new RestApi(this, 'RestApi', { environment, allowedOrigin, identity, routes });
    restApi.api.deploymentStage.node.addDependency(
      new StackData(this, 'StackData', { functions, listSnapshots, apiKeys }),
    );
    const { canary: isScheduled, notificationEmail, backupVault } = environment;
    if (notificationEmail) webhookDelivery.alerts.addSubscription(new EmailSubscription(notificationEmail));
    if (backupVault) new Backups(this, 'Backups', { records, eventLog, copyTo: backupVault });
    const operations = new Operations(this, 'Operations', {
      environment,
      routes,
      canary: new Canary(this, 'Canary', { functions, identity, isScheduled }),
      aiAssistance,
      api: restApi.api,
      authorizer: identity.authorizer,
      apiKeys,
      audit,
      serviceLevels,
      bulkJobs,
      listSnapshots,
      eventPipeline,
      webhookDelivery,
    });
    new GradualDeployments(this, 'Deployments', {
      environment,
      functions: routes.functions,
      findAlarm: operations.watchDeployments([...gradualOperations].map((name) => routes.functions[name])),
    });
    const { stageArn } = restApi.api.deploymentStage;
    if (originSecret) new WebAcl(this, 'WebAcl', { stageArn, originSecret });

    this.output('ApiUrl', publicUrl, 'The base URL of the API, for the SDK and the command line.');
    this.output('AuthUrl', authUrl, 'The URL of the OAuth endpoints and the sign-in page.');
    this.output('ConsoleUrl', `${publicUrl}/console/`, 'The URL of the web console.');
    const { distributionDomainName } = webHosting.distribution;
    this.output('DistributionDomain', distributionDomainName, 'The target of the DNS record of your domain.');
    this.output('UserPoolId', identity.userPool.userPoolId, 'The Cognito user pool of users and programs.');
    this.output('ConsoleClientId', identity.console.userPoolClientId, 'The app client of the web console.');
    this.output('CommandLineClientId', identity.commandLine.userPoolClientId, 'The app client of the command line.');
    for (const [name, client] of identity.clients) {
      const output = `${name.charAt(0).toUpperCase()}${name.slice(1)}ClientId`;
      this.output(
        output,
        client.userPoolClientId,
        `The app client of the program ${name}. Its secret is in the user pool.`,
      );
    }
  }

  /** On one machine everything has one address; AWS gives the hosted login a host of its own. */
  private createAddresses(environment: Environment, restApiId: () => string) {
    const apiHost = `${Lazy.string({ produce: restApiId })}.execute-api.${this.region}.${this.urlSuffix}`;
    const parameter = environment.address === 'parameter' ? this.publicUrlParameter() : undefined;
    const authUrl = parameter ?? toLoginUrl(this, environment);
    const originSecret = environment.waf ? createOriginSecret(this) : undefined;
    const webHosting = new WebHosting(this, 'WebHosting', {
      environment,
      apiHost,
      authUrl,
      ...(originSecret && { originSecret }),
    });
    const publicUrl = parameter ?? `https://${toHostName(environment, webHosting)}`;
    return { publicUrl, authUrl, webHosting, originSecret };
  }

  /** Comma-separated. The first one also gets the gateway's own errors, which can name only one. */
  private listCorsOrigins({ address, corsOrigins = [] }: Environment, publicUrl: string): string {
    if (address === 'distribution') return [...corsOrigins, publicUrl].join(',');
    return new CfnParameter(this, 'CorsOrigins', {
      type: 'String',
      description: 'The web origins that may call the API, separated by commas.',
      default: 'http://localhost:3000',
    }).valueAsString;
  }

  private publicUrlParameter(): string {
    return new CfnParameter(this, 'PublicUrl', {
      type: 'String',
      description: 'The public URL of the service, without a trailing slash.',
      default: 'http://localhost:3000',
    }).valueAsString;
  }

  /** Outputs ids and addresses only. Secrets stay in the user pool, where reading them needs a permission. */
  private output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}

function toHostName({ domain }: Environment, { distribution }: WebHosting): string {
  return domain?.name ?? distribution.distributionDomainName;
}
