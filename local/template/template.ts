// Loads a synthesized CloudFormation template and resolves its intrinsic functions. A template with unsupported features
// is rejected, with a list of all of them, before anything starts.
import { ignoredTypes } from './ignored-types.ts';
import { type Lookup, resolve, type Value } from './intrinsics.ts';
import {
  type Properties,
  type Resource,
  type ResourceType,
  type ResourceTypes,
  type Shape,
  type Stack,
  type StackContents,
  type StackEnvironment,
  toStackId,
} from './resource-type.ts';

export interface CloudFormationTemplate {
  Parameters?: Record<string, { Type: string; Default?: Value }>;
  Conditions?: Record<string, Value>;
  Resources: Record<string, TemplateResource>;
  Outputs?: Record<string, { Value: Value; Export?: { Name: Value } }>;
  /** What belongs to which stack, if the template was linked (link.ts). */
  Stacks?: Record<string, StackContents>;
  [section: string]: unknown;
}

export interface TemplateResource {
  Type: string;
  Properties?: Record<string, Value>;
  Condition?: string;
  DependsOn?: string | string[];
  Metadata?: Record<string, unknown>;
}

const sections = [
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Parameters',
  'Conditions',
  'Resources',
  'Outputs',
  'Stacks',
  // CDK checks its bootstrap version here, which matters only for a deployment.
  'Rules',
];

export class UnsupportedTemplate extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The local runtime does not support this template:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Throws an error that lists all problems of one service with the template. */
export function assertSupported(service: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${service} does not support the template:\n- ${problems.join('\n- ')}`);
}

export function loadTemplate(
  template: CloudFormationTemplate,
  options: { types: ResourceTypes; environment: StackEnvironment; parameters?: Record<string, string> },
): Stack {
  return new TemplateLoader(template, options.types, options.environment, options.parameters ?? {}).load();
}

class TemplateLoader {
  private readonly problems: string[] = [];
  private readonly resources = new Map<string, Resource>();
  private readonly loading: string[] = [];
  private readonly template: CloudFormationTemplate;
  private readonly types: ResourceTypes;
  private readonly environment: StackEnvironment;
  private readonly parameters: Record<string, string>;
  private readonly lookup: Lookup = {
    ref: (name) => this.resolveRef(name),
    attribute: (logicalId, attribute) => this.getAttribute(logicalId, attribute),
    condition: (name) => this.isTrue(name),
  };

  constructor(
    template: CloudFormationTemplate,
    types: ResourceTypes,
    environment: StackEnvironment,
    parameters: Record<string, string>,
  ) {
    this.template = template;
    this.types = { ...ignoredTypes, ...types };
    this.environment = environment;
    this.parameters = parameters;
  }

  load(): Stack {
    for (const section of Object.keys(this.template)) {
      if (!sections.includes(section)) this.problems.push(`template section ${section} is not supported`);
    }
    for (const name of Object.keys(this.parameters)) {
      if (!this.template.Parameters?.[name]) this.problems.push(`the template has no parameter ${name}`);
    }
    for (const [logicalId, { Type, Condition }] of Object.entries(this.template.Resources)) {
      this.attempt(`${logicalId} (${Type})`, () => {
        if (Condition === undefined || this.isTrue(Condition)) this.getResource(logicalId);
      });
    }
    const outputs: Record<string, string> = {};
    for (const [name, output] of Object.entries(this.template.Outputs ?? {})) {
      this.attempt(`output ${name}`, () => {
        outputs[name] = String(resolve(output.Value, this.lookup));
      });
    }
    if (this.problems.length > 0) throw new UnsupportedTemplate([...new Set(this.problems)]);
    return this.createStack(outputs);
  }

  private createStack(outputs: Record<string, string>): Stack {
    const { resources, environment } = this;
    const byType = groupByType(resources.values());
    return {
      environment,
      outputs,
      stacks: this.listStacks(outputs),
      resources: Object.keys(this.template.Resources).flatMap((logicalId) => resources.get(logicalId) ?? []),
      findByType: (type) => byType.get(type) ?? [],
      get(logicalId) {
        const resource = resources.get(logicalId);
        if (!resource) throw new Error(`the template has no resource ${logicalId}`);
        return resource;
      },
    };
  }

  /** Without resources whose condition is false. */
  private listStacks(outputs: Record<string, string>): Stack['stacks'] {
    const { Stacks, Resources } = this.template;
    const all = Stacks ?? {
      [this.environment.stackName]: { resources: Object.keys(Resources), outputs: Object.keys(outputs) },
    };
    const entries = Object.entries(all).map(([name, stack]) => {
      return [name, { ...stack, resources: stack.resources.filter((id) => this.resources.has(id)) }] as const;
    });
    return Object.fromEntries(entries);
  }

  private getResource(logicalId: string): Resource {
    const loaded = this.resources.get(logicalId);
    if (loaded) return loaded;
    const declared = this.template.Resources[logicalId];
    if (!declared) throw new Error(`there is no resource, parameter or pseudo parameter ${logicalId}`);
    const type = this.types[declared.Type];
    if (!type) throw new Error('the type is not supported');
    if (declared.Condition !== undefined && !this.isTrue(declared.Condition))
      throw new Error(`the condition ${declared.Condition} of ${logicalId} is false`);
    if (this.loading.includes(logicalId)) {
      throw new Error(`circular reference ${[...this.loading, logicalId].join(' → ')}`);
    }
    this.loading.push(logicalId);
    try {
      const resource = this.createResource(logicalId, declared, type);
      this.resources.set(logicalId, resource);
      return resource;
    } finally {
      this.loading.pop();
    }
  }

  private createResource(logicalId: string, declared: TemplateResource, type: ResourceType): Resource {
    const properties = (resolve(declared.Properties ?? {}, this.lookup) ?? {}) as Properties;
    const { ignored = {}, supported } = type;
    const checked = Object.entries(properties).filter(([name]) => !Object.hasOwn(ignored, name));
    this.checkShape(`${logicalId} (${declared.Type})`, '', Object.fromEntries(checked), supported);
    return {
      logicalId,
      type: declared.Type,
      properties,
      physicalId: type.ref(logicalId, properties, this.environment),
      attributes: type.attributes?.(logicalId, properties, this.environment) ?? {},
      metadata: declared.Metadata ?? {},
    };
  }

  private checkShape(where: string, path: string, value: unknown, shape: Shape): void {
    if (shape === true || value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const entry of value) this.checkShape(where, path, entry, shape);
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      const innerShape = shape[name];
      if (innerShape === undefined) this.problems.push(`${where}: property ${path}${name} is not supported`);
      else this.checkShape(where, `${path}${name}.`, inner, innerShape);
    }
  }

  private resolveRef(name: string): Value {
    const pseudo = this.getPseudoParameter(name);
    if (pseudo !== undefined) return pseudo;
    const parameter = this.template.Parameters?.[name];
    if (!parameter) return this.getResource(name).physicalId;
    const value = this.parameters[name] ?? parameter.Default;
    if (value === undefined) throw new Error(`parameter ${name} has no default and no value`);
    return value;
  }

  private isTrue(name: string): boolean {
    const condition = this.template.Conditions?.[name];
    if (condition === undefined) throw new Error(`there is no condition ${name}`);
    return resolve(condition, this.lookup) === true;
  }

  private getPseudoParameter(name: string): string | undefined {
    const { region, accountId, stackName } = this.environment;
    const pseudo: Record<string, string> = {
      'AWS::Region': region,
      'AWS::AccountId': accountId,
      'AWS::StackName': stackName,
      'AWS::StackId': toStackId(this.environment),
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
    };
    return pseudo[name];
  }

  private getAttribute(logicalId: string, attribute: string): Value {
    const resource = this.getResource(logicalId);
    const value = resource.attributes[attribute];
    if (value === undefined) {
      throw new Error(`the attribute ${attribute} of ${logicalId} (${resource.type}) is not supported`);
    }
    return value;
  }

  private attempt(where: string, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.problems.push(`${where}: ${(error as Error).message}`);
    }
  }
}

function groupByType(resources: Iterable<Resource>): Map<string, Resource[]> {
  const groups = new Map<string, Resource[]>();
  for (const resource of resources) {
    const group = groups.get(resource.type) ?? [];
    group.push(resource);
    groups.set(resource.type, group);
  }
  return groups;
}
