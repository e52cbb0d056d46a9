import { type InboundPresetName, inboundPresets } from '../../../contract/inbound-presets.ts';
import { type Action, type InboundWebhook, mappableFields } from '../../resources/webhook-words.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { type FilterDraft, toFilter, toFilterDraft } from './filter-draft.ts';

// The settings of an inbound webhook in the form, with rows in the order of their creation.

export interface MappingRow {
  field: string;
  template: string;
}

export interface RuleDraft {
  when: readonly FilterDraft[];
  action: Action;
  mapping: readonly MappingRow[];
}

export interface InboundDraft {
  name: string;
  description: string;
  action: Action;
  mapping: readonly MappingRow[];
  filters: readonly FilterDraft[];
  when: readonly FilterDraft[];
  rules: readonly RuleDraft[];
  /** Sent on creation only. */
  preset: InboundPresetName | null;
  incident_id: string;
  dedup_key: string;
  dedup_scope: string;
  topic_arn: string;
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
  when: [],
  rules: [],
  preset: null,
  incident_id: '',
  dedup_key: '',
  dedup_scope: '',
  topic_arn: '',
  secret_enabled: true,
  accept_repeated_bodies: false,
  active: true,
};

export function toDraft(webhook: InboundWebhook): InboundDraft {
  return {
    name: webhook.name,
    description: webhook.description ?? '',
    action: webhook.action,
    mapping: toRows(webhook.field_mapping),
    filters: webhook.filters.map(toFilterDraft),
    when: webhook.when.map(toFilterDraft),
    rules: webhook.rules.map(toRuleDraft),
    preset: webhook.preset,
    incident_id: webhook.incident_id ?? '',
    dedup_key: webhook.dedup_key ?? '',
    dedup_scope: webhook.dedup_scope ?? '',
    topic_arn: webhook.topic_arn ?? '',
    secret_enabled: webhook.secret_enabled,
    accept_repeated_bodies: webhook.accept_repeated_bodies,
    active: webhook.active,
  };
}

/** The settings of a preset, in place of those in the form. */
export function toPresetDraft(name: InboundPresetName): Partial<InboundDraft> {
  const { action, field_mapping, when, rules, dedup_key } = inboundPresets[name];
  return {
    action,
    mapping: toRows(field_mapping),
    when: when.map(toFilterDraft),
    rules: rules.map(toRuleDraft),
    incident_id: '',
    dedup_key,
    dedup_scope: '',
  };
}

function toRows(mapping: Readonly<Record<string, string>>): MappingRow[] {
  return Object.entries(mapping).map(([field, template]) => ({ field, template }));
}

function toRuleDraft({ when, action, field_mapping }: InboundWebhook['rules'][number]): RuleDraft {
  return { when: when.map(toFilterDraft), action, mapping: toRows(field_mapping) };
}

function toMapping(rows: readonly MappingRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ field, template }) => [field, template]));
}

export function toSettings(draft: InboundDraft) {
  const creates = [draft, ...draft.rules].some(({ action }) => action === 'create_incident');
  const text = (value: string) => (value.trim() === '' ? null : value.trim());
  return {
    name: draft.name.trim(),
    description: text(draft.description),
    action: draft.action,
    field_mapping: toMapping(draft.mapping),
    filters: draft.filters.map(toFilter),
    when: draft.when.map(toFilter),
    rules: draft.rules.map(({ when, action, mapping }) => ({
      when: when.map(toFilter),
      action,
      field_mapping: toMapping(mapping),
    })),
    preset: draft.preset,
    incident_id: creates ? null : text(draft.incident_id),
    dedup_key: text(draft.dedup_key),
    dedup_scope: text(draft.dedup_key) === null ? null : text(draft.dedup_scope),
    topic_arn: draft.preset === 'cloudwatch' ? text(draft.topic_arn) : null,
    secret_enabled: draft.secret_enabled,
    accept_repeated_bodies: draft.accept_repeated_bodies,
    active: draft.active,
  };
}

/** A merge patch that removes fields that are no longer mapped. */
export function toPatch(draft: InboundDraft, webhook: InboundWebhook) {
  const { preset: _, ...settings } = toSettings(draft);
  const gone = Object.keys(webhook.field_mapping).filter((field) => !(field in settings.field_mapping));
  const taken: Record<string, string | null> = Object.fromEntries(gone.map((field) => [field, null]));
  return { ...settings, field_mapping: { ...taken, ...settings.field_mapping } };
}

/** Problems that need no request to find. */
export function findProblems(draft: InboundDraft): FieldProblems {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems.name = 'Enter a name.';
  if (draft.preset === 'cloudwatch' && draft.topic_arn.trim() === '')
    problems.topic_arn = 'Enter the ARN of the topic.';
  addMappingProblems(draft, '', problems);
  draft.rules.forEach((rule, index) => {
    addMappingProblems(rule, `rules[${index}].`, problems);
    if (rule.when.length === 0) problems[`rules[${index}].when`] = 'Add at least one condition.';
  });
  return problems;
}

type Mapped = Pick<InboundDraft, 'action' | 'mapping'>;

function addMappingProblems({ action, mapping }: Mapped, prefix: string, problems: Record<string, string>): void {
  for (const { field, template } of mapping) {
    const key = `${prefix}field_mapping.${field}`;
    if (!mappableFields[action].includes(field)) problems[key] = 'This action does not support this field.';
    else if (template.trim() === '') problems[key] = 'Enter a template.';
  }
}

/** Lists the fields that are not mapped yet. */
export function listFreeFields({ action, mapping }: Mapped): string[] {
  const taken = new Set(mapping.map(({ field }) => field));
  return mappableFields[action].filter((field) => !taken.has(field));
}

const shownFields = new Set([
  'name',
  'description',
  'action',
  'field_mapping',
  'filters',
  'when',
  'rules',
  'incident_id',
  'dedup_key',
  'dedup_scope',
  'topic_arn',
]);

/** Whether the form shows problems beside this field. */
export function isShown(field: string): boolean {
  return shownFields.has(field.split(/[.[]/)[0] ?? '');
}
