import * as z from 'zod';
import { acrossFields } from './across-fields.ts';

// Filters of inbound and outbound webhooks: conditions on payload fields, all of which must match.

export const filterOperators = [
  'eq',
  'neq',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'starts_with',
  'ends_with',
  'exists',
] as const;

export type FilterOperator = (typeof filterOperators)[number];

/** Dot notation such as `a.b[0].c`, optionally with a leading `$.`. */
export const fieldPath = z
  .string()
  .max(256)
  .regex(/^(?:\$\.)?[^\s.[\]{}|"]+(?:\[\d{1,6}\])*(?:\.[^\s.[\]{}|"]+(?:\[\d{1,6}\])*)*$/, {
    error: 'must be a path such as a.b[0].c',
  })
  .meta({ description: 'Path of a payload field.', examples: ['incident.priority', 'a.b[0].c'] });

const operator = z.enum(filterOperators, { error: `must be one of ${filterOperators.join(', ')}` }).meta({
  id: 'FilterOperator',
  description:
    'Comparison operator. `in` and `nin` take a list, `exists` a boolean, `starts_with` and `ends_with` a string, `gt`, ' +
    '`gte`, `lt` and `lte` a number or a string, the others any value. Values of different types never match.',
});

/** Operators that are not listed take any value. */
const operandRules: Partial<Record<FilterOperator, { test(value: unknown): boolean; message: string }>> = {
  in: { test: Array.isArray, message: 'must be a list of values' },
  nin: { test: Array.isArray, message: 'must be a list of values' },
  exists: { test: (value) => typeof value === 'boolean', message: 'must be true or false' },
  starts_with: { test: (value) => typeof value === 'string', message: 'must be a string' },
  ends_with: { test: (value) => typeof value === 'string', message: 'must be a string' },
  gt: { test: isOrdered, message: 'must be a number or a string' },
  gte: { test: isOrdered, message: 'must be a number or a string' },
  lt: { test: isOrdered, message: 'must be a number or a string' },
  lte: { test: isOrdered, message: 'must be a number or a string' },
};

const filter = z
  .strictObject({
    field: fieldPath,
    operator,
    value: z.json().meta({ description: 'Value to compare with.' }),
  })
  .refine(
    ({ operator, value }) => operandRules[operator]?.test(value) ?? true,
    acrossFields<{ operator: FilterOperator; value: unknown }>({
      of: ['operator', 'value'],
      at: 'value',
      error: ({ operator }) => operandRules[operator]!.message,
    }),
  )
  .meta({ id: 'WebhookFilter', description: 'Condition on a payload field.' });

export type Filter = z.output<typeof filter>;

export const webhookFilters = z
  .array(filter)
  .max(20)
  .meta({ description: 'Conditions on the payload. All must match.' });

function isOrdered(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}
