import { Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { usagePlanTag } from '../contract/http.ts';
import type { apiKeyOperations } from '../contract/identity.ts';
import type { Environment } from './environments.ts';
import type { Conditions, Functions, Grant, ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';
import type { Records } from './records.ts';
import { Schedule } from './schedule.ts';

export interface ApiKeysProps {
  environment: Environment;
  functions: Functions;
  records: Records;
  identity: Identity;
}

/** API keys: app clients of the user pool that callers create for their programs, each a consumer of the usage plan. */
export class ApiKeys extends Construct {
  readonly sweep: ServiceFunction;
  /** Permissions by operation. */
  readonly permissions: Record<keyof typeof apiKeyOperations, Grant>;
  private readonly props: ApiKeysProps;

  constructor(scope: Construct, id: string, props: ApiKeysProps) {
    super(scope, id);
    this.props = props;
    const { functions, records } = props;
    this.sweep = functions.create({
      name: 'sweep-api-keys',
      capability: 'identity',
      description: 'Completes interrupted revocations of API keys and deletes incomplete keys.',
      timeoutSeconds: 120,
    });
    this.grantRevoke(this.sweep);
    new Schedule(this, 'EveryFiveMinutes', {
      minutes: 5,
      description: 'Cleans up incomplete API keys every five minutes.',
      target: this.sweep,
    });
    this.permissions = {
      listApiKeys: records.grantQuery,
      createApiKey: (fn) => {
        this.grantRevoke(fn);
        props.identity.grantCreateClients(fn);
        fn.allow(['apigateway:GET'], [this.gatewayArn('/usageplans')]);
        // Creating a key with a tag takes two permissions. Tagging an existing key would also take apigateway:PATCH.
        const withTag = this.ifTagged('aws:RequestTag');
        fn.allow(['apigateway:POST'], [this.gatewayArn('/apikeys')], withTag);
        fn.allow(['apigateway:PUT'], [this.gatewayArn(toTagsPath(Stack.of(this)))], withTag);
        fn.allow(['apigateway:POST'], [this.gatewayArn('/usageplans/*/keys')], this.ifTagged('aws:ResourceTag'));
        this.acknowledge(
          fn,
          toTagsPath({ partition: '<AWS::Partition>', region: '<AWS::Region>' }),
          'The id of a new key is not known before; the tag must be ours.',
        );
        this.acknowledge(
          fn,
          '/usageplans/*/keys',
          'The id of the plan is not known before the routes that need it; it must have our tag.',
        );
      },
      deleteApiKey: this.grantRevoke,
    };
  }

  /** Allows finding and deleting all parts of a key. */
  private readonly grantRevoke = (fn: ServiceFunction): void => {
    const { records, identity } = this.props;
    records.grantGet(fn);
    records.grantQuery(fn);
    records.grantWrite(fn);
    identity.grantDeleteClients(fn);
    this.grantDeleteKeys(fn);
  };

  /** Allows finding and deleting keys of the gateway. */
  readonly grantDeleteKeys = (fn: ServiceFunction): void => {
    const { environment } = this.props;
    fn.grant(['apigateway:GET'], [this.gatewayArn('/apikeys')], { USAGE_PLAN_NAME: toConsumersPlanName(environment) });
    fn.allow(['apigateway:DELETE'], [this.gatewayArn('/apikeys/*')], this.ifTagged('aws:ResourceTag'));
    this.acknowledge(
      fn,
      '/apikeys/*',
      'Keys are created at any time, with ids of the gateway; they must have our tag.',
    );
  };

  /** Keys of this deployment have its plan name as a tag, which distinguishes them from other keys in the account. */
  private ifTagged(tags: 'aws:RequestTag' | 'aws:ResourceTag'): Conditions {
    return { StringEquals: { [`${tags}/${usagePlanTag}`]: toConsumersPlanName(this.props.environment) } };
  }

  /** ARNs of the gateway's management API contain no account id. */
  private gatewayArn(path: string): string {
    const { partition, region } = Stack.of(this);
    return `arn:${partition}:apigateway:${region}::${path}`;
  }

  private acknowledge(fn: ServiceFunction, path: string, reason: string): void {
    const id = `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::${path}]`;
    Validations.of(fn).acknowledge({ id, reason });
  }
}

/** The tags of any key: a path of the gateway that contains an ARN. */
function toTagsPath({ partition, region }: { partition: string; region: string }): string {
  return `/tags/arn%3A${partition}%3Aapigateway%3A${region}%3A%3A%2Fapikeys%2F*`;
}

/** Functions find the usage plan by its name: a reference from a route's function to the plan would be circular. */
export function toConsumersPlanName({ serviceInstance }: Pick<Environment, 'serviceInstance'>): string {
  return `${serviceInstance}-api-consumers`;
}
