import * as z from 'zod';
import type { ListQuery } from '../../lists/list-engine.ts';
import { findRecords, recordBounds } from '../../lists/list-records.ts';
import type { RunnableTool } from '../model/language-model.ts';
import { type Filters, resolve, type Searchable, type ToolContext, toPath, toQuery } from './resolve-filters.ts';

// For each kind of record, a tool that searches and a tool that counts. The schemas include existing values, so that the
// model chooses among them.

const maxShown = 20;

/** Values in the schema of a filter. */
const maxChoices = 30;

/** Groups of a count. */
const maxCounts = 20;

export async function searchTools(searchable: Searchable, context: ToolContext): Promise<RunnableTool[]> {
  const { plural, synonyms, sorts, spec } = searchable;
  const filters = await filterSchemas(searchable);
  const countable = [...Object.keys(spec.enums), ...searchable.filters];
  const run = (input: unknown) => runSearch(searchable, input as Input, context);
  return [
    {
      name: `search_${plural}`,
      description: `Searches ${plural} (${synonyms}) that match all filters. Returns the total and the first matches.`,
      input: z.strictObject({
        ...filters,
        sort: z.enum(sorts).optional(),
        order: z.enum(['asc', 'desc']).optional().meta({ description: 'Default: desc (newest first).' }),
        limit: z
          .int()
          .min(1)
          .max(maxShown)
          .optional()
          .meta({ description: 'Maximum number of records in the result. Default: 10.' }),
      }),
      run,
    },
    {
      name: `count_${plural}`,
      description: `Counts ${plural} (${synonyms}) that match all filters.`,
      input: z.strictObject({
        ...filters,
        by: z.enum(countable).optional().meta({ description: 'Return one count for each value of this field.' }),
        then_by: z
          .enum(countable)
          .optional()
          .meta({ description: 'With `by`: return one count for each value of this field in each group.' }),
        limit: z
          .int()
          .min(1)
          .max(maxCounts)
          .optional()
          .meta({ description: `With \`by\`: maximum number of groups, largest first. Default: ${maxCounts}.` }),
      }),
      run: async (input) => {
        const { records: _, ...counted } = await run(input);
        return counted;
      },
    },
  ];
}

type Input = Filters & { limit?: number; by?: string; then_by?: string };

interface Group {
  value: string | null;
  count: number;
  /** With `then_by`. */
  counts?: readonly Group[];
}

/** The result of a tool, with the path of the list that shows the same. */
export interface Found {
  total: number;
  records?: Record<string, unknown>[];
  by?: string;
  counts?: readonly Group[];
  /** Present without a filter by state: the number of open records. */
  open?: number;
  /** Present when no record has these words: the records are similar in meaning. */
  similar_to?: string;
  list?: string;
  /** The resolved values of names that differ from the input. */
  resolved?: Record<string, string>;
  /** Present when nothing was found: the filters that exclude records, with the total without each. */
  without?: { filter: string; total: number }[];
  not_understood?: string[];
}

async function runSearch(searchable: Searchable, input: Input, context: ToolContext): Promise<Found> {
  const { limit, by, then_by, ...filters } = input;
  const { source, shown, path, openStates } = searchable;
  const resolved = await resolve(searchable, filters, context);
  const similar = await resolveSimilar(searchable, resolved, context);
  const { query, parameters, resolvedNames, reasons } = similar ?? resolved;
  const counts = by === undefined ? [] : (await countGroups(searchable, query, by, then_by)).slice(0, limit);
  const maxRecords = by === undefined ? (limit ?? 10) : 0;
  const { total, records } = await findRecords<Record<string, unknown>>(source, query, maxRecords);
  const isCounted = openStates && total > 0 && parameters.state === undefined && by === undefined;
  const summaries = records.map(({ id, document, created_at }) => {
    const fields = shown.map((name) => [name, document[name] ?? null]);
    return { id, ...Object.fromEntries(fields), created_at };
  });
  return {
    total,
    ...(by === undefined ? { records: summaries } : { by, counts }),
    ...(isCounted && { open: (await findRecords(source, withValues(query, 'state', openStates), 0)).total }),
    ...(similar && { similar_to: resolved.query.text ?? '' }),
    // No list corresponds to an empty list of ids.
    ...(parameters.id?.length !== 0 && { list: toPath(path, parameters) }),
    ...(Object.keys(resolvedNames).length > 0 && { resolved: resolvedNames }),
    ...(total === 0 && { without: await countWithoutEach(searchable, filters, context) }),
    ...(reasons.length > 0 && { not_understood: reasons }),
  };
}

async function countGroups(
  { source, spec }: Searchable,
  query: ListQuery,
  by: string,
  thenBy: string | undefined,
): Promise<Group[]> {
  const groups = (await source.engine.countValues(query, by)).slice(0, maxCounts);
  if (thenBy === undefined) return groups;
  const toGroup = async ({ value, count }: Group) => {
    const isEnum = by in spec.enums && value !== null;
    const inGroup = isEnum ? withValues(query, by, [value]) : { ...query, strings: { ...query.strings, [by]: value } };
    return { value, count, counts: (await source.engine.countValues(inGroup, thenBy)).slice(0, maxCounts) };
  };
  return Promise.all(groups.map(toGroup));
}

function withValues(query: ListQuery, name: string, values: readonly string[]): ListQuery {
  return { ...query, enums: { ...query.enums, [name]: values } };
}

type Resolved = Awaited<ReturnType<typeof resolve>>;

/** Searches by meaning if no record has the words. Undefined if a record has them, or none is similar. */
async function resolveSimilar(
  searchable: Searchable,
  { query, parameters, ...others }: Resolved,
  context: ToolContext,
): Promise<Resolved | undefined> {
  const { source, findSimilar } = searchable;
  // Host names and codes have no meaning to search by.
  if (!findSimilar || query.text === undefined || /\d/.test(query.text)) return undefined;
  if ((await findRecords(source, query, 0)).total > 0) return undefined;
  const id = await findSimilar(query.text);
  const named = { ...parameters, q: undefined, id };
  const similar = await toQuery(searchable, named, context);
  if (id.length === 0 || (await findRecords(source, similar, 0)).total === 0) return undefined;
  return { ...others, query: similar, parameters: named };
}

async function countWithoutEach(searchable: Searchable, input: Filters, context: ToolContext) {
  // Both bounds of a time count as one filter.
  const toFilter = (name: string) => name.replace(/_(after|before)$/, '_time');
  const names = Object.keys(input).filter((name) => !/^(sort|order)$/.test(name));
  const counted = [...new Set(names.map(toFilter))].map(async (filter) => {
    const others = Object.fromEntries(Object.entries(input).filter(([name]) => toFilter(name) !== filter));
    const { query } = await resolve(searchable, others, context);
    return { filter, total: (await findRecords(searchable.source, query, 0)).total };
  });
  return (await Promise.all(counted)).filter(({ total }) => total > 0);
}

async function filterSchemas({ spec, source, filters, people, bounds, plural, extra = {} }: Searchable) {
  const schemas: Record<string, z.ZodType> = {};
  for (const [name, values] of Object.entries(spec.enums)) {
    const description = `The record has one of these values of ${name}.`;
    schemas[name] = z.array(z.enum(values)).min(1).optional().meta({ description });
  }
  const values = await source.engine.listValues(filters);
  for (const [index, name] of filters.entries()) {
    const examples = values[index]?.slice(0, maxChoices) ?? [];
    const own = name === 'assignment_group' ? " `my_team` is the caller's team." : '';
    const special = people.includes(name) ? ' `me` is the caller.' : own;
    const description = `The ${name.replaceAll('_', ' ')}, as people write it. null: the field is empty.${special}`;
    schemas[name] = z.string().max(254).nullable().optional().meta({ description, examples });
  }
  for (const name of Object.keys({ ...recordBounds, ...bounds })) {
    const description = `Only ${plural} with ${name.replaceAll('_', ' ')} this time.`;
    // The name of the format is enough for a model. The pattern of z.iso.datetime would take most of the prompt.
    schemas[name] = z
      .string()
      .refine((given) => !Number.isNaN(Date.parse(given)), 'must be an ISO 8601 timestamp')
      .optional()
      .meta({ description, format: 'date-time' });
  }
  for (const [name, { schema }] of Object.entries(extra)) schemas[name] = schema;
  schemas.text = z.string().max(200).optional().meta({ description: 'Words that must all occur in the text.' });
  return schemas;
}
