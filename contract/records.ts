import * as z from 'zod';
import { type IdKind, idPatterns } from './ids.ts';
import type { HeaderSpec } from './operation.ts';
import { roles } from './roles.ts';

// Schemas shared by all record types: text, time, pagination, ETags and idempotency.

export const timestamp = (description: string) => z.iso.datetime().meta({ description });

/** The fields that the service maintains for every record. */
export const lifecycleFields = (thing: string) => ({
  deleted: z.boolean().meta({ description: `Whether the ${thing} is deleted.` }),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last update.'),
});

/** Accepts any UTC offset; stores and returns UTC. List indexes store milliseconds since the epoch. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 timestamp, such as 2026-03-01T09:30:00Z' })
  .refine((value) => !(Date.parse(value) < Date.UTC(1970, 0, 2)), 'must not be before 1970')
  .overwrite((value) => (Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString()));

export const role = z
  .enum(roles)
  .meta({ id: 'Role', description: 'Role of a caller. Each role includes the permissions of the previous ones.' });

export const email = (description: string) =>
  z
    .email()
    .max(254)
    .meta({ description, examples: ['ada.lovelace@example.com'] });

/** 1 to `maximum` Unicode characters without control characters. */
export const text = (maximum: number, description: string) => characters(maximum, /[^\P{Cc}\t\n\r]/u, description);

/** Text on one line. */
export const line = (maximum: number, description: string) =>
  characters(maximum, /\p{Cc}/u, description, 'must be a single line without control characters');

/** The name of an IANA time zone. */
export const timeZone = (description: string) =>
  z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be the name of an IANA time zone, such as Europe/Berlin')
    .meta({ description, examples: ['Europe/Berlin'] });

/** Zod accepts names that Intl resolves; offsets such as +01:00 are not time zones of the IANA database. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The id of a record. */
export const id = (kind: IdKind, description: string, example?: string) =>
  z
    .string()
    .regex(idPatterns[kind])
    .meta({ description, ...(example && { examples: [example] }) });

/** Optional fields of a creation: absent or empty means null. */
export const defaultToNull = <Shape extends Readonly<Record<string, z.ZodNullable>>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, emptyToNull(field, { default: null }).default(null)]),
  ) as {
    [Name in keyof Shape]: z.ZodDefault<Shape[Name]>;
  };

/** The fields of a merge patch. null and an empty text clear a nullable field. */
export const patchFields = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodNullable ? emptyToNull(field) : field).optional(),
    ]),
  ) as { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> };

/** People and forms clear a field with an empty text. The type is that of the field, because the values are the same. */
const emptyToNull = <Field extends z.ZodNullable>(field: Field, documented: { default?: null } = {}) =>
  z
    .preprocess((value) => (value === '' ? null : value), field)
    .meta({
      ...field.meta(),
      override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
        for (const each of [jsonSchema, ...(jsonSchema.anyOf ?? [])]) delete each.minLength;
        // Zod omits the default of a preprocessed field.
        Object.assign(jsonSchema, documented);
      },
    }) as unknown as Field;

/** Keeps the record, its list entry and its history entry below the item size of the table. */
export const maxJsonBytes = (maximum: number) =>
  [
    (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length <= maximum,
    `must have at most ${maximum} bytes as JSON`,
  ] as const;

/** The path parameter `id`. An id of another form returns 404 because it cannot exist. */
export const idParams = <Id extends z.ZodString>(id: Id) => z.strictObject({ id });

/** Documents a comma-separated list: generated clients then send arrays in the form that the service reads. */
export const commaSeparated = (items: { type: 'string'; enum?: string[] }, example: readonly string[]) => ({
  override: { type: 'array' as const, items, examples: [[...example]] },
  param: { style: 'form' as const, explode: false },
});

/** Comma-separated values of an enum. */
export const enumList = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z
    .string()
    .transform((value, context): Values[number][] => {
      const names = [...new Set(value.split(',').map((name) => name.trim()))];
      const known = names.filter((name): name is Values[number] => values.includes(name));
      if (known.length < names.length) {
        context.addIssue({ code: 'custom', message: `must be one or more of ${values.join(', ')}` });
        return z.NEVER;
      }
      return known;
    })
    .optional()
    .meta({ description, ...commaSeparated({ type: 'string', enum: [...values] }, values.slice(0, 2)) });

const timeOrDate = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: ({ input }) =>
      input === undefined ? 'is required' : 'must be an ISO 8601 timestamp or date, such as 2026-03-01T09:30:00Z',
  })
  .meta({ id: 'TimeOrDate', description: 'Timestamp with any UTC offset, or a date, which means midnight UTC.' });

export const timeBound = (description: string) =>
  timeOrDate.optional().meta({ description, examples: ['2026-03-01T09:30:00Z'] });

export const defaultPageSize = 25;

export const maxPageSize = 200;

export const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(maxPageSize)
  .default(defaultPageSize)
  .meta({ description: 'Maximum number of records per page.', examples: [50] });

export const cursor = z
  .string()
  .min(1)
  .max(1024)
  .optional()
  .meta({ description: '`next_cursor` of the previous page. Use the same filters, sort and order.' });

/** Rejects values other than true and false, which would otherwise be silently false. */
export const flag = (description: string) =>
  z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .meta({ description, override: documentAsBoolean });

function documentAsBoolean({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  jsonSchema.type = 'boolean';
  jsonSchema.examples = [true];
  delete jsonSchema.enum;
}

export const pageSchema = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  z
    .strictObject({
      data: z.array(item),
      next_cursor: z.string().optional().meta({
        description:
          'Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records.',
      }),
      total: z.int().min(0).meta({ description: 'Total number of records on all pages.' }),
    })
    .meta({ id, description });

/** A page of a log, whose total is a lower bound when the log is long. */
export const logPageSchema = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  pageSchema(item, id, description)
    .extend({
      next_cursor: z
        .string()
        .optional()
        .meta({
          description:
            'Cursor of the next page; absent on the last page. With a filter, a page can contain fewer than `limit` entries or ' +
            'none, because a request examines at most 10,000 entries.',
        }),
      total: z.int().min(0).meta({
        description: 'Total number of entries on all pages, or a lower bound if `total_is_exact` is false.',
      }),
      total_is_exact: z.boolean().meta({
        description: 'False if `total` is a lower bound, because a request counts at most 10,000 entries.',
      }),
    })
    .meta({ id, description });

export const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description: 'Makes retries safe: within 24 hours, a request with the same key returns the first response.',
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
  'If-Match': conditional('Performs the request only if the record has this ETag; otherwise returns 412.'),
});

export const ifNoneMatchHeaders = z.object({
  'If-None-Match': conditional('Returns 304 without a body if the record has this ETag.'),
});

export const etag: HeaderSpec = {
  description: 'Version of the record. Send it as `If-Match` or `If-None-Match`.',
  example: '"3-1"',
};

export const location: HeaderSpec = {
  description: 'URL of the created resource.',
  example: '/prod/api/v1/incidents/INC7Q2M4KX',
};

export const idempotentReplayed: HeaderSpec = {
  description: '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
  example: 'true',
};

export const warnings: HeaderSpec = {
  description:
    'JSON array of `{field, message}`: values that the service accepts but does not know, such as an assignee who is not ' +
    'in the directory. Absent if there are none.',
  example: '[{"field":"assigned_to","message":"is not in the directory"}]',
};

/** Fields set by the service. A request that sets one is rejected as "read-only" instead of "unknown". */
export const readOnlyFields = z.registry<{ readonly names: readonly string[] }>();

export const originKinds = ['api', 'job', 'webhook', 'sla', 'ai', 'restore', 'proposal', 'page', 'import'] as const;

export const historyEntry = z
  .strictObject({
    version: z.int().min(1).meta({ description: 'Version of the record after the change; 1 is the creation.' }),
    at: timestamp('Time of the change.'),
    actor: z.string().meta({ description: 'Email address of the actor, or the name of the system component.' }),
    origin: z
      .strictObject({
        kind: z.enum(originKinds),
        id: z
          .string()
          .nullable()
          .meta({ description: 'ID of the job, webhook or proposal that made the change; otherwise null.' }),
      })
      .meta({ description: 'Source of the change.' }),
    changes: z
      .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
      .meta({ description: 'Changed fields with their values before and after.' }),
  })
  .meta({ id: 'HistoryEntry', description: 'Change of a record.' });

export const historyPage = pageSchema(historyEntry, 'HistoryPage', 'A page of changes.');

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

/** Reference to a configuration item. Items have seven digits, so any other number cannot exist. */
export const ciReference = z.string().regex(idPatterns.ci, 'must be CI followed by seven digits');

/** A stored reference. Earlier releases accepted any number of digits. */
export const storedCiReference = z.string().regex(/^CI\d{1,18}$/, 'must be CI followed by digits');

/** The address of a caller, set by the service. */
export const callerEmail = (description: string) => z.string().meta({ format: 'email', description });

/** Registers the fields that the service sets. */
export const withReadOnlyFields = <Schema extends z.ZodType>(schema: Schema, fields: object): Schema => {
  readOnlyFields.add(schema, { names: Object.keys(fields) });
  return schema;
};

function characters(
  maximum: number,
  forbidden: RegExp,
  description: string,
  message = 'must not contain control characters',
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

interface Rule<Fields> {
  /** The rule is checked only if these fields are valid. */
  of: readonly (keyof Fields & string)[];
  /** The field that the problem names. */
  at: keyof Fields & string;
  error: string | ((value: Fields) => string);
}

/**
 * For `refine`: a rule about several fields. Zod skips refinements when the object has any issue; this one runs whenever
 * its own fields are valid, so that one response lists all problems.
 */
export function acrossFields<Fields>({ of, at, error }: Rule<Fields>) {
  return {
    path: [at],
    error: typeof error === 'string' ? error : ({ input }: { input?: unknown }) => error(input as Fields),
    when: ({ issues }: z.core.ParsePayload) => issues.every((issue) => !isAbout(issue, of)),
  };
}

function isAbout({ code, path }: z.core.$ZodRawIssue, fields: readonly string[]): boolean {
  const [field] = path ?? [];
  // An issue of the whole, except unknown fields, means that the value is not an object.
  return field === undefined ? code !== 'unrecognized_keys' : fields.includes(String(field));
}
