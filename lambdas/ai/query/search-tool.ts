import * as z from 'zod';
import {
  countRecords,
  findRecords,
  type ListSource,
  type RefineQuery,
  recordBounds,
  type TimeBound,
  toListQuery,
} from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { Replica } from '../../lists/replica.ts';
import type { ListQuery } from '../../lists/scan.ts';
import type { RunnableTool } from '../model/model.ts';
import { hasWord, type NameResolver } from './names.ts';

// A tool that searches one kind of record, and one that counts. Both turn their input into query parameters of the list, so
// that the list at the linked path shows the same records. Values that records have are part of the schema, so that a model
// chooses among them. Names may be written as people say them: the tool resolves them, and reports what it could not resolve.

export interface Searchable {
  spec: ListingSpec;
  source: ListSource;
  /** In plain words: incidents, changes. */
  plural: string;
  /** Other words for it. */
  also: string;
  /** Where the API lists them. */
  path: string;
  /** Fields of a record that a model gets to see. */
  shown: readonly string[];
  /** Strings that it may filter by. */
  filters: readonly string[];
  /** Those of the filters that are people. */
  people: readonly string[];
  sorts: readonly string[];
  bounds?: Readonly<Record<string, TimeBound>>;
  /** Applies query parameters that are not columns. */
  refine?: RefineQuery;
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
  /** Searched for instead of the filter. */
  text?: string;
  /** Why the filter was not understood as it was said. */
  reason?: string;
}

/** Lists of strings are comma-separated in an address. */
type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ToolContext {
  nowMs: number;
  names: NameResolver;
}

const maxShown = 20;

/** More different values than this are too many to choose from. */
const maxChoices = 30;

/** More values than this are added up. */
const maxCounts = 20;

export async function searchTools(searchable: Searchable, context: ToolContext): Promise<RunnableTool[]> {
  const { plural, also, sorts, spec } = searchable;
  const filters = filterSchemas(searchable, await searchable.source.replica.refresh());
  const run = (input: unknown) => runSearch(searchable, input as Input, context);
  return [
    {
      name: `search_${plural}`,
      description: `Finds ${plural} (${also}); all filters must hold. Gives the total and the first of them.`,
      input: z.strictObject({
        ...filters,
        sort: z.enum(sorts).optional(),
        order: z.enum(['asc', 'desc']).optional().meta({ description: 'desc (newest first) by default.' }),
        limit: z.int().min(1).max(maxShown).optional().meta({ description: 'How many to show; 10 by default.' }),
      }),
      run,
    },
    {
      name: `count_${plural}`,
      description: `Counts ${plural} (${also}); all filters must hold.`,
      input: z.strictObject({
        ...filters,
        by: z
          .enum([...Object.keys(spec.enums), ...searchable.filters])
          .optional()
          .meta({ description: 'A count for each value of this field.' }),
      }),
      run: async (input) => {
        const { records: _, ...counted } = await run(input);
        return counted;
      },
    },
  ];
}

/** As the schema of the tool has checked it. */
type Filters = Readonly<Record<string, unknown>> & Partial<Pick<ListQuery, 'sort' | 'order'>>;
type Input = Filters & { limit?: number; by?: string };

/** What a tool found, with the list of the API that shows the same, and what it did not understand. */
export interface Found {
  total: number;
  records?: Record<string, unknown>[];
  by?: string;
  counts?: { value: string | null; count: number }[];
  list?: string;
  /** The values behind names, where they differ. */
  meant?: Record<string, string>;
  /** Present when nothing was found: the filters without which there are records, and how many. */
  without?: { filter: string; total: number }[];
  not_understood?: string[];
}

async function runSearch(searchable: Searchable, input: Input, context: ToolContext): Promise<Found> {
  const { limit = 10, by, ...filters } = input;
  const { source, shown, path } = searchable;
  const { query, parameters, meant, reasons } = await resolve(searchable, filters, context);
  const counts = by === undefined ? [] : (await countRecords(source, query, by)).slice(0, maxCounts);
  const { total, records } = await findRecords<Record<string, unknown>>(source, query, by === undefined ? limit : 0);
  const summaries = records.map(({ id, document, created_at }) => {
    const fields = shown.map((name) => [name, document[name] ?? null]);
    return { id, ...Object.fromEntries(fields), created_at };
  });
  return {
    total,
    ...(by === undefined ? { records: summaries } : { by, counts }),
    // No list shows the items with no id.
    ...(parameters.id?.length !== 0 && { list: toPath(path, parameters) }),
    ...(Object.keys(meant).length > 0 && { meant }),
    ...(total === 0 && { without: await countWithoutEach(searchable, filters, context) }),
    ...(reasons.length > 0 && { not_understood: reasons }),
  };
}

async function resolve(searchable: Searchable, input: Filters, context: ToolContext) {
  const { spec, bounds = {}, sorts, refine = (query) => query } = searchable;
  const { text, sort = sorts[0] ?? 'created_at', order = 'desc', ...given } = input;
  const filters: Record<string, unknown> = {};
  const meant: Record<string, string> = {};
  const reasons: string[] = [];
  const texts = [text].filter((each) => typeof each === 'string').filter(hasWord);
  for (const [name, value] of Object.entries(given)) {
    const resolution = await resolveFilter(searchable, name, value, context);
    const { missing, [name]: found, ...others } = resolution.parameters ?? {};
    Object.assign(filters, others, found !== undefined && { [name]: found });
    if (missing) filters.missing = [filters.missing ?? [], missing].flat();
    if (typeof found === 'string' && found.toLowerCase() !== String(value).toLowerCase()) meant[name] = found;
    if (resolution.text !== undefined) texts.push(resolution.text);
    if (resolution.reason !== undefined) reasons.push(resolution.reason);
  }
  const parameters = { ...filters, q: texts.length > 0 ? texts.join(' ') : undefined, sort, order };
  const query = toListQuery(spec, parameters, { ...recordBounds, ...bounds });
  const refined = await refine(query, parameters, { nowMs: context.nowMs, replica: searchable.source.replica });
  return { query: refined, parameters: parameters as Parameters, meant, reasons };
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
  const said = String(value);
  const found = await context.names.resolve(searchable, name, said);
  if (found !== undefined) return { parameters: { [name]: found } };
  if (said === 'my_team') return { reason: 'your team is not known, because no incident is assigned to you' };
  // A product that nobody has ordered under this name may still be in a text.
  const isText = searchable.spec.words.includes(name) && hasWord(said);
  return toUnknown(roles[name] ?? name.replaceAll('_', ' '), said, isText);
}

const roles: Readonly<Record<string, string>> = {
  assigned_to: 'assignee',
  requested_by: 'requester',
  requested_for: 'recipient',
  name: 'configuration item',
};

/** Nothing has that name, so it is no filter; its words may be searched for. */
export function toUnknown(role: string, said: string, isText: boolean): Resolution {
  const reason = `no ${role} is called "${said}"`;
  return isText ? { text: said, reason: `${reason}; searched for its words instead` } : { reason };
}

/** The filters without which records are found. */
async function countWithoutEach(searchable: Searchable, input: Filters, context: ToolContext) {
  // The two ends of a time are one filter.
  const toFilter = (name: string) => name.replace(/_(after|before)$/, '_time');
  const names = Object.keys(input).filter((name) => !/^(sort|order)$/.test(name));
  const counted = [...new Set(names.map(toFilter))].map(async (filter) => {
    const others = Object.fromEntries(Object.entries(input).filter(([name]) => toFilter(name) !== filter));
    const { query } = await resolve(searchable, others, context);
    return { filter, total: (await findRecords(searchable.source, query, 0)).total };
  });
  return (await Promise.all(counted)).filter(({ total }) => total > 0);
}

function toPath(path: string, { sort, order, ...filters }: Parameters): string {
  const isDefault = sort === 'created_at' && order === 'desc';
  const given = Object.entries({ ...filters, ...(!isDefault && { sort, order }) });
  const query = new URLSearchParams(
    given.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
  );
  const asked = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%40', '@');
  return asked === '' ? path : `${path}?${asked}`;
}

function filterSchemas({ spec, filters, people, bounds, plural, extra = {} }: Searchable, replica: Replica) {
  const schemas: Record<string, z.ZodType> = {};
  for (const [name, values] of Object.entries(spec.enums)) {
    const description = `Any of these values of ${name}.`;
    schemas[name] = z.array(z.enum(values)).min(1).optional().meta({ description });
  }
  for (const name of filters) {
    const examples = replica.dictionaries[spec.strings.indexOf(name)]?.values().slice(0, maxChoices) ?? [];
    const own = name === 'assignment_group' ? " `my_team` is the caller's." : '';
    const special = people.includes(name) ? ' `me` is the caller.' : own;
    const description = `This ${name.replaceAll('_', ' ')}, as people say it; null for none.${special}`;
    schemas[name] = z.string().max(254).nullable().optional().meta({ description, examples });
  }
  for (const name of Object.keys({ ...recordBounds, ...bounds })) {
    const description = `Only ${plural} with ${name.replaceAll('_', ' ')} this moment.`;
    // A model knows the format by its name; the pattern of z.iso.datetime would take most of the prompt.
    schemas[name] = z
      .string()
      .refine((given) => !Number.isNaN(Date.parse(given)), 'must be an ISO 8601 timestamp')
      .optional()
      .meta({ description, format: 'date-time' });
  }
  for (const [name, { schema }] of Object.entries(extra)) schemas[name] = schema;
  schemas.text = z.string().max(200).optional().meta({ description: 'Words that all must occur in the text.' });
  return schemas;
}
