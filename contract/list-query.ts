import * as z from 'zod';
import { acrossFields } from './across-fields.ts';
import { cursor, limit, moment } from './records.ts';

// What every list of records takes beside the filters of its kind: time of creation, words, sort, order and pages.

export const orders = ['asc', 'desc'] as const;

/** Compared exactly. */
export const filter = (description: string) => z.string().min(1).max(254).optional().meta({ description });

const mostIds = 100;

/** One or several ids, so that a reader can look up all that a record names at once. */
export const listOfIds = (id: z.ZodString, description: string) =>
  z
    .string()
    .transform((given) => [...new Set(given.split(',').map((one) => one.trim()))])
    .pipe(z.array(id).max(mostIds))
    .optional()
    .meta({ description });

export interface ListedKind<Filters extends z.ZodRawShape, Sorts extends readonly [string, ...string[]]> {
  /** What the records are called. */
  things: string;
  filters: Filters;
  /** The first one is the default. */
  sorts: Sorts;
  /** The fields that `q` searches, in words. */
  searched: string;
  /** What `order` means where that is not obvious. */
  order?: string;
  /** What `q` finds and what `sort` does, where that is not what it is for other kinds. */
  q?: string;
  sort?: string;
}

export function listQuery<Filters extends z.ZodRawShape, const Sorts extends readonly [string, ...string[]]>({
  things,
  filters,
  sorts,
  searched,
  order = 'The direction of the sort.',
  q = `Only ${things} that have all of these words in ${searched} or id, in any case and with or without accents.`,
  sort = 'What to sort by; ties go by id.',
}: ListedKind<Filters, Sorts>) {
  return z
    .strictObject({
      ...filters,
      created_after: moment(`Only ${things} created after this moment, itself not included.`),
      created_before: moment(`Only ${things} created before this moment, itself not included.`),
      q: z
        .string()
        .max(500)
        // Words are all that it can find; without any, it would silently find everything.
        .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must have a letter or a digit')
        .optional()
        .meta({ description: q, examples: ['mail server'] }),
      sort: z
        .enum(sorts)
        .default(sorts[0] as z.util.NoUndefined<Sorts[number]>)
        .meta({ description: sort }),
      order: z.enum(orders).default('desc').meta({ description: order }),
      limit,
      page: z.coerce
        .number()
        .int()
        .min(1)
        .max(1_000_000_000)
        .optional()
        .meta({ description: 'The number of the page, from 1. Not together with `cursor`.', examples: [2] }),
      cursor,
    })
    .refine(isOnePlace, acrossFields<Pages>({ of: [], at: 'page', error: 'must not be given together with cursor' }))
    .refine(
      isInOrder,
      acrossFields<Creation>({
        of: ['created_after', 'created_before'],
        at: 'created_before',
        error: 'must not be before created_after',
      }),
    );
}

type Pages = { page?: unknown; cursor?: unknown };

function isOnePlace({ page, cursor }: Pages): boolean {
  return page === undefined || cursor === undefined;
}

export type Creation = { created_after?: unknown; created_before?: unknown };

/** True, too, when one of them is not given. */
export function isInOrder({ created_after, created_before }: Creation): boolean {
  return !(Date.parse(String(created_before)) < Date.parse(String(created_after)));
}
