import type * as z from 'zod';
import type { ListQuery } from '../../lists/list-engine.ts';
import {
  type ListSource,
  type RefineQuery,
  recordBounds,
  type TimeBound,
  toListQuery,
} from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import { hasWord, type NameResolver } from './names.ts';

// Turns the input of a search tool into query parameters of the list, so that the linked list shows the same records.
// Resolves names as people write them, and reports those that it cannot resolve.

export interface Searchable {
  spec: ListingSpec;
  source: ListSource;
  /** incidents, changes, … */
  plural: string;
  /** For the model. */
  synonyms: string;
  /** The path of the list. */
  path: string;
  /** The fields in the result. */
  shown: readonly string[];
  /** String fields that can be filtered. */
  filters: readonly string[];
  /** The filters whose values are people. */
  people: readonly string[];
  sorts: readonly string[];
  bounds?: Readonly<Record<string, TimeBound>>;
  /** Applies query parameters that are not columns. */
  refine?: RefineQuery;
  /** The states of records that still need work. */
  openStates?: readonly string[];
  /** The ids of records that mean the same in other words. */
  findSimilar?(text: string): Promise<readonly string[]>;
  /** Filters with another name or other values than in the list. */
  extra?: Readonly<Record<string, ExtraFilter>>;
}

export interface ExtraFilter {
  schema: z.ZodType;
  apply(value: unknown, context: ToolContext): Promise<Resolution>;
}

/** A filter as query parameters of the list. */
export interface Resolution {
  parameters?: Parameters;
  /** Words to search for instead of the filter. */
  text?: string;
  /** Why the filter could not be resolved. */
  reason?: string;
}

/** Lists are comma-separated in a URL. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ToolContext {
  nowMs: number;
  names: NameResolver;
}

/** Validated by the schema of the tool. */
export type Filters = Readonly<Record<string, unknown>> & Partial<Pick<ListQuery, 'sort' | 'order'>>;

export async function resolve(searchable: Searchable, input: Filters, context: ToolContext) {
  const { sorts } = searchable;
  const { text, sort = sorts[0] ?? 'created_at', order = 'desc', ...given } = input;
  const filters: Record<string, unknown> = {};
  const resolvedNames: Record<string, string> = {};
  const reasons: string[] = [];
  const texts = [text].filter((each) => typeof each === 'string').filter(hasWord);
  for (const [name, value] of Object.entries(given)) {
    const resolution = await resolveFilter(searchable, name, value, context);
    const { missing, [name]: found, ...others } = resolution.parameters ?? {};
    Object.assign(filters, others, found !== undefined && { [name]: found });
    if (missing) filters.missing = [filters.missing ?? [], missing].flat();
    if (typeof found === 'string' && found.toLowerCase() !== String(value).toLowerCase()) resolvedNames[name] = found;
    if (resolution.text !== undefined) texts.push(resolution.text);
    if (resolution.reason !== undefined) reasons.push(resolution.reason);
  }
  const parameters = { ...filters, q: texts.length > 0 ? texts.join(' ') : undefined, sort, order } as Parameters;
  return { query: await toQuery(searchable, parameters, context), parameters, resolvedNames, reasons };
}

export function toQuery(
  { spec, source, bounds = {}, refine = (query) => query }: Searchable,
  parameters: Parameters,
  { nowMs }: ToolContext,
): ListQuery | Promise<ListQuery> {
  const given = parameters as Parameters & Pick<ListQuery, 'sort' | 'order'>;
  return refine(toListQuery(spec, given, { ...recordBounds, ...bounds }), given, { nowMs, engine: source.engine });
}

async function resolveFilter(
  searchable: Searchable,
  name: string,
  value: unknown,
  context: ToolContext,
): Promise<Resolution> {
  const extra = searchable.extra?.[name];
  if (extra) return extra.apply(value, context);
  if (!searchable.filters.includes(name)) return { parameters: { [name]: value as string | readonly string[] } };
  if (value === null) return { parameters: { missing: name } };
  const text = String(value);
  const found = await context.names.resolve(searchable, name, text);
  // "In Lisbon" includes "Lisbon, floor 2".
  if (found !== undefined && name === 'location' && hasWord(text)) return { text: found };
  if (found !== undefined) return { parameters: { [name]: found } };
  if (text === 'my_team') return { reason: 'your team is not known, because no incident is assigned to you' };
  // Texts may mention a name that no field has.
  const isText = searchable.spec.words.includes(name) && hasWord(text);
  return toUnknown(roles[name] ?? name.replaceAll('_', ' '), text, isText);
}

const roles: Readonly<Record<string, string>> = {
  assigned_to: 'assignee',
  requested_by: 'requester',
  requested_for: 'recipient',
  name: 'configuration item',
};

/** For a name that no record has. Its words are searched for if `isText`. */
export function toUnknown(role: string, name: string, isText: boolean): Resolution {
  const reason = `no ${role} is called "${name}"`;
  return isText ? { text: name, reason: `${reason}; searched for its words instead` } : { reason };
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
