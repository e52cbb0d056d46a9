// Each part of the runtime says which CloudFormation types it honours, and property by property what it understands. A
// property that is in neither list stops the start: better a clear refusal than a stack that means something else here.

/** The properties understood: `true` takes any value, a nested shape is checked key by key (arrays: each element). */
export type Shape = true | { readonly [property: string]: Shape };

export interface StackEnvironment {
  stackName: string;
  region: string;
  accountId: string;
  /** Where the runtime's own HTTP server is reached, without a trailing slash: http://localhost:3000 */
  publicUrl: string;
  /** Where SDK calls go, without a trailing slash. */
  awsUrl: string;
}

// biome-ignore lint/suspicious/noExplicitAny: properties are whatever the template says; shapes check the keys, parts the values.
export type Properties = any;

export interface ResourceType {
  /** What Ref gives: the physical id. It must be the same at every start. */
  ref(logicalId: string, properties: Properties, environment: StackEnvironment): string;
  /** What Fn::GetAtt gives, by attribute name. */
  attributes?(logicalId: string, properties: Properties, environment: StackEnvironment): Record<string, string>;
  honoured: Shape;
  /** Properties accepted though they change nothing on one machine, each with the reason. */
  withoutEffect?: Readonly<Record<string, string>>;
}

export type ResourceTypes = Readonly<Record<string, ResourceType>>;

export interface Resource {
  logicalId: string;
  type: string;
  /** With every intrinsic resolved. */
  properties: Properties;
  /** What Ref gives. */
  physicalId: string;
  attributes: Record<string, string>;
  /** aws:cdk:path and aws:asset:* as CDK wrote them. */
  metadata: Record<string, unknown>;
}

export interface Stack {
  readonly environment: StackEnvironment;
  readonly outputs: Record<string, string>;
  ofType(type: string): readonly Resource[];
  get(logicalId: string): Resource;
}
