// Reads a synthesized CloudFormation template into resources whose intrinsics are resolved. What this machine cannot
// honour is collected and refused as one list, before anything starts.
import { type Lookup, resolve, resolveCondition, type Value } from './intrinsics.ts';
import type {
  Properties,
  Resource,
  ResourceType,
  ResourceTypes,
  Shape,
  Stack,
  StackEnvironment,
} from './resource-type.ts';
import { typesWithoutMeaning } from './types-without-meaning.ts';

export interface CloudFormationTemplate {
  Parameters?: Record<string, { Type: string; Default?: Value; AllowedValues?: Value[] }>;
  Mappings?: Record<string, Record<string, Record<string, Value>>>;
  Conditions?: Record<string, Value>;
  Resources: Record<string, RawResource>;
  Outputs?: Record<string, { Value: Value; Condition?: string }>;
  [section: string]: unknown;
}

interface RawResource {
  Type: string;
  Properties?: Record<string, Value>;
  Condition?: string;
  Metadata?: Record<string, unknown>;
}

// Rules only guard a deployment (CDK checks its bootstrap version there); a local start has nothing to deploy.
const sections = [
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Parameters',
  'Mappings',
  'Conditions',
  'Resources',
  'Outputs',
  'Rules',
];

export class UnsupportedTemplate extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`This template cannot run on one machine:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export function loadTemplate(
  template: CloudFormationTemplate,
  options: { types: ResourceTypes; environment: StackEnvironment; parameters?: Record<string, string> },
): Stack {
  return new TemplateLoader(template, options.types, options.environment, options.parameters ?? {}).load();
}

class TemplateLoader {
  private readonly problems: string[] = [];
  private readonly conditions = new Map<string, boolean>();
  private readonly resources = new Map<string, Resource>();
  private readonly underWay: string[] = [];
  private readonly lookup: Lookup;
  private readonly template: CloudFormationTemplate;
  private readonly types: ResourceTypes;
  private readonly environment: StackEnvironment;
  private readonly parameters: Record<string, string>;

  constructor(
    template: CloudFormationTemplate,
    types: ResourceTypes,
    environment: StackEnvironment,
    parameters: Record<string, string>,
  ) {
    this.template = template;
    this.types = { ...typesWithoutMeaning, ...types };
    this.environment = environment;
    this.parameters = parameters;
    this.lookup = {
      ref: (name) => this.ref(name),
      attribute: (logicalId, attribute) => this.attribute(logicalId, attribute),
      condition: (name) => this.condition(name),
      mapping: (map, key, name) => this.mapping(map, key, name),
    };
  }

  load(): Stack {
    for (const section of Object.keys(this.template)) {
      if (!sections.includes(section)) this.problems.push(`template section ${section}`);
    }
    for (const name of Object.keys(this.parameters)) {
      if (!this.template.Parameters?.[name])
        this.problems.push(`parameter ${name} is given but the template has none of that name`);
    }
    const present = Object.entries(this.template.Resources).filter(([logicalId, raw]) =>
      this.attempt(`${logicalId} (${raw.Type})`, () => raw.Condition === undefined || this.condition(raw.Condition)),
    );
    for (const [logicalId, raw] of present) this.attempt(`${logicalId} (${raw.Type})`, () => this.resource(logicalId));
    const outputs = this.outputs();
    if (this.problems.length > 0) throw new UnsupportedTemplate([...new Set(this.problems)]);
    return this.stack(outputs);
  }

  private stack(outputs: Record<string, string>): Stack {
    const { resources, environment } = this;
    const byType = groupByType(resources.values());
    return {
      environment,
      outputs,
      ofType: (type) => byType.get(type) ?? [],
      get(logicalId) {
        const resource = resources.get(logicalId);
        if (!resource) throw new Error(`the template has no resource ${logicalId}`);
        return resource;
      },
    };
  }

  private outputs(): Record<string, string> {
    const outputs: Record<string, string> = {};
    for (const [name, output] of Object.entries(this.template.Outputs ?? {})) {
      this.attempt(`output ${name}`, () => {
        if (output.Condition !== undefined && !this.condition(output.Condition)) return;
        outputs[name] = String(resolve(output.Value, this.lookup));
      });
    }
    return outputs;
  }

  private resource(logicalId: string): Resource {
    const known = this.resources.get(logicalId);
    if (known) return known;
    const raw = this.template.Resources[logicalId];
    if (!raw) throw new Error(`there is no resource, parameter or pseudo parameter ${logicalId}`);
    const type = this.types[raw.Type];
    if (!type) throw new Error('the type is not supported');
    if (this.underWay.includes(logicalId))
      throw new Error(`circular reference ${[...this.underWay, logicalId].join(' → ')}`);
    this.underWay.push(logicalId);
    try {
      const resource = this.build(logicalId, raw, type);
      this.resources.set(logicalId, resource);
      return resource;
    } finally {
      this.underWay.pop();
    }
  }

  private build(logicalId: string, raw: RawResource, type: ResourceType): Resource {
    const properties = (resolve(raw.Properties ?? {}, this.lookup) ?? {}) as Properties;
    this.checkShape(`${logicalId} (${raw.Type})`, properties, type);
    return {
      logicalId,
      type: raw.Type,
      properties,
      physicalId: type.ref(logicalId, properties, this.environment),
      attributes: type.attributes?.(logicalId, properties, this.environment) ?? {},
      metadata: raw.Metadata ?? {},
    };
  }

  private checkShape(where: string, properties: Record<string, unknown>, type: ResourceType): void {
    const ignored = type.withoutEffect ?? {};
    if (type.honoured === true) return;
    for (const [name, value] of Object.entries(properties)) {
      if (Object.hasOwn(ignored, name)) continue;
      const shape = type.honoured[name];
      if (shape === undefined) this.problems.push(`${where}: property ${name} is not supported`);
      else this.checkNested(where, name, value, shape);
    }
  }

  private checkNested(where: string, path: string, value: unknown, shape: Shape): void {
    if (shape === true || value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const entry of value) this.checkNested(where, path, entry, shape);
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      const innerShape = shape[name];
      if (innerShape === undefined) this.problems.push(`${where}: property ${path}.${name} is not supported`);
      else this.checkNested(where, `${path}.${name}`, inner, innerShape);
    }
  }

  private ref(name: string): Value {
    const pseudo = this.pseudoParameter(name);
    if (pseudo !== undefined) return pseudo;
    const parameter = this.template.Parameters?.[name];
    if (parameter) return this.parameter(name, parameter);
    return this.resource(name).physicalId;
  }

  private pseudoParameter(name: string): string | undefined {
    const { region, accountId, stackName } = this.environment;
    const pseudo: Record<string, string> = {
      'AWS::Region': region,
      'AWS::AccountId': accountId,
      'AWS::StackName': stackName,
      'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
    };
    return pseudo[name];
  }

  private parameter(name: string, parameter: { Default?: Value; AllowedValues?: Value[] }): Value {
    const value = this.parameters[name] ?? parameter.Default;
    if (value === undefined) throw new Error(`parameter ${name} has no default and was not given`);
    if (parameter.AllowedValues && !parameter.AllowedValues.includes(value)) {
      throw new Error(`parameter ${name} must be one of ${parameter.AllowedValues.join(', ')}`);
    }
    return value;
  }

  private attribute(logicalId: string, attribute: string): Value {
    const resource = this.resource(logicalId);
    const value = resource.attributes[attribute];
    if (value === undefined) throw new Error(`${logicalId} (${resource.type}) has no attribute ${attribute} here`);
    return value;
  }

  private condition(name: string): boolean {
    const known = this.conditions.get(name);
    if (known !== undefined) return known;
    const definition = this.template.Conditions?.[name];
    if (definition === undefined) throw new Error(`there is no condition ${name}`);
    const value = resolveCondition(definition, this.lookup);
    this.conditions.set(name, value);
    return value;
  }

  private mapping(map: string, key: string, name: string): Value {
    const value = this.template.Mappings?.[map]?.[key]?.[name];
    if (value === undefined) throw new Error(`there is no mapping ${map}.${key}.${name}`);
    return value;
  }

  private attempt<T>(where: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.problems.push(`${where}: ${(error as Error).message}`);
      return undefined;
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
