import * as z from 'zod';
import { incidentListQuery } from './incidents.ts';
import { defineOperations } from './operation.ts';
import { acrossFields, enumList } from './records.ts';

// Exact counts of incidents, computed from the same replica as the list, so that a figure and the list behind it agree.

export const statisticsFields = ['priority', 'state', 'assignment_group', 'assigned_to', 'category'] as const;

export type StatisticsField = (typeof statisticsFields)[number];

const maxGroupFields = 2;

/** More groups than this are added up in `other`. */
export const maxGroups = 200;

export const maxStatisticsDays = 366;

const defaultDays = 30;

const { sort: _sort, order: _order, limit: _limit, page: _page, cursor: _cursor, ...filters } = incidentListQuery.shape;

const statisticsQuery = z
  .strictObject({
    ...filters,
    group_by: enumList(
      statisticsFields,
      'Fields whose values form the groups, comma-separated; at most two. Without it there are no groups.',
    ),
    interval: z
      .enum(['day'])
      .optional()
      .meta({ description: '`day` returns one entry for each of the last `days` days (UTC).' }),
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxStatisticsDays)
      .default(defaultDays)
      .meta({ description: 'Number of days for `interval=day`, including today.', examples: [30] }),
  })
  .refine(
    ({ group_by }) => group_by === undefined || group_by.length <= maxGroupFields,
    acrossFields<{ group_by?: unknown }>({ of: ['group_by'], at: 'group_by', error: 'must name at most two fields' }),
  );

const count = (description: string) => z.int().min(0).meta({ description });

const responses = {
  resolved: count('Number of resolved incidents.'),
  sla_met: count('Number of resolved incidents within their SLA target.'),
  sla_breached: count('Number of resolved incidents beyond their SLA target.'),
  sla_attainment: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'Share of resolved incidents within their SLA target; null if none is resolved.' }),
  mean_time_to_resolve_minutes: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'Mean time from creation to resolution in minutes; null if none is resolved.' }),
  acknowledged: count('Number of acknowledged incidents.'),
  mean_time_to_acknowledge_minutes: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'Mean time from creation to acknowledgement in minutes; null if none is acknowledged.' }),
};

const group = z
  .strictObject({
    values: z
      .record(z.string(), z.string().nullable())
      .meta({ description: 'Value of each field in `group_by`; null for no value.' }),
    count: count('Number of incidents.'),
    ...responses,
  })
  .meta({ id: 'IncidentStatisticsGroup', description: 'Incidents with the same values.' });

const day = z
  .strictObject({
    date: z.iso.date().meta({ description: 'Day (UTC).' }),
    created: count('Number of incidents created on this day.'),
    ...responses,
  })
  .meta({ id: 'IncidentStatisticsDay', description: 'Incidents created and resolved on one day.' });

export const incidentStatistics = z
  .strictObject({
    count: count('Number of incidents that match the filters.'),
    ...responses,
    groups: z.array(group).optional().meta({
      description: 'Present with `group_by`; highest count first, at most 200.',
    }),
    other: count('Number of incidents in groups beyond the first 200.').optional(),
    days: z.array(day).optional().meta({ description: 'Present with `interval=day`; oldest first, without gaps.' }),
  })
  .meta({ id: 'IncidentStatistics', description: 'Statistics of incidents.' });

export type IncidentStatistics = z.input<typeof incidentStatistics>;

const exampleResponses = {
  resolved: 12,
  sla_met: 9,
  sla_breached: 3,
  sla_attainment: 0.75,
  mean_time_to_resolve_minutes: 214.5,
  acknowledged: 14,
  mean_time_to_acknowledge_minutes: 3.5,
};

const example: IncidentStatistics = {
  count: 40,
  ...exampleResponses,
  groups: [{ values: { priority: 'P2' }, count: 40, ...exampleResponses }],
  other: 0,
  days: [{ date: '2026-03-01', created: 5, ...exampleResponses }],
};

export const incidentStatisticsOperations = defineOperations({
  getIncidentStatistics: {
    capability: 'incidents',
    rateLimit: 'general',
    method: 'GET',
    path: '/incidents/statistics',
    summary: 'Get incident statistics',
    description:
      'Counts incidents exactly, with SLA attainment and mean times to acknowledge and to resolve. Supports all filters of the list. Each ' +
      'figure also appears per group and per day on request. `days` counts creations, acknowledgements and resolutions on that day.',
    access: 'viewer',
    query: statisticsQuery,
    responses: { 200: { description: 'The statistics.', body: incidentStatistics, example } },
  },
});
