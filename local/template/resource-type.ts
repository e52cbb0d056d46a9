// Each service of the runtime declares the CloudFormation types that it supports, property by property. A property that is
// neither supported nor ignored stops the start: a clear error is better than a stack that behaves differently here.

/** The supported properties: `true` accepts any value; a nested shape is checked key by key (for arrays: each element). */
export type Shape = true | { readonly [property: string]: Shape };

export interface StackEnvironment {
  /** Begins the physical names of resources. Several stacks that run together share it. */
  stackName: string;
  region: string;
  accountId: string;
  /** The public URL without a trailing slash: http://localhost:3000, or the URL of a proxy. */
  publicUrl: string;
  /** The URL of the same server on this machine, without the proxy. */
  loopbackUrl?: string;
  /** The URL of the AWS endpoint, without a trailing slash. */
  awsUrl: string;
}

// biome-ignore lint/suspicious/noExplicitAny: templates are untyped; shapes check the property names, services the values.
export type Properties = any;

export interface ResourceType {
  /** Returns the physical id, which Ref refers to. It must be the same at every start. */
  ref(logicalId: string, properties: Properties, environment: StackEnvironment): string;
  /** Returns the attributes that Fn::GetAtt refers to. */
  attributes?(logicalId: string, properties: Properties, environment: StackEnvironment): Record<string, string>;
  supported: Shape;
  /** Properties that are accepted but have no effect on one machine, each with the reason. */
  ignored?: Readonly<Record<string, string>>;
}

export type ResourceTypes = Readonly<Record<string, ResourceType>>;

export interface Resource {
  logicalId: string;
  type: string;
  /** Intrinsic functions are resolved. */
  properties: Properties;
  physicalId: string;
  attributes: Record<string, string>;
  /** aws:cdk:path and aws:asset:* as CDK wrote them. */
  metadata: Record<string, unknown>;
}

/** Logical ids of resources and names of outputs. */
export interface StackContents {
  readonly resources: readonly string[];
  readonly outputs: readonly string[];
}

export interface Stack {
  readonly environment: StackEnvironment;
  readonly outputs: Record<string, string>;
  /** By name, as they were before they were linked. */
  readonly stacks: Readonly<Record<string, StackContents>>;
  /** In the template's order. */
  readonly resources: readonly Resource[];
  findByType(type: string): readonly Resource[];
  get(logicalId: string): Resource;
}

export function toStackId({ region, accountId, stackName }: StackEnvironment): string {
  return `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`;
}

/** Templates write booleans as booleans or strings. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
