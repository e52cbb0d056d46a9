// CloudFormation's intrinsic functions, resolved against whatever the caller says Ref, GetAtt and conditions are.

export type Value = unknown;

/** AWS::NoValue: the property that holds it disappears. */
const noValue = Symbol('AWS::NoValue');

export interface Lookup {
  ref(name: string): Value;
  attribute(logicalId: string, attribute: string): Value;
  condition(name: string): boolean;
  mapping(map: string, key: string, name: string): Value;
}

type Args = readonly Value[];

export function resolve(value: Value, lookup: Lookup): Value {
  const resolved = walk(value, lookup);
  return resolved === noValue ? undefined : resolved;
}

/** Conditions are intrinsics too; they always come to true or false. */
export function resolveCondition(value: Value, lookup: Lookup): boolean {
  const resolved = walk(value, lookup);
  if (typeof resolved !== 'boolean')
    throw new Error(`a condition must come to true or false: ${JSON.stringify(value)}`);
  return resolved;
}

function walk(value: Value, lookup: Lookup): Value {
  if (Array.isArray(value)) return value.map((entry) => walk(entry, lookup)).filter((entry) => entry !== noValue);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? [];
  if (entries.length === 1 && name && isIntrinsic(name)) return apply(name, argument, lookup);
  const resolved: Record<string, Value> = {};
  for (const [key, entry] of entries) {
    const inner = walk(entry, lookup);
    if (inner !== noValue) resolved[key] = inner;
  }
  return resolved;
}

function isIntrinsic(name: string): boolean {
  return name === 'Ref' || name === 'Condition' || name.startsWith('Fn::');
}

function apply(name: string, argument: Value, lookup: Lookup): Value {
  if (name === 'Ref') return argument === 'AWS::NoValue' ? noValue : lookup.ref(String(argument));
  // A key named Condition also occurs in policy statements, where it is an object and no intrinsic.
  if (name === 'Condition')
    return typeof argument === 'string' ? lookup.condition(argument) : { Condition: walk(argument, lookup) };
  if (name === 'Fn::If') return chooseBranch(argument as Args, lookup);
  if (name === 'Fn::GetAtt') return getAttribute(argument, lookup);
  if (name === 'Fn::Sub') return substitute(argument, lookup);
  const operation = functions[name];
  if (!operation) throw new Error(`${name} is not supported`);
  return operation(walk(argument, lookup), lookup);
}

const functions: Record<string, (argument: Value, lookup: Lookup) => Value> = {
  'Fn::Join': (argument) => {
    const [separator, parts] = argument as [string, Args];
    return parts.map(asText).join(separator);
  },
  'Fn::Split': (argument) => {
    const [separator, text] = argument as [string, string];
    return text.split(separator);
  },
  'Fn::Select': (argument) => {
    const [index, list] = argument as [number | string, Args];
    const chosen = list[Number(index)];
    if (chosen === undefined) throw new Error(`Fn::Select finds nothing at ${index}`);
    return chosen;
  },
  'Fn::FindInMap': (argument, lookup) => {
    const [map, key, name] = argument as [string, string, string];
    return lookup.mapping(map, key, name);
  },
  'Fn::Base64': (argument) => Buffer.from(asText(argument)).toString('base64'),
  'Fn::Length': (argument) => (argument as Args).length,
  'Fn::ToJsonString': (argument) => JSON.stringify(argument),
  'Fn::Equals': (argument) => {
    const [left, right] = argument as Args;
    return JSON.stringify(left) === JSON.stringify(right);
  },
  'Fn::And': (argument) => (argument as Args).every((entry) => entry === true),
  'Fn::Or': (argument) => (argument as Args).some((entry) => entry === true),
  'Fn::Not': (argument) => (argument as Args)[0] !== true,
};

function chooseBranch(argument: Args, lookup: Lookup): Value {
  const [condition, whenTrue, whenFalse] = argument;
  return walk(lookup.condition(String(condition)) ? whenTrue : whenFalse, lookup);
}

function getAttribute(argument: Value, lookup: Lookup): Value {
  if (typeof argument === 'string') {
    const dot = argument.indexOf('.');
    return lookup.attribute(argument.slice(0, dot), argument.slice(dot + 1));
  }
  const [logicalId, attribute] = argument as Args;
  return lookup.attribute(String(logicalId), asText(walk(attribute, lookup)));
}

function substitute(argument: Value, lookup: Lookup): string {
  const [text, given] = typeof argument === 'string' ? [argument, {}] : (argument as [string, Record<string, Value>]);
  return text.replace(/\$\{(!?)([^}]+)\}/g, (_match, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(given, name)) return asText(walk(given[name], lookup));
    const dot = name.indexOf('.');
    return asText(dot < 0 ? lookup.ref(name) : lookup.attribute(name.slice(0, dot), name.slice(dot + 1)));
  });
}

function asText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`text is needed where ${JSON.stringify(value)} stands`);
}
