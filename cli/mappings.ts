// How incidents of other tools become ours: one table per tool. A mapping file of the user has the same form and takes
// precedence field by field.

export interface NoteSource {
  /** Column with a list of notes, or with their text. */
  from: string;
  body?: string;
  author?: string;
  at?: string;
  visibility?: 'team' | 'public';
  /** Notes whose column has this value are public. */
  public?: readonly [column: string, value: string];
  /** `journal`: entries of ServiceNow in one text. `semicolons`: time;author;text in each of several columns. */
  format?: 'journal' | 'semicolons';
}

export interface HistorySource {
  from: string;
  at: string;
  author: string;
  /** Column with the list of changes, if an entry has several. */
  items?: string;
  field: string;
  before: string;
  after: string;
}

export interface Mapping {
  /** Columns of each field; the first one with a value wins. Dots lead to nested columns. */
  fields: Readonly<Record<string, string | readonly string[]>>;
  /** Column with an object whose members are columns. */
  nested?: string;
  /** Values of each field, in any case. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Values for records that have none. */
  defaults: Readonly<Record<string, string>>;
  /** E-mail addresses of names. */
  people: Readonly<Record<string, string>>;
  /** Makes grace.hopper@<domain> of the name Grace Hopper. */
  email_domain?: string;
  /** Of times without an offset; UTC by default. */
  time_zone?: string;
  /** Of dates such as 03/04/2026. */
  date_order?: 'DMY' | 'MDY';
  /** Columns to leave out. */
  ignore: readonly string[];
  notes: readonly NoteSource[];
  history?: HistorySource;
  /** Tables of --with: the column that names the incident, and the column of the incident. */
  joins: Readonly<Record<string, { key: string; on: string }>>;
}

const empty = { fields: {}, values: {}, defaults: {}, people: {}, ignore: [], notes: [], joins: {} };

const levels = {
  '1': 'high',
  '2': 'medium',
  '3': 'low',
  high: 'high',
  medium: 'medium',
  moderate: 'medium',
  low: 'low',
};

const texts = ['short_description', 'description', 'category', 'subcategory', 'assignment_group', 'assigned_to'];

const own = [
  ...[...texts, 'resolution', 'priority', 'state', 'impact', 'urgency', 'ci_id', 'change_id', 'parent_problem_id'],
  ...['external_id', 'opened_by', 'created_at', 'updated_at', 'resolved_at', 'closed_at', 'reopen_count'],
  ...['acknowledged_at', 'acknowledged_by'],
];

const ranks = { '1': 'P1', '2': 'P2', '3': 'P3', '4': 'P4', '5': 'P4' };
const words = { critical: 'P1', high: 'P2', moderate: 'P3', medium: 'P3', low: 'P4', planning: 'P4' };
const codes = { p1: 'P1', p2: 'P2', p3: 'P3', p4: 'P4', p5: 'P4' };

export const mappings: Readonly<Record<string, Mapping>> = {
  servicenow: {
    ...empty,
    fields: {
      ...Object.fromEntries([...texts, 'priority', 'impact', 'urgency', 'reopen_count'].map((name) => [name, name])),
      external_id: ['number', 'task_effective_number'],
      state: ['state', 'incident_state'],
      assigned_to: ['assigned_to.email', 'assigned_to'],
      opened_by: ['opened_by.email', 'opened_by', 'sys_created_by'],
      created_at: ['opened_at', 'sys_created_on'],
      updated_at: 'sys_updated_on',
      resolved_at: 'resolved_at',
      closed_at: 'closed_at',
      resolution: 'close_notes',
    },
    values: {
      priority: { ...ranks, ...words },
      impact: levels,
      urgency: levels,
      state: {
        '1': 'new',
        '2': 'in_progress',
        '3': 'on_hold',
        '6': 'resolved',
        '7': 'closed',
        '8': 'cancelled',
        new: 'new',
        active: 'in_progress',
        'in progress': 'in_progress',
        'on hold': 'on_hold',
        'awaiting user info': 'on_hold',
        resolved: 'resolved',
        closed: 'closed',
        canceled: 'cancelled',
        cancelled: 'cancelled',
      },
    },
    notes: [
      {
        from: 'sys_journal_field',
        body: 'value',
        author: 'sys_created_by',
        at: 'sys_created_on',
        public: ['element', 'comments'],
      },
      { from: 'comments', format: 'journal', visibility: 'public' },
      { from: 'work_notes', format: 'journal' },
      { from: 'comments_and_work_notes', format: 'journal' },
    ],
    history: {
      from: 'sys_audit',
      at: 'sys_created_on',
      author: 'user',
      field: 'fieldname',
      before: 'oldvalue',
      after: 'newvalue',
    },
    joins: {
      sys_audit: { key: 'documentkey', on: 'sys_id' },
      sys_journal_field: { key: 'element_id', on: 'sys_id' },
    },
  },
  jira: {
    ...empty,
    nested: 'fields',
    fields: {
      external_id: ['key', 'Issue key'],
      short_description: ['fields.summary', 'Summary'],
      description: ['fields.description', 'Description'],
      priority: ['fields.priority', 'Priority'],
      state: ['fields.status', 'Status'],
      category: ['fields.components.0', 'Component/s'],
      assigned_to: ['fields.assignee.emailAddress', 'fields.assignee', 'Assignee'],
      opened_by: ['fields.reporter.emailAddress', 'fields.reporter', 'Reporter'],
      created_at: ['fields.created', 'Created'],
      updated_at: ['fields.updated', 'Updated'],
      resolved_at: ['fields.resolutiondate', 'Resolved'],
      resolution: ['fields.resolution', 'Resolution'],
    },
    values: {
      priority: {
        highest: 'P1',
        ...words,
        lowest: 'P4',
        blocker: 'P1',
        major: 'P2',
        minor: 'P4',
        trivial: 'P4',
        ...codes,
      },
      state: {
        open: 'new',
        'to do': 'new',
        backlog: 'new',
        'waiting for support': 'new',
        'in progress': 'in_progress',
        'work in progress': 'in_progress',
        'in review': 'in_progress',
        pending: 'on_hold',
        'waiting for customer': 'on_hold',
        resolved: 'resolved',
        done: 'resolved',
        completed: 'resolved',
        closed: 'closed',
        canceled: 'cancelled',
        declined: 'cancelled',
        reopened: 'reopened',
      },
    },
    notes: [
      {
        from: 'fields.comment.comments',
        body: 'body',
        author: 'author.emailAddress',
        at: 'created',
        public: ['jsdPublic', 'true'],
      },
      { from: 'Comment', format: 'semicolons' },
    ],
    history: {
      from: 'changelog.histories',
      at: 'created',
      author: 'author.emailAddress',
      items: 'items',
      field: 'field',
      before: 'fromString',
      after: 'toString',
    },
  },
  pagerduty: {
    ...empty,
    fields: {
      external_id: ['incident_number', 'number', 'id'],
      short_description: ['title', 'summary', 'description'],
      description: 'body.details',
      priority: ['priority', 'priority_name', 'urgency'],
      urgency: 'urgency',
      state: 'status',
      category: ['service.summary', 'service_name', 'service'],
      assignment_group: ['escalation_policy.summary', 'escalation_policy_name', 'team_name'],
      created_at: ['created_at', 'created_on'],
      updated_at: ['updated_at', 'last_status_change_at'],
      resolved_at: ['resolved_at', 'resolved_on'],
      resolution: 'resolve_reason',
    },
    values: {
      priority: { ...codes, high: 'P2', low: 'P3' },
      urgency: levels,
      state: { triggered: 'new', acknowledged: 'in_progress', resolved: 'resolved' },
    },
    notes: [{ from: 'notes', body: 'content', author: 'user', at: 'created_at' }],
  },
  opsgenie: {
    ...empty,
    fields: {
      external_id: ['tinyId', 'TinyId', 'id', 'Id'],
      short_description: ['message', 'Message'],
      description: ['description', 'Description'],
      priority: ['priority', 'Priority'],
      state: ['status', 'Status'],
      category: ['source', 'Source'],
      assignment_group: ['teams.0.name', 'ownerTeam', 'Teams'],
      assigned_to: ['owner', 'Owner'],
      created_at: ['createdAt', 'CreatedAt'],
      updated_at: ['updatedAt', 'UpdatedAt'],
      resolved_at: ['closedAt', 'ClosedAt'],
    },
    values: {
      priority: codes,
      state: {
        open: 'new',
        acked: 'in_progress',
        acknowledged: 'in_progress',
        closed: 'resolved',
        resolved: 'resolved',
      },
    },
    notes: [{ from: 'notes', body: 'note', author: 'owner', at: 'createdAt' }],
  },
  zammad: {
    ...empty,
    fields: {
      external_id: 'number',
      short_description: 'title',
      priority: 'priority',
      state: 'state',
      category: 'category',
      assignment_group: 'group',
      assigned_to: 'owner',
      opened_by: ['customer', 'created_by'],
      created_at: 'created_at',
      updated_at: 'updated_at',
      resolved_at: 'close_at',
    },
    values: {
      priority: { low: 'P4', normal: 'P3', high: 'P2', '1': 'P4', '2': 'P3', '3': 'P2' },
      state: {
        new: 'new',
        open: 'in_progress',
        'pending reminder': 'on_hold',
        'pending close': 'on_hold',
        closed: 'closed',
        merged: 'cancelled',
        removed: 'cancelled',
      },
    },
    notes: [
      { from: 'articles', body: 'body', author: 'created_by', at: 'created_at', public: ['internal', 'false'] },
      { from: 'notes', body: 'body', author: 'author', at: 'created_at' },
    ],
  },
  csv: {
    ...empty,
    fields: Object.fromEntries(own.map((name) => [name, name])),
    notes: [{ from: 'notes', body: 'body', author: 'author', at: 'created_at' }],
  },
};

const plainFields = ['email_domain', 'time_zone', 'date_order', 'history'] as const;
const maps = ['fields', 'values', 'defaults', 'people', 'joins'] as const;
const lists = ['ignore', 'notes'] as const;

/** The mapping of a tool with that of the user on top. Throws on unknown parts, which would otherwise have no effect. */
export function mergeMapping(base: Mapping, given: unknown): Mapping {
  if (typeof given !== 'object' || given === null) throw new Error('a mapping is an object');
  const known: readonly string[] = [...plainFields, ...maps, ...lists];
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}. A mapping has ${known.join(', ')}`);
  const user = given as Partial<Mapping>;
  const values = Object.entries(user.values ?? {}).map(([field, table]) => [
    field,
    {
      ...base.values[field],
      ...Object.fromEntries(Object.entries(table).map(([from, to]) => [from.toLowerCase(), to])),
    },
  ]);
  return {
    ...base,
    ...user,
    ...Object.fromEntries(maps.map((name) => [name, { ...base[name], ...user[name] }])),
    ...Object.fromEntries(lists.map((name) => [name, [...(user[name] ?? []), ...base[name]]])),
    values: { ...base.values, ...Object.fromEntries(values) },
  };
}
