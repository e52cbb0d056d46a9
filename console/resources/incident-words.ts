import type { ServiceClient } from '../../client/index.ts';
import { type IncidentState, openIncidentStates, type Priority } from '../../contract/states.ts';
import { type ListSpec, type ListView, timeSorts } from '../records/list-address.ts';
import type { FieldSection } from '../records/record-draft.ts';
import type { RecordWords } from '../records/record-words.ts';
import { breachSort, slaNames } from './sla.ts';

// The labels of incidents. The types make sure that no value of the contract is missing.

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
  external_id: 'External ID',
  sla_breached_at: 'SLA breached at',
  opened_by: 'Requester',
  resolved_at: 'Resolved at',
  closed_at: 'Closed at',
  acknowledged_at: 'Acknowledged at',
  acknowledged_by: 'Acknowledged by',
  reopen_count: 'Reopen count',
  work_notes_count: 'Work notes',
  ai_suggested_resolution: 'Suggested resolution',
  deleted: 'Deleted',
  created_at: 'Created at',
  updated_at: 'Updated at',
};

export const incidentWords: RecordWords = {
  thing: 'incident',
  fields: {
    ...fieldNames,
    sla: 'SLA',
    sla_warned_at: 'SLA warning at',
    sla_acknowledge_breached_at: 'Acknowledgement due at',
    sla_revision: 'SLA policies',
    escalation: 'Escalation',
    unassigned: 'Unassigned',
    min_age_hours: 'Older than',
  },
  values: { state: stateNames, impact: levelNames, urgency: levelNames },
};

const optionalLevels = { '': 'Not set', ...levelNames };

export const assignmentSection: FieldSection = {
  title: 'Assignment',
  fields: [
    { name: 'assignment_group', kind: 'suggested' },
    { name: 'assigned_to', kind: 'assignee' },
  ],
};

export const incidentSections: readonly FieldSection[] = [
  {
    title: 'Incident details',
    fields: [
      { name: 'short_description', kind: 'summary', hint: 'Summarize the problem in one line.' },
      { name: 'description', kind: 'markdown' },
    ],
  },
  {
    title: 'Classification',
    fields: [
      { name: 'priority', kind: 'choice', first: 'P3', choices: priorityNames },
      { name: 'impact', kind: 'choice', choices: optionalLevels },
      { name: 'urgency', kind: 'choice', choices: optionalLevels },
      { name: 'category', kind: 'suggested' },
      { name: 'subcategory', kind: 'suggested' },
    ],
  },
  assignmentSection,
  {
    title: 'Related records and resolution',
    collapsible: true,
    fields: [
      { name: 'ci_id', kind: 'ci' },
      { name: 'parent_problem_id', kind: 'line' },
      { name: 'change_id', kind: 'line' },
      { name: 'resolution', kind: 'markdown', hint: 'How the incident was resolved.' },
    ],
  },
];

export const incidentFields = incidentSections.flatMap(({ fields }) => fields);

export const incidentListSpec = {
  choices: {
    state: stateNames,
    priority: priorityNames,
    sla: slaNames,
    unassigned: { true: 'Yes' },
    min_age_hours: { 1: '1 hour', 4: '4 hours', 24: '1 day', 72: '3 days', 168: '7 days', 720: '30 days' },
  },
  texts: ['assignment_group', 'assigned_to', 'category'],
  defaultFilters: { state: openIncidentStates.join(',') },
  sorts: {
    priority: { asc: 'Most urgent first', desc: 'Least urgent first', first: 'asc' },
    sla_breach_at: breachSort,
    created_at: timeSorts.created_at,
    updated_at: timeSorts.updated_at,
  },
} as const satisfies ListSpec;

export function incidentViews(email: string | undefined): ListView[] {
  const open = { state: openIncidentStates.join(',') };
  return [
    { id: 'open', text: 'Open', filters: open },
    { id: 'unassigned', text: 'Unassigned', filters: { ...open, unassigned: 'true' } },
    { id: 'late', text: 'Breached', filters: { ...open, sla: 'breached' }, sort: 'sla_breach_at' },
    { id: 'risk', text: 'At risk', filters: { ...open, sla: 'at_risk' }, sort: 'sla_breach_at' },
    ...(email ? [{ id: 'mine', text: 'Mine', filters: { ...open, assigned_to: email } }] : []),
    { id: 'all', text: 'All', filters: {}, sort: 'created_at' },
  ];
}

export const incidentPath = (id: string) => `/incidents/${encodeURIComponent(id)}`;
