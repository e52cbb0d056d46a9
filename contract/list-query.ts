import * as z from 'zod';
import { acrossFields, commaSeparated, cursor, enumList, limit, timeBound } from './records.ts';

// Query parameters that all lists share: creation and update time, search, sort, order and pagination.

export const orders = ['asc', 'desc'] as const;

/** Exact match with the value, or with one of several comma-separated ones. */
export const filter = (description: string) => z.string().min(1).max(254).optional().meta({ description });

/** Fields without a value. */
export const missing = <const Fields extends readonly [string, ...string[]]>(fields: Fields) =>
  enumList(fields, 'Return only records without a value in all of these fields, comma-separated.');

/** Records whose field has none of the values: `assignment_group:network,category:email`. */
export const not = <const Fields extends readonly [string, ...string[]]>(fields: Fields) =>
  z
    .string()
    .max(2_000)
    .transform((given, context): Record<string, string[]> => {
      const denied: Record<string, string[]> = {};
      let last: string[] | undefined;
      for (const part of given.split(',')) {
        const [name = '', ...rest] = part.split(':');
        if (fields.includes(name.trim()) && rest.join(':').trim() !== '') {
          last = denied[name.trim()] ??= [];
          last.push(rest.join(':').trim());
          // A value may contain a comma.
        } else if (last) last.push(`${last.pop()},${part}`);
        else {
          context.addIssue({ code: 'custom', message: `must be field:value with a field of ${fields.join(', ')}` });
          return z.NEVER;
        }
      }
      return denied;
    })
    .optional()
    .meta({
      description: `Leave out records with these values, comma-separated as field:value. Fields: ${fields.join(', ')}.`,
      override: { type: 'string' as const },
      examples: [`${fields[0]}:network`],
    });

const maxIds = 100;

/** Comma-separated ids. */
export const idList = (id: z.ZodString, description: string, example: string) =>
  z
    .string()
    .transform((given) => [...new Set(given.split(',').map((one) => one.trim()))])
    .pipe(z.array(id).max(maxIds))
    .optional()
    .meta({ description, ...commaSeparated({ type: 'string' }, [example]) });

export interface ListedKind<Filters extends z.ZodRawShape, Sorts extends readonly [string, ...string[]]> {
  /** Plural name of the records. */
  things: string;
  filters: Filters;
  /** The first one is the default. */
  sorts: Sorts;
  /** The fields that `q` searches, for the description. */
  searched: string;
  order?: string;
  /** Descriptions that replace the default ones. */
  q?: string;
  sort?: string;
}

export function listQuery<Filters extends z.ZodRawShape, const Sorts extends readonly [string, ...string[]]>({
  things,
  filters,
  sorts,
  searched,
  order = 'Sort order.',
  q = `Return only ${things} that contain all of these words in ${searched} or id, ignoring case and accents.`,
  sort = 'Sort field; ties are sorted by ID.',
}: ListedKind<Filters, Sorts>) {
  return z
    .strictObject({
      ...filters,
      created_after: timeBound(`Return only ${things} created after this time (exclusive).`),
      created_before: timeBound(`Return only ${things} created before this time (exclusive).`),
      updated_after: timeBound(`Return only ${things} updated after this time (exclusive).`),
      updated_before: timeBound(`Return only ${things} updated before this time (exclusive).`),
      q: z
        .string()
        .max(500)
        // A query without a word would match everything.
        .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must contain a letter or a digit')
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
        .meta({ description: 'Page number, starting at 1. Cannot be combined with `cursor`.', examples: [2] }),
      cursor,
    })
    .refine(isOnePlace, acrossFields<Pages>({ of: [], at: 'page', error: 'cannot be combined with cursor' }))
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

/** Also true if one of them is absent. */
export function isInOrder({ created_after, created_before }: Creation): boolean {
  return !(Date.parse(String(created_before)) < Date.parse(String(created_after)));
}
