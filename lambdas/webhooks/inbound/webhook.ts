import type { FieldProblem } from '../../../contract/errors.ts';
import { apiPrefixes, stageName } from '../../../contract/http.ts';
import type { InboundAction } from '../../../contract/inbound-presets.ts';
import { inboundPresets } from '../../../contract/inbound-presets.ts';
import {
  type InboundRule,
  type InboundWebhook,
  type InboundWebhookCreation,
  type InboundWebhookUpdate,
  mappableFields,
} from '../../../contract/inbound-webhooks.ts';
import { toLocalPart } from '../../identity/authorizer.ts';
import { encodeWholeListing } from '../../lists/feed-store.ts';
import { ServiceError, summarize, truncateProblems } from '../../platform/service-error.ts';
import { applyPatch, diffFields } from '../../records/change-record.ts';
import type { Author, RecordType, StoredRecord } from '../../records/record.ts';
import { listValidSecrets, type SealedSecret } from '../secrets.ts';

export interface InboundSettings extends Omit<InboundWebhookCreation, 'action'> {
  action: InboundAction;
}

/** Uses the preset for settings that the request omits. */
export function applyPreset({ action, ...given }: InboundWebhookCreation): InboundSettings {
  const preset = given.preset === null ? undefined : inboundPresets[given.preset];
  const chosen = action ?? preset?.action;
  if (chosen === undefined) throw createSettingsError([{ field: 'action', message: 'is required' }]);
  if (!preset) return { ...given, action: chosen };
  return {
    ...given,
    action: chosen,
    field_mapping: { ...preset.field_mapping, ...given.field_mapping },
    when: given.when.length > 0 ? given.when : preset.when,
    rules: given.rules.length > 0 ? given.rules : preset.rules,
    dedup_key: given.dedup_key ?? preset.dedup_key,
  };
}

/** The settings of the first matching rule, or the settings of the webhook itself. */
export function selectRule(
  settings: InboundSettings,
  matches: (rule: InboundRule) => boolean,
): InboundSettings & { rule: number | null } {
  const index = settings.rules.findIndex(matches);
  return { ...settings, ...settings.rules[index], rule: index < 0 ? null : index };
}

export interface InboundWebhookDocument extends InboundSettings {
  created_by: string;
  /** The current secret first; empty without `secret_enabled`. */
  secrets: readonly SealedSecret[];
}

export type InboundWebhookRecord = StoredRecord<InboundWebhookDocument>;

export const inboundWebhookType: RecordType<InboundWebhookDocument> = {
  name: 'inbound_webhook',
  listing: ({ document, ...record }) =>
    encodeWholeListing({ ...record, document: { ...document, secrets: removeSealedValues(document) } }),
  indexKeys: () => ({}),
  changes: ({ secrets: old, ...before }, { secrets, ...after }) => ({
    ...diffFields(before, after),
    ...diffFields(
      ...([old, secrets].map((list) => ({ secret_created_at: list?.[0]?.created_at })) as [object, object]),
    ),
  }),
};

/** The webhook in a response. */
export function toInboundWebhookResponse(
  { id, created_at, updated_at, document }: InboundWebhookRecord,
  { publicUrl, nowMs }: { publicUrl: string; nowMs: number },
): InboundWebhook {
  const { secrets, ...fields } = document;
  return {
    id,
    url: `${publicUrl}/${stageName}${apiPrefixes[1]}/webhooks/inbound/${id}`,
    ...fields,
    topic_arn: fields.topic_arn ?? null,
    secret_created_at: secrets[0]?.created_at ?? null,
    previous_secret_until: getPreviousSecretExpiry(secrets, nowMs),
    created_at,
    updated_at,
  };
}

/** Applies a JSON merge patch, which also merges the mapping. */
export function applySettingsPatch<Settings extends InboundSettings>(
  before: Settings,
  update: InboundWebhookUpdate,
): Settings {
  const { field_mapping, ...plain } = update;
  const mapping = Object.entries({ ...before.field_mapping, ...field_mapping });
  const kept = mapping.filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    ...applyPatch<InboundSettings>(before, plain as Partial<InboundSettings>),
    field_mapping: Object.fromEntries(kept),
  } as Settings;
}

/** Checks the settings that depend on each other. */
export function assertConsistent(settings: InboundSettings): void {
  const problems = [
    ...findMappingProblems(settings),
    ...settings.rules.flatMap((rule, index) => findMappingProblems(rule, `rules[${index}].`)),
    ...findTargetProblems(settings),
    ...findTopicProblems(settings),
  ];
  if (problems.length > 0) throw createSettingsError(problems);
}

function createSettingsError(problems: FieldProblem[]): ServiceError {
  return new ServiceError('invalid_input', summarize(problems), { members: { errors: truncateProblems(problems) } });
}

function findMappingProblems(
  { action, field_mapping }: Pick<InboundSettings, 'action' | 'field_mapping'>,
  prefix = '',
): FieldProblem[] {
  const known = mappableFields[action];
  const unknown = Object.keys(field_mapping).filter((field) => !known.includes(field));
  const required = { create_incident: 'short_description', add_note: 'body' }[action as string];
  const missing = required !== undefined && !Object.hasOwn(field_mapping, required);
  const empty = action === 'update_incident' && Object.keys(field_mapping).length === 0;
  return [
    ...unknown.map((field) => ({
      field: `${prefix}field_mapping.${field}`,
      message: `is not one of the fields of ${action}: ${known.join(', ')}`,
    })),
    ...(missing ? [{ field: `${prefix}field_mapping.${required}`, message: `is required for ${action}` }] : []),
    ...(empty ? [{ field: `${prefix}field_mapping`, message: 'must name at least one field' }] : []),
  ];
}

function findTargetProblems({ action, rules, incident_id, dedup_key, dedup_scope }: InboundSettings): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const actions = new Set([action, ...rules.map((rule) => rule.action)]);
  if (actions.has('create_incident') && incident_id !== null) {
    problems.push({ field: 'incident_id', message: 'is for actions that change an incident' });
  }
  const change = [...actions].find((each) => each !== 'create_incident');
  if (change !== undefined && (incident_id === null) === (dedup_key === null)) {
    problems.push({ field: 'incident_id', message: `or dedup_key is required for ${change}, and not both` });
  }
  if (dedup_scope !== null && dedup_key === null) {
    problems.push({ field: 'dedup_scope', message: 'needs a dedup_key' });
  }
  return problems;
}

/** A webhook of an earlier release has no topic, not even null, and can be changed without one. */
function findTopicProblems({ preset, topic_arn }: InboundSettings): FieldProblem[] {
  if (preset === 'cloudwatch')
    return topic_arn === null ? [{ field: 'topic_arn', message: 'is required for the preset cloudwatch' }] : [];
  return (topic_arn ?? null) === null ? [] : [{ field: 'topic_arn', message: 'is for the preset cloudwatch' }];
}

/** Lists omit the sealed values, because only the receiving function needs them. */
function removeSealedValues({ secrets }: InboundWebhookDocument): SealedSecret[] {
  return secrets.map((secret) => ({ ...secret, sealed: '' }));
}

export function getPreviousSecretExpiry(secrets: readonly SealedSecret[], nowMs: number): string | null {
  const ends = listValidSecrets(secrets, nowMs).flatMap(({ expires_at }) => expires_at ?? []);
  return ends.sort().at(-1) ?? null;
}

/**
 * The author of a webhook's writes: like for a client, an address in the service's domain, with the id of the webhook.
 */
export function toWebhookAuthor(
  { id, document }: Pick<InboundWebhookRecord, 'id' | 'document'>,
  serviceDomain: string,
): Author {
  const name = toLocalPart(document.name).slice(0, maxLocalPartLength) || id;
  return { actor: `${name}@webhooks.${serviceDomain}`, origin: { kind: 'webhook', id } };
}

const maxLocalPartLength = 64;
