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
import type { StoredRecord } from '../../records/record.ts';
import type { RunnableTool } from '../model/tool-loop.ts';
import { hasWord, type NameResolver } from './names.ts';

// A tool that searches one kind of record, and one that counts. Both turn their input into query parameters of the list, so
// that the list at the linked path shows the same records. Values that records have are part of the schema, so that a model
// chooses among them. Names may be written as people say them: the tool resolves them, and reports what it could not resolve.
// A search that finds nothing reports how many records it would find without each of its filters.

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
  /** Turns the value into query parameters of the list; a string says why it was not understood. */
  apply(value: unknown, context: ToolContext): Promise<Parameters | string>;
}

/** Lists of strings are comma-separated in an address. */
type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ToolContext {
  callerEmail: string;
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
  const groupable = [...Object.keys(spec.enums), ...searchable.filters] as [string, ...string[]];
  return [
    {
      name: `search_${plural}`,
      description: `Finds ${plural} (${also}); all filters must hold. Gives the total and the first of them.`,
      input: z.strictObject({
        ...filters,
        sort: z.enum(sorts as [string, ...string[]]).optional(),
        order: z.enum(['asc', 'desc']).optional().meta({ description: 'desc (newest first) by default.' }),
        limit: z.int().min(1).max(maxShown).optional().meta({ description: 'How many to show; 10 by default.' }),
      }),
      run: (input) => search(searchable, input as Filters, context),
    },
    {
      name: `count_${plural}`,
      description: `Counts ${plural} (${also}); all filters must hold.`,
      input: z.strictObject({
        ...filters,
        by: z.enum(groupable).optional().meta({ description: 'A count for each value of this field.' }),
      }),
      run: (input) => count(searchable, input as Filters, context),
    },
  ];
}

type Filters = Readonly<Record<string, unknown>>;

/** As the schema of the tool has checked it. */
type Sorted = Filters & Partial<Pick<ListQuery, 'sort' | 'order'>>;

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

async function search(searchable: Searchable, { limit = 10, ...input }: Filters, context: ToolContext): Promise<Found> {
  const resolved = await resolve(searchable, input, context);
  const found = await findRecords<Filters>(searchable.source, resolved.query, limit as number);
  const records = found.records.map((record) => toSummary(record, searchable.shown));
  return { total: found.total, records, ...(await explain(searchable, resolved, input, context, found.total)) };
}

async function count(searchable: Searchable, { by, ...input }: Filters, context: ToolContext): Promise<Found> {
  const resolved = await resolve(searchable, input, context);
  if (typeof by !== 'string') {
    const { total } = await findRecords(searchable.source, resolved.query, 0);
    return { total, ...(await explain(searchable, resolved, input, context, total)) };
  }
  const counts = await countRecords(searchable.source, resolved.query, by);
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  const aside = await explain(searchable, resolved, input, context, total);
  return { total, by, counts: counts.slice(0, maxCounts), ...aside };
}

interface Resolved {
  query: ListQuery;
  parameters: Parameters;
  meant: Record<string, string>;
  notUnderstood: string[];
}

async function resolve(searchable: Searchable, input: Filters, context: ToolContext): Promise<Resolved> {
  const { spec, bounds = {}, extra = {}, people, filters: names, sorts, refine = (query) => query } = searchable;
  const { text, sort = sorts[0] ?? 'created_at', order = 'desc', ...given } = input as Sorted;
  const filters: Record<string, unknown> = {};
  const meant: Record<string, string> = {};
  const missing: string[] = [];
  const notUnderstood: string[] = [];
  const texts = typeof text === 'string' && hasWord(text) ? [text] : [];
  for (const [name, value] of Object.entries(given)) {
    if (extra[name]) {
      const parameters = await extra[name].apply(value, context);
      if (typeof parameters === 'string') notUnderstood.push(parameters);
      else Object.assign(filters, parameters);
    } else if (names.includes(name) && value === null) missing.push(name);
    else if (names.includes(name) && typeof value === 'string') {
      const isPerson = people.includes(name);
      const found = await context.names.resolve(searchable, name, value, isPerson);
      if (found !== undefined) {
        filters[name] = found;
        if (found.toLowerCase() !== value.toLowerCase()) meant[name] = found;
        continue;
      }
      // A product that nobody has ordered under this name may still be in a text.
      const isText = spec.words.includes(name) && hasWord(value);
      if (isText) texts.push(value);
      const reason = `no ${roles[name] ?? name.replaceAll('_', ' ')} is called "${value}"`;
      if (value === 'my_team') notUnderstood.push('your team is not known, because no incident is assigned to you');
      else notUnderstood.push(isText ? `${reason}; searched for its words instead` : reason);
    } else filters[name] = value;
  }
  const q = texts.length > 0 ? texts.join(' ') : undefined;
  const parameters = { ...filters, missing: missing.length > 0 ? missing : undefined, q, sort, order };
  const query = toListQuery(spec, parameters, { ...recordBounds, ...bounds });
  return {
    query: await refine(query, parameters, { nowMs: context.nowMs, replica: searchable.source.replica }),
    parameters: parameters as Parameters,
    meant,
    notUnderstood,
  };
}

const roles: Readonly<Record<string, string>> = {
  assigned_to: 'assignee',
  requested_by: 'requester',
  requested_for: 'recipient',
  name: 'configuration item',
};

async function explain(
  searchable: Searchable,
  { parameters, meant, notUnderstood }: Resolved,
  input: Filters,
  context: ToolContext,
  total: number,
): Promise<Partial<Found>> {
  return {
    list: toPath(searchable.path, parameters),
    ...(Object.keys(meant).length > 0 && { meant }),
    ...(total === 0 && { without: await countWithoutEach(searchable, input, context) }),
    ...(notUnderstood.length > 0 && { not_understood: notUnderstood }),
  };
}

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
    given.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(',')] as [string, string]],
    ),
  );
  const asked = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%40', '@');
  return asked === '' ? path : `${path}?${asked}`;
}

function filterSchemas(searchable: Searchable, replica: Replica): Record<string, z.ZodType> {
  const { spec, filters, people, bounds = {}, plural, extra = {} } = searchable;
  const enums = Object.entries(spec.enums).map(([name, values]) => [
    name,
    z
      .array(z.enum(values as [string, ...string[]]))
      .min(1)
      .optional()
      .meta({ description: `Any of these values of ${name}.` }),
  ]);
  const strings = filters.map((name) => {
    const known = replica.dictionaries[spec.strings.indexOf(name)]?.values().slice(0, maxChoices) ?? [];
    const special = people.includes(name)
      ? ' `me` is the caller.'
      : name === 'assignment_group'
        ? " `my_team` is the caller's."
        : '';
    const meta = {
      description: `This ${name.replaceAll('_', ' ')}, as people say it; null for none.${special}`,
      examples: known,
    };
    return [name, z.string().max(254).nullable().optional().meta(meta)];
  });
  // A model knows the format by its name; its patterns would take most of the prompt.
  const moment = (description: string) =>
    z
      .string()
      .refine((given) => !Number.isNaN(Date.parse(given)), 'must be an ISO 8601 timestamp')
      .optional()
      .meta({ description, format: 'date-time' });
  const times = Object.keys({ ...recordBounds, ...bounds }).map((name) => [
    name,
    moment(`Only ${plural} with ${name.replaceAll('_', ' ')} this moment.`),
  ]);
  const text = z.string().max(200).optional().meta({ description: 'Words that all must occur in the text.' });
  const others = Object.entries(extra).map(([name, { schema }]) => [name, schema]);
  return { ...Object.fromEntries([...enums, ...strings, ...times, ...others]), text };
}

export function toSummary(
  record: Pick<StoredRecord<object>, 'id' | 'document' | 'created_at'>,
  shown: readonly string[],
) {
  const document = record.document as Readonly<Record<string, unknown>>;
  const fields = shown.map((name) => [name, document[name] ?? null]);
  return { id: record.id, ...Object.fromEntries(fields), created_at: record.created_at };
}
