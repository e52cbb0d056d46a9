import * as z from 'zod';
import {
  countRecords,
  findRecords,
  type ListParameters,
  type ListSource,
  listQueryOf,
  type TimeBound,
} from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { Replica } from '../../lists/replica.ts';
import type { ListQuery } from '../../lists/scan.ts';
import type { StoredRecord } from '../../records/record.ts';
import type { RunnableTool } from '../model/tool-loop.ts';

// A tool that searches one kind of record, and one that counts, made from what lists of that kind filter by. Values that
// records really have are part of the schema, so that a model chooses among them instead of guessing.

export interface Searchable {
  spec: ListingSpec;
  source: ListSource;
  /** In plain words: incidents, changes. */
  plural: string;
  /** Other words for it. */
  also: string;
  /** Fields of a record that a model gets to see. */
  shown: readonly string[];
  /** Strings that it may filter by. */
  filters: readonly string[];
  bounds?: Readonly<Record<string, TimeBound>>;
}

const mostShown = 20;

/** More different values than this are no choice any more. */
const mostChoices = 30;

export async function searchTools(searchable: Searchable): Promise<RunnableTool[]> {
  const { plural } = searchable;
  const filters = filtersOf(searchable, await searchable.source.replica.caughtUp());
  const search = z.strictObject({
    ...filters,
    sort: z.enum(['created_at', 'updated_at']).optional().meta({ description: 'Newest first.' }),
    limit: z.int().min(1).max(mostShown).optional().meta({ description: 'How many to show; 10 unless told.' }),
  });
  const fields = [...Object.keys(searchable.spec.enums), ...searchable.filters] as [string, ...string[]];
  return [
    {
      name: `search_${plural}`,
      description: `Finds ${plural} (${searchable.also}); all filters must hold. Gives the total and the newest of them.`,
      input: search,
      run: (input) => find(searchable, input as Record<string, unknown>),
    },
    {
      name: `count_${plural}`,
      description: `Counts ${plural} (${searchable.also}); all filters must hold.`,
      input: z.strictObject({
        ...filters,
        by: z.enum(fields).optional().meta({ description: 'A count for each value of this field.' }),
      }),
      run: (input) => count(searchable, input as Record<string, unknown>),
    },
  ];
}

/** More values than this are added up. */
const mostCounts = 20;

async function count(searchable: Searchable, { by, ...filters }: Record<string, unknown>) {
  const query = queryOf(searchable, filters);
  if (typeof by !== 'string') {
    const { total } = await findRecords(searchable.source, query, 0);
    return { total };
  }
  const counts = await countRecords(searchable.source, query, by);
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  const others = counts.slice(mostCounts).reduce((sum, each) => sum + each.count, 0);
  return { total, by, counts: counts.slice(0, mostCounts), ...(others > 0 && { others }) };
}

function filtersOf({ spec, filters, bounds = {}, plural }: Searchable, replica: Replica): Record<string, z.ZodType> {
  const enums = Object.entries(spec.enums).map(([name, values]) => [
    name,
    z
      .array(z.enum(values as [string, ...string[]]))
      .min(1)
      .optional()
      .meta({ description: `Any of these values of ${name}.` }),
  ]);
  const strings = filters.map((name) => {
    const known = replica.dictionaries[spec.strings.indexOf(name)]!.values();
    const choice =
      known.length > 0 && known.length <= mostChoices ? z.enum(known as [string, ...string[]]) : z.string();
    const description = `Exactly this ${name.replaceAll('_', ' ')}; null for none.`;
    return [name, choice.nullable().optional().meta({ description })];
  });
  // The patterns of ISO 8601 would take most of the prompt; a model knows the format by its name.
  const moment = (description: string) =>
    z
      .string()
      .refine((text) => !Number.isNaN(Date.parse(text)), 'must be an ISO 8601 timestamp')
      .optional()
      .meta({ description, format: 'date-time' });
  const times = Object.keys({ ...ownTimes, ...bounds }).map((name) => [
    name,
    moment(`Only ${plural} with ${name.replaceAll('_', ' ')} this moment.`),
  ]);
  const text = z.string().max(200).optional().meta({ description: 'Words that all must occur in the text.' });
  return { ...Object.fromEntries([...enums, ...strings, ...times]), text };
}

const ownTimes: Readonly<Record<string, TimeBound>> = {
  created_after: { after: 'created_at' },
  created_before: { before: 'created_at' },
  updated_after: { after: 'updated_at' },
  updated_before: { before: 'updated_at' },
};

interface Found {
  total: number;
  records: Record<string, unknown>[];
}

async function find(searchable: Searchable, input: Record<string, unknown>): Promise<Found> {
  const { limit = 10, ...filters } = input;
  const { total, records } = await findRecords<Readonly<Record<string, unknown>>>(
    searchable.source,
    queryOf(searchable, filters),
    limit as number,
  );
  return { total, records: records.map((record) => summaryOf(record, searchable.shown)) };
}

function queryOf({ spec, bounds = {} }: Searchable, input: Record<string, unknown>): ListQuery {
  const { text, sort = 'created_at', ...filters } = input;
  const q = typeof text === 'string' && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
  const parameters = { ...filters, q, sort, order: 'desc' } as unknown as ListParameters;
  return listQueryOf(spec, parameters, { ...ownTimes, ...bounds });
}

export function summaryOf(record: StoredRecord<object>, shown: readonly string[]) {
  const document = record.document as Readonly<Record<string, unknown>>;
  const fields = shown.map((name) => [name, document[name] ?? null]);
  return { id: record.id, ...Object.fromEntries(fields), created_at: record.created_at };
}
