import { incidentStates, incidentTransitions, priorities, type ServiceClient } from '../client/index.ts';
import { type Command, readText, textOption, UsageError } from './command.ts';
import { followEvents } from './feed.ts';
import { recordCommands } from './records.ts';

const levels = ['high', 'medium', 'low'];

export const filterOptions = {
  state: textOption('new,in_progress', 'Only these states.', incidentStates),
  priority: textOption('P1,P2', 'Only these priorities.', priorities),
  'assignment-group': textOption('group', 'Only this group.'),
  'assigned-to': textOption('email', 'Only this assignee.'),
  category: textOption('category', 'Only this category.'),
  q: textOption('words', 'Only incidents with these words.'),
};

const fieldOptions = {
  priority: textOption('P1…P4', 'Priority.', priorities),
  description: textOption('text', 'Description in Markdown.'),
  category: textOption('category', 'Category.'),
  subcategory: textOption('subcategory', 'Subcategory.'),
  impact: textOption('high|medium|low', 'Impact.', levels),
  urgency: textOption('high|medium|low', 'Urgency.', levels),
  'assignment-group': textOption('group', 'Assignment group.'),
  'assigned-to': textOption('email', 'Assignee.'),
  'ci-id': textOption('CI…', 'Affected configuration item.'),
  'parent-problem-id': textOption('PRB…', 'Problem that causes it.'),
  'change-id': textOption('CHG…', 'Change that caused or fixes it.'),
};

export const incidentColumns = ['id', 'priority', 'state', 'assignment_group', 'short_description', 'updated_at'];

export type IncidentFilter = Parameters<ServiceClient['listIncidents']['all']>[0];

export const incidentCommands: Command[] = [
  ...recordCommands({
    things: 'incidents',
    aThing: 'an incident',
    name: 'Incident',
    columns: incidentColumns,
    filters: filterOptions,
    fields: fieldOptions,
    changes: {
      state: textOption('state', 'State.', incidentStates),
      note: textOption('text', 'Work note to add.'),
    },
    toBody: ({ note, ...fields }) => ({ ...fields, ...(note ? { work_note: note } : {}) }),
  }),
  {
    name: 'incidents resolve',
    args: '<id>',
    minArgs: 1,
    summary: 'Resolve an incident, through in_progress where its state requires it',
    options: { resolution: textOption('text', 'What solved it.'), note: textOption('text', 'Work note to add.') },
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
      policy: textOption('ESC…', 'Escalation policy.'),
      schedule: textOption('SCH…', 'Schedule whose person on call is paged.'),
      person: textOption('email', 'Person.'),
      reason: textOption('text', 'Reason, for the message.'),
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
      max: textOption('number', 'Maximum number of events.'),
      interval: textOption('seconds', 'Time between requests (2).'),
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
];
