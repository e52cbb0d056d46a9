import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles } from '../build/local-build.ts';
import { measurePolicies } from './policy-sizes.ts';

// Checks of synthesized templates that need no account: the quotas of CloudFormation, Lambda and IAM with a margin, no
// circular references, no placeholder addresses, no wildcards and small bundles with the binaries of one platform.

export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
  Outputs?: Record<string, unknown>;
  Parameters?: Record<string, { Type?: unknown; Default?: unknown }>;
  /** Of a linked template. */
  Stacks?: Record<string, { resources: readonly string[] }>;
}

export interface Check {
  name: string;
  /** For the report. */
  measured: number | string;
  max?: number;
  problems: string[];
}

/** Of every quota that cannot be raised; the rest is room for an urgent fix. */
const share = 0.8;

// More than 300 resources would leave no room for another capability. CloudFormation accepts 500.
const maxResources = 300;
const maxTemplateBytes = share * 1_000_000;
const maxOutputs = share * 200;
const maxParameters = share * 200;
const maxEnvironmentBytes = Math.floor(share * 4_096);
const maxInlinePolicyCharacters = Math.floor(share * 10_240);
const maxFunctionName = 64;
const maxBundleBytes = 850 * 1024;
/** Lambda accepts 250 MB unzipped. */
const maxModelFolderBytes = 100e6;
const maxFunctionsFolderBytes = 40e6;

/** The quotas of one stack. Policies and variables are measured with references linked to other stacks. */
export function checkQuotas(synthesized: Template, linked: Template = synthesized): Check[] {
  const { Resources, Outputs = {}, Parameters = {} } = synthesized;
  const own = (id: string) => id in Resources;
  const environments = listFunctions(linked)
    .filter(({ id }) => own(id))
    .map(({ id, variables }) => ({ id, size: JSON.stringify(variables).length }));
  const policies = measurePolicies(linked).filter(({ id }) => own(id));
  return [
    limit('resources', Object.keys(Resources).length, maxResources),
    limit('outputs', Object.keys(Outputs).length, maxOutputs),
    limit('parameters', Object.keys(Parameters).length, maxParameters),
    limit('template bytes', Buffer.byteLength(JSON.stringify(synthesized)), maxTemplateBytes),
    limitEach('characters of inline policies', policies, maxInlinePolicyCharacters),
    limitEach('bytes of variables', environments, maxEnvironmentBytes),
  ];
}

/** Nested stacks have the name of the stack that contains them, and the logical id that the CDK gave them. */
export function toShortName(stackName: string): string {
  return stackName
    .replace(/^incidents-/, '')
    .replace(/-[A-Za-z]+NestedStack([A-Za-z]+)NestedStackResource\w+$/, ', $1');
}

/** A nested stack depends on all of its parameters, and everything that uses one of its outputs depends on it. */
export function checkCycles({ Resources }: Template): string[] {
  const done = new Set<string>();
  const find = (id: string, path: readonly string[]): string[] => {
    if (path.includes(id)) return [`${[...path.slice(path.indexOf(id)), id].join(' → ')} is a circular reference.`];
    if (done.has(id)) return [];
    const cycles = listReferences(Resources[id]).filter((each) => each in Resources && each !== id);
    const found = cycles.flatMap((each) => find(each, [...path, id]));
    done.add(id);
    return found;
  };
  return Object.keys(Resources).flatMap((id) => find(id, []));
}

function listReferences(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'Ref' || name === 'DependsOn') return [inner].flat().map(String);
    if (name === 'Fn::GetAtt') return [String([inner].flat()[0]).split('.')[0] ?? ''];
    return listReferences(inner);
  });
}

/** A function's name has no quota to raise, and contains the instance. */
export function checkFunctions(linked: Template): Check {
  const functions = listFunctions(linked);
  const long = functions.filter(({ name }) => typeof name === 'string' && name.length > maxFunctionName);
  const problems = long.map(({ id }) => `${id} has a name of more than ${maxFunctionName} characters.`);
  return { name: 'functions', measured: functions.length, problems };
}

const placeholders = /\bexample\.(?:com|net|org)\b|\blocalhost\b|127\.0\.0\.1/;

/** `itsm login` receives the code of a sign-in on the caller's own machine. */
const commandLineRedirects = /http:\/\/127\.0\.0\.1:\d+\/callback/g;

/** A deployed service must not point to an address that only exists in documentation or on one machine. */
export function checkAddresses(template: Template): Check {
  const found = Object.entries(template.Resources).flatMap(([id, resource]) => {
    const match = placeholders.exec(JSON.stringify(resource).replaceAll(commandLineRedirects, ''));
    return match ? [`${id} contains ${match[0]}.`] : [];
  });
  return { name: 'placeholder addresses', measured: found.length, problems: found };
}

const asterisk = '*';

/** Wildcards that name no resource. The actions here have none in IAM. */
const actionsWithoutResource = new Set([
  'dynamodb:ListStreams',
  'cloudwatch:PutMetricData',
  'sns:SetSMSAttributes',
  'xray:PutTraceSegments',
  'xray:PutTelemetryRecords',
]);

interface Statement {
  Effect: string;
  Action?: string | string[];
  Resource?: unknown;
  Condition?: unknown;
}

export function checkWildcards(template: Template): Check {
  const statements = listRoleStatements(template);
  const problems = statements.flatMap(({ id, statement }) => {
    const actions = [statement.Action ?? []].flat();
    const anyAction = actions.filter((action) => action === asterisk || action.endsWith(`:${asterisk}`));
    const everywhere = [statement.Resource].flat().includes(asterisk) && statement.Condition === undefined;
    const isBounded = (action: string) =>
      actionsWithoutResource.has(action) || isDeniedElsewhere(statements, id, action);
    const unbound = everywhere ? actions.filter((action) => !isBounded(action)) : [];
    return [
      ...anyAction.map((action) => `${id} allows every action ${action}.`),
      ...unbound.map((action) => `${id} allows ${action} on every resource.`),
    ];
  });
  return { name: 'policy statements', measured: statements.length, problems };
}

/** Phone numbers have no ARN, so a role that sends text messages may publish everywhere and is denied all topics. */
function isDeniedElsewhere(
  statements: readonly { id: string; statement: Statement }[],
  id: string,
  action: string,
): boolean {
  return statements.some(
    (each) => each.id === id && each.statement.Effect === 'Deny' && [each.statement.Action].flat().includes(action),
  );
}

/** The API document is half of its function, and data. */
const bundleWithDocument = 'get-api-document.mjs';

/** The functions without the embedding model. The larger their code, the longer their cold start. */
export function checkBundles(folder: string): Check {
  const bundles = readdirSync(folder)
    .filter((file) => file.endsWith('.mjs') && file !== bundleWithDocument)
    .map((file) => ({ id: file, size: sumImported(join(folder, file)) }));
  return limitEach('bytes of the largest bundle without the model', bundles, maxBundleBytes);
}

/** The folders that are uploaded. The demo, and its vectors, are for one machine. */
export function checkPackages(functions: string, withModel: string): Check {
  const files = listFiles(withModel);
  const sum = (all: readonly string[]) => all.reduce((bytes, file) => bytes + statSync(file).size, 0);
  const binaries = files.filter((file) => /\.(node|so|dll|dylib)\b/.test(file));
  const foreign = binaries.filter((file) => !/onnxruntime-node\/bin\/napi-v\d+\/linux\/arm64\//.test(file));
  const models = files.filter((file) => file.endsWith('.onnx')).length;
  const problems = [
    ...(binaries.length > 0 && models === 1 ? [] : [`There are ${binaries.length} binaries and ${models} models.`]),
    ...foreign.map((file) => `${file} is not for Lambda's platform.`),
    ...files.filter((file) => file.includes('known-vectors')).map((file) => `${file} is for one machine.`),
    ...limit('bytes of functions with the model', sum(files), maxModelFolderBytes).problems,
    ...limit('bytes of functions', sum(listFiles(functions)), maxFunctionsFolderBytes).problems,
  ];
  return { name: 'problems of packages', measured: problems.length, problems };
}

/** The bytes of a module and of all modules that it imports statically, as a cold start does. */
function sumImported(file: string, seen = new Set<string>()): number {
  if (seen.has(file)) return 0;
  seen.add(file);
  const imported = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)];
  return imported.reduce(
    (sum, [, path = '']) => sum + sumImported(join(dirname(file), path), seen),
    statSync(file).size,
  );
}

export function listFunctions(template: Template) {
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([id, { Properties = {} }]) => {
      const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
      return { id, name: Properties.FunctionName, handler: Properties.Handler, variables: Variables };
    });
}

export function listRoleStatements(template: Template): { id: string; statement: Statement }[] {
  const listDocuments = (type: string, properties: Record<string, unknown>): unknown[] => {
    if (type === 'AWS::IAM::Policy') return [properties.PolicyDocument];
    if (type !== 'AWS::IAM::Role') return [];
    return ((properties.Policies ?? []) as { PolicyDocument: unknown }[]).map((policy) => policy.PolicyDocument);
  };
  return Object.entries(template.Resources).flatMap(([id, { Type, Properties = {} }]) =>
    listDocuments(Type, Properties)
      .flatMap((document) => (document as { Statement: Statement[] }).Statement)
      .map((statement) => ({ id, statement })),
  );
}

function limit(name: string, value: number, max: number): Check {
  const problems = value > max ? [`There are ${value} ${name}, and the limit is ${max}.`] : [];
  return { name, measured: value, max, problems };
}

function limitEach(name: string, values: readonly { id: string; size: number }[], max: number): Check {
  const largest = Math.max(0, ...values.map(({ size }) => size));
  const problems = values.filter(({ size }) => size > max).map(({ id, size }) => `${id} has ${size} ${name}.`);
  return { name, measured: largest, max, problems };
}
