// Resolves CloudFormation's intrinsic functions. The caller looks up the values of Ref and Fn::GetAtt.
import { requireValue } from '../require-value.ts';

export type Value = unknown;

export interface Lookup {
  ref(name: string): Value;
  attribute(logicalId: string, attribute: string): Value;
  condition(name: string): boolean;
}

type Args = readonly Value[];

export function resolve(value: Value, lookup: Lookup): Value {
  const resolved = walk(value, lookup);
  return resolved === noValue ? undefined : resolved;
}

/** AWS::NoValue removes the property or list entry that refers to it. */
const noValue = Symbol('AWS::NoValue');

function walk(value: Value, lookup: Lookup): Value {
  if (Array.isArray(value)) return value.map((entry) => walk(entry, lookup)).filter((entry) => entry !== noValue);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? [];
  const isFunction =
    name === 'Ref' || name?.startsWith('Fn::') || (name === 'Condition' && typeof argument === 'string');
  if (entries.length === 1 && name && isFunction) return apply(name, argument, lookup);
  const resolved = entries.map(([key, entry]) => [key, walk(entry, lookup)]).filter(([, entry]) => entry !== noValue);
  return Object.fromEntries(resolved);
}

function apply(name: string, argument: Value, lookup: Lookup): Value {
  switch (name) {
    case 'Ref':
      return argument === 'AWS::NoValue' ? noValue : lookup.ref(String(argument));
    case 'Fn::GetAtt':
      return getAttribute(argument, lookup);
    case 'Fn::Sub':
      return substitute(argument, lookup);
    case 'Fn::Join': {
      const [separator, parts] = walk(argument, lookup) as [string, Args];
      return parts.map(toText).join(separator);
    }
    case 'Fn::Split': {
      const [separator, text] = walk(argument, lookup) as [string, string];
      return text.split(separator);
    }
    case 'Fn::Select': {
      const [index, list] = walk(argument, lookup) as [string, Args];
      return requireValue(list[Number(index)]);
    }
    case 'Condition':
      return lookup.condition(String(argument));
    case 'Fn::If': {
      // Only the chosen branch is resolved: the other may refer to resources that do not exist.
      const [condition, chosen, other] = argument as Args;
      return walk(lookup.condition(String(condition)) ? chosen : other, lookup);
    }
    case 'Fn::Equals': {
      const [first, second] = walk(argument, lookup) as Args;
      return first === second;
    }
    case 'Fn::Not':
      return !(walk(argument, lookup) as Args)[0];
    case 'Fn::And':
      return (walk(argument, lookup) as Args).every((part) => part === true);
    default:
      throw new Error(`${name} is not supported`);
  }
}

function getAttribute(argument: Value, lookup: Lookup): Value {
  if (typeof argument === 'string') {
    const dot = argument.indexOf('.');
    return lookup.attribute(argument.slice(0, dot), argument.slice(dot + 1));
  }
  const [logicalId, attribute] = argument as Args;
  return lookup.attribute(String(logicalId), toText(walk(attribute, lookup)));
}

function substitute(argument: Value, lookup: Lookup): string {
  const [text, values] = typeof argument === 'string' ? [argument, {}] : (argument as [string, Record<string, Value>]);
  return text.replace(/\$\{(!?)([^}]+)\}/g, (_match, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(values, name)) return toText(walk(values[name], lookup));
    return toText(name.includes('.') ? getAttribute(name, lookup) : lookup.ref(name));
  });
}

function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`expected text, not ${JSON.stringify(value)}`);
}
