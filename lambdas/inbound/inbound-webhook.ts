import type { FieldProblem } from '../../contract/errors.ts';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import {
  type InboundWebhook,
  type InboundWebhookCreation,
  type InboundWebhookUpdate,
  mappableFields,
} from '../../contract/inbound-webhooks.ts';
import { wholeListing } from '../lists/few-records.ts';
import { ServiceError, summarize, truncateProblems } from '../platform/service-error.ts';
import { changesBetween, patched } from '../records/change-record.ts';
import type { RecordType, StoredRecord } from '../records/record.ts';
import { previousUntil, type SealedSecret } from './webhook-secret.ts';

export type InboundSettings = InboundWebhookCreation;

export interface InboundWebhookDocument extends InboundSettings {
  created_by: string;
  /** The current one first; none without `secret_enabled`. */
  secrets: readonly SealedSecret[];
}

export type InboundWebhookRecord = StoredRecord<InboundWebhookDocument>;

export const inboundWebhookType: RecordType<InboundWebhookDocument> = {
  name: 'inbound_webhook',
  listing: ({ document, ...record }) =>
    wholeListing({ ...record, document: { ...document, secrets: unsealed(document) } }),
  indexKeys: () => ({}),
  changes: ({ secrets: old, ...before }, { secrets, ...after }) => ({
    ...changesBetween(before, after),
    ...changesBetween(
      ...([old, secrets].map((list) => ({ secret_created_at: list?.[0]?.created_at })) as [object, object]),
    ),
  }),
};

/** What callers see of a webhook. */
export function showInboundWebhook(
  { id, created_at, updated_at, document }: InboundWebhookRecord,
  { publicUrl, nowMs }: { publicUrl: string; nowMs: number },
): InboundWebhook {
  const { secrets, ...fields } = document;
  return {
    id,
    url: `${publicUrl}/${stageName}${apiPrefixes[1]}/webhooks/inbound/${id}`,
    ...fields,
    accept_repeated_bodies: fields.accept_repeated_bodies ?? false,
    secret_created_at: secrets[0]?.created_at ?? null,
    previous_secret_until: previousUntil(secrets, nowMs),
    created_at,
    updated_at,
  };
}

export function inboundWebhookLocation(id: string): string {
  return `/${stageName}${apiPrefixes[0]}/webhooks/inbound/${id}`;
}

/** A JSON merge patch, which goes into the mapping, too. */
export function changedSettings<Settings extends InboundSettings>(
  before: Settings,
  update: InboundWebhookUpdate,
): Settings {
  const { field_mapping, ...plain } = update;
  const mapping = Object.entries({ ...before.field_mapping, ...field_mapping });
  const kept = mapping.filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    ...patched<InboundSettings>(before, plain as Partial<InboundSettings>),
    field_mapping: Object.fromEntries(kept),
  } as Settings;
}

/** What one setting demands of another. */
export function assertConsistent(settings: InboundSettings): void {
  const problems = [...mappingProblems(settings), ...targetProblems(settings)];
  if (problems.length === 0) return;
  throw new ServiceError('invalid_input', summarize(problems), { members: { errors: truncateProblems(problems) } });
}

function mappingProblems({ action, field_mapping }: InboundSettings): FieldProblem[] {
  const known = mappableFields[action];
  const unknown = Object.keys(field_mapping).filter((field) => !known.includes(field));
  const required = { create_incident: 'short_description', add_note: 'body' }[action as string];
  const missing = required !== undefined && !Object.hasOwn(field_mapping, required);
  const empty = action === 'update_incident' && Object.keys(field_mapping).length === 0;
  return [
    ...unknown.map((field) => ({
      field: `field_mapping.${field}`,
      message: `is not one of the fields of ${action}: ${known.join(', ')}`,
    })),
    ...(missing ? [{ field: `field_mapping.${required}`, message: `is required for ${action}` }] : []),
    ...(empty ? [{ field: 'field_mapping', message: 'must name at least one field' }] : []),
  ];
}

function targetProblems({ action, incident_id, dedup_key, dedup_scope }: InboundSettings): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (action === 'create_incident' && incident_id !== null) {
    problems.push({ field: 'incident_id', message: 'is for actions that change an incident' });
  }
  if (action !== 'create_incident' && (incident_id === null) === (dedup_key === null)) {
    problems.push({ field: 'incident_id', message: `or dedup_key is required for ${action}, and not both` });
  }
  if (dedup_scope !== null && dedup_key === null) {
    problems.push({ field: 'dedup_scope', message: 'needs a dedup_key' });
  }
  return problems;
}

/** Lists need not carry what only the receiving function uses. */
function unsealed({ secrets }: InboundWebhookDocument): SealedSecret[] {
  return secrets.map((secret) => ({ ...secret, sealed: '' }));
}
