import { text as readAll } from 'node:stream/consumers';
import { linkTypes, type ServiceClient } from '../client/index.ts';
import { type Command, type Option, readFields, readFilter, readNumber, textOption, UsageError } from './command.ts';
import { type Fields, getCall, listAll } from './kinds.ts';

// Commands that all kinds of records share. The service validates the values and names every problem.

interface RecordKind {
  /** The first word of the commands, such as `problems`. */
  things: string;
  aThing: string;
  /** The name of the record in the operations. */
  name: string;
  columns: readonly string[];
  filters: Readonly<Record<string, Option>>;
  fields: Readonly<Record<string, Option>>;
  /** Options of updates only. */
  changes: Readonly<Record<string, Option>>;
  /** Converts the options to the fields of the API. */
  toBody?(fields: Fields): Fields;
}

export function recordCommands(kind: RecordKind): Command[] {
  const { things, aThing, name, columns, filters, fields, changes, toBody = (body) => body } = kind;
  return [
    listCommand({
      name: `${things} list`,
      summary: `List ${things}, newest first`,
      things,
      operation: `list${name}s`,
      columns,
      filters,
    }),
    {
      name: `${things} get`,
      args: '<id>',
      minArgs: 1,
      summary: `Show one ${name.toLowerCase()}`,
      async run({ args: [id = ''], output, connect }) {
        output.record(await getCall(await connect(), `get${name}`)({ id }));
      },
    },
    {
      name: `${things} create`,
      args: '<summary>',
      minArgs: 1,
      summary: `Create ${aThing}`,
      options: fields,
      async run({ args, options, output, connect }) {
        const body = { ...toBody(readFields(options, Object.keys(fields))), short_description: args.join(' ') };
        const record = await getCall(await connect(), `create${name}`)(body);
        output.result(`Created ${record.id} (${record.priority})`, record);
      },
    },
    {
      name: `${things} update`,
      args: '<id>',
      minArgs: 1,
      summary: `Change fields of ${aThing}; an empty value clears a field`,
      options: { ...fields, summary: textOption('text', 'Summary.'), ...changes },
      async run({ args: [id = ''], options, output, connect }) {
        const names = ['summary', ...Object.keys({ ...fields, ...changes })];
        const { summary, ...given } = readFields(options, names);
        const body = { ...toBody(given), ...(summary === undefined ? {} : { short_description: summary }) };
        if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
        const record = await getCall(await connect(), `update${name}`)({ id }, body);
        output.result(`Updated ${record.id}`, record);
      },
    },
  ];
}

interface ListCommand extends Pick<Command, 'name' | 'summary' | 'args'> {
  things: string;
  operation: string;
  columns: readonly string[];
  filters?: Readonly<Record<string, Option>>;
}

/** The first argument, if there is one, is the ID in the path of the operation. */
export function listCommand({ things, operation, columns, filters = {}, ...command }: ListCommand): Command {
  return {
    ...command,
    ...(command.args && { minArgs: 1 }),
    options: { ...filters, max: textOption('number', `Maximum number of ${things} (50).`) },
    async run({ args: [id], options, output, connect, signal }) {
      const client = await connect();
      const max = readNumber(options, 'max', 50);
      const rows: Fields[] = [];
      const filter = { ...readFilter(options, Object.keys(filters)), ...(command.args && { id }) };
      for await (const row of listAll(
        client,
        operation,
        { ...filter, limit: Math.max(1, Math.min(max, 200)) },
        signal,
      )) {
        if (rows.length >= max) break;
        rows.push(row);
      }
      output.table(rows, columns);
      if (rows.length >= max) output.note(`The first ${max} ${things}. Use --max to see more.`);
    },
  };
}

const namesByPrefix: Readonly<Record<string, string>> = { PRB: 'Problem', CHG: 'Change', REQ: 'Request' };

const toName = (id: string) => namesByPrefix[id.slice(0, 3).toUpperCase()] ?? 'Incident';

/** Adds a note to a record of any kind that has notes. */
export function addNote(client: ServiceClient, id: string, note: object): Promise<Fields> {
  const name = toName(id);
  return getCall(client, name === 'Incident' ? 'createWorkNote' : `create${name}Note`)({ id }, note);
}

const linkColumns = ['type', 'record_id', 'state', 'short_description', 'created_by'];

export const sharedCommands: Command[] = [
  {
    name: 'notes add',
    args: '<record> <text>',
    minArgs: 2,
    summary: 'Add a note to an incident, problem, change or request; "-" reads it from standard input',
    async run({ args: [id = '', ...words], output, connect, stdin }) {
      const body = words.join(' ') === '-' ? await readAll(stdin) : words.join(' ');
      const note = await addNote(await connect(), id, { body });
      output.result(`Added ${note.id} to ${id}`, note);
    },
  },
  {
    name: 'links list',
    args: '<record>',
    minArgs: 1,
    summary: 'List the links of an incident, problem or change',
    async run({ args: [id = ''], output, connect }) {
      const name = toName(id);
      if (name === 'Request') throw new UsageError('Requests have no links.');
      output.table((await (await connect())[`get${name as 'Incident'}Links`]({ id })).links, linkColumns);
    },
  },
  {
    name: 'links add',
    args: '<incident> <type> <record>',
    minArgs: 3,
    argValues: [[], linkTypes],
    summary: 'Link an incident to another incident, a problem or a change',
    async run({ args: [id = '', type = '', record_id = ''], output, connect }) {
      const link = await getCall(await connect(), 'createIncidentLink')({ id }, { type, record_id });
      output.result(`${id} is now ${type} ${record_id}`, link);
    },
  },
  {
    name: 'links remove',
    args: '<incident> <record>',
    minArgs: 2,
    summary: 'Remove a link of an incident',
    async run({ args: [id = '', record_id = ''], output, connect }) {
      await (await connect()).deleteIncidentLink({ id, record_id });
      output.result(`Removed the link from ${id} to ${record_id}`, { id, record_id });
    },
  },
];
