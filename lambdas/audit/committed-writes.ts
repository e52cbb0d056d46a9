import type { DynamoDBRecord } from 'aws-lambda';
import type { AuditEntry } from '../../contract/audit.ts';
import { toRecordChange } from '../events/event.ts';
import type { ApiKey } from '../identity/api-key.ts';
import { requireValue } from '../platform/require-value.ts';
import { readString } from '../records/item-store.ts';
import { createAuditEntry } from './audit-log.ts';

// Derives audit entries from committed writes, so there is an entry exactly when the write happened. Ids are derived
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
    return [createAuditEntry({ ...facts, details }, `${key.id} created`)];
  }
  if (before.state !== 'active' || key.state !== 'revoking') return [];
  const facts = {
    type: 'api_key.revoked' as const,
    at: requireValue(key.revoked_at),
    actor: requireValue(key.revoked_by),
    target: key.id,
  };
  return [createAuditEntry({ ...facts, details }, `${key.id} revoked`)];
}

function toRecordEntries(written: DynamoDBRecord): AuditEntry[] {
  const change = toRecordChange(written);
  if (!change?.before) return [];
  const { type: kind, id, version, at, before, after } = change;
  const facts = { at, actor: readString(written.dynamodb?.NewImage ?? {}, 'actor'), target: id, details: { kind } };
  if (after.deleted && !before.deleted) {
    return [createAuditEntry({ ...facts, type: 'record.deleted' }, `${id} ${version} deleted`)];
  }
  const [old, current] = [getCurrentSecret(before.document), getCurrentSecret(after.document)];
  if (old === undefined || old === current) return [];
  return [createAuditEntry({ ...facts, type: 'webhook_secret.rotated' }, `${id} ${version} rotated`)];
}

/** Inbound and outbound webhooks store their sealed secrets in a list, newest first. */
function getCurrentSecret(document: unknown): string | undefined {
  const { secrets } = document as { secrets?: readonly { sealed: string }[] };
  return secrets?.[0]?.sealed;
}
