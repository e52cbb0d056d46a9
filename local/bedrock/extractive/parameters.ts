// What a tool's schema says of its parameters: what values they take, and by what words people speak of them. The names
// are read as English; nothing here is about one tool.
import type { Schema } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { stemsOf } from './wording.ts';

export interface Parameter {
  name: string;
  schema: Schema;
  /** Records without a value can be asked for. */
  nullable: boolean;
  /** The values it takes, where they are listed. */
  values: readonly string[] | undefined;
  /** Takes several values at once. */
  several: 'list' | 'commas' | undefined;
  kind: 'choice' | 'name' | 'person' | 'time' | 'number' | 'words' | 'grouping' | 'order';
  /** Phrases by which a value is announced, as stems: "assigned to", "team". */
  handles: readonly (readonly string[])[];
}

export function parametersOf(schema: Schema): Parameter[] {
  const names = Object.keys(schema.properties ?? {});
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { schema: own, isNullable: nullable } = withoutNull(property);
    const listed = own.type === 'array' ? withoutNull(own.items ?? {}).schema.enum : own.enum;
    const values = listed?.filter((value) => typeof value === 'string');
    const several = own.type === 'array' ? 'list' : /comma/i.test(own.description ?? '') ? 'commas' : undefined;
    const handles = handlesOf(name, names).map(stemsOf);
    return { name, schema: own, nullable, values, several, kind: kindOf(name, own, values), handles };
  });
}

function kindOf(name: string, schema: Schema, values: readonly string[] | undefined): Parameter['kind'] {
  if (/^(sort|sort_by|order|order_by)$/.test(name)) return 'order';
  if (/^(by|group_by|per|grouped_by|count_by)$/.test(name)) return 'grouping';
  if (/^(q|query|text|words|search|question|terms|keywords)$/.test(name)) return 'words';
  if (/date|time/.test(schema.format ?? '')) return 'time';
  if (/integer|number/.test(String(schema.type))) return 'number';
  if (/group|team/.test(name)) return 'name';
  if (/assign|owner|mail|author|requested|opened/.test(name)) return 'person';
  return values && !/category|class|location|environment|name|product|service|item/.test(name) ? 'choice' : 'name';
}

const otherNames: readonly [name: RegExp, ...phrases: string[]][] = [
  [/group|team/, 'team', 'group', 'squad'],
  [/^assign(ed_to|ee)$/, 'assigned to', 'assignee', 'handled by', 'worked on by'],
  [/^owne/, 'owner', 'owned by', 'belonging to', 'belongs to', 'belong to'],
  [/^requested/, 'requested by', 'requester'],
  [/^opened/, 'opened by', 'reported by'],
  [/location/, 'location', 'located in', 'located at', 'site'],
  [/environment/, 'environment', 'env'],
  [/class/, 'class', 'kind'],
  [/^type$/, 'type', 'kind'],
  [/priority|severity/, 'priority', 'prio', 'severity'],
  [/state|status/, 'state', 'status'],
  [/^name$/, 'name', 'named', 'called'],
];

/** A class is a type to whoever asks, unless something else is called so. */
function handlesOf(name: string, all: readonly string[]): string[] {
  const others = otherNames.flatMap(([pattern, ...phrases]) => (pattern.test(name) ? phrases : []));
  const type = /class/.test(name) && !all.includes('type') ? ['type'] : [];
  return [...new Set([name.replaceAll('_', ' '), ...others, ...type])].sort((a, b) => b.length - a.length);
}
