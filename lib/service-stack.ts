import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { CfnOutput, CfnParameter, Fn, Lazy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { AiAssistance } from './ai-assistance.ts';
import { ApiKeys } from './api-keys.ts';
import { Attachments } from './attachments.ts';
import { Audit } from './audit.ts';
import { BulkJobs } from './bulk-jobs.ts';
import { Canary } from './canary.ts';
import { ConsoleFiles } from './console-files.ts';
import { type DataStack, describeStack } from './data-stack.ts';
import { type Environment, toInstanceName } from './environments.ts';
import { EventPipeline } from './event-pipeline.ts';
import { Federation } from './federation.ts';
import { Functions, grantAll } from './functions.ts';
import { deployGradually } from './gradual-deployments.ts';
import { Identity } from './identity.ts';
import { ListSnapshots } from './list-snapshots.ts';
import { Messages } from './messages.ts';
import { Operations } from './operations.ts';
import { Pages } from './pages.ts';
import { RestApi } from './rest-api.ts';
import { Routes } from './routes.ts';
import { Search } from './search.ts';
import { ServiceLevels } from './service-levels.ts';
import { describeSingleSignOn } from './single-sign-on.ts';
import { StackData } from './stack-data.ts';
import { commandLineRedirectUris, toLoginUrl } from './user-pool.ts';
import { createOriginSecret, WebAcl } from './web-acl.ts';
import { WebHosting } from './web-hosting.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

export interface ServiceStackProps {
  environment: Environment;
  data: DataStack;
  version: string;
  /** The folder with every bundled function. */
  code: string;
  /** The folder with those that load the embedding model. */
  codeWithModel: string;
  /** The folder with the console and the function that publishes it. */
  codeWithConsole: string;
}

/** Everything that a new deployment can create again. Its functions are in nested stacks. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { environment, data, version, ...code }: ServiceStackProps) {
    super(scope, id, {
      ...describeStack('Incident management service'),
      // CloudFormation has no deletion protection for an OpenSearch domain, which is in this stack.
      terminationProtection: environment.search !== undefined && environment.deletionProtection,
    });
    const { publicUrl, authUrl, filesUrl, webHosting, originSecret } = this.createAddresses(
      environment,
      data.attachments,
      () => restApi.api.restApiId,
    );

    const corsOrigins = this.listCorsOrigins(environment, publicUrl);
    const functions = new Functions(this, 'Functions', {
      ...code,
      instanceName: toInstanceName(environment),
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
    const { records, secrets, eventLog, directory } = data;
    const search = environment.search && new Search(this, 'Search', { environment, records });
    const singleSignOn = describeSingleSignOn(this, environment);
    const identity = new Identity(this, 'Identity', {
      directory,
      publicUrl,
      authUrl,
      functions,
      records,
      singleSignOn,
    });
    const apiKeys = new ApiKeys(this, 'ApiKeys', { environment, functions, records, identity });
    const serviceLevels = new ServiceLevels(this, 'ServiceLevels', { functions, records });
    const bulkJobs = new BulkJobs(this, 'BulkJobs', {
      functions,
      records,
      accountConcurrency: environment.accountConcurrency,
    });
    const bucket = data.snapshots;
    const listSnapshots = new ListSnapshots(this, 'ListSnapshots', { bucket, functions, records });
    const { loopbackReceivers, accountConcurrency } = environment;
    const audit = new Audit(this, 'Audit', { functions, identity, eventLog });
    const federation =
      singleSignOn && new Federation(this, 'Federation', { functions, identity, eventLog, secrets, singleSignOn });
    const webhookDelivery = new WebhookDelivery(this, 'WebhookDelivery', {
      functions,
      records,
      secrets,
      eventLog,
      loopbackReceivers,
      accountConcurrency,
    });
    const messages = new Messages(this, 'Messages', {
      environment,
      functions,
      records,
      secrets,
      eventLog,
      identity,
      webhookDelivery,
    });
    const pages = new Pages(this, 'Pages', {
      functions,
      records,
      secrets,
      identity,
      messages,
      grantLists: grantAll(records.grantList, listSnapshots.grantRead, (fn) => search?.grantRead(fn)),
      accountConcurrency,
    });
    const attachments = new Attachments({ bucket: data.attachments, records, url: filesUrl });
    const eventPipeline = new EventPipeline(this, 'EventPipeline', {
      functions,
      records,
      eventLog,
      webhookDelivery,
      messages,
      hasSearch: search !== undefined,
      pages,
    });
    search?.replace(listSnapshots);
    const indexing = search?.follow(functions, eventPipeline);
    const aiAssistance = new AiAssistance(this, 'AiAssistance', {
      attachments,
      functions,
      records,
      eventLog,
      listSnapshots,
      eventPipeline,
      search,
      models: environment.models,
    });
    const routes = new Routes(this, 'Routes', {
      aiAssistance,
      functions,
      records,
      bulkJobs,
      listSnapshots,
      search,
      identity,
      apiKeys,
      secrets,
      eventLog,
      webhookDelivery,
      messages,
      pages,
      attachments,
      requestCatalog: environment.requestCatalog,
    });
    const { createApiKey, deleteApiKey } = routes.functions;
    audit.ignoreCallsBy([createApiKey, deleteApiKey, apiKeys.sweep, ...(federation ? [federation.admit] : [])]);
    const config = {
      base_url: publicUrl,
      auth_url: authUrl,
      client_id: identity.console.userPoolClientId,
      service_instance: environment.serviceInstance,
      unknown_people: this.chooseUnknownPeople(environment),
      command_line_client_id: directory.commandLine.userPoolClientId,
      command_line_redirect_uris: commandLineRedirectUris.join(' '),
      ...(singleSignOn && {
        identity_provider: singleSignOn.name,
        local_passwords: singleSignOn.localPasswords,
      }),
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
    const { canary: isScheduled, notificationEmail } = environment;
    if (notificationEmail) webhookDelivery.alerts.addSubscription(new EmailSubscription(notificationEmail));
    const operations = new Operations(this, 'Operations', {
      environment,
      routes,
      tables: data.tables,
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
      messages,
      pages,
      webhookDelivery,
      search: indexing,
    });
    deployGradually({ environment, functions: routes.functions, operations });
    const { stageArn } = restApi.api.deploymentStage;
    if (originSecret) new WebAcl(this, 'WebAcl', { stageArn, originSecret });

    this.output('ApiUrl', publicUrl, 'The base URL of the API, for the SDK and the command line.');
    this.output('AuthUrl', authUrl, 'The URL of the OAuth endpoints and the sign-in page.');
    this.output('ConsoleUrl', `${publicUrl}/console/`, 'The URL of the web console.');
    const { distributionDomainName } = webHosting.distribution;
    this.output('DistributionDomain', distributionDomainName, 'The target of the DNS record of your domain.');
    this.output('UserPoolId', directory.userPool.userPoolId, 'The Cognito user pool of users and programs.');
    this.output('ConsoleClientId', identity.console.userPoolClientId, 'The app client of the web console.');
    this.output('CommandLineClientId', directory.commandLine.userPoolClientId, 'The app client of the command line.');
    for (const [name, client] of directory.clients) {
      const output = `${name.charAt(0).toUpperCase()}${name.slice(1)}ClientId`;
      this.output(
        output,
        client.userPoolClientId,
        `The app client of the program ${name}. Its secret is in the user pool.`,
      );
    }
  }

  /** On one machine everything has one address; AWS gives the hosted login a host of its own. */
  private createAddresses(environment: Environment, files: Bucket, restApiId: () => string) {
    const apiHost = `${Lazy.string({ produce: restApiId })}.execute-api.${this.region}.${this.urlSuffix}`;
    const parameter = environment.address === 'parameter' ? this.publicUrlParameter() : undefined;
    const authUrl = parameter ?? toLoginUrl(this, environment);
    const originSecret = environment.waf ? createOriginSecret(this) : undefined;
    const webHosting = new WebHosting(this, 'WebHosting', {
      environment,
      apiHost,
      authUrl,
      filesUrl: `https://${files.bucketRegionalDomainName}`,
      ...(originSecret && { originSecret }),
    });
    const publicUrl = parameter ?? `https://${toHostName(environment, webHosting)}`;
    const filesUrl = parameter ? `${parameter}/${files.bucketName}` : `https://${files.bucketRegionalDomainName}`;
    return { publicUrl, authUrl, filesUrl, webHosting, originSecret };
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

  private chooseUnknownPeople({ address, unknownPeople = 'refused' }: Environment): string {
    if (address === 'distribution') return unknownPeople;
    return new CfnParameter(this, 'UnknownPeople', {
      type: 'String',
      description: 'Whether the console accepts people that the directory does not have.',
      allowedValues: ['refused', 'allowed'],
      default: unknownPeople,
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
