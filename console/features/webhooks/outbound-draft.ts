import type { EventType, OutboundWebhook } from '../../resources/webhook-words.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { type FilterDraft, toFilter, toFilterDraft } from './filter-draft.ts';

// The settings of an outbound webhook in the form. The service never returns header values: a stored header is `kept`
// until the user enters another value.

export interface HeaderRow {
  name: string;
  value: string;
  kept: boolean;
}

export interface OutboundDraft {
  name: string;
  url: string;
  /** The stored URL; empty for a new webhook. */
  savedUrl: string;
  events: readonly EventType[];
  filters: readonly FilterDraft[];
  headers: readonly HeaderRow[];
  format: OutboundWebhook['format'];
  sign_payloads: boolean;
  active: boolean;
  timeout_seconds: string;
  inbound_webhook_id: string;
  client_id: string;
  include_own: boolean;
}

export const emptyDraft: OutboundDraft = {
  name: '',
  url: '',
  savedUrl: '',
  events: [],
  filters: [],
  headers: [],
  format: 'service',
  sign_payloads: true,
  active: true,
  timeout_seconds: '10',
  inbound_webhook_id: '',
  client_id: '',
  include_own: false,
};

export function toDraft(webhook: OutboundWebhook): OutboundDraft {
  return {
    name: webhook.name,
    url: webhook.url,
    savedUrl: webhook.url,
    events: webhook.events,
    filters: webhook.filters.map(toFilterDraft),
    headers: Object.keys(webhook.headers).map((name) => ({ name, value: '', kept: true })),
    format: webhook.format,
    sign_payloads: webhook.sign_payloads,
    active: webhook.active,
    timeout_seconds: String(webhook.timeout_seconds),
    inbound_webhook_id: webhook.inbound_webhook_id ?? '',
    client_id: webhook.client_id ?? '',
    include_own: webhook.include_own,
  };
}

export function toSettings(draft: OutboundDraft) {
  const typed = draft.headers.filter(({ kept }) => !kept).map(({ name, value }) => [name.trim(), value]);
  return {
    name: draft.name.trim(),
    url: draft.url.trim(),
    events: [...draft.events],
    filters: draft.filters.map(toFilter),
    headers: Object.fromEntries(typed) as Record<string, string>,
    format: draft.format,
    sign_payloads: draft.sign_payloads,
    active: draft.active,
    timeout_seconds: Number(draft.timeout_seconds),
    inbound_webhook_id: draft.inbound_webhook_id === '' ? null : draft.inbound_webhook_id,
    client_id: draft.client_id.trim() === '' ? null : draft.client_id.trim(),
    include_own: draft.include_own,
  };
}

/** A merge patch that removes deleted headers and omits unchanged ones. */
export function toPatch(draft: OutboundDraft, webhook: OutboundWebhook) {
  const settings = toSettings(draft);
  const names = new Set(draft.headers.map(({ name }) => name.trim()));
  const gone = Object.keys(webhook.headers).filter((name) => !names.has(name));
  const taken: Record<string, string | null> = Object.fromEntries(gone.map((name) => [name, null]));
  return { ...settings, headers: { ...taken, ...settings.headers } };
}

/** Whether saving drops the stored headers and replaces the secret: they belong to the previous receiver. */
export function hasNewOrigin({ url, savedUrl }: OutboundDraft): boolean {
  if (savedUrl === '' || !URL.canParse(url.trim())) return false;
  return new URL(url.trim()).origin !== new URL(savedUrl).origin;
}

/** Problems that need no request to find. */
export function findProblems(draft: OutboundDraft): FieldProblems {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems.name = 'Enter a name.';
  if (!URL.canParse(draft.url.trim())) problems.url = 'Enter an absolute URL.';
  if (draft.events.length === 0) problems.events = 'Select at least one event.';
  const seconds = Number(draft.timeout_seconds);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 30)
    problems.timeout_seconds = 'Enter a number from 1 to 30.';
  for (const { name } of draft.headers) if (name.trim() === '') problems['headers.'] = 'Enter a name for each header.';
  return problems;
}

const shownFields = new Set([
  'name',
  'url',
  'events',
  'filters',
  'headers',
  'timeout_seconds',
  'inbound_webhook_id',
  'client_id',
]);

/** Whether the form shows problems beside this field. */
export function isShown(field: string): boolean {
  return shownFields.has(field.split(/[.[]/)[0] ?? '');
}
