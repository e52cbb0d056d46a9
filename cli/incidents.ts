import { text as readAll } from 'node:stream/consumers';
import {
  type Incident,
  type IncidentCreation,
  type IncidentUpdate,
  incidentStates,
  incidentTransitions,
  priorities,
  type ServiceClient,
} from '../client/index.ts';
import { type Command, type Option, readFields, readFilter, readNumber, readText, UsageError } from './command.ts';
import { followEvents } from './feed.ts';

const text = (value: string, description: string, values?: readonly string[]): Option => ({
  type: 'string',
  value,
  description,
  ...(values ? { values } : {}),
});

const levels = ['high', 'medium', 'low'];

export const filterOptions = {
  state: text('new,in_progress', 'Only these states.', incidentStates),
  priority: text('P1,P2', 'Only these priorities.', priorities),
  'assignment-group': text('group', 'Only this group.'),
  'assigned-to': text('email', 'Only this assignee.'),
  category: text('category', 'Only this category.'),
  q: text('words', 'Only incidents with these words.'),
};

const fieldOptions = {
  priority: text('P1…P4', 'Priority.', priorities),
  description: text('text', 'Description in Markdown.'),
  category: text('category', 'Category.'),
  subcategory: text('subcategory', 'Subcategory.'),
  impact: text('high|medium|low', 'Impact.', levels),
  urgency: text('high|medium|low', 'Urgency.', levels),
  'assignment-group': text('group', 'Assignment group.'),
  'assigned-to': text('email', 'Assignee.'),
  'ci-id': text('CI…', 'Affected configuration item.'),
};

const columns = ['id', 'priority', 'state', 'assignment_group', 'short_description', 'updated_at'];

/** The service validates the values and names every problem. */
export type IncidentFilter = Parameters<ServiceClient['listIncidents']['all']>[0];

export const incidentCommands: Command[] = [
  {
    name: 'incidents list',
    summary: 'List incidents, newest first',
    options: { ...filterOptions, max: text('number', 'Maximum number of incidents (50).') },
    async run({ options, output, connect }) {
      const client = await connect();
      const max = readNumber(options, 'max', 50);
      const rows: Incident[] = [];
      const query = { ...readFilter(options, Object.keys(filterOptions)), limit: Math.max(1, Math.min(max, 200)) };
      for await (const incident of client.listIncidents.all(query as IncidentFilter)) {
        if (rows.length >= max) break;
        rows.push(incident);
      }
      output.table(rows, columns);
      if (rows.length >= max) output.note(`The first ${max} incidents. Use --max to see more.`);
    },
  },
  {
    name: 'incidents get',
    args: '<id>',
    minArgs: 1,
    summary: 'Show one incident',
    async run({ args: [id = ''], output, connect }) {
      output.record(await (await connect()).getIncident({ id }));
    },
  },
  {
    name: 'incidents create',
    args: '<summary>',
    minArgs: 1,
    summary: 'Create an incident',
    options: fieldOptions,
    async run({ args, options, output, connect }) {
      const fields = readFields(options, Object.keys(fieldOptions)) as Partial<IncidentCreation>;
      const incident = await (await connect()).createIncident({ ...fields, short_description: args.join(' ') });
      output.result(`Created ${incident.id} (${incident.priority})`, incident);
    },
  },
  {
    name: 'incidents update',
    args: '<id>',
    minArgs: 1,
    summary: 'Change fields of an incident; an empty value clears a field',
    options: {
      ...fieldOptions,
      summary: text('text', 'Summary.'),
      state: text('state', 'State.', incidentStates),
      note: text('text', 'Work note to add.'),
    },
    async run({ args: [id = ''], options, output, connect }) {
      const { summary, note, ...fields } = readFields(options, [
        ...Object.keys(fieldOptions),
        'summary',
        'state',
        'note',
      ]);
      const update = {
        ...fields,
        ...(summary === undefined ? {} : { short_description: summary }),
        ...(note ? { work_note: note } : {}),
      } as IncidentUpdate;
      if (Object.keys(update).length === 0) throw new UsageError('Name at least one field to change.');
      const incident = await (await connect()).updateIncident({ id }, update);
      output.result(`Updated ${incident.id}`, incident);
    },
  },
  {
    name: 'incidents resolve',
    args: '<id>',
    minArgs: 1,
    summary: 'Resolve an incident, through in_progress where its state requires it',
    options: { resolution: text('text', 'What solved it.'), note: text('text', 'Work note to add.') },
    async run({ args: [id = ''], options, output, connect }) {
      const client = await connect();
      const { state } = await client.getIncident({ id });
      const next: readonly string[] = incidentTransitions[state];
      if (next.includes('in_progress')) await client.updateIncident({ id }, { state: 'in_progress' });
      const resolution = readText(options, 'resolution');
      const note = readText(options, 'note');
      const incident = await client.updateIncident(
        { id },
        { state: 'resolved', ...(resolution ? { resolution } : {}), ...(note ? { work_note: note } : {}) },
      );
      output.result(`Resolved ${incident.id}`, incident);
    },
  },
  {
    name: 'ack',
    args: '<id>',
    minArgs: 1,
    summary: 'Acknowledge an incident, so that nobody else is paged',
    async run({ args: [id = ''], output, connect }) {
      const incident = await (await connect()).acknowledgeIncident({ id });
      output.result(`${incident.acknowledged_by} acknowledged ${incident.id} at ${incident.acknowledged_at}`, incident);
    },
  },
  {
    name: 'page',
    args: '<id>',
    minArgs: 1,
    summary: 'Page a policy, a schedule or a person about an incident',
    options: {
      policy: text('ESC…', 'Escalation policy.'),
      schedule: text('SCH…', 'Schedule whose person on call is paged.'),
      person: text('email', 'Person.'),
      reason: text('text', 'Reason, for the message.'),
    },
    async run({ args: [id = ''], options, output, connect }) {
      const [policy, schedule, person, reason] = ['policy', 'schedule', 'person', 'reason'].map((name) =>
        readText(options, name),
      );
      if ([policy, schedule, person].filter(Boolean).length !== 1) {
        throw new UsageError('Name exactly one of --policy, --schedule and --person.');
      }
      const page = await (await connect()).createPage(
        { id },
        {
          ...(policy && { escalation_policy_id: policy }),
          ...(schedule && { schedule_id: schedule }),
          ...(person && { person }),
          ...(reason && { reason }),
        },
      );
      output.result(`Paging ${page.target.name} about ${id} (${page.id})`, page);
    },
  },
  {
    name: 'incidents watch',
    args: '[id]',
    summary: 'Print changes of incidents as they happen',
    options: {
      max: text('number', 'Maximum number of events.'),
      interval: text('seconds', 'Time between requests (2).'),
    },
    async run(input) {
      const { args, output } = input;
      const [id] = args;
      const client = await input.connect();
      const types = ['incident.created', 'incident.updated', 'sla.breach_warning', 'sla.breached'] as const;
      const query = { type: [...types], ...(id ? { record_id: id } : {}) };
      for await (const { timestamp, event, data } of followEvents(client, query, input)) {
        const fields = Object.keys(data.changes ?? {}).join(', ');
        const { short_description, state, priority } = data;
        const line = `${timestamp}  ${data.id}  ${event}  ${priority ?? ''} ${state ?? ''}  ${fields || short_description}`;
        output.result(line.replace(/\p{Cc}+/gu, ' '), { timestamp, event, data });
      }
    },
  },
  {
    name: 'notes add',
    args: '<incident> <text>',
    minArgs: 2,
    summary: 'Add a work note to an incident; "-" reads it from standard input',
    async run({ args: [id = '', ...words], output, connect, stdin }) {
      const body = words.join(' ') === '-' ? await readAll(stdin) : words.join(' ');
      const note = await (await connect()).createWorkNote({ id }, { body });
      output.result(`Added ${note.id} to ${id}`, note);
    },
  },
];
