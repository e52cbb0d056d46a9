import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  Code,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, NestedStack, type RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { functionsWithModel, functionWithConsole } from './functions-with-model.ts';

// Creates all Lambda functions. Each is two resources, the function and a role with inline permissions. They are in nested
// stacks by capability, so that no template comes near CloudFormation's limits (docs/decisions/0113-data-and-service-stacks.md).

/** Callers of functions that are deployed gradually use it. */
export const aliasName = 'live';

/** The nested stack of each capability. Functions of one stack must not refer to functions of another one. */
const capabilities: Readonly<Record<string, readonly string[]>> = {
  Records: [
    'incidents',
    'problems',
    'changes',
    'requests',
    'cmdb',
    'knowledge',
    'proposals',
    'jobs',
    'sla',
    'lists',
    'attachments',
  ],
  Integrations: ['webhooks', 'events', 'notifications', 'ai', 'mcp'],
  OnCall: ['oncall', 'service-levels'],
  Access: ['identity', 'gateway', 'health', 'console', 'canary'],
};

export interface FunctionsProps {
  /** Begins the names of the functions. */
  instanceName: string;
  /** The folder with every bundled handler. */
  code: string;
  /** The folder with those that load the embedding model, and the model. */
  codeWithModel: string;
  /** The folder with the function that publishes the console, and the console. */
  codeWithConsole: string;
  logRetention: RetentionDays;
  /** Of log groups. */
  removalPolicy: RemovalPolicy;
  /** Variables that every function gets. */
  environment: Readonly<Record<string, string>>;
}

export interface FunctionProps {
  /** The bundled handler's file name without extension, in kebab-case. */
  name: string;
  /** Functions of one capability share a log group. */
  capability: string;
  description: string;
  /** CPU time is proportional to it. */
  memoryMb?: number;
  timeoutSeconds?: number;
  /** Callers use an alias, so that a new version can get a part of the requests first. */
  hasAlias?: boolean;
}

export class Functions extends Construct {
  private readonly props: FunctionsProps;
  private readonly scopes = new Map<string, Construct>();
  private readonly codes = new Map<string, Code>();
  private readonly logGroups = new Map<string, LogGroup>();

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    this.props = props;
  }

  create({ capability, ...props }: FunctionProps): ServiceFunction {
    const { environment, instanceName } = this.props;
    const scope = this.findScope(capability);
    return new ServiceFunction(scope, pascalCase(props.name), {
      ...props,
      functionName: toFunctionName(instanceName, props.name),
      code: this.findCode(scope, this.findFolder(props.name)),
      environment,
      logGroup: this.logGroup(capability),
    });
  }

  get instanceName(): string {
    return this.props.instanceName;
  }

  private findScope(capability: string): Construct {
    const [name] = Object.entries(capabilities).find(([, members]) => members.includes(capability)) ?? [];
    if (!name) throw new Error(`lib/functions.ts names no stack for the capability ${capability}`);
    const scope =
      this.scopes.get(name) ??
      new Construct(new NestedStack(this, name, { suppressTemplateIndentation: true }), this.node.id);
    this.scopes.set(name, scope);
    return scope;
  }

  /** The CDK binds an instance of Code to one stack. */
  private findCode(scope: Construct, folder: string): Code {
    const key = `${scope.node.path} ${folder}`;
    const code = this.codes.get(key) ?? Code.fromAsset(folder);
    this.codes.set(key, code);
    return code;
  }

  private findFolder(name: string): string {
    const { code, codeWithModel, codeWithConsole } = this.props;
    if (name === functionWithConsole) return codeWithConsole;
    return functionsWithModel.some((one) => one === name) ? codeWithModel : code;
  }

  private logGroup(capability: string): LogGroup {
    const existing = this.logGroups.get(capability);
    if (existing) return existing;
    const logGroup = new LogGroup(this.findScope(capability), `${pascalCase(capability)}Logs`, {
      retention: this.props.logRetention,
      removalPolicy: this.props.removalPolicy,
    });
    this.logGroups.set(capability, logGroup);
    return logGroup;
  }
}

interface ServiceFunctionProps extends Omit<FunctionProps, 'capability'> {
  functionName: string;
  code: Code;
  environment: Readonly<Record<string, string>>;
  logGroup: LogGroup;
}

/** A function that may only write its log and its traces; each grant adds one permission. */
export class ServiceFunction extends Construct {
  /** Known before the function exists, so the gateway can refer to a function that refers to the gateway's address. */
  readonly name: string;
  readonly lambda: LambdaFunction;
  /** For requests; only functions that are deployed gradually have one. */
  readonly alias: Alias | undefined;
  // API Gateway times out after 29 seconds, so a longer run would be useless.
  readonly timeoutSeconds: number = 28;
  private readonly policy = new PolicyDocument();

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.timeoutSeconds = props.timeoutSeconds ?? this.timeoutSeconds;
    this.name = props.functionName;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { permissions: this.policy },
    });
    this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [props.logGroup.logGroupArn]);
    this.allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources to name: its two write actions can be granted on * only.',
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: this.name,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb ?? 512,
      timeout: Duration.seconds(this.timeoutSeconds),
      code: props.code,
      handler: `${props.name}.handler`,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...props.environment },
      logGroup: props.logGroup,
      tracing: Tracing.ACTIVE,
      role: role.withoutPolicyUpdates(),
    });
    // CDK's interfaces and classes disagree under exactOptionalPropertyTypes, hence the `as`.
    this.alias = props.hasAlias
      ? new Alias(this, 'Live', { aliasName, version: this.lambda.currentVersion as IVersion })
      : undefined;
  }

  /** What callers invoke. */
  get target(): LambdaFunction | Alias {
    return this.alias ?? this.lambda;
  }

  /** Grants permissions together with the environment variable that names the resource. */
  grant(actions: readonly string[], resources: readonly string[], environment: Readonly<Record<string, string>>): void {
    this.allow(actions, resources);
    for (const [name, value] of Object.entries(environment)) this.lambda.addEnvironment(name, value);
  }

  allow(actions: readonly string[], resources: readonly string[], conditions: Conditions = {}): void {
    this.policy.addStatements(
      new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources], conditions }),
    );
  }

  /** Takes resources out of a permission on `*`. */
  deny(actions: readonly string[], resources: readonly string[]): void {
    this.policy.addStatements(
      new PolicyStatement({ effect: Effect.DENY, actions: [...actions], resources: [...resources] }),
    );
  }
}

/** Gives a function a permission, and the variables that go with it. */
export type Grant = (fn: ServiceFunction) => void;

export function grantAll(...grants: readonly Grant[]): Grant {
  return (fn) => {
    for (const grant of grants) grant(fn);
  };
}

export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** Instances have no double hyphen in their names, so no functions of another instance begin with the same. */
export function toFunctionName(instanceName: string, name: string): string {
  return `${instanceName}--${name}`;
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
