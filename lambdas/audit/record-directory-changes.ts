import type { EventBridgeEvent } from 'aws-lambda';
import type { AuditEntry, AuditType } from '../../contract/audit.ts';
import { parseKeyId } from '../identity/api-key.ts';
import type { Directory } from '../identity/directory.ts';
import { toIso } from '../platform/clock.ts';
import type { ItemStore } from '../records/item-store.ts';
import { createAuditEntry, recordAudit } from './audit-log.ts';

// Operators change users, groups and clients through the Cognito API. CloudTrail records these calls and EventBridge
// delivers them. CloudTrail omits user names and gives the ids instead.

export interface DirectoryChangeTools {
  store: Pick<ItemStore, 'transact'>;
  directory: Pick<Directory, 'findEmailOfAnyUser'>;
}

export type ApiCall = EventBridgeEvent<'AWS API Call via CloudTrail', ApiCallDetail>;

interface ApiCallDetail {
  eventID: string;
  eventName: string;
  eventTime: string;
  errorCode?: string | null;
  sourceIPAddress?: string;
  userAgent?: string;
  requestID?: string;
  userIdentity?: { arn?: string; invokedBy?: string };
  requestParameters?: {
    groupName?: string;
    clientId?: string;
    clientName?: string;
    allowedOAuthScopes?: string[];
  } | null;
  responseElements?: { userPoolClient?: { clientId?: string } } | null;
  additionalEventData?: { sub?: string } | null;
}

const types: Readonly<Record<string, AuditType>> = {
  AdminAddUserToGroup: 'group.member_added',
  AdminRemoveUserFromGroup: 'group.member_removed',
  AdminCreateUser: 'user.created',
  AdminEnableUser: 'user.enabled',
  AdminDisableUser: 'user.disabled',
  AdminDeleteUser: 'user.deleted',
  AdminSetUserPassword: 'user.password_set',
  AdminUserGlobalSignOut: 'user.signed_out',
  CreateUserPoolClient: 'client.created',
  UpdateUserPoolClient: 'client.updated',
  DeleteUserPoolClient: 'client.deleted',
};

export async function recordDirectoryChange({ detail }: ApiCall, tools: DirectoryChangeTools): Promise<void> {
  const type = types[detail.eventName];
  if (!type || detail.errorCode || isOwnCall(detail)) return;
  await recordAudit(tools.store, [await toEntry(type, detail, tools)]);
}

async function toEntry(
  type: AuditType,
  detail: ApiCallDetail,
  { directory }: DirectoryChangeTools,
): Promise<AuditEntry> {
  const { requestParameters, responseElements, additionalEventData, userIdentity } = detail;
  const { groupName, clientId, clientName, allowedOAuthScopes } = requestParameters ?? {};
  const sub = additionalEventData?.sub;
  const client = clientId ?? responseElements?.userPoolClient?.clientId;
  const email = sub === undefined ? undefined : await directory.findEmailOfAnyUser(sub);
  const facts = {
    type,
    at: toIso(detail.eventTime),
    actor: userIdentity?.arn ?? userIdentity?.invokedBy ?? 'unknown',
    target: email ?? sub ?? client ?? null,
    source_ip: detail.sourceIPAddress,
    user_agent: detail.userAgent,
    request_id: detail.requestID,
    details: {
      ...(sub !== undefined && { user_id: sub }),
      ...(groupName !== undefined && { group: groupName }),
      ...(clientName !== undefined && { name: clientName }),
      ...(allowedOAuthScopes && { scopes: allowedOAuthScopes }),
    },
  };
  return createAuditEntry(facts, detail.eventID);
}

/** API keys have their own audit entries, which name the person instead of the function. */
function isOwnCall({ requestParameters, userIdentity }: ApiCallDetail): boolean {
  if (parseKeyId(requestParameters?.clientName ?? '') !== undefined) return true;
  return /-(?:create-api-key|delete-api-key|sweep-api-keys)$/.test(userIdentity?.arn ?? '');
}
