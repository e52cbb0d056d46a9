import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { incidentFields } from '../client/index.ts';
import { type Command, readFields, UsageError } from './command.ts';
import { formatCsvRow } from './csv.ts';
import { filterOptions, type IncidentFilter } from './incidents.ts';

const columns = ['id', ...incidentFields, 'opened_by', 'created_at', 'updated_at', 'resolved_at', 'closed_at'] as const;

export const exportCommands: Command[] = [
  {
    name: 'export',
    args: '<file>',
    minArgs: 1,
    summary: 'Write incidents to an NDJSON or CSV file',
    options: filterOptions,
    async run({ args: [file = ''], options, output, connect, signal }) {
      if (!/\.(?:csv|ndjson|jsonl)$/.test(file)) throw new UsageError('The file must end in .ndjson, .jsonl or .csv');
      const isCsv = file.endsWith('.csv');
      const client = await connect();
      const query = readFields(options, Object.keys(filterOptions)) as IncidentFilter;
      const { total } = await client.listIncidents({ ...query, limit: 1 });
      const stream = createWriteStream(file, { mode: 0o600 });
      const write = async (line: string) => {
        if (!stream.write(`${line}\n`)) await once(stream, 'drain');
      };
      if (isCsv) await write(formatCsvRow(columns));
      let count = 0;
      for await (const incident of client.listIncidents.all({ ...query, limit: 200 }, { signal })) {
        await write(isCsv ? formatCsvRow(columns.map((name) => incident[name])) : JSON.stringify(incident));
        output.progress(++count, Math.max(count, total));
      }
      stream.end();
      await finished(stream);
      output.result(`Wrote ${count} incidents to ${file}`, { file, count });
    },
  },
];
