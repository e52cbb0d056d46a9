import { canReadDrafts } from '../../knowledge/article.ts';
import type { ListQuery } from '../../lists/list-engine.ts';
import { toListQuery } from '../../lists/list-records.ts';
import type { Caller } from '../../platform/caller.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { Kind } from './kinds.ts';
import { hasWord, isOwnTeam, type NameResolver } from './names.ts';

// Turns the filters of a tool into query parameters of the list, so that the linked list shows the same records. Resolves
// names as people write them, and reports those that it cannot resolve.

/** Lists are comma-separated in a URL. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ToolContext {
  nowMs: number;
  caller: Pick<Caller, 'email' | 'roles'>;
  names: NameResolver;
}

/** Validated by the schema of the tool. Names are lists of which a record has one. */
export type Filters = Readonly<Record<string, unknown>>;

export interface Resolved {
  parameters: Parameters;
  /** The resolved values of names that differ from the input. */
  resolvedNames: Record<string, string>;
  reasons: string[];
}

export async function resolveFilters(kind: Kind, filters: Filters, context: ToolContext): Promise<Resolved> {
  assertKnown(kind, filters);
  const { text, not = {}, missing = [], ...given } = filters;
  const parameters: Record<string, string | readonly string[]> = {};
  const resolvedNames: Record<string, string> = {};
  const reasons: string[] = [];
  const texts = [text].filter((each) => typeof each === 'string').filter(hasWord);
  const denied: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const { texts: words = [], ...resolution } = await resolveFilter(kind, name, value, context);
    Object.assign(parameters, resolution.parameters);
    reasons.push(...(resolution.reasons ?? []));
    texts.push(...words);
    const found = Object.values(resolution.parameters ?? {})
      .flat()
      .join(' or ');
    // The ids of items say less than their names.
    const isItem = /^(?:ci|depends_on|needed_by)$/.test(name);
    if (isNames(value) && !isItem && found !== '' && found.toLowerCase() !== value.join(' or ').toLowerCase())
      resolvedNames[name] = found.replaceAll(',', ' or ');
  }
  for (const [name, value] of Object.entries(not as Record<string, string[]>)) {
    const resolution = await resolveFilter(kind, name, value, context, true);
    // The words of a name cannot be left out of a search.
    if (!resolution.parameters || resolution.texts)
      reasons.push(`${name.replaceAll('_', ' ')} "${value.join(', ')}" could not be left out`);
    for (const [parameter, values] of Object.entries(resolution.parameters ?? {}))
      denied.push(...[values].flat().map((each) => `${parameter}:${each}`));
  }
  const empty = [
    ...(missing as string[]).map((name) => (name === 'ci' ? (kind.ciParameter ?? name) : name)),
    ...Object.keys(denials)
      .filter((flag) => given[flag] === false)
      .map((flag) => denials[flag] ?? flag),
  ];
  if (kind.plural === 'articles' && !canReadDrafts(context.caller)) parameters.state = ['published'];
  const found = {
    ...parameters,
    ...(empty.length > 0 && { missing: empty }),
    ...(denied.length > 0 && { not: denied }),
    q: texts.length > 0 ? texts.join(' ') : undefined,
  } as Parameters;
  return { parameters: found, resolvedNames, reasons };
}

/** Rejects filters that the kind of record does not have, so that the model does not count on them. */
function assertKnown(kind: Kind, filters: Filters): void {
  const { enums, flags, bounds, optional, plural } = kind;
  const known = new Set([
    ...Object.keys(enums),
    ...kind.names,
    ...flags,
    ...Object.keys(bounds),
    ...['text', 'not', 'missing'],
  ]);
  const names = [...Object.keys(filters), ...Object.keys((filters.not as object) ?? {})];
  const unknown = names.filter((name) => !known.has(name));
  const empty = ((filters.missing as string[]) ?? []).filter((name) => !optional.includes(name));
  if (unknown.length + empty.length > 0)
    throw new ServiceError('invalid_input', `${plural} cannot be filtered by ${[...unknown, ...empty].join(', ')}.`);
}

/** A filter as query parameters of the list. */
interface Resolution {
  parameters?: Record<string, string | readonly string[]>;
  /** Words to search for instead. */
  texts?: string[];
  reasons?: string[];
}

const isNames = (value: unknown): value is string[] => Array.isArray(value);

/** The field that is empty in records without the property. */
const denials: Readonly<Record<string, string>> = { acknowledged: 'acknowledged_at', reopened: 'reopen_count' };

async function resolveFilter(
  kind: Kind,
  name: string,
  value: unknown,
  context: ToolContext,
  isDenied = false,
): Promise<Resolution> {
  if (name === 'ci' || name === 'depends_on' || name === 'needed_by') {
    const parameter = name === 'ci' ? (kind.ciParameter ?? name) : name;
    return resolveItems(parameter, value as string[], context.names, name === 'ci' ? parameter : 'id');
  }
  if (name === 'sla')
    return { parameters: { sla: (value as string[]).map((status) => (status === 'ok' ? 'kept' : status)) } };
  // Every acknowledged incident was acknowledged after the beginning of time.
  if (name === 'acknowledged') return value ? { parameters: { acknowledged_after: '1970-01-01T00:00:00Z' } } : {};
  if (typeof value === 'boolean') return value ? { parameters: { [name]: 'true' } } : {};
  if (name in kind.spec.enums || !isNames(value))
    return { parameters: { [name]: value as string | readonly string[] } };
  const resolve = (each: string) => resolveName(kind, name, each, context, isDenied);
  const parts = (
    await Promise.all(
      value.map(async (each) => {
        const whole = await resolve(each);
        const words = each.split(/,| and | or /).map((part) => part.trim());
        // "Network and security" are two teams, "identity and access" is one.
        return whole.reason === undefined || words.length < 2 ? [whole] : Promise.all(words.map(resolve));
      }),
    )
  ).flat();
  const found = parts.flatMap(({ values }) => values ?? []);
  return {
    ...(found.length > 0 && { parameters: isDenied ? groupByField(found) : joinValues(groupByField(found)) }),
    ...(parts.some(({ text }) => text !== undefined) && { texts: parts.flatMap(({ text }) => text ?? []) }),
    reasons: parts.flatMap(({ reason }) => reason ?? []),
  };
}

function groupByField(found: readonly { field: string; value: string }[]): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  for (const { field, value } of found) grouped[field] = [...(grouped[field] ?? []), value];
  return grouped;
}

const joinValues = (grouped: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(grouped).map(([field, values]) => [field, values.join(',')]));

/** People also call a team by its topic, and a topic by its team. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  category: ['assignment_group'],
  assignment_group: ['category'],
  class: ['environment', 'owner'],
  environment: ['class'],
};

interface ResolvedName {
  values?: { field: string; value: string }[];
  text?: string;
  reason?: string;
}

async function resolveName(
  kind: Kind,
  name: string,
  text: string,
  { names }: ToolContext,
  isDenied: boolean,
): Promise<ResolvedName> {
  for (const field of [name, ...(alternatives[name] ?? []).filter((each) => kind.names.includes(each))]) {
    const isPerson = kind.people.includes(field);
    const found = (await names.resolve(kind, field, text)) ?? (isPerson ? await names.person(text) : undefined);
    // "In Lisbon" includes "Lisbon, floor 2".
    if (field === 'location') {
      const places = await names.places(kind, found ?? text);
      if (places.length > 0 && !isDenied) return { text: found ?? text };
      if (places.length > 0) return { values: places.map((value) => ({ field, value })) };
    }
    if (found !== undefined) return { values: [{ field, value: found }] };
  }
  if (kind.people.includes(name) && text.includes('@')) return { values: [{ field: name, value: text }] };
  if (isOwnTeam(text))
    return text === 'our' ? {} : { reason: 'your team is not known, because no incident is assigned to you' };
  return toUnknown(roles[name] ?? name.replaceAll('_', ' '), text, kind.spec.words.includes(name) && hasWord(text));
}

const roles: Readonly<Record<string, string>> = {
  assigned_to: 'assignee',
  assignment_group: 'team',
  opened_by: 'reporter',
  requested_by: 'requester',
  requested_for: 'recipient',
  created_by: 'author',
  name: 'configuration item',
};

/** For a name that no record has. Its words are searched for if `isText`. */
function toUnknown(role: string, name: string, isText: boolean): { text?: string; reason: string } {
  const reason = `no ${role} is called "${name}"`;
  return isText ? { text: name, reason: `${reason}; searched for its words instead` } : { reason };
}

const maxNamed = 5;

/**
 * If several items match a description, the parameter `candidates` gets their ids. If none matches, its words are searched
 * for in texts, or nothing is found.
 */
async function resolveItems(
  parameter: string,
  values: readonly string[],
  names: NameResolver,
  candidates: string,
): Promise<Resolution> {
  const ids: string[] = [];
  const texts: string[] = [];
  const reasons: string[] = [];
  let isSure = true;
  for (const name of values) {
    const found = await names.items(name);
    ids.push(...found.items.map(({ id }) => id));
    isSure &&= found.isSure;
    if (found.isSure) continue;
    const { text, reason } = toUnknown('configuration item', name, candidates === parameter);
    const choices = found.items.slice(0, maxNamed).map((item) => item.name);
    if (choices.length > 0)
      reasons.push(`no configuration item is called "${name}"; it could be ${choices.join(', ')}`);
    else {
      reasons.push(reason);
      if (text !== undefined) texts.push(text);
    }
  }
  const target = isSure ? parameter : candidates;
  const isUnknown = ids.length === 0 && candidates === parameter;
  return { ...(!isUnknown && { parameters: { [target]: ids } }), ...(texts.length > 0 && { texts }), reasons };
}

/** The parameters as the API parses them. */
export function toQueryParameters(
  { spec }: Kind,
  { missing, not, ...parameters }: Parameters,
): Record<string, unknown> {
  const denied: Record<string, string[]> = {};
  for (const pair of [not ?? []].flat()) {
    const [name = '', ...rest] = pair.split(':');
    denied[name] = [...(denied[name] ?? []), rest.join(':')];
  }
  return {
    ...parameters,
    ...Object.fromEntries(
      (spec.references ?? []).flatMap((name) =>
        parameters[name] === undefined ? [] : [[name, [parameters[name]].flat().flatMap((each) => each.split(','))]],
      ),
    ),
    ...(missing && { missing: [missing].flat() }),
    ...(not && { not: denied }),
    ...Object.fromEntries(
      ['reopened', 'transitive'].filter((name) => parameters[name] !== undefined).map((name) => [name, true]),
    ),
  };
}

export function toQuery(kind: Kind, parameters: Parameters, nowMs: number): ListQuery | Promise<ListQuery> {
  const { spec, source, bounds, refine = (query) => query } = kind;
  const given = { sort: 'created_at', order: 'desc' as const, ...toQueryParameters(kind, parameters) };
  return refine(toListQuery(spec, given, bounds), given, { nowMs, engine: source.engine });
}

export function toPath(path: string, { sort, order, ...filters }: Parameters): string {
  const isDefault = sort === 'created_at' && order === 'desc';
  const given = Object.entries({ ...filters, ...(!isDefault && { sort, order }) });
  const query = new URLSearchParams(
    given.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
  );
  const encoded = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%40', '@');
  return encoded === '' ? path : `${path}?${encoded}`;
}
