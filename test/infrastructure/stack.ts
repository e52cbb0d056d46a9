import { Template } from 'aws-cdk-lib/assertions';
import type { Operation } from '../../contract/operation.ts';
import type { StackContents } from '../../local/template/resource-type.ts';
import { readTemplate, type TemplateName } from './templates.ts';

export type Properties = Record<string, unknown>;

export interface PolicyStatement {
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

export const local = getTemplate('local');
export const prod = getTemplate('prod');
export const prodWithSearch = () => getTemplate('prodWithSearch');
export const withOptions = () => getTemplate('withOptions');

function getTemplate(name: TemplateName): Template {
  return Template.fromJSON(readTemplate(name));
}

interface TemplateResource {
  Properties: Properties;
  DeletionPolicy?: string;
  DependsOn?: string[];
}

export function resources(template: Template, type: string): [string, TemplateResource][] {
  return Object.entries(template.findResources(type)) as [string, TemplateResource][];
}

/** The logical ids of each stack. */
export function listStacks(template: Template): Record<string, readonly string[]> {
  const stacks = Object.entries(template.toJSON().Stacks as Record<string, StackContents>);
  return Object.fromEntries(stacks.map(([name, { resources }]) => [name, resources]));
}

export function listProperties(template: Template, type: string): Properties[] {
  return resources(template, type).map(([, { Properties }]) => Properties);
}

/** The only resource of its type. */
export function theOnly(template: Template, type: string): Properties {
  const all = resources(template, type);
  if (all.length !== 1) throw new Error(`there are ${all.length} resources of type ${type}`);
  return all[0]![1].Properties;
}

/** The permissions of the function that runs a handler. */
export function listStatements(template: Template, handler: string): PolicyStatement[] {
  const [, fn] = resources(template, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.Handler === `${handler}.handler`,
  )!;
  const [roleId] = (fn.Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'];
  return inlineStatements(resources(template, 'AWS::IAM::Role').find(([id]) => id === roleId)![1].Properties);
}

export function inlineStatements(role: Properties): PolicyStatement[] {
  const policies = (role.Policies ?? []) as { PolicyDocument: { Statement: PolicyStatement[] } }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The handler of an operation. All AI operations share one handler, so that the model is loaded once. */
export function toHandlerName({ name, capability }: Operation): string {
  if (capability === 'ai') return 'assist';
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
