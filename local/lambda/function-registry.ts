// The functions of a template by name, with their versions, aliases and the roles behind their access keys.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFunctionAccessKeyId } from '../aws/access-keys.ts';
import { AwsError } from '../aws/error.ts';
import type { Caller } from '../aws/service.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { resolveCodeFolder } from './function-code.ts';
import { type FunctionDefinition, parseFunctionDefinition, parseFunctionReference } from './function-definition.ts';

export interface RegistryOptions {
  environment: StackEnvironment;
  /** The cloud assembly that the template's assets are relative to. */
  assetFolder: string;
  /** Whether a service may assume a role; by default every role can be assumed. */
  mayAssume?(roleArn: string, servicePrincipal: string): boolean;
}

export class FunctionRegistry {
  private readonly options: RegistryOptions;
  private readonly definitions = new Map<string, FunctionDefinition>();
  private readonly callers = new Map<string, Caller>();
  /** Versions and aliases of each function, besides $LATEST. */
  private readonly qualifiers = new Map<string, Set<string>>();
  /** Functions called by queues and streams. No client waits for them, so they run at low priority. */
  private readonly behindQueues = new Set<string>();
  private inlineFolder: string | undefined;

  constructor(options: RegistryOptions) {
    this.options = options;
  }

  /** Throws an error that lists all unsupported functions. */
  load(resources: readonly Resource[]): void {
    const problems: string[] = [];
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        problems.push((error as Error).message);
      }
    };
    for (const resource of resources) {
      if (resource.type === 'AWS::Lambda::Function') attempt(() => this.loadFunction(resource));
    }
    for (const resource of resources) {
      if (resource.type === 'AWS::Lambda::Version') attempt(() => this.loadQualifier(resource, '1'));
      if (resource.type === 'AWS::Lambda::Alias')
        attempt(() => this.loadQualifier(resource, String(resource.properties.Name)));
      if (resource.type === 'AWS::Lambda::EventSourceMapping') {
        const name = parseFunctionReference(String(resource.properties.FunctionName))?.name;
        if (name) this.behindQueues.add(name);
      }
    }
    if (problems.length > 0) throw new Error(`These functions cannot run locally:\n- ${problems.join('\n- ')}`);
  }

  /** Throws ResourceNotFoundException. */
  find(functionArnOrName: string): FunctionDefinition {
    const { name = '', qualifier = '$LATEST' } = parseFunctionReference(functionArnOrName) ?? {};
    const definition = this.definitions.get(name);
    const isKnown = qualifier === '$LATEST' || this.qualifiers.get(name)?.has(qualifier);
    if (!definition || !isKnown) {
      throw new AwsError('ResourceNotFoundException', `Function not found: ${functionArnOrName}`, { status: 404 });
    }
    return definition;
  }

  list(): FunctionDefinition[] {
    return [...this.definitions.values()];
  }

  isBehindQueue(name: string): boolean {
    return this.behindQueues.has(name);
  }

  /** The role behind a function's access key. */
  findCaller(accessKeyId: string): Caller | undefined {
    return this.callers.get(accessKeyId);
  }

  removeInlineCode(): void {
    if (this.inlineFolder) rmSync(this.inlineFolder, { recursive: true, force: true });
  }

  private loadFunction(resource: Resource): void {
    const folder = resolveCodeFolder(resource, this.options.assetFolder, () => {
      this.inlineFolder ??= mkdtempSync(join(tmpdir(), 'lambda-inline-'));
      return this.inlineFolder;
    });
    const definition = parseFunctionDefinition(resource, folder, this.options.environment);
    const { name, roleArn } = definition;
    if (this.definitions.has(name)) throw new Error(`${resource.logicalId}: there are two functions named ${name}`);
    if (this.options.mayAssume?.(roleArn, 'lambda.amazonaws.com') === false)
      throw new Error(`${resource.logicalId}: the role defined for the function cannot be assumed by Lambda`);
    this.definitions.set(name, definition);
    this.callers.set(toFunctionAccessKeyId(name), { roleArn, name });
  }

  private loadQualifier(resource: Resource, qualifier: string): void {
    const { name } = this.find(String(resource.properties.FunctionName));
    this.qualifiers.set(name, (this.qualifiers.get(name) ?? new Set()).add(qualifier));
  }
}
