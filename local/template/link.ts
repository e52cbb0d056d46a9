// Links the templates of several stacks to one: an imported value becomes what its stack exports, and parameters and outputs of
// a nested stack become what they stand for. Physical names do not contain the stack, so a resource that moves to another
// stack keeps its data; for the same reason, logical ids are unique across the stacks.
import type { Value } from './intrinsics.ts';
import type { CloudFormationTemplate, TemplateResource } from './template.ts';

/** A stack, nested or not, as it was synthesized. */
export interface SynthesizedStack {
  readonly stackName: string;
  /** The name of its file in the cloud assembly. */
  readonly file: string;
  readonly template: CloudFormationTemplate;
}

interface Scope extends SynthesizedStack {
  /** Values for a nested stack's parameters, linked. */
  parameters: Readonly<Record<string, Value>>;
  nested: Map<string, Scope>;
  /** Of a nested stack. */
  parent: Scope | undefined;
}

type Read = (file: string) => CloudFormationTemplate;

/** `read` returns a template of the cloud assembly by its file name. */
export function linkStacks(stackNames: readonly string[], read: Read): CloudFormationTemplate {
  return new Linker(read).link(stackNames);
}

/** The stacks and their nested ones. */
export function readStacks(stackNames: readonly string[], read: Read): readonly SynthesizedStack[] {
  return new Linker(read).openAll(stackNames);
}

class Linker {
  private readonly scopes: Scope[] = [];
  private readonly read: Read;

  constructor(read: Read) {
    this.read = read;
  }

  link(stackNames: readonly string[]): CloudFormationTemplate {
    this.openAll(stackNames);
    const linked: Required<
      Pick<CloudFormationTemplate, 'Parameters' | 'Conditions' | 'Resources' | 'Outputs' | 'Stacks'>
    > = {
      Parameters: {},
      Conditions: {},
      Resources: {},
      Outputs: {},
      Stacks: {},
    };
    for (const scope of this.scopes) {
      const { stackName, template } = scope;
      const resources = Object.entries(template.Resources).filter(([id]) => !scope.nested.has(id));
      const isNested = !stackNames.includes(stackName);
      const outputs = Object.entries(isNested ? {} : (template.Outputs ?? {})).filter(([, { Export }]) => !Export);
      for (const [id, resource] of resources) {
        if (linked.Resources[id]) throw new Error(`two stacks have a resource ${id}`);
        const { DependsOn = [], ...rest } = this.resolve(resource, scope) as TemplateResource;
        const others = [DependsOn].flat().filter((other) => !scope.nested.has(other));
        linked.Resources[id] = { ...rest, ...(others.length > 0 && { DependsOn: others }) };
      }
      for (const [name, output] of outputs) linked.Outputs[name] = this.resolve(output, scope) as { Value: Value };
      // Stacks that have the same parameters have the same conditions.
      if (!isNested) Object.assign(linked.Parameters, template.Parameters);
      Object.assign(linked.Conditions, this.resolve(template.Conditions ?? {}, scope));
      linked.Stacks[stackName] = {
        resources: resources.map(([id]) => id),
        outputs: outputs.map(([name]) => name),
      };
    }
    return linked;
  }

  openAll(stackNames: readonly string[]): readonly Scope[] {
    for (const stackName of stackNames) this.open(stackName, `${stackName}.template.json`);
    return this.scopes;
  }

  private open(stackName: string, file: string, parent?: Scope, parameters: Scope['parameters'] = {}): Scope {
    const template = this.read(file);
    const scope: Scope = { stackName, file, template, parameters, nested: new Map(), parent };
    this.scopes.push(scope);
    for (const [id, { Type, Properties = {}, Metadata = {} }] of Object.entries(template.Resources)) {
      if (Type !== 'AWS::CloudFormation::Stack') continue;
      const path = String(Metadata['aws:asset:path']);
      const given = (Properties.Parameters ?? {}) as Scope['parameters'];
      scope.nested.set(id, this.open(`${stackName}-${id}`, path, scope, given));
    }
    return scope;
  }

  private resolve(value: Value, scope: Scope): Value {
    if (Array.isArray(value)) return value.map((entry) => this.resolve(entry, scope));
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value);
    const [[name, argument] = []] = entries;
    if (entries.length === 1 && name === 'Ref') return this.resolveParameter(value, String(argument), scope);
    if (entries.length === 1 && name === 'Fn::GetAtt') return this.resolveOutput(value, argument, scope);
    if (entries.length === 1 && name === 'Fn::ImportValue') return this.resolveImport(argument);
    return Object.fromEntries(entries.map(([key, entry]) => [key, this.resolve(entry, scope)]));
  }

  private resolveParameter(value: Value, name: string, scope: Scope): Value {
    const { parent, parameters } = scope;
    return parent && name in parameters ? this.resolve(parameters[name], parent) : value;
  }

  private resolveOutput(value: Value, argument: Value, scope: Scope): Value {
    const [id, attribute] = argument as [string, string];
    const nested = scope.nested.get(id);
    if (!nested) return value;
    const output = nested.template.Outputs?.[attribute.slice('Outputs.'.length)];
    if (!output) throw new Error(`the nested stack ${id} has no ${attribute}`);
    return this.resolve(output.Value, nested);
  }

  private resolveImport(name: Value): Value {
    for (const scope of this.scopes) {
      const found = Object.values(scope.template.Outputs ?? {}).find(({ Export }) => Export?.Name === name);
      if (found) return this.resolve(found.Value, scope);
    }
    throw new Error(`no stack exports ${JSON.stringify(name)}`);
  }
}
