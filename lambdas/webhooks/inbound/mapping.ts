import type { FieldProblem } from '../../../contract/errors.ts';
import { type IncidentCreation, incidentCreation, incidentId, incidentUpdate } from '../../../contract/incidents.ts';
import type { Filter } from '../../../contract/webhook-settings.ts';
import {
  eachItem,
  parseTemplate,
  type TemplateFilter,
  type TemplatePath,
  type TemplatePlace,
} from '../../../contract/webhook-templates.ts';
import { type WorkNoteCreation, workNoteCreation } from '../../../contract/work-notes.ts';
import { validateFields } from '../../platform/http/request-input.ts';
import { requireValue } from '../../platform/require-value.ts';
import { evaluateFilters, type FilterTrace, getValue } from '../filter.ts';
import { isFromTopic, unwrapSns } from './sns.ts';
import { type InboundSettings, selectRule } from './webhook.ts';

// Plans the processing of a payload without I/O: whether the filters and conditions match, the rendered templates, and
// either the input of the action or all problems.

export type IncidentChanges = NonNullable<ReturnType<typeof incidentUpdate.safeParse>['data']>;

export type ActionInput =
  | { action: 'create_incident'; creation: IncidentCreation }
  | { action: 'update_incident' | 'resolve_incident'; changes: IncidentChanges }
  | { action: 'add_note'; note: WorkNoteCreation };

export interface EventPlan {
  /** Index of the rule that applies; null for the webhook's own action. */
  rule: number | null;
  passed: boolean;
  trace: FilterTrace[];
  rendered: Record<string, string>;
  /** Null without a template, and when the template renders an empty text. */
  dedupKey: string | null;
  incidentId: string | null;
  /** Null when there are problems. */
  input: ActionInput | null;
  problems: FieldProblem[];
}

export function planEvent(webhook: InboundSettings, received: unknown): EventPlan {
  const payload = unwrapSns(received);
  const settings = selectRule(webhook, ({ when }) => evaluatePayloadFilters(when, payload).passed);
  const { passed, trace } = evaluatePayloadFilters([...settings.filters, ...settings.when], payload);
  const templates = Object.entries(settings.field_mapping);
  const rendered = Object.fromEntries(
    templates.map(([field, text]) => [field, hasMeaning(text, payload) ? joinLines(field, render(text, payload)) : '']),
  );
  const dedupKey = renderKey(settings.dedup_key, payload);
  const target = renderKey(settings.incident_id, payload);
  const { input, problems } = toActionInput(settings, rendered);
  const all = [
    ...findTopicProblems(settings, received),
    ...problems,
    ...findTargetProblems(settings, dedupKey, target),
  ];
  return {
    rule: settings.rule,
    passed,
    trace,
    rendered,
    dedupKey,
    incidentId: target,
    input: all.length === 0 ? input : null,
    problems: all,
  };
}

export const maxDedupKeyLength = 1_000;

/** As in templates, the prefix `payload.` means the payload itself. */
function evaluatePayloadFilters(filters: readonly Filter[], payload: unknown) {
  const plain = filters.map((filter) => ({ ...filter, field: filter.field.replace(/^payload\./, '') }));
  const { passed, trace } = evaluateFilters(plain, payload);
  return { passed, trace: trace.map((result, index) => ({ ...result, field: requireValue(filters[index]).field })) };
}

const fieldsOfLines = new Set(['description', 'resolution', 'work_note', 'body']);

/** Alerts often have line breaks in single-line fields; replace them by spaces. */
function joinLines(field: string, text: string): string {
  return fieldsOfLines.has(field) ? text : text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function renderKey(template: string | null, payload: unknown): string | null {
  const text = template === null ? '' : render(template, payload).trim();
  return text === '' ? null : text;
}

function toActionInput(
  { action }: InboundSettings,
  rendered: Readonly<Record<string, string>>,
): { input: ActionInput; problems: FieldProblem[] } {
  const given = Object.entries(rendered).filter(([, text]) => text.trim() !== '');
  const fields = Object.fromEntries(given.map(([field, text]) => [field, parseFieldValue(field, text)]));
  switch (action) {
    case 'create_incident': {
      const { data, problems } = validateFields(incidentCreation, fields, 'body');
      return { input: { action, creation: data as IncidentCreation }, problems };
    }
    case 'add_note': {
      const { data, problems } = validateFields(workNoteCreation, fields, 'body');
      return { input: { action, note: data as WorkNoteCreation }, problems };
    }
    default: {
      const { data, problems } = validateFields(incidentUpdate, fields, 'body');
      return { input: { action, changes: data as IncidentChanges }, problems };
    }
  }
}

/** The only field that is not text. */
function parseFieldValue(field: string, text: string): unknown {
  if (field !== 'notify_stakeholders') return text;
  return text === 'true' || (text === 'false' ? false : text);
}

/** Also for messages that are replayed, or sent with a secret or token. */
function findTopicProblems({ preset, topic_arn }: InboundSettings, payload: unknown): FieldProblem[] {
  if (preset !== 'cloudwatch' || isFromTopic(payload, topic_arn)) return [];
  return [{ field: 'TopicArn', message: 'must be the topic_arn of the webhook' }];
}

function findTargetProblems(
  { action, incident_id, dedup_key }: InboundSettings,
  key: string | null,
  target: string | null,
): FieldProblem[] {
  if (key !== null && key.length > maxDedupKeyLength) {
    return [{ field: 'dedup_key', message: `must have at most ${maxDedupKeyLength} characters` }];
  }
  if (action === 'create_incident') return [];
  if (dedup_key !== null && key === null) return [{ field: 'dedup_key', message: 'comes out empty' }];
  if (incident_id !== null && !incidentId.safeParse(target).success) {
    return [{ field: 'incident_id', message: 'does not come out as the id of an incident' }];
  }
  return [];
}

// Renders a template: reads own properties of plain JSON and joins texts. The grammar (contract/webhook-templates.ts)
// allows nothing else. No payload makes it throw.

/** Longer than any field may be, so validation rejects a truncated text. */
const maxTextLength = 100_000;

export function render(template: string, payload: unknown): string {
  const parsed = parseTemplate(template);
  // Templates are validated before they are stored. One that newer rules reject renders an empty text.
  if ('problem' in parsed) return '';
  let text = '';
  for (const part of parsed.parts) {
    text += typeof part === 'string' ? part : renderPlace(part, payload);
    if (text.length >= maxTextLength) return text.slice(0, maxTextLength);
  }
  return text;
}

/**
 * Whether the text has content. If the payload has none of the values, the words between them do not count: otherwise
 * "{{alert}} on {{host}}" would create an incident with the title "on". A default counts as a value.
 */
function hasMeaning(template: string, payload: unknown): boolean {
  const parsed = parseTemplate(template);
  const places = 'problem' in parsed ? [] : parsed.parts.filter((part) => typeof part !== 'string');
  return places.length === 0 || places.some((place) => renderPlace(place, payload) !== '');
}

function renderPlace({ path, filters }: TemplatePlace, payload: unknown): string {
  return filters.reduce((text, filter) => applyFilter(text, filter, payload), readText(payload, path));
}

/** The text at a path. The values of all items of a list are joined, each one once. */
function readText(payload: unknown, path: TemplatePath): string {
  const each = path.indexOf(eachItem);
  if (each < 0) return toText(getValue(payload, path));
  const list = getValue(payload, path.slice(0, each));
  if (!Array.isArray(list)) return '';
  const texts = new Set(list.map((item) => readText(item, path.slice(each + 1))));
  texts.delete('');
  return [...texts].join(', ').slice(0, maxTextLength);
}

function applyFilter(value: string, filter: TemplateFilter, payload: unknown): string {
  switch (filter.name) {
    case 'default':
      if (value !== '') return value;
      return 'text' in filter ? filter.text : readText(payload, filter.path);
    case 'upper':
      return value.toUpperCase();
    case 'lower':
      return value.toLowerCase();
    case 'truncate':
      return truncate(value, filter.characters);
    case 'map':
      // An unmapped value is empty, so that a default can follow.
      return (Object.hasOwn(filter.values, value) && filter.values[value]) || '';
  }
}

/** Cuts between characters, not inside surrogate pairs. */
function truncate(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return [...text.slice(0, 2 * characters)].slice(0, characters).join('');
}

/** Missing and null are empty; lists and objects are written as JSON. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);
  return text.slice(0, maxTextLength);
}
