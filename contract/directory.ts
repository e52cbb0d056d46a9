import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { limit, role } from './records.ts';

// People and groups that records can name. The service accepts other names, too, and reports them in `X-Warnings`.

const q = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .meta({ description: 'Return only entries that contain this text, ignoring case.', examples: ['ada'] });

const person = z
  .strictObject({
    email: z.string().meta({ format: 'email', description: 'Email address.' }),
    name: z.string().nullable().meta({ description: 'Name in the user pool; null if it has none.' }),
    role: role.nullable().meta({ description: 'Highest role; null if the person has none.' }),
  })
  .meta({ id: 'Person', description: 'Person in the user pool.' });

const group = z
  .strictObject({ name: z.string().meta({ description: 'Name of the group.' }) })
  .meta({ id: 'Group', description: 'Assignment group.' });

const total = z.int().min(0).meta({ description: 'Number of matching entries.' });

const truncated = z.boolean().meta({ description: 'Whether more entries match than the response has.' });

const base = { capability: 'identity', method: 'GET', rateLimit: 'general' } as const;

export const directoryOperations = defineOperations({
  listPeople: {
    ...base,
    path: '/directory/people',
    summary: 'List people',
    description:
      'Lists the enabled people of the user pool with an email address, sorted by address. Changes in the user pool appear ' +
      'within a minute. Knows the first 5,000 people of the pool.',
    access: 'itsm_agent',
    query: z.strictObject({ q, limit }),
    responses: {
      200: {
        description: 'The people.',
        body: z
          .strictObject({ data: z.array(person), total, truncated })
          .meta({ id: 'PersonList', description: 'People of the user pool.' }),
        example: {
          data: [{ email: 'ada.lovelace@example.com', name: 'Ada Lovelace', role: 'itsm_agent' }],
          total: 1,
          truncated: false,
        },
      },
    },
  },
  listGroups: {
    ...base,
    path: '/directory/groups',
    summary: 'List groups',
    description:
      'Lists assignment groups, sorted by name: the groups of the user pool that are not roles, and the groups that ' +
      'incidents or changes named in the last 90 days.',
    access: 'viewer',
    query: z.strictObject({ q, limit }),
    responses: {
      200: {
        description: 'The groups.',
        body: z
          .strictObject({ data: z.array(group), total, truncated })
          .meta({ id: 'GroupList', description: 'Assignment groups.' }),
        example: { data: [{ name: 'network' }], total: 1, truncated: false },
      },
    },
  },
});
