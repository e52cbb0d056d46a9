import { setTimeout as pause } from 'node:timers/promises';
import type { EventBridgeEvent, PostAuthenticationTriggerEvent, PreAuthenticationTriggerEvent } from 'aws-lambda';
import { type AuditEntry, type AuditType, directoryCalls } from '../../contract/audit.ts';
import type { Directory } from '../identity/directory.ts';
import { type Clock, toIso } from '../platform/clock.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { retry } from '../platform/retry.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readString } from '../records/items.ts';
import { toItemKey } from '../records/record-item.ts';
import { type Write, writeWithRetry } from '../records/write-items.ts';
import { createAuditEntry, recordAudit, toAuditWrite } from './audit-log.ts';

// Cognito invokes this function before it checks a password and after a completed sign-in, but does not report failures.
// An attempt is therefore recorded as failed until the sign-in completes (docs/decisions/0037-audit-log.md).

interface SignInTools {
  store: Pick<ItemStore, 'transact' | 'range'>;
  clock: Clock;
  log: Log;
}

export type SignInEvent = PreAuthenticationTriggerEvent | PostAuthenticationTriggerEvent;

/** Always returns the event, as Cognito requires: a lost audit entry must not prevent a sign-in. */
export async function recordSignIns(event: SignInEvent, tools: SignInTools): Promise<SignInEvent> {
  const fail = (error: unknown) => {
    tools.log('error', 'failed to record a sign-in in the audit log', {
      trigger: event.triggerSource,
      ...toErrorFields(error),
    });
  };
  const recorded = (isCompleted(event) ? completeAttempt(event, tools) : beginAttempt(event, tools)).catch(fail);
  const waited = pause(deadlineMs, 'late' as const, { ref: false });
  if ((await Promise.race([recorded, waited])) === 'late') fail(new Error(`not recorded within ${deadlineMs} ms`));
  return event;
}

/** Cognito waits five seconds for the response and then fails the sign-in. */
const deadlineMs = 3_000;

function isCompleted(event: SignInEvent): event is PostAuthenticationTriggerEvent {
  return event.triggerSource === 'PostAuthentication_Authentication';
}

async function beginAttempt(event: PreAuthenticationTriggerEvent, { store, clock }: SignInTools): Promise<void> {
  const nowMs = clock.now();
  const isBlocked = event.request.validationData?.outcome === 'blocked';
  const isUnknown = event.request.userNotFound === true;
  const reason = isBlocked ? 'too_many_attempts' : isUnknown ? 'unknown_person' : 'not_completed';
  const entry = createSignInEntry(event, 'sign_in.failed', toIso(nowMs), { reason });
  // Such an attempt cannot be completed.
  if (isBlocked || isUnknown) return recordAudit(store, [entry]);
  await writeWithRetry(store, [toAuditWrite(entry), toAttemptWrite(event.userName, entry, nowMs)]);
}

/** The person's newest open attempt is the completed one. */
async function completeAttempt(event: PostAuthenticationTriggerEvent, { store, clock }: SignInTools): Promise<void> {
  const range = {
    pk: toAttemptsKey(event.userName),
    prefix: attemptPrefix,
    order: 'newest first' as const,
    filter: {
      expression: 'attribute_not_exists(#completed) AND #expires > :now',
      names: { '#completed': 'completed', '#expires': 'expires_at' },
      values: { ':now': { N: String(Math.floor(clock.now() / 1_000)) } },
    },
  };
  const complete = async (number: number): Promise<boolean | undefined> => {
    const [attempt] = await store.range(range, 1);
    if (!attempt) return false;
    const failed: AuditEntry = JSON.parse(readString(attempt, 'entry'));
    const { reason: _, ...details } = failed.details;
    const entry: AuditEntry = { ...failed, type: 'sign_in.succeeded', details };
    // Fails when a concurrent sign-in of the same person completed this attempt.
    if (await writeWithRetry(store, [toCompletionWrite(attempt), toAuditWrite(entry)])) return true;
    return number < maxAttempts ? undefined : false;
  };
  const exhausted = () => new Error(`too many concurrent sign-ins of ${event.userName}`);
  if (await retry(complete, { maxAttempts, exhausted })) return;
  await recordAudit(store, [createSignInEntry(event, 'sign_in.succeeded', toIso(clock.now()))]);
}

const maxAttempts = 3;

function createSignInEntry(
  { userName, callerContext, request }: SignInEvent,
  type: 'sign_in.succeeded' | 'sign_in.failed',
  at: string,
  more: Record<string, string> = {},
): AuditEntry {
  const { email } = request.userAttributes ?? {};
  // The login page of AWS sends no data of the client; the one on one machine sends its address.
  const { source_ip } = ('validationData' in request ? request.validationData : request.clientMetadata) ?? {};
  // People sometimes type their password into the name field, so record only addresses and ids.
  const actor = email ?? (isAddressOrId(userName) ? userName : 'unknown');
  const details = { client_id: callerContext.clientId, ...more };
  return createAuditEntry({ type, at, actor, target: null, source_ip, details });
}

function isAddressOrId(name: string): boolean {
  return name.length <= 254 && /^(?:[^\s@]+@[^\s@]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(name);
}

const attemptPrefix = 'attempt#';

/** Longer than a person needs for a second factor or a new password. */
const attemptSeconds = 3_600;

function toAttemptsKey(user: string): string {
  return `sign-ins#${user}`;
}

function toAttemptWrite(user: string, entry: AuditEntry, nowMs: number): Write {
  const put = {
    Item: {
      ...toItemKey(toAttemptsKey(user), `${attemptPrefix}${entry.at}#${entry.id}`),
      entry: { S: JSON.stringify(entry) },
      expires_at: { N: String(Math.ceil(nowMs / 1_000) + attemptSeconds) },
    },
  };
  return { name: 'attempt', put };
}

function toCompletionWrite(attempt: Item): Write {
  const update = {
    Key: toItemKey(readString(attempt, 'pk'), readString(attempt, 'sk')),
    UpdateExpression: 'SET #completed = :yes',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#completed)',
    ExpressionAttributeNames: { '#completed': 'completed' },
    ExpressionAttributeValues: { ':yes': { BOOL: true } },
  };
  return { name: 'attempt', update };
}

// Operators change users, groups and clients through the Cognito API. CloudTrail records these calls and EventBridge
// delivers them. CloudTrail reports user ids instead of user names.

interface DirectoryChangeTools {
  store: Pick<ItemStore, 'transact'>;
  directory: Pick<Directory, 'findEmailOfAnyUser'>;
  /** ARNs of the roles whose functions create and delete the clients of API keys. */
  apiKeyRoles: readonly string[];
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
  userIdentity?: { arn?: string; invokedBy?: string; sessionContext?: { sessionIssuer?: { arn?: string } } };
  requestParameters?: {
    groupName?: string;
    clientId?: string;
    clientName?: string;
    allowedOAuthScopes?: string[];
  } | null;
  responseElements?: { userPoolClient?: { clientId?: string } } | null;
  additionalEventData?: { sub?: string } | null;
}

export async function recordDirectoryChange({ detail }: ApiCall, tools: DirectoryChangeTools): Promise<void> {
  const type = directoryCalls[detail.eventName];
  if (!type || detail.errorCode) return;
  // API keys have their own audit entries, which name the person instead of the function. Callers choose the name of a
  // session and of a client, so only the role counts.
  if (tools.apiKeyRoles.includes(detail.userIdentity?.sessionContext?.sessionIssuer?.arn ?? '')) return;
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
    target: email ?? sub ?? client ?? groupName ?? null,
    source_ip: detail.sourceIPAddress,
    user_agent: detail.userAgent,
    request_id: detail.requestID,
    details: {
      ...(sub !== undefined && { user_id: sub }),
      ...(type === 'user.updated' && { call: detail.eventName }),
      ...(groupName !== undefined && { group: groupName }),
      ...(clientName !== undefined && { name: clientName }),
      ...(allowedOAuthScopes && { scopes: allowedOAuthScopes }),
    },
  };
  return createAuditEntry(facts, detail.eventID);
}
