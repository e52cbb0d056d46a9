import type { DynamoDBRecord } from 'aws-lambda';
import type { AuditEntry, AuditType } from '../../contract/audit.ts';
import type { routes } from '../../contract/routes.ts';
import type { ApiKey } from '../identity/api-key-store.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { deriveId, newId } from '../platform/ids.ts';
import { requireValue } from '../platform/require-value.ts';
import { diffFields } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readString } from '../records/items.ts';
import { type Log, readLogPage } from '../records/log-page.ts';
import type { CursorSeal } from '../records/page.ts';
import { buildExpiryFilter, type Range } from '../records/read-items.ts';
import { toRecordChange } from '../records/record-change.ts';
import { toItemKey } from '../records/record-item.ts';
import { parseDocument, storedDefaults } from '../records/stored-document.ts';
import { type Write, writeWithRetry } from '../records/write-items.ts';

// Stored in the table `events`, one partition per month.
//
// | Access pattern                       | Call               | Key                                          |
// |--------------------------------------|--------------------|----------------------------------------------|
// | add an entry                         | TransactWriteItems | pk = audit#<year-month>, sk = <time>#<id>    |
// | entries of a month, newest first     | Query              | the same                                     |
// | a person's open attempts to sign in  | Query              | pk = sign-ins#<user>, sk = attempt#<time>#<id> |

interface AuditFilter {
  type?: readonly AuditType[] | undefined;
  actor?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

/** Retention: DynamoDB deletes entries after a year. */
const retentionMs = 365 * 24 * 60 * 60_000;

export function toAuditWrite(entry: AuditEntry): Write {
  const put = {
    Item: {
      ...toItemKey(toPartition(entry.at), `${entry.at}#${entry.id}`),
      at: { S: entry.at },
      type: { S: entry.type },
      actor: { S: entry.actor },
      entry: { S: JSON.stringify(entry) },
      expires_at: { N: String(Math.ceil((Date.parse(entry.at) + retentionMs) / 1_000)) },
    },
  };
  return { name: 'audit', put };
}

export async function recordAudit(store: Pick<ItemStore, 'transact'>, entries: readonly AuditEntry[]): Promise<void> {
  await Promise.all(entries.map((entry) => writeWithRetry(store, [toAuditWrite(entry)])));
}

/** Newest first. One range per month. */
export function toAuditLog(filter: AuditFilter, nowMs: number): Log {
  const months = listMonths(filter, nowMs);
  return { list: `audit ${JSON.stringify(filter)}`, groups: months.map((month) => [toRange(month, filter, nowMs)]) };
}

const monthCharacters = '2026-03'.length;

function toPartition(at: string): string {
  return `audit#${at.slice(0, monthCharacters)}`;
}

/** Newest first; at most fourteen, because entries are retained for a year. */
function listMonths({ created_after, created_before }: AuditFilter, nowMs: number): string[] {
  const from = Math.max(nowMs - retentionMs, created_after === undefined ? 0 : Date.parse(created_after));
  // Clocks of other machines may be slightly ahead.
  const aheadMs = nowMs + 60_000;
  const to = Math.min(aheadMs, created_before === undefined ? aheadMs : Date.parse(created_before));
  const list: string[] = [];
  const month = new Date(to);
  month.setUTCDate(1);
  month.setUTCHours(0, 0, 0, 0);
  for (; to > from && toMonth(month.getTime()) >= toMonth(from); month.setUTCMonth(month.getUTCMonth() - 1)) {
    list.push(toMonth(month.getTime()));
  }
  return list;
}

function toMonth(ms: number): string {
  return toIso(ms).slice(0, monthCharacters);
}

function toRange(month: string, { type, actor, created_after, created_before }: AuditFilter, nowMs: number): Range {
  const { expression, names, values } = buildExpiryFilter(nowMs);
  const conditions = [expression];
  const operands: Item = { ...values };
  const attributes: Record<string, string> = { ...names };
  const add = (name: string, condition: string, given: Item) => {
    conditions.push(condition);
    attributes[`#${name}`] = name;
    Object.assign(operands, given);
  };
  if (type) {
    const wanted = type.map((one, index) => [`:type${index}`, { S: one }] as const);
    add('type', `#type IN (${wanted.map(([name]) => name).join(', ')})`, Object.fromEntries(wanted));
  }
  if (actor !== undefined) add('actor', '#actor = :actor', { ':actor': { S: actor } });
  return {
    pk: `audit#${month}`,
    // All timestamps start with 2 until the year 3000. Sort keys are `<time>#<id>`; both bounds are exclusive.
    prefix: '2',
    ...(created_after !== undefined && { from: `${toIso(created_after)}#~` }),
    ...(created_before !== undefined && { to: toIso(created_before) }),
    order: 'newest first',
    filter: { expression: conditions.join(' AND '), names: attributes, values: operands },
  };
}

/** An entry without its id; unknown fields are omitted. */
interface AuditFacts extends Pick<AuditEntry, 'at' | 'type' | 'actor' | 'target'> {
  source_ip?: string | undefined;
  user_agent?: string | undefined;
  request_id?: string | undefined;
  details?: AuditEntry['details'];
}

/** The id is derived from the source, if any, so recording the same source twice creates one entry. */
export function createAuditEntry(facts: AuditFacts, source?: string): AuditEntry {
  return {
    id: source === undefined ? newId('audit') : deriveId('audit', source),
    at: facts.at,
    type: facts.type,
    actor: facts.actor,
    target: facts.target,
    source_ip: facts.source_ip ?? storedDefaults.audit_entry.source_ip,
    user_agent: facts.user_agent?.slice(0, maxUserAgentCharacters) ?? null,
    request_id: facts.request_id ?? null,
    details: facts.details ?? {},
  };
}

const maxUserAgentCharacters = 500;

function toAuditEntry(item: Item): AuditEntry {
  return parseDocument('audit_entry', readString(item, 'entry'));
}

export function listAudit(store: Pick<ItemStore, 'slice'>, seal: CursorSeal): UseCase<typeof routes.listAudit> {
  return async ({ query: { limit, cursor, ...filter } }, { clock }) => {
    const { items, rest } = await readLogPage(store, seal, toAuditLog(filter, clock.now()), { limit, cursor });
    return { status: 200, body: { data: items.map(toAuditEntry), ...rest } };
  };
}

// Derives audit entries from committed writes, so every write has an entry and a failed write has none. Ids are derived
// from record and version, so a stream record that arrives twice is recorded once.

export function toAuditEntries(written: DynamoDBRecord): AuditEntry[] {
  return [...toKeyEntries(written), ...toRecordEntries(written)];
}

function toKeyEntries({ dynamodb }: DynamoDBRecord): AuditEntry[] {
  if (dynamodb?.Keys?.pk?.S !== 'api-keys') return [];
  const [old, current] = [dynamodb.OldImage?.key?.S, dynamodb.NewImage?.key?.S];
  if (old === undefined || current === undefined || old === current) return [];
  const before: ApiKey = JSON.parse(old);
  const key: ApiKey = JSON.parse(current);
  const details = { name: key.name, role: key.role, owner: key.owner.email };
  if (before.state === 'making' && key.state === 'active') {
    const facts = { type: 'api_key.created' as const, at: key.created_at, actor: key.owner.email, target: key.id };
    return [createAuditEntry({ ...facts, source_ip: key.created_from, details }, `${key.id} created`)];
  }
  if (before.state !== 'active' || key.state !== 'revoking') return [];
  const facts = {
    type: 'api_key.revoked' as const,
    at: requireValue(key.revoked_at),
    actor: requireValue(key.revoked_by),
    target: key.id,
    source_ip: key.revoked_from,
  };
  return [createAuditEntry({ ...facts, details }, `${key.id} revoked`)];
}

function toRecordEntries(written: DynamoDBRecord): AuditEntry[] {
  const change = toRecordChange(written);
  if (!change) return [];
  const { type: kind, id, version, at, actor, before, after } = change;
  const facts = { at, actor, target: id, source_ip: written.dynamodb?.NewImage?.source_ip?.S };
  const create = (type: AuditType, details: AuditEntry['details'] = {}) =>
    createAuditEntry({ ...facts, type, details: { kind, ...details } }, `${id} ${version} ${type}`);
  const isWebhook = kind === 'inbound_webhook' || kind === 'outbound_webhook';
  if (!before) return isWebhook ? [create('webhook.created')] : [];
  if (after.deleted && !before.deleted) return [create('record.deleted')];
  if (!isWebhook) return [];
  const [old, current] = [getCurrentSecret(before.document), getCurrentSecret(after.document)];
  const fields = listChangedSettings(before.document as object, after.document as object);
  return [
    ...(old === undefined || old === current ? [] : [create('webhook_secret.rotated')]),
    // Names only, because addresses and headers of receivers may contain credentials.
    ...(fields.length > 0 ? [create('webhook.updated', { fields })] : []),
  ];
}

/** Without the secrets, and the times that follow from `active`. */
function listChangedSettings(before: object, after: object): string[] {
  const { secrets, active_since, stopped_at, ...settings } = diffFields(before, after);
  return Object.keys(settings).sort();
}

/** Inbound and outbound webhooks store their sealed secrets in a list, newest first. */
function getCurrentSecret(document: unknown): string | undefined {
  const { secrets } = document as { secrets?: readonly { sealed: string }[] };
  return secrets?.[0]?.sealed;
}
