import type { FieldProblems } from '../../ui/field-problems.ts';
import { type FilterDraft, toFilter, toFilterDraft } from './filter-draft.ts';
import { type Action, type InboundWebhook, mappableFields } from './webhook-words.ts';

// The settings of an inbound webhook in the form, with rows in the order of their creation.

export interface MappingRow {
  field: string;
  template: string;
}

export interface InboundDraft {
  name: string;
  description: string;
  action: Action;
  mapping: readonly MappingRow[];
  filters: readonly FilterDraft[];
  incident_id: string;
  dedup_key: string;
  dedup_scope: string;
  secret_enabled: boolean;
  accept_repeated_bodies: boolean;
  active: boolean;
}

export const emptyDraft: InboundDraft = {
  name: '',
  description: '',
  action: 'create_incident',
  mapping: [
    { field: 'short_description', template: '{{title | truncate:255}}' },
    { field: 'priority', template: '{{severity | lower | map:"critical=P1,error=P2,warning=P3" | default:"P4"}}' },
  ],
  filters: [],
  incident_id: '',
  dedup_key: '',
  dedup_scope: '',
  secret_enabled: true,
  accept_repeated_bodies: false,
  active: true,
};

export function toDraft(webhook: InboundWebhook): InboundDraft {
  return {
    name: webhook.name,
    description: webhook.description ?? '',
    action: webhook.action,
    mapping: Object.entries(webhook.field_mapping).map(([field, template]) => ({ field, template })),
    filters: webhook.filters.map(toFilterDraft),
    incident_id: webhook.incident_id ?? '',
    dedup_key: webhook.dedup_key ?? '',
    dedup_scope: webhook.dedup_scope ?? '',
    secret_enabled: webhook.secret_enabled,
    accept_repeated_bodies: webhook.accept_repeated_bodies,
    active: webhook.active,
  };
}

export function toSettings(draft: InboundDraft) {
  const changes = draft.action !== 'create_incident';
  const text = (value: string) => (value.trim() === '' ? null : value.trim());
  return {
    name: draft.name.trim(),
    description: text(draft.description),
    action: draft.action,
    field_mapping: Object.fromEntries(draft.mapping.map(({ field, template }) => [field, template])),
    filters: draft.filters.map(toFilter),
    incident_id: changes ? text(draft.incident_id) : null,
    dedup_key: text(draft.dedup_key),
    dedup_scope: text(draft.dedup_key) === null ? null : text(draft.dedup_scope),
    secret_enabled: draft.secret_enabled,
    accept_repeated_bodies: draft.accept_repeated_bodies,
    active: draft.active,
  };
}

/** A merge patch that removes fields that are no longer mapped. */
export function toPatch(draft: InboundDraft, webhook: InboundWebhook) {
  const settings = toSettings(draft);
  const gone = Object.keys(webhook.field_mapping).filter((field) => !(field in settings.field_mapping));
  const taken: Record<string, string | null> = Object.fromEntries(gone.map((field) => [field, null]));
  return { ...settings, field_mapping: { ...taken, ...settings.field_mapping } };
}

/** Problems that need no request to find. */
export function findProblems(draft: InboundDraft): FieldProblems {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems.name = 'Enter a name.';
  const known = mappableFields[draft.action];
  for (const { field, template } of draft.mapping) {
    if (!known.includes(field)) problems[`field_mapping.${field}`] = 'This action does not support this field.';
    else if (template.trim() === '') problems[`field_mapping.${field}`] = 'Enter a template.';
  }
  return problems;
}

/** Lists the fields that are not mapped yet. */
export function listFreeFields({ action, mapping }: InboundDraft): string[] {
  const taken = new Set(mapping.map(({ field }) => field));
  return mappableFields[action].filter((field) => !taken.has(field));
}

const shownFields = new Set([
  'name',
  'description',
  'action',
  'field_mapping',
  'filters',
  'incident_id',
  'dedup_key',
  'dedup_scope',
]);

/** Whether the form shows problems beside this field. */
export function isShown(field: string): boolean {
  return shownFields.has(field.split(/[.[]/)[0] ?? '');
}
