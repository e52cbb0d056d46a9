import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { incidentFields } from '../client/index.ts';
import { type Command, readFilter, readFormat, UsageError } from './command.ts';
import { exportAll } from './export-all.ts';
import { filterOptions, type IncidentFilter } from './incidents.ts';
import { createOutput } from './output.ts';

const columns = ['id', ...incidentFields, 'opened_by', 'created_at', 'updated_at', 'resolved_at', 'closed_at'] as const;

export const exportCommands: Command[] = [
  {
    name: 'export',
    args: '<file>',
    minArgs: 1,
    summary: 'Write incidents, or with --all everything, to an NDJSON or CSV file; "-" is standard output',
    options: {
      ...filterOptions,
      all: { type: 'boolean', description: 'Write all records with notes and history, and settings, as JSON lines.' },
    },
    async run({ args: [file = ''], options, output, connect, signal, stdout, stderr }) {
      if (!/^-$|\.(?:csv|ndjson|jsonl)$/.test(file))
        throw new UsageError('The file must end in .ndjson, .jsonl or .csv');
      const isCsv = options.csv === true || file.endsWith('.csv');
      const client = await connect();
      if (options.all && (isCsv || Object.keys(filterOptions).some((name) => options[name] !== undefined)))
        throw new UsageError('--all writes JSON lines and has no filters.');
      const query = readFilter(options, Object.keys(filterOptions)) as IncidentFilter;
      const { total } = await client.listIncidents({ ...query, limit: 1 });
      const stream = file === '-' ? stdout : createWriteStream(file, { mode: 0o600 });
      if (options.all) {
        const counts = await exportAll(client, stream, signal, output.progress);
        if (stream === stdout) return;
        stream.end();
        await finished(stream);
        const summary = Object.entries(counts).map(([kind, count]) => `${count} × ${kind}`);
        return output.result(`Wrote ${summary.join(', ')} to ${file}`, { file, counts });
      }
      const target = createOutput(stream, stderr, { ...readFormat(options), isJson: !isCsv, isCsv });
      target.table([], columns);
      let count = 0;
      for await (const incident of client.listIncidents.all({ ...query, limit: 200 }, { signal })) {
        target.table([incident], columns);
        if (stream.writableNeedDrain) await once(stream, 'drain');
        output.progress(++count, Math.max(count, total));
      }
      if (stream === stdout) return output.note(`Wrote ${count} incidents`);
      stream.end();
      await finished(stream);
      output.result(`Wrote ${count} incidents to ${file}`, { file, count });
    },
  },
];
