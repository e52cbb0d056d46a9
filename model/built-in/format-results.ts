// Formats tool results as an answer: the requested field or how many records first, then which ones with their ids. It begins
// with what a tool did not understand.
import { findIdKind } from '../../contract/ids.ts';
import type { Message } from '../../local/bedrock/converse.ts';
import { describeField, describeFilters, describeOrder, type Fields, formatTime } from './describe-call.ts';
import { describeShare, formatFigures, formatMinutes, formatShare } from './format-figures.ts';
import { abilities, type Plan, type ToolCall } from './plan.ts';
import { quote, removeInstructions } from './quote.ts';

export interface Result {
  call: ToolCall;
  failed: boolean;
  output: Fields;
}

type Reading = Plan['reading'];

const maxListed = 10;
const maxFields = 9;
const summaryFields = ['priority', 'state', 'status', 'type', 'class', 'risk'];

/** Returns the results of the last round with their calls. */
export function getLastResults(messages: readonly Message[]): Result[] {
  const [asking, answering] = messages.slice(-2);
  return (answering?.content ?? []).flatMap(({ toolResult }): Result[] => {
    const use = asking?.content.find(({ toolUse }) => toolUse && toolUse.toolUseId === toolResult?.toolUseId)?.toolUse;
    if (!use || !toolResult) return [];
    const output = toFields(toolResult.content[0]?.json);
    const call = { name: use.name, input: toFields(use.input) };
    return [{ call, failed: toolResult.status === 'error', output: toFields(output.result ?? output) }];
  });
}

export function formatResults(results: readonly Result[], reading: Reading, nowMs: number): string {
  if (reading.flags.has('share') && results.length === 2 && results.every(({ failed }) => !failed))
    return describeShare(results);
  return results.map((result) => formatResult(result, reading, nowMs)).join('\n\n');
}

function formatResult({ call, failed, output }: Result, reading: Reading, nowMs: number): string {
  if (failed) return `Looking it up failed: ${String(output.error ?? 'unknown error')}`;
  if (call.name === 'search') return formatFound(call, output, reading, nowMs);
  if (call.name === 'statistics') return formatFigures(call, output, reading);
  if (call.name === 'on_call') return formatOnCall(output, reading, nowMs);
  if (call.name === 'list_webhooks') return formatWebhooks(call, output, reading);
  if (call.name === 'get_record') return formatRecord(output, reading, nowMs);
  return formatPassages(output);
}

function formatFound({ input }: ToolCall, output: Fields, { flags, fields }: Reading, nowMs: number): string {
  const { kind: given, limit, sort, order, ...filters } = input;
  const total = Number(output.total);
  const kind = String(given).replaceAll('_', ' ');
  const unknown = [output.not_understood ?? []].flat().map((each) => `I did not understand: ${each}.`);
  const isSimilar = output.similar_to !== undefined;
  const { text: _, ...others } = filters;
  const named = isSimilar ? { ...others, similar_to: output.similar_to } : dropUnknownNames(filters, unknown, total);
  const found = describeFilters(kind, named, total, toFields(output.names));
  if (total === 0) {
    const more = toFieldsList(output.without).map(
      (each) => `${each.total} without the filter for the ${describeField(String(each.filter))}`,
    );
    const hint = more.length > 0 ? [`There are more ${kind}: ${more.join(', ')}.`] : [];
    return [...unknown, `No ${found}.`, ...hint].join('\n');
  }
  // Nothing else was understood, so a list of everything is no answer.
  if (unknown.length > 0 && Object.keys(named).length === 0 && !unknown.some((each) => each.includes('it could be')))
    return [...unknown, `Without that, there are ${total} ${kind}.`].join('\n');
  const isCount = flags.has('count');
  const listed = isCount
    ? []
    : toFieldsList(output.records)
        .slice(0, maxListed)
        .map((record) => [formatListed(record), ...formatDetails(record, fields, total)].join('\n'));
  const rest = total - listed.length;
  const more = listed.length > 0 && rest > 0 ? [`… and ${rest} more.`] : [];
  const share = more.length > 0 && limit !== undefined ? `${listed.length} of ` : '';
  const direction = listed.length > 1 ? describeOrder({ sort, order }) : '';
  const isMixed = typeof output.open === 'number' && output.open < total && share === '';
  const open = isMixed ? `, ${output.open || 'none'} of them open` : '';
  const indirect = total - Number(output.direct ?? total);
  const direct = indirect > 0 ? `, ${output.direct} directly and ${indirect} through others` : '';
  const similar = isSimilar ? [`No ${kind} mention "${output.similar_to}"; these are similar.`] : [];
  const summary = `${share}${total} ${found}${direction}${open}${direct}${listed.length > 0 ? ':' : '.'}`;
  const [only] = total === 1 || limit === 1 ? toFieldsList(output.records) : [];
  const leads = only ? fields.flatMap((field) => formatField(only, field, nowMs)) : [];
  return [...unknown, ...similar, ...leads, summary, ...listed, ...more].join('\n');
}

/** A tool ignores a name that it cannot resolve, or searches for its words. An empty result still shows the name. */
function dropUnknownNames(filters: Fields, unknown: readonly string[], total: number): Fields {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => {
      const quoted = String(value) === 'my_team' ? 'your team' : `"${String(value)}"`;
      const reason = unknown.find((each) => each.includes(quoted));
      if (reason?.includes('searched for')) return [['text', value]];
      return reason === undefined || total === 0 ? [[name, value]] : [];
    }),
  );
}

function formatPassages({ passages, tier }: Fields): string {
  const documents = toFieldsList(passages).map(({ id, title, relevance, text }, part) => ({
    source: String(id),
    kind: 'article',
    title: String(title),
    part,
    relevance: Number(relevance),
    text: String(text),
  }));
  const quotation = quote(documents);
  if (!quotation) return `The knowledge base does not answer that. ${abilities}`;
  const introduction = tier === 'high' ? '' : 'Closest match, may not answer exactly:\n\n';
  return `${introduction}${quotation.text}\n\n(${quotation.sources.join(', ')})`;
}

function formatListed(record: Fields): string {
  const values = summaryFields.flatMap((name) => record[name] ?? []).map((value) => String(value).replaceAll('_', ' '));
  return `- ${formatHeading(record)}${values.length > 0 ? ` (${values.join(', ')})` : ''}`;
}

const maxDetailed = 10;

/** Shows all fields of a single record, and the requested fields of several. */
function formatDetails(record: Fields, fields: readonly string[], total: number): string[] {
  const hidden = [...summaryFields, 'id', 'ci_id', 'short_description', 'name', 'title', 'created_at'];
  const asked = fields.flatMap((field) => recordFields[field]?.names ?? field);
  const shown = Object.entries(record).filter(
    ([name, value]) => (total === 1 && typeof value === 'string' && !hidden.includes(name)) || asked.includes(name),
  );
  if (total > maxDetailed && fields.length === 0) return [];
  return shown.map(([name, value]) => `  - ${describeField(name)}: ${formatValue(name, value)}`);
}

interface RecordField {
  /** The fields of the record that answer it. */
  names: readonly string[];
  /** A sentence with the value; `$` is the first field. */
  found: string;
  empty: string;
}

export const recordFields: Readonly<Record<string, RecordField>> = {
  assigned_to: {
    names: ['assigned_to', 'assignment_group'],
    found: 'is assigned to **$**',
    empty: 'is assigned to nobody',
  },
  assignment_group: { names: ['assignment_group'], found: 'is with the **$** team', empty: 'has no team' },
  state: { names: ['state', 'status'], found: 'is **$**', empty: 'has no state' },
  status: { names: ['status', 'state'], found: 'is **$**', empty: 'has no status' },
  priority: { names: ['priority'], found: 'has the priority **$**', empty: 'has no priority' },
  category: { names: ['category'], found: 'is in the category **$**', empty: 'has no category' },
  opened_by: { names: ['opened_by', 'requested_by'], found: 'was reported by **$**', empty: 'has no reporter' },
  resolved_by: { names: ['resolved_by', 'resolved_at'], found: 'was resolved by **$**', empty: 'is not resolved yet' },
  resolution: { names: ['resolution'], found: 'was resolved like this: $', empty: 'has no resolution yet' },
  created_at: { names: ['created_at'], found: 'was created at **$**', empty: '' },
  updated_at: { names: ['updated_at'], found: 'was last updated at **$**', empty: '' },
  resolved_at: { names: ['resolved_at'], found: 'was resolved at **$**', empty: 'is not resolved yet' },
  closed_at: { names: ['closed_at', 'resolved_at'], found: 'was closed at **$**', empty: 'is not closed' },
  title: { names: ['short_description', 'title', 'name'], found: 'is called **$**', empty: 'has no title' },
  type: { names: ['type'], found: 'is of the type **$**', empty: 'has no type' },
  impact: { names: ['impact'], found: 'has the impact **$**', empty: 'has no impact' },
  urgency: { names: ['urgency'], found: 'has the urgency **$**', empty: 'has no urgency' },
  subcategory: { names: ['subcategory'], found: 'is in the subcategory **$**', empty: 'has no subcategory' },
  quantity: { names: ['quantity'], found: 'is for **$**', empty: 'has no quantity' },
  created_by: { names: ['created_by'], found: 'was written by **$**', empty: 'has no author' },
  backout_plan: {
    names: ['backout_plan', 'description'],
    found: 'has the backout plan: $',
    empty: 'has no backout plan',
  },
  test_plan: { names: ['test_plan', 'description'], found: 'has the test plan: $', empty: 'has no test plan' },
  implementation_plan: {
    names: ['implementation_plan', 'description'],
    found: 'has the implementation plan: $',
    empty: 'has no implementation plan',
  },
  acknowledged: {
    names: ['acknowledged_by', 'acknowledged_at'],
    found: 'was acknowledged by **$**',
    empty: 'is not acknowledged',
  },
  description: { names: ['description'], found: 'says: $', empty: 'has no description' },
  ip_address: { names: ['ip_address'], found: 'has the IP address **$**', empty: 'has no IP address' },
  workaround: { names: ['workaround', 'resolution'], found: 'has the workaround: $', empty: 'has no workaround' },
  root_cause: { names: ['root_cause'], found: 'has the root cause: $', empty: 'has no documented root cause' },
  problem: { names: ['parent_problem_id'], found: 'belongs to the problem **$**', empty: 'belongs to no problem' },
  ci: { names: ['ci'], found: 'affects **$**', empty: 'names no configuration item' },
  change: { names: ['change_id'], found: 'is linked to the change **$**', empty: 'is linked to no change' },
  work_notes_count: { names: ['work_notes_count'], found: 'has **$** notes', empty: 'has no notes' },
  reopen_count: { names: ['reopen_count'], found: 'was reopened **$** times', empty: 'was never reopened' },
  decision: {
    names: ['decision_by', 'decision_at', 'decision_note'],
    found: 'was decided by **$**',
    empty: 'has no decision yet',
  },
  planned: { names: ['planned_start', 'planned_end'], found: 'starts at **$**', empty: 'has no planned time' },
  risk: { names: ['risk'], found: 'has the risk **$**', empty: 'has no risk' },
  requested_by: { names: ['requested_by', 'opened_by'], found: 'was requested by **$**', empty: 'has no requester' },
  requested_for: { names: ['requested_for'], found: 'is for **$**', empty: 'names no recipient' },
  item: { names: ['item'], found: 'is for the item **$**', empty: 'names no item' },
  owner: { names: ['owner'], found: 'is owned by **$**', empty: 'has no owner' },
  location: { names: ['location'], found: 'is in **$**', empty: 'has no location' },
  class: { names: ['class'], found: 'is of the class **$**', empty: 'has no class' },
  environment: { names: ['environment'], found: 'is in the environment **$**', empty: 'has no environment' },
};

/** Leads with the requested fields. */
function formatRecord(record: Fields, { fields }: Reading, nowMs: number): string {
  const leads = fields.flatMap((field) => formatField(record, field, nowMs));
  const names = fields.flatMap((field) => recordFields[field]?.names ?? []);
  const others = Object.entries(record).filter(
    ([name, value]) =>
      !/^(id|number|short_description|name|title|deleted|body)$/.test(name) &&
      !names.includes(name) &&
      /^(string|number)$/.test(typeof value) &&
      value !== '',
  );
  const lines = others
    .slice(0, leads.length > 0 ? 4 : maxFields)
    .map(([name, value]) => `- ${describeField(name)}: ${formatValue(name, value)}`);
  return [...leads, ...(leads.length > 0 ? [''] : []), formatHeading(record), ...lines].join('\n');
}

function formatField(record: Fields, field: string, nowMs: number): string[] {
  const id = record.name ? `${record.name} (${record.id})` : describeRecord(record);
  if (field === 'due') return [formatDue(record, nowMs)];
  if (field === 'cause' && 'root_cause' in record) return formatField(record, 'root_cause', nowMs);
  // A resolution says what helped, not why it happened.
  if (field === 'cause')
    return [`No cause of ${id} is documented.`, ...(record.resolution ? formatField(record, 'resolution', nowMs) : [])];
  if (field === 'duration') return [formatDuration(record, nowMs)];
  if (field === 'notes') {
    const notes = toFieldsList(record.notes).map(
      ({ author, created_at, text }) => `- ${formatValue('created_at', created_at)}, ${author}: ${clean(text)}`,
    );
    return notes.length > 0 ? [`The latest notes of ${id}:`, ...notes] : [`${id} has no notes.`];
  }
  if (field === 'history') {
    const entries = toFieldsList(record.history).map(({ at, actor, changes }) => {
      const changed = Object.entries(toFields(changes)).map(
        ([name, change]) =>
          `${describeField(name)} ${shorten(toFields(change).from)} → ${shorten(toFields(change).to)}`,
      );
      return `- ${formatValue('at', at)}, ${actor}: ${changed.join('; ') || 'created'}`;
    });
    return entries.length > 0 ? [`The history of ${id}:`, ...entries] : [`${id} has no history.`];
  }
  const known = recordFields[field];
  if (!known) return [];
  const values = known.names.flatMap((name) => {
    const value = record[name];
    const isEmpty = value === null || value === undefined || value === '' || String(value) === '';
    return isEmpty ? [] : [{ name, value }];
  });
  const [first, ...rest] = values;
  // A second field does not answer the question: the team of an incident without an assignee.
  const isAnswered =
    first && (first.name === known.names[0] || known.names[0] === 'state' || !(String(known.names[0]) in record));
  const details = (isAnswered ? rest : values).map(
    ({ name, value }) => `${describeField(name)}: ${formatValue(name, value)}`,
  );
  const sentence = isAnswered ? known.found.replace('$', () => formatValue(first.name, first.value)) : known.empty;
  const ending = /[.!?]$/.test(sentence) && details.length === 0 ? '' : '.';
  return [`${id} ${sentence}${details.length > 0 ? ` (${details.join('; ')})` : ''}${ending}`];
}

/** "Incident INC7Q2M4KX". */
function describeRecord({ id }: Fields): string {
  const kind = findIdKind(String(id));
  return kind === undefined || kind === 'ci' ? String(id) : `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`;
}

/** The time until the resolution or until now; of a change, that of its window. */
function formatDuration(record: Fields, nowMs: number): string {
  const { created_at, resolved_at, planned_start, planned_end } = record;
  const id = describeRecord(record);
  const format = (from: unknown, untilMs: number) =>
    `**${formatMinutes((untilMs - Date.parse(String(from))) / 60_000)}**`;
  if (planned_start && planned_end)
    return `${id} is planned for ${format(planned_start, Date.parse(String(planned_end)))}, from ${formatValue('at', planned_start)}.`;
  return resolved_at
    ? `${id} took ${format(created_at, Date.parse(String(resolved_at)))}, until it was resolved at ${formatValue('at', resolved_at)}.`
    : `${id} has existed for ${format(created_at, nowMs)}, since ${formatValue('at', created_at)}.`;
}

function formatDue(record: Fields, nowMs: number): string {
  const { state, sla_breach_at, resolved_at } = record;
  const id = describeRecord(record);
  if (sla_breach_at === undefined) return `${id} has no SLA.`;
  if (typeof sla_breach_at !== 'string') {
    const reason = resolved_at
      ? `it was resolved at ${formatValue('at', resolved_at)}`
      : `it is ${String(state).replaceAll('_', ' ')}`;
    return `The SLA clock of ${id} is not running: ${reason}.`;
  }
  const minutes = (Date.parse(sla_breach_at) - nowMs) / 60_000;
  const time = formatTime(Date.parse(sla_breach_at), false);
  return minutes >= 0
    ? `${id} has not breached its SLA. It does so in **${formatMinutes(minutes)}**, at ${time}.`
    : `${id} breached its SLA **${formatMinutes(-minutes)} ago**, at ${time}.`;
}

const maxText = 600;

const clean = (text: unknown) => removeInstructions(String(text)).replace(/\s+/g, ' ').slice(0, maxText);

const shorten = (value: unknown) =>
  value === null || value === undefined ? 'empty' : formatValue('', value).slice(0, 60);

function formatValue(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (/(_at|^at|_start|_end)$/.test(name) && !Number.isNaN(Date.parse(String(value))))
    return formatTime(Date.parse(String(value)), false);
  return clean(value).replace(/^([a-z]+)_([a-z]+)$/, '$1 $2');
}

function formatOnCall(output: Fields, { filters, flags: _ }: Reading, nowMs: number): string {
  const unknown = [output.not_understood ?? []].flat().map((each) => `I did not understand: ${each}.`);
  const entries = toFieldsList(output.on_call);
  const atMs = Date.parse(String(output.at));
  const when = Math.abs(atMs - nowMs) < 60_000 ? 'now' : `at ${formatTime(atMs, false)}`;
  const person = [filters.assigned_to ?? []].flat()[0];
  if (person !== undefined) {
    const name = person === 'me' ? String(output.caller) : String(person);
    const isPerson = (value: unknown) =>
      String(value)
        .toLowerCase()
        .includes(name.toLowerCase().split(' ')[0] ?? name);
    const shifts = entries.flatMap(({ schedule, person: now, until, next_person }) => [
      ...(isPerson(now) ? [`${schedule}: on call ${when}, until ${formatValue('at', until)}`] : []),
      ...(isPerson(next_person) ? [`${schedule}: on call from ${formatValue('at', until)}`] : []),
    ]);
    const isNow = entries.some(({ person: now }) => isPerson(now));
    const absent = `${name} is not on call ${when}${shifts.length > 0 ? '.' : ', nor next in a schedule.'}`;
    return [...unknown, ...(isNow ? [] : [absent]), ...shifts].join('\n');
  }
  if (entries.length === 0) return [...unknown, 'There are no on-call schedules.'].join('\n');
  const lines = entries.map(({ schedule, person: now, until, next_person }) => {
    const next = next_person ? `, until ${formatValue('at', until)}, then ${next_person}` : '';
    return `- ${schedule}: **${now ?? 'nobody'}**${next}`;
  });
  return [...unknown, `On call ${when}:`, ...lines].join('\n');
}

function formatWebhooks({ input }: ToolCall, output: Fields, { flags, filters }: Reading): string {
  const wanted = [filters.name ?? []].flat().map((name) => String(name).toLowerCase());
  const all = toFieldsList(output.webhooks);
  const named = all.filter(({ name, host }) => wanted.some((each) => `${name} ${host}`.toLowerCase().includes(each)));
  const unknown =
    wanted.length > 0 && named.length === 0
      ? [`I did not understand: no webhook is called "${wanted.join(', ')}".`]
      : [];
  const isActive = [filters.active ?? []].flat()[0];
  const event = String([filters.event ?? []].flat()[0] ?? '');
  const webhooks = (named.length > 0 ? named : all).filter(
    ({ active, events }) =>
      (isActive === undefined || String(active) === isActive) &&
      [events ?? []].flat().some((each) => String(each).includes(event)),
  );
  const failing = webhooks.filter(({ failed }) => Number(failed) > 0);
  const failed = failing.reduce((sum, each) => sum + Number(each.failed), 0);
  // A delivery that a retry completed has an error as well.
  const shown = webhooks
    .filter(
      ({ failed: lost, last_error }) => !flags.has('failing') || named.length > 0 || Number(lost) > 0 || last_error,
    )
    .sort((a, b) => (flags.has('failing') ? Number(b.failed) - Number(a.failed) : 0));
  const lines = shown.map(({ name, host, active, events, delivered, failed: lost, open, success_rate, last_error }) => {
    const error = last_error
      ? `; last error ${formatValue('at', toFields(last_error).at)}: ${clean(toFields(last_error).error)}`
      : '';
    const rate = success_rate === null ? 'no finished deliveries' : `${formatShare(success_rate)} delivered`;
    const title = `${name ?? host} (${host}${active ? '' : ', inactive'}; ${[events ?? []].flat().join(', ')})`;
    return `- ${title}: ${rate}, ${delivered} delivered, ${lost} failed, ${open} open${error}`;
  });
  const since = input.days === undefined ? '' : ` in the last ${input.days === 1 ? 'day' : `${input.days} days`}`;
  const state = isActive === undefined ? '' : isActive === 'true' ? 'active ' : 'inactive ';
  const plural = webhooks.length === 1 ? 'webhook' : 'webhooks';
  const sending = event && ` for ${event} events`;
  const summary = flags.has('failing')
    ? `${failing.length} of ${webhooks.length} ${state}${plural} ${webhooks.length === 1 ? 'has' : 'have'} failed deliveries${since}, ${failed} in total.`
    : `${webhooks.length} ${state}${plural}${sending}, ${failing.length} of them with failed deliveries${since}.`;
  return [...unknown, summary, ...lines].join('\n');
}

function formatHeading({ id, short_description, title, name }: Fields): string {
  return `**${id}** ${String(short_description ?? title ?? name ?? '').slice(0, 200)}`.trim();
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function toFieldsList(values: unknown): Fields[] {
  return Array.isArray(values) ? values.map(toFields) : [];
}
