import {
  articleStates,
  changeRisks,
  changeStates,
  changeTypes,
  ciStatuses,
  incidentStates,
  openIncidentStates,
  openProblemStates,
  priorities,
  problemStates,
  requestStates,
} from './states.ts';

// What the copilot can search and measure: the tools and the built-in planner share this table. Free of zod.

export interface SearchedKind {
  /** Filters with fixed values; all of them except `sla` can be grouped by. */
  enums: Readonly<Record<string, readonly string[]>>;
  /** Filters that take names as people write them; records can also be grouped by them. */
  names: readonly string[];
  /** The names of people among them. */
  people: readonly string[];
  /** Names by which records are not grouped. */
  ungrouped: readonly string[];
  flags: readonly string[];
  /** Each has the filters `…_after` and `…_before`. */
  times: readonly string[];
  sorts: readonly string[];
  /** Fields that can be empty. */
  optional: readonly string[];
  /** The states of records that still need work. */
  open: readonly string[];
}

const plain = { people: [], ungrouped: [], flags: [], times: ['created', 'updated'], open: [] } as const;
const sorts = ['created_at', 'updated_at'];
const slaStatuses = ['breached', 'at_risk', 'ok'] as const;

export const searchedKinds = {
  incidents: {
    ...plain,
    enums: { priority: priorities, state: incidentStates, sla: slaStatuses },
    names: ['assignment_group', 'assigned_to', 'category', 'opened_by', 'ci'],
    people: ['assigned_to', 'opened_by'],
    flags: ['reopened', 'acknowledged'],
    times: ['created', 'updated', 'resolved', 'acknowledged', 'sla_breach'],
    sorts: [...sorts, 'priority', 'sla_breach_at'],
    optional: ['assignment_group', 'assigned_to', 'category', 'ci'],
    open: openIncidentStates,
  },
  changes: {
    ...plain,
    enums: { state: changeStates, type: changeTypes, risk: changeRisks },
    names: ['assignment_group', 'assigned_to', 'requested_by', 'ci'],
    people: ['assigned_to', 'requested_by'],
    ungrouped: ['ci'],
    times: ['created', 'updated', 'planned'],
    sorts: [...sorts, 'planned_start', 'risk'],
    optional: ['assignment_group', 'assigned_to'],
    open: ['submitted', 'approved', 'implementing'],
  },
  requests: {
    ...plain,
    enums: { state: requestStates },
    names: ['item', 'requested_for', 'requested_by'],
    people: ['requested_for', 'requested_by'],
    sorts,
    optional: ['item', 'requested_for'],
    open: ['submitted', 'approved'],
  },
  problems: {
    ...plain,
    enums: { priority: priorities, state: problemStates },
    names: ['assignment_group', 'assigned_to', 'opened_by', 'ci'],
    people: ['assigned_to', 'opened_by'],
    ungrouped: ['ci'],
    flags: ['known_error'],
    times: ['created', 'updated', 'resolved'],
    sorts: [...sorts, 'priority'],
    optional: ['assignment_group', 'assigned_to', 'ci'],
    open: openProblemStates,
  },
  configuration_items: {
    ...plain,
    enums: { status: ciStatuses },
    names: ['name', 'class', 'environment', 'owner', 'location', 'depends_on', 'needed_by'],
    ungrouped: ['name', 'depends_on', 'needed_by'],
    flags: ['transitive'],
    sorts,
    optional: ['class', 'environment', 'owner', 'location'],
  },
  articles: {
    ...plain,
    enums: { state: articleStates },
    names: ['category', 'created_by'],
    people: ['created_by'],
    sorts,
    optional: [],
  },
} as const satisfies Record<string, SearchedKind>;

export type KindName = keyof typeof searchedKinds;

export const kindNames = Object.keys(searchedKinds) as KindName[];

export function listGroups({ enums, names, ungrouped }: SearchedKind): string[] {
  return [...Object.keys(enums), ...names].filter((name) => name !== 'sla' && !ungrouped.includes(name));
}
