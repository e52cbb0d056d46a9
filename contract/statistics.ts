import * as z from 'zod';
import { changeListQuery } from './changes.ts';
import { incidentListQuery } from './incidents.ts';
import { defineOperations } from './operation.ts';
import { acrossFields, enumList, flag } from './records.ts';
import { requestListQuery } from './requests.ts';

// Exact figures of records, computed by the same engine as the list, so that a figure and the list behind it agree.

const maxGroupFields = 2;

/** More groups than this are added up in `other`. */
export const maxGroups = 200;

export const maxStatisticsDays = 366;

const defaultDays = 30;

export const intervals = ['day', 'week', 'month'] as const;

export type Interval = (typeof intervals)[number];

const count = (description: string) => z.int().min(0).meta({ description });
const figure = (description: string) => z.number().min(0).nullable().meta({ description });

/** The words for the end of a record: an incident is resolved, a change completed, a request fulfilled. */
interface Measured {
  capability: string;
  thing: string;
  path: string;
  schema: string;
  resolved: string;
  fields: readonly [string, ...string[]];
  query: { shape: z.ZodRawShape };
}

const attainment = (records: string, none: string) => ({
  sla_met: count(`Number of ${records} within their SLA target.`),
  sla_breached: count(`Number of ${records} beyond their SLA target.`),
  sla_attainment: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `Share of ${records} within their SLA target; null if none ${none}.` }),
});

const slaFigures = {
  ...attainment('resolved incidents', 'is resolved'),
  acknowledged: count('Number of acknowledged incidents.'),
  mean_time_to_acknowledge_minutes: figure(
    'Mean time from creation to acknowledgement in minutes; null if none is acknowledged.',
  ),
  reopened: count('Number of incidents that were reopened at least once.'),
};

const otherFigures = attainment('finished records', 'had a target');

const slaMedian = {
  median_time_to_acknowledge_minutes: figure(
    'Present with `median=true`: median time from creation to acknowledgement in minutes.',
  ).optional(),
};

/** The figures that groups can be sorted by. */
const groupSorts = {
  incidents: [
    'count',
    'resolved',
    'sla_attainment',
    'mean_time_to_resolve_minutes',
    'mean_time_to_acknowledge_minutes',
    'reopened',
  ],
  others: ['count', 'resolved', 'sla_attainment', 'mean_time_to_resolve_minutes'],
} as const;

function buildStatistics<Sorts extends readonly [string, ...string[]], Figures extends z.ZodRawShape>(
  { thing, schema, resolved, fields, query }: Measured,
  sorts: Sorts,
  ownFigures: Figures,
  ownMedians: z.ZodRawShape,
) {
  const { sort: _sort, order: _order, limit: _limit, page: _page, cursor: _cursor, ...filters } = query.shape;
  const filterSchema = z.strictObject(filters);
  const things = `${thing}s`;
  const figures = {
    resolved: count(`Number of ${resolved} ${things}.`),
    mean_time_to_resolve_minutes: figure(
      `Mean time until ${things} are ${resolved}, in minutes; null if none is ${resolved}.`,
    ),
    ...ownFigures,
  };
  const medians = {
    median_time_to_resolve_minutes: figure(
      `Present with \`median=true\`: median time until ${things} are ${resolved}, in minutes.`,
    ).optional(),
    ...ownMedians,
  };
  const values = z
    .record(z.string(), z.string().nullable())
    .meta({ description: 'Value of each field in `group_by`; null for no value.' });
  const group = z
    .strictObject({ values, count: count(`Number of ${things}.`), ...figures, ...medians })
    .meta({ id: `${schema}StatisticsGroup`, description: `The ${things} with the same values.` });
  const period = z
    .strictObject({
      date: z.iso.date().meta({ description: 'First day (UTC).' }),
      created: count(`Number of ${things} created in this period.`),
      ...figures,
    })
    .meta({ id: `${schema}StatisticsPeriod`, description: `The ${things} created and ${resolved} in one period.` });
  const total = { count: count(`Number of ${things} that match the filters.`), ...figures, ...medians };
  const difference = Object.fromEntries(
    Object.keys(total).map((name) => [
      name,
      z
        .number()
        .nullable()
        .optional()
        .meta({ description: `Difference of \`${name}\`; null if one is null.` }),
    ]),
  );
  const body = z
    .strictObject({
      ...total,
      groups: z
        .array(group)
        .optional()
        .meta({ description: 'Present with `group_by`; highest count first unless `sort` says otherwise.' }),
      other: count(`Number of ${things} in groups beyond the first \`top\`.`).optional(),
      days: z
        .array(period)
        .optional()
        .meta({ description: 'Present with `interval=day`; oldest first, without gaps.' }),
      periods: z
        .array(period)
        .optional()
        .meta({ description: 'Present with `interval=week` or `month`; oldest first, without gaps.' }),
      compared: z
        .strictObject(total)
        .optional()
        .meta({
          id: `${schema}StatisticsCompared`,
          description: 'Present with `compare`: the figures with its filters.',
        }),
      difference: z
        .strictObject(difference)
        .optional()
        .meta({
          id: `${schema}StatisticsDifference`,
          description: 'Present with `compare`: each figure minus the compared one.',
        }),
    })
    .meta({ id: `${schema}Statistics`, description: `Statistics of ${things}.` });
  const compare = z
    .string()
    .max(2_000)
    .transform((text, context) => {
      const parsed = filterSchema.safeParse(Object.fromEntries(new URLSearchParams(text)));
      if (parsed.success) return parsed.data as Record<string, unknown>;
      for (const { path, message } of parsed.error.issues)
        context.addIssue({ code: 'custom', message: `${path.join('.') || 'filters'}: ${message}` });
      return z.NEVER;
    })
    .optional()
    .meta({
      description:
        'Filters of the figures to compare with, as a URL query. They replace the filters with the same name; the others apply, ' +
        'too. Example: `created_after=2026-02-01&created_before=2026-03-01`.',
      examples: ['created_after=2026-02-01&created_before=2026-03-01'],
    });
  const statisticsQuery = z
    .strictObject({
      ...filters,
      group_by: enumList(
        fields,
        'Fields whose values form the groups, comma-separated; at most two. Without it there are no groups.',
      ),
      sort: z
        .enum(sorts)
        .default(sorts[0] as z.util.NoUndefined<Sorts[number]>)
        .meta({ description: 'Figure to sort the groups by.' }),
      order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Order of the groups.' }),
      top: z.coerce
        .number()
        .int()
        .min(1)
        .max(maxGroups)
        .default(maxGroups)
        .meta({ description: 'Maximum number of groups.', examples: [10] }),
      median: flag('Also return median times, in total and per group.'),
      interval: z.enum(intervals).optional().meta({
        description: 'Return one entry for each day, week (from Monday) or month of the last `days` days (UTC).',
      }),
      days: z.coerce
        .number()
        .int()
        .min(1)
        .max(maxStatisticsDays)
        .default(defaultDays)
        .meta({ description: 'Number of days for `interval`, including today.', examples: [30] }),
      compare,
    })
    .refine(
      ({ group_by }) => ((group_by as readonly string[] | undefined)?.length ?? 0) <= maxGroupFields,
      acrossFields<{ group_by?: unknown }>({ of: ['group_by'], at: 'group_by', error: 'must name at most two fields' }),
    );
  return { query: statisticsQuery, body };
}

export const statisticsFields = {
  incidents: ['priority', 'state', 'assignment_group', 'assigned_to', 'category', 'opened_by', 'ci_id'],
  changes: ['state', 'type', 'risk', 'assignment_group', 'assigned_to', 'requested_by'],
  requests: ['state', 'item', 'requested_for', 'requested_by'],
} as const;

/** The fields of incidents. */
export type StatisticsField = (typeof statisticsFields.incidents)[number];

const incidents = buildStatistics(
  {
    capability: 'incidents',
    thing: 'incident',
    path: '/incidents/statistics',
    schema: 'Incident',
    resolved: 'resolved',
    fields: statisticsFields.incidents,
    query: incidentListQuery,
  },
  groupSorts.incidents,
  slaFigures,
  slaMedian,
);

const changes = buildStatistics(
  {
    capability: 'changes',
    thing: 'change',
    path: '/changes/statistics',
    schema: 'Change',
    resolved: 'completed',
    fields: statisticsFields.changes,
    query: changeListQuery,
  },
  groupSorts.others,
  otherFigures,
  {},
);

const requests = buildStatistics(
  {
    capability: 'requests',
    thing: 'request',
    path: '/requests/statistics',
    schema: 'Request',
    resolved: 'fulfilled',
    fields: statisticsFields.requests,
    query: requestListQuery,
  },
  groupSorts.others,
  otherFigures,
  {},
);

export type IncidentStatistics = z.output<typeof incidents.body>;

const exampleFigures = { resolved: 12, mean_time_to_resolve_minutes: 214.5 };

const exampleResponses = {
  ...exampleFigures,
  sla_met: 9,
  sla_breached: 3,
  sla_attainment: 0.75,
  acknowledged: 14,
  mean_time_to_acknowledge_minutes: 3.5,
  reopened: 2,
};

const incidentExample: IncidentStatistics = {
  count: 40,
  ...exampleResponses,
  groups: [{ values: { priority: 'P2' }, count: 40, ...exampleResponses }],
  other: 0,
  days: [{ date: '2026-03-01', created: 5, ...exampleResponses }],
};

const otherFigureExample = { ...exampleFigures, sla_met: 3, sla_breached: 1, sla_attainment: 0.75 };

const otherExample = {
  count: 40,
  ...otherFigureExample,
  groups: [{ values: { state: 'submitted' }, count: 40, ...otherFigureExample }],
  other: 0,
};

const describe = (things: string, figures: string) =>
  `Counts ${things} exactly, with ${figures}. Supports all filters of the list. The figures also appear per group, per day, week ` +
  'or month, and next to those of other filters on request. Periods count creations, acknowledgements and resolutions within them.';

const base = { rateLimit: 'general', method: 'GET', access: 'viewer' } as const;

export const statisticsOperations = defineOperations({
  getIncidentStatistics: {
    ...base,
    capability: 'incidents',
    path: '/incidents/statistics',
    summary: 'Get incident statistics',
    description: describe(
      'incidents',
      'SLA attainment, mean and median times to acknowledge and to resolve, and reopenings',
    ),
    query: incidents.query,
    responses: { 200: { description: 'The statistics.', body: incidents.body, example: incidentExample } },
  },
  getChangeStatistics: {
    ...base,
    capability: 'changes',
    path: '/changes/statistics',
    summary: 'Get change statistics',
    description: describe(
      'changes',
      'mean and median times until they are completed (the last update of a completed change)',
    ),
    query: changes.query,
    responses: { 200: { description: 'The statistics.', body: changes.body, example: otherExample } },
  },
  getRequestStatistics: {
    ...base,
    capability: 'requests',
    path: '/requests/statistics',
    summary: 'Get request statistics',
    description: describe(
      'requests',
      'mean and median times until they are fulfilled (the last update of a fulfilled request)',
    ),
    query: requests.query,
    responses: { 200: { description: 'The statistics.', body: requests.body, example: otherExample } },
  },
});
