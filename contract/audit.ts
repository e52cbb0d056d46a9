import * as z from 'zod';
import { type Creation, filter, isInOrder } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { acrossFields, cursor, enumList, id, limit, logPageSchema, timeBound, timestamp } from './records.ts';

// Security audit log. docs/decisions/0037-audit-log.md describes the source of each entry type.

export const auditTypes = [
  'sign_in.succeeded',
  'sign_in.failed',
  'api_key.created',
  'api_key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook_secret.rotated',
  'record.deleted',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.member_added',
  'group.member_removed',
  'user.created',
  'user.updated',
  'user.enabled',
  'user.disabled',
  'user.deleted',
  'user.password_set',
  'user.password_reset',
  'user.signed_out',
  'client.created',
  'client.updated',
  'client.deleted',
  'federated_sign_in.succeeded',
  'federated_sign_in.rejected',
  'role.changed',
] as const;

export type AuditType = (typeof auditTypes)[number];

/** Calls of Cognito's API that change who may do what, and the type of their entries. */
export const directoryCalls: Readonly<Record<string, AuditType>> = {
  AdminAddUserToGroup: 'group.member_added',
  AdminCreateUser: 'user.created',
  AdminDeleteUser: 'user.deleted',
  AdminDeleteUserAttributes: 'user.updated',
  AdminDisableUser: 'user.disabled',
  AdminEnableUser: 'user.enabled',
  AdminLinkProviderForUser: 'user.updated',
  AdminRemoveUserFromGroup: 'group.member_removed',
  AdminResetUserPassword: 'user.password_reset',
  AdminSetUserMFAPreference: 'user.updated',
  AdminSetUserPassword: 'user.password_set',
  AdminUpdateUserAttributes: 'user.updated',
  AdminUserGlobalSignOut: 'user.signed_out',
  CreateGroup: 'group.created',
  CreateUserPoolClient: 'client.created',
  DeleteGroup: 'group.deleted',
  DeleteUserPoolClient: 'client.deleted',
  UpdateGroup: 'group.updated',
  UpdateUserPoolClient: 'client.updated',
};

const auditEntry = z
  .strictObject({
    id: id('audit', 'ID of the entry.'),
    at: timestamp('Time of the event.'),
    type: z.enum(auditTypes).meta({
      description:
        'Type of the event. `sign_in.failed` is an incomplete sign-in attempt: a wrong password or a missing second factor. ' +
        'It becomes `sign_in.succeeded` when the sign-in is completed. Types that begin with `federated_sign_in` are sign-ins with the ' +
        'identity provider of the company; `role.changed` is a role that follows from its groups.',
    }),
    actor: z.string().meta({
      description: 'Email address of the actor, or the ARN of the AWS identity that called the user pool.',
      examples: ['ada.lovelace@example.com'],
    }),
    target: z
      .string()
      .nullable()
      .meta({
        description: 'ID of the affected record, API key or client, or an email address.',
        examples: ['INC7Q2M4KX'],
      }),
    source_ip: z.string().meta({
      description:
        'Address that the request came from. `internal`: the service itself. `unknown`: the source does not report it, such as sign-ins in AWS.',
    }),
    user_agent: z.string().nullable().meta({ description: 'User agent; null if unknown.' }),
    request_id: z.string().nullable().meta({ description: 'Request ID; null if unknown.' }),
    details: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .meta({ description: 'Additional details, depending on `type`. Contains no secrets.' }),
  })
  .meta({ id: 'AuditEntry', description: 'Security-relevant event. Retained for one year.' });

export type AuditEntry = z.infer<typeof auditEntry>;

const example: AuditEntry = {
  id: 'aud_7Q2M4KX1V9ZB5T8N3RWC6JHF0D',
  at: '2026-03-01T09:30:00.000Z',
  type: 'group.member_added',
  actor: 'arn:aws:iam::123456789012:user/operations',
  target: 'ada.lovelace@example.com',
  source_ip: '203.0.113.7',
  user_agent: 'aws-cli/2.17.0',
  request_id: '5f1c1f0e-7f0a-4f4f-9d0c-0a7b1d2e3f40',
  details: { group: 'itsm_manager' },
};

export const auditOperations = defineOperations({
  listAudit: {
    method: 'GET',
    path: '/audit',
    capability: 'identity',
    summary: 'List the audit log',
    description:
      'Lists sign-ins, deletions and changes to API keys, webhooks, secrets, users, groups and clients in the last year, newest first.',
    access: 'super_admin',
    rateLimit: 'general',
    query: z
      .strictObject({
        type: enumList(auditTypes, 'Return only entries of these types.'),
        actor: filter('Return only entries of this actor (exact match).'),
        created_after: timeBound('Return only entries after this time (exclusive).'),
        created_before: timeBound('Return only entries before this time (exclusive).'),
        limit,
        cursor,
      })
      .refine(
        isInOrder,
        acrossFields<Creation>({
          of: ['created_after', 'created_before'],
          at: 'created_before',
          error: 'must not be before created_after',
        }),
      ),
    responses: {
      200: {
        description: 'A page of audit log entries.',
        body: logPageSchema(auditEntry, 'AuditPage', 'A page of the audit log.'),
        example: { data: [example], total: 1, total_is_exact: true },
      },
    },
  },
});
