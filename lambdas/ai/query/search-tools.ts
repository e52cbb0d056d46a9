import * as z from 'zod';
import {
  type KindName,
  kindNames,
  listGroups,
  type SearchedKind,
  searchedKinds,
} from '../../../contract/searched-kinds.ts';
import { intervals } from '../../../contract/statistics.ts';
import { findRecords } from '../../lists/list-records.ts';
import { computeStatistics, type Statistics } from '../../lists/statistics.ts';
import { dayMs } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { RunnableTool } from '../model/language-model.ts';
import type { Kind } from './kinds.ts';
import { toSingular } from './names.ts';
import {
  type Filters,
  type Parameters,
  type Resolved,
  resolveFilters,
  type ToolContext,
  toPath,
  toQuery,
  toQueryParameters,
} from './resolve-filters.ts';

// A tool that searches records of all kinds, and one that measures them. Both have the same filters; the second one refers
// to the first, because the schemas are sent with every question.

const maxShown = 20;

/** Existing values in the schema of a filter, so that the model chooses among them. */
const maxChoices = 15;

/** Groups of a statistic. */
const maxCounts = 20;

export async function createSearchTools(kinds: Record<KindName, Kind>, context: ToolContext): Promise<RunnableTool[]> {
  const filters = await buildFilters(kinds);
  const filterSchema = z.strictObject(filters);
  const kind = z.enum(kindNames);
  const parse = (given: unknown): Filters => {
    const { data, error } = filterSchema.safeParse(given ?? {});
    if (data) return data;
    const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'filters'}: ${message}`);
    throw new ServiceError('invalid_input', problems.join('; '));
  };
  return [
    {
      name: 'search',
      description:
        'Lists the records of a kind that match all filters, with the total. Incidents are also called tickets, configuration items assets, servers or systems. Problems are the causes of incidents.',
      input: z.strictObject({
        kind,
        ...filters,
        sort: z.enum(unite(({ sorts }) => sorts)).optional(),
        order: z
          .enum(['asc', 'desc'])
          .optional()
          .meta({ description: 'Default: desc (newest first). priority asc: P1 first.' }),
        limit: z.int().min(1).max(maxShown).optional().meta({ description: 'Default: 10.' }),
      }),
      run: (input) => {
        const { kind: name, ...rest } = input as SearchInput;
        return runSearch(kinds[name], rest, context);
      },
    },
    {
      name: 'statistics',
      description:
        'Counts the records of a kind, with mean and median times to resolve and to acknowledge, SLA attainment and reopenings; per group, per period, or next to other filters with the difference.',
      input: z.strictObject({
        kind,
        filters: z.record(z.string(), z.unknown()).optional().meta({ description: 'The filters of `search`.' }),
        compare: z
          .record(z.string(), z.unknown())
          .optional()
          .meta({ description: 'Filters of the figures to compare with; they replace those of the same name.' }),
        group_by: z
          .array(z.enum(unite(listGroups)))
          .max(2)
          .optional(),
        interval: z.enum(intervals).optional(),
        median: z.boolean().optional(),
        sort: z
          .enum([
            'count',
            'mean_time_to_resolve_minutes',
            'mean_time_to_acknowledge_minutes',
            'sla_attainment',
            'reopened',
          ])
          .optional()
          .meta({ description: 'Figure to sort groups by. Default: count.' }),
        order: z.enum(['asc', 'desc']).optional(),
        top: z
          .int()
          .min(1)
          .max(maxCounts)
          .optional()
          .meta({ description: `Groups. Default: ${maxCounts}.` }),
      }),
      run: (input) => {
        const { kind: name, filters: given, compare, ...rest } = input as StatisticsInput;
        const compared = compare && parse(compare);
        return runStatistics(kinds[name], { ...rest, filters: parse(given), compare: compared }, context);
      },
    },
  ];
}

const unite = (list: (kind: SearchedKind) => readonly string[]) => [
  ...new Set(kindNames.flatMap((name) => list(searchedKinds[name]))),
];

const bounds = unite(({ times }) => times.flatMap((time) => [`${time}_after`, `${time}_before`]));

async function buildFilters(kinds: Record<KindName, Kind>) {
  const known = async (name: string): Promise<readonly string[]> => {
    const kind = Object.values(kinds).find(({ names }) => names.includes(name));
    const isPublic = kind?.spec.strings.includes(name) && !kind.people.includes(name) && name !== 'name';
    const [values = []] = kind && isPublic ? await kind.source.engine.listValues([name]) : [];
    return values.slice(0, maxChoices);
  };
  const name = z.array(z.string().max(254)).min(1);
  const named = unite(({ names }) => names).map(async (each) => {
    const examples = await known(each);
    return [
      each,
      name.optional().meta({ ...descriptions[each], ...(examples.length > 0 && { examples: [...examples] }) }),
    ] as const;
  });
  const time = z
    .string()
    .refine((given) => !Number.isNaN(Date.parse(given)), 'must be an ISO 8601 timestamp')
    .optional();
  return {
    ...Object.fromEntries(
      unite(({ enums }) => Object.keys(enums)).map((field) => {
        const values = unite(({ enums }) => enums[field] ?? []);
        return [
          field,
          z
            .array(z.enum(values as [string, ...string[]]))
            .min(1)
            .optional(),
        ];
      }),
    ),
    ...Object.fromEntries(await Promise.all(named)),
    ...Object.fromEntries(
      unite(({ flags }) => flags).map((flag) => [
        flag,
        z
          .boolean()
          .optional()
          .meta({ ...descriptions[flag] }),
      ]),
    ),
    missing: z
      .array(z.enum(unite(({ optional }) => optional) as [string, ...string[]]))
      .optional()
      .meta({ description: 'Fields without a value.' }),
    not: z.record(z.string(), name).optional().meta({ description: 'Values to leave out, by filter.' }),
    ...Object.fromEntries(bounds.map((each) => [each, time])),
    text: z.string().max(200).optional().meta({ description: 'Words that must all occur in the text.' }),
  };
}

const descriptions: Readonly<Record<string, { description: string }>> = {
  assignment_group: { description: 'Teams, as people write them; any of them. `my_team`: that of the caller.' },
  assigned_to: { description: 'People, as people write them. `me`: the caller.' },
  opened_by: { description: 'Reporters of incidents.' },
  known_error: { description: 'Only problems with a known cause or workaround.' },
  ci: { description: 'Incidents, problems or changes of these configuration items (name or id).' },
  depends_on: { description: 'Items that depend on one of these.' },
  needed_by: { description: 'Items that one of these depends on.' },
  transitive: { description: 'Also indirect dependencies.' },
  reopened: { description: 'Reopened at least once; false: never.' },
  acknowledged: { description: 'Somebody acknowledged the incident.' },
};

interface SearchInput extends Filters {
  kind: KindName;
}

interface SearchOptions {
  limit?: number;
  sort?: string;
  order?: string;
}

/** The result of a search, with the path of the list that shows the same. */
export interface Found {
  total: number;
  records: Record<string, unknown>[];
  /** Present without a filter by state: the number of open records. */
  open?: number;
  /** Present with `transitive`: those that depend directly. */
  direct?: number;
  /** Present when no record has these words: the records are similar in meaning. */
  similar_to?: string;
  list?: string;
  /** The resolved values of names that differ from the input. */
  names?: Record<string, string>;
  /** Present when nothing was found: the filters that exclude records, with the total without each. */
  without?: { filter: string; total: number }[];
  not_understood?: string[];
}

async function runSearch(kind: Kind, input: Filters & SearchOptions, context: ToolContext): Promise<Found> {
  const { limit = 10, sort, order = 'desc', ...filters } = input as SearchOptions;
  const { source, shown, path, open } = kind;
  if (sort !== undefined && !kind.sorts.includes(sort))
    throw new ServiceError('invalid_input', `${kind.plural} can be sorted by ${kind.sorts.join(', ')}.`);
  const resolved = await resolveFilters(kind, filters, context);
  const sorting = { sort: sort ?? 'created_at', order };
  const count = async (parameters: Parameters, most = 0) =>
    findRecords<Record<string, unknown>>(source, await toQuery(kind, parameters, context.nowMs), most);
  const similar = await resolveSimilar(kind, resolved, context);
  const { parameters, resolvedNames, reasons } = similar ?? resolved;
  const { total, records } = await count({ ...parameters, ...sorting }, limit);
  const items = await context.names.itemNames(records.flatMap(({ document }) => toText(document.ci_id)));
  const summaries = records.map(({ id, document, created_at, updated_at }) => {
    const fields = shown.map((name) => [name, name === 'updated_at' ? updated_at : (document[name] ?? null)]);
    const ci = shown.includes('ci_id') && { ci: items.get(String(document.ci_id)) ?? null };
    return { id, ...Object.fromEntries(fields), ...ci, created_at };
  });
  const isCounted = open.length > 0 && total > 0 && parameters.state === undefined;
  return {
    total,
    records: summaries,
    ...(isCounted && { open: (await count({ ...parameters, state: open })).total }),
    ...(parameters.transitive && { direct: (await count({ ...parameters, transitive: undefined })).total }),
    ...(similar?.parameters.id && { similar_to: String(resolved.parameters.q ?? '') }),
    // No list corresponds to an empty list of ids.
    ...(parameters.id?.length !== 0 && { list: toPath(path, { ...parameters, ...sorting }) }),
    ...(Object.keys(resolvedNames).length > 0 && { names: resolvedNames }),
    ...(total === 0 && { without: await countWithoutEach(kind, filters, context) }),
    ...(reasons.length > 0 && { not_understood: reasons }),
  };
}

const toText = (value: unknown) => (typeof value === 'string' ? [value] : []);

/** Searches by meaning if no record has the words. Undefined if a record has them, or none is similar. */
async function resolveSimilar(kind: Kind, resolved: Resolved, { nowMs }: ToolContext): Promise<Resolved | undefined> {
  const { parameters } = resolved;
  const text = parameters.q;
  // Host names and codes have no meaning to search by.
  if (!kind.findSimilar || typeof text !== 'string' || /\d/.test(text)) return undefined;
  const count = async (given: Parameters) =>
    (await findRecords(kind.source, await toQuery(kind, given, nowMs), 0)).total;
  if ((await count(parameters)) > 0) return undefined;
  // "Printers" are also found as "printer".
  const singular = { ...parameters, q: toSingular(text) };
  if (singular.q !== text && (await count(singular)) > 0) return { ...resolved, parameters: singular };
  const id = await kind.findSimilar(text);
  const named = { ...parameters, q: undefined, id };
  return id.length === 0 || (await count(named)) === 0 ? undefined : { ...resolved, parameters: named };
}

async function countWithoutEach(kind: Kind, input: Filters, context: ToolContext) {
  // Both bounds of a time count as one filter.
  const toFilter = (name: string) => name.replace(/_(after|before)$/, '_time');
  const counted = [...new Set(Object.keys(input).map(toFilter))].map(async (filter) => {
    const others = Object.fromEntries(Object.entries(input).filter(([name]) => toFilter(name) !== filter));
    const { parameters } = await resolveFilters(kind, others, context);
    const { total } = await findRecords(kind.source, await toQuery(kind, parameters, context.nowMs), 0);
    return { filter, total };
  });
  return (await Promise.all(counted)).filter(({ total }) => total > 0);
}

interface StatisticsInput {
  kind: KindName;
  filters?: Filters;
  compare?: Filters | undefined;
  group_by?: readonly string[];
  interval?: (typeof intervals)[number];
  median?: boolean;
  sort?: string;
  order?: 'asc' | 'desc';
  top?: number;
}

/** The result of the statistics tool, with the path of the API that returns the same figures. */
export type Measured = Statistics & Pick<Found, 'list' | 'names' | 'not_understood'>;

async function runStatistics(
  kind: Kind,
  { filters = {}, compare, group_by = [], ...options }: Omit<StatisticsInput, 'kind'>,
  context: ToolContext,
): Promise<Measured> {
  const { engine } = kind.source;
  const unknown = group_by.filter((name) => !listGroups(kind).includes(name));
  if (unknown.length > 0)
    throw new ServiceError('invalid_input', `${kind.plural} cannot be grouped by ${unknown.join(', ')}.`);
  const groupBy = group_by.map((name) => (name === 'ci' ? 'ci_id' : name));
  const resolved = await resolveFilters(kind, filters, context);
  const other = compare && (await resolveFilters(kind, compare, context));
  const days = options.interval && countDays(resolved.parameters, context.nowMs);
  const { top = maxCounts, ...figures } = options;
  const request = {
    ...figures,
    ...(days && { days }),
    ...(groupBy.length > 0 && { group_by: groupBy }),
  };
  const source = { engine, columns: kind.columns, bounds: kind.bounds, ...(kind.refine && { refine: kind.refine }) };
  const parameters = {
    ...toQueryParameters(kind, resolved.parameters),
    ...request,
    ...(other && { compare: toQueryParameters(kind, other.parameters) }),
  };
  const all = trimPeriods(await computeStatistics(source, parameters, context.nowMs), resolved.parameters);
  const measured = cutGroups(all, top);
  const reasons = [...new Set([...resolved.reasons, ...(other?.reasons ?? [])])];
  const names = { ...other?.resolvedNames, ...resolved.resolvedNames };
  const path = toPath(kind.statistics ?? kind.path, {
    ...resolved.parameters,
    ...(kind.statistics && {
      ...Object.fromEntries(Object.entries(request).map(([name, value]) => [name, String(value)])),
      ...(other && { compare: toPath('', other.parameters).slice(1) }),
    }),
  });
  return {
    ...(await nameItems(measured, context)),
    list: path,
    ...(Object.keys(names).length > 0 && { names }),
    ...(reasons.length > 0 && { not_understood: reasons }),
  };
}

/** Records without a value come last, because they are no group that people ask for. */
function cutGroups(measured: Statistics, top: number): Statistics {
  const { groups } = measured;
  if (!groups) return measured;
  const isEmpty = ({ values }: (typeof groups)[number]) => Number(Object.values(values).includes(null));
  const sorted = groups.toSorted((a, b) => isEmpty(a) - isEmpty(b));
  const rest = sorted.slice(top).reduce((sum, { count }) => sum + count, measured.other ?? 0);
  return { ...measured, groups: sorted.slice(0, top), other: rest };
}

/** Groups by item have its name, too. */
async function nameItems(measured: Statistics, { names }: ToolContext): Promise<Statistics> {
  const ids = (measured.groups ?? []).flatMap(({ values }) => values.ci_id ?? []);
  if (ids.length === 0) return measured;
  const known = await names.itemNames(ids);
  const groups = measured.groups?.map((group) => {
    const { ci_id: id = null, ...values } = group.values;
    const name = id === null ? null : known.has(id) ? `${known.get(id)} (${id})` : id;
    return { ...group, values: { ci: name, ...values } };
  });
  return { ...measured, ...(groups && { groups }) };
}

const defaultDays = 90;
const maxDays = 366;

/** The days since the start of the filtered time. */
function countDays(parameters: Parameters, nowMs: number): number {
  const [, start] = Object.entries(parameters).find(([name]) => name.endsWith('_after')) ?? [];
  if (start === undefined) return defaultDays;
  return Math.min(maxDays, Math.max(1, Math.ceil((nowMs - Date.parse(String(start))) / dayMs)));
}

/** Drops periods after the end of the filtered time. */
function trimPeriods(measured: Statistics, parameters: Parameters): Statistics {
  const ends = Object.entries(parameters).flatMap(([name, value]) =>
    /^(created|resolved)_before$/.test(name) ? Date.parse(String(value)) : [],
  );
  const end = Math.min(Number.POSITIVE_INFINITY, ...ends);
  const trim = (periods: Statistics['days']) => periods?.filter(({ date }) => Date.parse(date) < end);
  const { days, periods } = measured;
  return { ...measured, ...(days && { days: trim(days) ?? [] }), ...(periods && { periods: trim(periods) ?? [] }) };
}
