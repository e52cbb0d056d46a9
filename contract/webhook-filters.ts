import * as z from 'zod';
import { acrossFields } from './across-fields.ts';

// Filters of inbound and outbound webhooks: conditions on fields of a payload, all of which must hold. What each
// operator means is in lambdas/webhooks/filter.ts.

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

/** Names separated by dots, with [n] for places in lists: `a.b[0].c`. A leading `$.` is allowed. */
export const fieldPath = z
  .string()
  .max(256)
  .regex(/^(?:\$\.)?[^\s.[\]{}|"]+(?:\[\d{1,6}\])*(?:\.[^\s.[\]{}|"]+(?:\[\d{1,6}\])*)*$/, {
    error: 'must be a path such as a.b[0].c',
  })
  .meta({ description: 'The path of a field in the payload.', examples: ['incident.priority', 'a.b[0].c'] });

const operator = z.enum(filterOperators, { error: `must be one of ${filterOperators.join(', ')}` }).meta({
  id: 'FilterOperator',
  description:
    '`in` and `nin` take a list, `exists` takes true or false, `starts_with` and `ends_with` a text, `gt`, `gte`, `lt` ' +
    'and `lte` a number or a text, the others any value. Values of different types are never equal and never in order.',
});

/** What the value of an operator must be; operators that are not here take any value. */
const operandRules: Partial<Record<FilterOperator, { test(value: unknown): boolean; message: string }>> = {
  in: { test: Array.isArray, message: 'must be a list of values' },
  nin: { test: Array.isArray, message: 'must be a list of values' },
  exists: { test: (value) => typeof value === 'boolean', message: 'must be true or false' },
  starts_with: { test: (value) => typeof value === 'string', message: 'must be a text' },
  ends_with: { test: (value) => typeof value === 'string', message: 'must be a text' },
  gt: { test: isOrdered, message: 'must be a number or a text' },
  gte: { test: isOrdered, message: 'must be a number or a text' },
  lt: { test: isOrdered, message: 'must be a number or a text' },
  lte: { test: isOrdered, message: 'must be a number or a text' },
};

const filter = z
  .strictObject({
    field: fieldPath,
    operator,
    value: z.json().meta({ description: 'What the field is compared with.' }),
  })
  .refine(
    ({ operator, value }) => operandRules[operator]?.test(value) ?? true,
    acrossFields<{ operator: FilterOperator; value: unknown }>({
      of: ['operator', 'value'],
      at: 'value',
      error: ({ operator }) => operandRules[operator]!.message,
    }),
  )
  .meta({ id: 'WebhookFilter', description: 'A condition on one field of the payload.' });

export type Filter = z.output<typeof filter>;

export const webhookFilters = z
  .array(filter)
  .max(20)
  .meta({ description: 'Conditions on the payload, all of which must hold.' });

function isOrdered(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}
