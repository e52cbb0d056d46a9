import * as z from 'zod';
import type { HeaderSpec } from './operation.ts';

// What all kinds of records share: texts, times, lists, and the headers of versions and repeated requests.

export const timestamp = (description: string) => z.iso.datetime().meta({ description });

export const email = (description: string) =>
  z
    .email()
    .max(254)
    .meta({ description, examples: ['ada.lovelace@example.com'] });

/** At least one character and at most `maximum`, counted as a reader counts them; no control characters. */
export const text = (maximum: number, description: string) => characters(maximum, /[^\P{Cc}\t\n\r]/u, description);

/** A text without line breaks and tabs. */
export const line = (maximum: number, description: string) =>
  characters(maximum, /\p{Cc}/u, description, 'must be one line without control characters');

/** The path parameter `id` of a kind of record; an id of another form cannot exist, so it is not found. */
export const idParams = <Id extends z.ZodString>(id: Id) => z.strictObject({ id });

/** Several values of an enumeration, separated by commas. */
export const listOf = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z
    .string()
    .transform((given, context): Values[number][] => {
      const names = [...new Set(given.split(',').map((name) => name.trim()))];
      const known = names.filter((name): name is Values[number] => values.includes(name));
      if (known.length < names.length) {
        context.addIssue({ code: 'custom', message: `must be one or more of ${values.join(', ')}` });
        return z.NEVER;
      }
      return known;
    })
    .optional()
    .meta({ description, examples: [values.slice(0, 2).join(',')] });

/** A moment as people type it: a timestamp with any offset, or a day, which starts at midnight in UTC. */
export const moment = (description: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: ({ input }) =>
        input === undefined ? 'is required' : 'must be an ISO 8601 timestamp or date, such as 2026-03-01T09:30:00Z',
    })
    .optional()
    .meta({ description, examples: ['2026-03-01T09:30:00Z'] });

export const defaultPageSize = 25;

export const maximumPageSize = 200;

export const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(maximumPageSize)
  .default(defaultPageSize)
  .meta({ description: 'Records per page.', examples: [50] });

export const cursor = z
  .string()
  .min(1)
  .max(1024)
  .optional()
  .meta({ description: 'The `next_cursor` of the page before, with the same filters, sort and order.' });

/** Any value but `true` and `false` is a mistake that would otherwise hide. */
export const flag = (description: string) =>
  z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .meta({ description, examples: ['true'] });

/** The form of every list. */
export const pageOf = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  z
    .strictObject({
      data: z.array(item),
      next_cursor: z.string().optional().meta({
        description:
          'Where the next page starts; absent on the last one. A page of large records may end before `limit`.',
      }),
      total: z.int().min(0).meta({ description: 'How many there are on all pages, exactly.' }),
    })
    .meta({ id, description });

export const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description: 'Makes a repeated request safe: within 24 hours it gets the first answer again.',
      examples: ['5f1c1f0e-7f0a-4f4f-9d0c-0a7b1d2e3f40'],
    }),
});

const entityTag = '(?:W/)?"[!#-~]*"';

const entityTags = new RegExp(`^\\s*(?:\\*|${entityTag}(?:\\s*,\\s*${entityTag})*)\\s*$`);

const conditional = (description: string) =>
  z
    .string()
    .max(1024)
    .regex(entityTags, 'must be an ETag in double quotes, a list of them, or *')
    .optional()
    .meta({ description, examples: ['"3-1"'] });

export const ifMatchHeaders = z.object({
  'If-Match': conditional('Only when the record still has the version of this ETag; otherwise 412.'),
});

export const ifNoneMatchHeaders = z.object({
  'If-None-Match': conditional('Answers 304 without a body when the record still has this ETag.'),
});

export const etag: HeaderSpec = {
  description: 'Changes with everything the record shows. Send it back as If-Match or If-None-Match.',
  example: '"3-1"',
};

export const location: HeaderSpec = {
  description: 'The address of what was created.',
  example: '/prod/api/v1/incidents/INC7Q2M4KX',
};

export const idempotentReplayed: HeaderSpec = {
  description: '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
  example: 'true',
};

/** Fields that the service sets: known, but refused in a body. The problem then says so instead of "unknown". */
export const readOnlyFields = z.registry<{ readonly names: readonly string[] }>();

export const originKinds = ['api', 'job', 'webhook', 'sla', 'ai'] as const;

export const historyEntry = z
  .strictObject({
    version: z.int().min(1).meta({ description: 'The version that the change made; 1 is the creation.' }),
    at: timestamp('When the change happened.'),
    actor: z.string().meta({ description: 'The e-mail address of who made it, or the name of the part that did.' }),
    origin: z
      .strictObject({
        kind: z.enum(originKinds),
        id: z.string().nullable().meta({ description: 'The job or webhook, where one made the change.' }),
      })
      .meta({ description: 'Where the change came from.' }),
    changes: z
      .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
      .meta({ description: 'Each field that changed, before and after.' }),
  })
  .meta({ id: 'HistoryEntry', description: 'One change of a record.' });

export const historyPage = pageOf(historyEntry, 'HistoryPage', 'A page of changes.');

export const historyExample: z.output<typeof historyPage> = {
  data: [
    {
      version: 2,
      at: '2026-03-01T09:42:10.120Z',
      actor: 'ada.lovelace@example.com',
      origin: { kind: 'api', id: null },
      changes: { state: { from: 'new', to: 'in_progress' } },
    },
  ],
  total: 2,
};

/** A configuration item that a record names. */
export const ciReference = z.string().regex(/^CI\d{1,18}$/, 'must be CI followed by digits');

/** The address that a person or program is known by, as the service sets it. */
export const shownEmail = (description: string) => z.string().meta({ format: 'email', description });

/** Remembers which fields the service sets itself. */
export const withReadOnlyFields = <Schema extends z.ZodType>(schema: Schema, fields: object): Schema => {
  readOnlyFields.add(schema, { names: Object.keys(fields) });
  return schema;
};

function characters(
  maximum: number,
  forbidden: RegExp,
  description: string,
  message = 'must not have control characters',
) {
  return z
    .string()
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine((value) => value.length <= maximum || [...value].length <= maximum, {
      error: `must have at most ${maximum} characters`,
    })
    .refine((value) => !forbidden.test(value), message)
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must be well-formed Unicode')
    .meta({ description, minLength: 1, maxLength: maximum });
}
