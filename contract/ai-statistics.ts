import * as z from 'zod';

// How often AI answers come from the cache, per day.

export const maxAiStatisticsDays = 90;

const defaultDays = 14;

export const aiStatisticsQuery = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxAiStatisticsDays)
    .default(defaultDays)
    .meta({ description: 'Number of days (UTC), including today.', examples: [defaultDays] }),
});

const count = (description: string) => z.int().min(0).meta({ description });

const usage = {
  hits: count('Number of answers from the cache.'),
  misses: count('Number of answers that were not in the cache.'),
  hit_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'Share of answers from the cache; null if there were no answers.' }),
};

const day = z
  .strictObject({ date: z.iso.date().meta({ description: 'Day (UTC).' }), ...usage })
  .meta({ id: 'AiStatisticsDay', description: 'Use of the AI cache on one day.' });

export const aiStatistics = z
  .strictObject({ ...usage, days: z.array(day).meta({ description: 'Oldest first, without gaps.' }) })
  .meta({ id: 'AiStatistics', description: 'Use of the AI cache.' });

const exampleUsage = { hits: 31, misses: 19, hit_rate: 0.62 };

export const aiStatisticsExample: z.input<typeof aiStatistics> = {
  ...exampleUsage,
  days: [{ date: '2026-03-01', ...exampleUsage }],
};
