import * as z from 'zod';
import { type ListSource, listRecords } from '../../lists/list-records.ts';
import { type ListParameters, listQueryOf, type TimeBound } from '../../lists/list-resource.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { Replica } from '../../lists/replica.ts';
import type { StoredRecord } from '../../records/record.ts';
import type { RunnableTool } from '../model/tool-loop.ts';

// A tool that searches one kind of record, and one that counts, made from what lists of that kind filter by. Values that
// records really have are part of the schema, so that a model chooses among them instead of guessing.

export interface Searchable {
  spec: ListingSpec;
  source: ListSource;
  /** In plain words: incidents, changes. */
  plural: string;
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
  return [
    {
      name: `search_${plural}`,
      description: `Finds ${plural}; all filters must hold. Gives the total and the newest of them.`,
      input: search,
      run: (input) => find(searchable, input as Record<string, unknown>),
    },
    {
      name: `count_${plural}`,
      description: `Counts ${plural}; all filters must hold.`,
      input: z.strictObject(filters),
      run: async (input) => {
        const { total } = await find(searchable, { ...(input as object), limit: 1 });
        return { total };
      },
    },
  ];
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
    return [name, choice.optional().meta({ description: `Exactly this ${name.replaceAll('_', ' ')}.` })];
  });
  // The patterns of ISO 8601 would take most of the prompt; a model knows the format by its name.
  const moment = (description: string) =>
    z
      .string()
      .refine((text) => !Number.isNaN(Date.parse(text)), 'must be an ISO 8601 timestamp')
      .optional()
      .meta({ description, format: 'date-time' });
  const times = Object.keys({ ...creation, ...bounds }).map((name) => [
    name,
    moment(`Only ${plural} with ${name.replaceAll('_', ' ')} this moment.`),
  ]);
  const text = z.string().max(200).optional().meta({ description: 'Words that all must occur in the text.' });
  return { ...Object.fromEntries([...enums, ...strings, ...times]), text };
}

const creation: Readonly<Record<string, TimeBound>> = {
  created_after: { after: 'created_at' },
  created_before: { before: 'created_at' },
};

interface Found {
  total: number;
  records: Record<string, unknown>[];
}

async function find({ spec, source, shown, bounds = {} }: Searchable, input: Record<string, unknown>): Promise<Found> {
  const { text, limit = 10, sort = 'created_at', ...filters } = input;
  const q = typeof text === 'string' && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
  const parameters = { ...filters, q, sort, order: 'desc', limit } as unknown as ListParameters;
  const { data, total } = await listRecords<Record<string, unknown>, Record<string, unknown>>(
    source,
    listQueryOf(spec, parameters, { ...creation, ...bounds }),
    { limit: limit as number },
    (record) => summaryOf(record, shown),
  );
  return { total, records: data };
}

export function summaryOf(record: StoredRecord<Readonly<Record<string, unknown>>>, shown: readonly string[]) {
  const fields = shown.map((name) => [name, record.document[name] ?? null]);
  return { id: record.id, ...Object.fromEntries(fields), created_at: record.created_at };
}
