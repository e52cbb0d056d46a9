// Converts incidents of other tools. Field names differ by tool version and export format, so each field has several
// names. Fields without a counterpart are added to the description.

export type ForeignTool = 'servicenow' | 'pagerduty';

type Source = Readonly<Record<string, unknown>>;

export interface ImportedIncident {
  short_description: string;
  state?: string;
  [field: string]: unknown;
}

export const foreignTools: Readonly<Record<ForeignTool, (source: Source) => ImportedIncident>> = {
  servicenow: fromServiceNow,
  pagerduty: fromPagerDuty,
};

const serviceNowStates: Readonly<Record<string, string>> = {
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
};

/** The web service and the list export of ServiceNow. Their priority 5 is our P4. */
function fromServiceNow(source: Source): ImportedIncident {
  const number = pick(source, 'number', 'task_effective_number');
  const level = Number.parseInt(pick(source, 'priority') ?? '', 10);
  const state = pick(source, 'state', 'incident_state')?.toLowerCase() ?? '';
  const origin = formatOrigin(
    'ServiceNow',
    number,
    pick(source, 'opened_at', 'sys_created_on'),
    pick(source, 'cmdb_ci'),
  );
  return omitEmpty({
    short_description: pick(source, 'short_description') ?? `ServiceNow ${number ?? 'incident'}`,
    description: joinText(pick(source, 'description'), origin),
    priority: level >= 1 ? `P${Math.min(level, 4)}` : undefined,
    state: serviceNowStates[state] ?? serviceNowStates[state.replace(/^\d+ - /, '')],
    category: pick(source, 'category'),
    subcategory: pick(source, 'subcategory'),
    impact: toLevel(pick(source, 'impact')),
    urgency: toLevel(pick(source, 'urgency')),
    assignment_group: pick(source, 'assignment_group'),
    assigned_to: toEmail(pick(source, 'assigned_to.email', 'assigned_to')),
    resolution: pick(source, 'close_notes'),
  });
}

const pagerDutyStates: Readonly<Record<string, string>> = {
  triggered: 'new',
  acknowledged: 'in_progress',
  resolved: 'resolved',
};

/** The REST API and the incident export of PagerDuty. */
function fromPagerDuty(source: Source): ImportedIncident {
  const number = pick(source, 'incident_number', 'number', 'id');
  const urgency = pick(source, 'urgency')?.toLowerCase();
  const priority = /P([1-5])/i.exec(pick(source, 'priority', 'priority_name') ?? '')?.[1];
  const origin = formatOrigin('PagerDuty', number, pick(source, 'created_at', 'created_on'), pick(source, 'html_url'));
  return omitEmpty({
    short_description: pick(source, 'title', 'summary', 'description') ?? `PagerDuty ${number ?? 'incident'}`,
    description: joinText(pick(source, 'body.details'), origin),
    priority: priority ? `P${Math.min(Number(priority), 4)}` : urgency === 'high' ? 'P2' : undefined,
    state: pagerDutyStates[pick(source, 'status')?.toLowerCase() ?? ''],
    urgency: urgency === 'high' || urgency === 'low' ? urgency : undefined,
    category: pick(source, 'service.summary', 'service_name', 'service'),
    assignment_group: pick(source, 'escalation_policy.summary', 'escalation_policy_name', 'team_name'),
    resolution: pick(source, 'resolve_reason'),
  });
}

/** The first field with a value. Reference fields are objects with a name of their own. */
function pick(source: Source, ...names: string[]): string | undefined {
  for (const name of names) {
    const found = name in source ? source[name] : name.split('.').reduce<unknown>(readMember, source);
    const value = typeof found === 'object' && found !== null ? readName(found as Source) : found;
    const text = value === null || value === undefined ? '' : String(value).trim();
    if (text !== '') return text;
  }
  return undefined;
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Source)[name] : undefined;
}

function readName(value: Source): unknown {
  return value.display_value ?? value.summary ?? value.name ?? value.value;
}

function toLevel(text: string | undefined): string | undefined {
  const word = (text ?? '').toLowerCase();
  if (/^1|high/.test(word)) return 'high';
  if (/^2|medium/.test(word)) return 'medium';
  return /^3|low/.test(word) ? 'low' : undefined;
}

function toEmail(text: string | undefined): string | undefined {
  return text && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined;
}

function formatOrigin(tool: string, number?: string, openedAt?: string, reference?: string): string {
  return [`Imported from ${tool}`, number, openedAt && `opened ${openedAt}`, reference].filter(Boolean).join(', ');
}

function joinText(text: string | undefined, origin: string): string {
  return text ? `${text}\n\n${origin}` : origin;
}

function omitEmpty(fields: { short_description: string } & Record<string, string | undefined>): ImportedIncident {
  const summary = fields.short_description.replace(/\s+/g, ' ').slice(0, 255);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return { ...Object.fromEntries(given), short_description: summary };
}
