import { priorities, problemStates } from '../client/index.ts';
import { type Command, readFilter, readText, textOption } from './command.ts';
import { incidentColumns } from './incidents.ts';
import { listCommand, recordCommands } from './records.ts';

const booleans = ['true', 'false'];

export const problemCommands: Command[] = [
  ...recordCommands({
    things: 'problems',
    aThing: 'a problem',
    name: 'Problem',
    columns: ['id', 'priority', 'state', 'known_error', 'assignment_group', 'short_description', 'updated_at'],
    filters: {
      state: textOption('new,assessed', 'Only these states.', problemStates),
      priority: textOption('P1,P2', 'Only these priorities.', priorities),
      'known-error': textOption('true', 'Only known errors.', ['true']),
      'assignment-group': textOption('group', 'Only this group.'),
      'assigned-to': textOption('email', 'Only this assignee.'),
      q: textOption('words', 'Only problems with these words.'),
    },
    fields: {
      priority: textOption('P1…P4', 'Priority.', priorities),
      description: textOption('text', 'Description in Markdown.'),
      'root-cause': textOption('text', 'Root cause in Markdown.'),
      workaround: textOption('text', 'Workaround in Markdown.'),
      'known-error': textOption('true|false', 'Whether the workaround is offered for similar incidents.', booleans),
      'assignment-group': textOption('group', 'Assignment group.'),
      'assigned-to': textOption('email', 'Assignee.'),
      'ci-id': textOption('CI…', 'Configuration item with the fault.'),
      'change-ids': textOption('CHG…,CHG…', 'Related changes.'),
    },
    changes: { state: textOption('state', 'State.', problemStates) },
    toBody: ({ known_error: known, change_ids: changes, ...fields }) => ({
      ...fields,
      ...(known !== undefined && { known_error: booleans.includes(String(known)) ? known === 'true' : known }),
      ...(changes !== undefined && { change_ids: changes === null ? [] : String(changes).split(',') }),
    }),
  }),
  listCommand({
    name: 'problems incidents',
    args: '<id>',
    summary: 'List the incidents of a problem',
    things: 'incidents',
    operation: 'listProblemIncidents',
    columns: incidentColumns,
  }),
  {
    name: 'problems candidates',
    summary: 'List groups of similar incidents that no problem explains',
    options: {
      days: textOption('number', 'Age of the oldest incident in days (30).'),
      'min-incidents': textOption('number', 'Minimum number of incidents in a group (3).'),
    },
    async run({ options, output, connect }) {
      const query = readFilter(options, ['days', 'min-incidents']);
      const { candidates } = await (await connect()).findProblemCandidates(query as object);
      output.table(candidates, ['count', 'short_description', 'ci_id', 'assignment_group', 'last_at', 'incident_ids']);
    },
  },
  {
    name: 'problems resolve',
    args: '<id>',
    minArgs: 1,
    summary: 'Resolve a problem, and with --incidents also its open incidents',
    options: {
      incidents: { type: 'boolean', description: 'Resolve its open incidents, with a note.' },
      resolution: textOption('text', 'Resolution of the incidents.'),
    },
    async run({ args: [id = ''], options, output, connect, signal, fail }) {
      const client = await connect();
      let problem = await client.getProblem({ id });
      if (problem.state === 'new') problem = await client.updateProblem({ id }, { state: 'assessed' });
      if (problem.state !== 'resolved') problem = await client.updateProblem({ id }, { state: 'resolved' });
      if (!options.incidents) return output.result(`Resolved ${id}`, problem);
      const ids: string[] = [];
      const open = { id, state: ['new', 'in_progress', 'on_hold', 'reopened'], limit: 200 } as const;
      for await (const incident of client.listProblemIncidents.all(open, { signal })) ids.push(incident.id);
      const work_note = `Resolved with problem ${id}.`;
      const fields = { work_note, resolution: readText(options, 'resolution') ?? work_note };
      const { results, ...counts } = await client.jobs.run(
        client.bulkIncidents,
        { operation: 'resolve', ids, fields },
        { signal },
      );
      for (const { id: incident, error } of results) if (error) output.note(`${incident}: ${error.detail}`);
      if (counts.failed > 0) fail();
      output.result(`Resolved ${id} and ${counts.succeeded} of ${counts.total} open incidents`, {
        ...problem,
        ...counts,
      });
    },
  },
];
