import * as z from 'zod';
import type { IncidentDocument } from '../../incidents/incident.ts';
import {
  countRecords,
  findRecords,
  type ListParameters,
  type ListSource,
  type TimeBound,
  toListQuery,
} from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { Replica } from '../../lists/replica.ts';
import type { ListQuery } from '../../lists/scan.ts';
import type { StoredRecord } from '../../records/record.ts';
import type { RunnableTool } from '../model/tool-loop.ts';
import type { NameResolver } from './names.ts';

// A tool that searches one kind of record, and one that counts, made from the filters that its list has. Values that
// records have are part of the schema, so that a model chooses among them. Names may be written as people say them: the
// tool resolves them, and reports what it could not resolve instead of finding nothing.

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
  /** Filters that no list has: they are checked record by record. */
  extra?: Readonly<Record<string, ExtraFilter>>;
}

export interface ExtraFilter {
  schema: z.ZodType;
  /** Turns the value into ids, or into a test of the records; a string says why it was not understood. */
  apply(value: unknown, context: ToolContext): Promise<{ ids: readonly string[] } | { test: RecordTest } | string>;
}

export type RecordTest = (document: Readonly<Record<string, unknown>>) => boolean;

export interface ToolContext {
  callerEmail: string;
  nowMs: number;
  names: NameResolver;
}

const maxShown = 20;

/** More different values than this are too many to choose from. */
const maxChoices = 30;

/** Records that are checked one by one at most. */
const maxChecked = 2_000;

/** A list takes this many ids. */
const maxLinkedIds = 100;

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

/** What a tool found, with the list of the API that shows the same, and what it did not understand. */
export interface Found {
  total: number;
  records?: Record<string, unknown>[];
  by?: string;
  counts?: { value: string | null; count: number }[];
  list?: string;
  /** Present when only this many records were checked, so there may be more. */
  checked_only?: number;
  not_understood?: string[];
}

async function search(searchable: Searchable, { limit = 10, ...input }: Filters, context: ToolContext): Promise<Found> {
  const resolved = await resolve(searchable, input, context);
  const found = await find(searchable, resolved, maxLinkedIds);
  const shown = found.records.slice(0, limit as number).map((record) => toSummary(record, searchable.shown));
  return { total: found.total, records: shown, ...aside(searchable, resolved, found) };
}

async function count(searchable: Searchable, { by, ...input }: Filters, context: ToolContext): Promise<Found> {
  const resolved = await resolve(searchable, input, context);
  if (typeof by !== 'string') {
    const found = await find(searchable, resolved, maxLinkedIds);
    return { total: found.total, ...aside(searchable, resolved, found) };
  }
  const found = await find(searchable, resolved, resolved.isPlain ? 0 : maxChecked);
  const counts = resolved.isPlain
    ? await countRecords(searchable.source, resolved.query, by)
    : tally(found.records, by);
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  return { total, by, counts: counts.slice(0, maxCounts), ...aside(searchable, resolved, found) };
}

function tally(records: readonly StoredRecord<object>[], by: string): { value: string | null; count: number }[] {
  const counts = new Map<string | null, number>();
  for (const { document } of records) {
    const value = ((document as Filters)[by] as string | null | undefined) ?? null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, each]) => ({ value, count: each })).sort((a, b) => b.count - a.count);
}

interface Resolved {
  query: ListQuery;
  tests: readonly RecordTest[];
  ids: readonly string[] | undefined;
  /** The same as parameters of the list. */
  parameters: Readonly<Record<string, string>>;
  notUnderstood: readonly string[];
  /** Whether the list alone can answer. */
  isPlain: boolean;
}

async function resolve(searchable: Searchable, input: Filters, context: ToolContext): Promise<Resolved> {
  const { spec, bounds = {}, extra = {}, people, filters: names, sorts } = searchable;
  const { text, sort = sorts[0]!, order = 'desc', ...given } = input;
  const filters: Record<string, unknown> = {};
  const notUnderstood: string[] = [];
  const tests: RecordTest[] = [];
  let ids: readonly string[] | undefined;
  for (const [name, value] of Object.entries(given)) {
    if (extra[name]) {
      const applied = await extra[name].apply(value, context);
      if (typeof applied === 'string') notUnderstood.push(applied);
      else if ('test' in applied) tests.push(applied.test);
      else ids = applied.ids;
    } else if (names.includes(name) && typeof value === 'string') {
      const found = await context.names.resolve(searchable, name, value, people.includes(name));
      if (found === undefined) notUnderstood.push(`no ${name.replaceAll('_', ' ')} is called "${value}"`);
      else filters[name] = found;
    } else filters[name] = value;
  }
  const q = typeof text === 'string' && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
  const parameters = { ...filters, q, sort, order, ...(ids && { id: ids }) } as unknown as ListParameters;
  return {
    query: toListQuery(spec, parameters, { ...ownTimes, ...bounds }),
    tests,
    ids,
    parameters: toParameters({ ...filters, q, sort, order }),
    notUnderstood,
    isPlain: tests.length === 0 && ids === undefined,
  };
}

interface Fitting {
  total: number;
  /** The first of them. */
  records: readonly StoredRecord<Filters>[];
  /** Whether more records had to be checked than `maxChecked`. */
  isCut: boolean;
}

async function find({ source }: Searchable, { query, tests, ids }: Resolved, max: number): Promise<Fitting> {
  if (ids?.length === 0) return { total: 0, records: [], isCut: false };
  if (tests.length === 0) return { ...(await findRecords<Filters>(source, query, max)), isCut: false };
  const { records, total } = await findRecords<Filters>(source, query, maxChecked);
  const fitting = records.filter(({ document }) => tests.every((test) => test(document)));
  return { total: fitting.length, records: fitting.slice(0, max), isCut: total > records.length };
}

/** A list of the API shows exactly this: by the same filters, or by the ids where no list has such a filter. */
function aside({ path }: Searchable, resolved: Resolved, { total, records, isCut }: Fitting): Partial<Found> {
  const { parameters, isPlain, notUnderstood } = resolved;
  const { sort, order } = parameters;
  const isListable = isPlain && !Object.values(parameters).includes('null');
  const byId = { ...(sort && { sort }), ...(order && { order }), id: records.map(({ id }) => id).join(',') };
  const asked = new URLSearchParams(isListable ? parameters : byId).toString().replaceAll('%2C', ',');
  const canLink = isListable || (total > 0 && total <= maxLinkedIds && records.length === total && !isCut);
  return {
    ...(canLink && { list: asked === '' ? path : `${path}?${asked}` }),
    ...(isCut && { checked_only: maxChecked }),
    ...(notUnderstood.length > 0 && { not_understood: [...notUnderstood] }),
  };
}

function toParameters(given: Filters): Record<string, string> {
  const { sort, order, ...filters } = given;
  const isDefault = sort === 'created_at' && order === 'desc';
  const entries = Object.entries(isDefault ? filters : given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
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
    const known = replica.dictionaries[spec.strings.indexOf(name)]!.values().slice(0, maxChoices);
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
  const times = Object.keys({ ...ownTimes, ...bounds }).map((name) => [
    name,
    moment(`Only ${plural} with ${name.replaceAll('_', ' ')} this moment.`),
  ]);
  const text = z.string().max(200).optional().meta({ description: 'Words that all must occur in the text.' });
  const others = Object.entries(extra).map(([name, { schema }]) => [name, schema]);
  return { ...Object.fromEntries([...enums, ...strings, ...times, ...others]), text };
}

const ownTimes: Readonly<Record<string, TimeBound>> = {
  created_after: { after: 'created_at' },
  created_before: { before: 'created_at' },
  updated_after: { after: 'updated_at' },
  updated_before: { before: 'updated_at' },
};

export function toSummary(
  record: Pick<StoredRecord<object>, 'id' | 'document' | 'created_at'>,
  shown: readonly string[],
) {
  const document = record.document as Readonly<Record<string, unknown>>;
  const fields = shown.map((name) => [name, document[name] ?? null]);
  return { id: record.id, ...Object.fromEntries(fields), created_at: record.created_at };
}

/** Of the clock of an incident; `breached` also after it was resolved. */
export function slaStatus({ sla, sla_breach_at }: Pick<IncidentDocument, 'sla' | 'sla_breach_at'>, nowMs: number) {
  const marks = sla.marks[sla.priority];
  if (marks?.breached_at !== undefined || (sla_breach_at !== null && Date.parse(sla_breach_at) <= nowMs))
    return 'breached';
  return marks?.warned_at !== undefined && sla_breach_at !== null ? 'at_risk' : 'ok';
}
