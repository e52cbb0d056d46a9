import type { ServiceClient } from '../../../client/index.ts';
import type { IncidentState, Priority } from '../../../contract/states.ts';
import { momentText } from '../../time-text.ts';

// The words of the console for what incidents are made of. The values come from the contract, which as code is too
// large for a browser; the types here make sure that none is missing.

export type Incident = Awaited<ReturnType<ServiceClient['getIncident']>>;

export const stateNames: Readonly<Record<IncidentState, string>> = {
  new: 'New',
  in_progress: 'In progress',
  on_hold: 'On hold',
  reopened: 'Reopened',
  resolved: 'Resolved',
  closed: 'Closed',
  cancelled: 'Cancelled',
};

export const priorityNames: Readonly<Record<Priority, string>> = {
  P1: 'P1 – Critical',
  P2: 'P2 – High',
  P3: 'P3 – Moderate',
  P4: 'P4 – Low',
};

type Level = NonNullable<Incident['impact']>;

export const levelNames: Readonly<Record<Level, string>> = { high: 'High', medium: 'Medium', low: 'Low' };

export const states = Object.keys(stateNames) as IncidentState[];

export const priorities = Object.keys(priorityNames) as Priority[];

export const levels = Object.keys(levelNames) as Level[];

export const openStates: readonly IncidentState[] = ['new', 'in_progress', 'on_hold', 'reopened'];

/** What the service lets follow each state; it refuses the rest with 409. */
export const transitions: Readonly<Record<IncidentState, readonly IncidentState[]>> = {
  new: ['in_progress', 'cancelled'],
  in_progress: ['resolved', 'on_hold'],
  on_hold: ['in_progress'],
  reopened: ['in_progress'],
  resolved: ['closed', 'reopened'],
  closed: [],
  cancelled: [],
};

export const fieldNames: Readonly<Record<keyof Incident, string>> = {
  id: 'ID',
  number: 'Number',
  short_description: 'Short description',
  description: 'Description',
  priority: 'Priority',
  state: 'State',
  category: 'Category',
  subcategory: 'Subcategory',
  impact: 'Impact',
  urgency: 'Urgency',
  assignment_group: 'Assignment group',
  assigned_to: 'Assigned to',
  ci_id: 'Configuration item',
  parent_problem_id: 'Parent problem',
  change_id: 'Change',
  resolution: 'Resolution',
  sla_breach_at: 'SLA breach at',
  opened_by: 'Opened by',
  resolved_at: 'Resolved at',
  closed_at: 'Closed at',
  reopen_count: 'Reopen count',
  work_notes_count: 'Work notes',
  ai_suggested_resolution: 'Suggested resolution',
  deleted: 'Deleted',
  created_at: 'Created at',
  updated_at: 'Updated at',
};

/** Also of fields that only the history knows, such as the marks of the SLA. */
export function fieldName(field: string): string {
  const known = (fieldNames as Readonly<Record<string, string>>)[field];
  if (known) return known;
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value as the console shows it in one line. */
export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (field === 'state') return stateNames[value as IncidentState] ?? String(value);
  if (field === 'impact' || field === 'urgency') return levelNames[value as Level] ?? String(value);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return momentText(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const incidentPath = (id: string) => `/incidents/${encodeURIComponent(id)}`;
