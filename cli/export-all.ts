import { once, setMaxListeners } from 'node:events';
import type { Writable } from 'node:stream';
import type { ServiceClient } from '../client/index.ts';
import { type Fields, getCall, type Kind, kinds, listAll, settings } from './kinds.ts';

// Writes everything as JSON lines that `itsm import` reads: records with notes and history, then settings. Secrets are never
// returned by the service, so that the file has none.

const concurrency = 8;

export async function exportAll(
  client: ServiceClient,
  target: Writable,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  // Each concurrent request listens, and more than ten print a warning.
  setMaxListeners(0, signal);
  const write = async (line: object) => {
    if (!target.write(`${JSON.stringify(line)}\n`)) await once(target, 'drain', { signal });
  };
  for (const kind of kinds) {
    let done = 0;
    let batch: Fields[] = [];
    const { total = 0 } = await getCall(client, kind.list)({ limit: 1 }, { signal });
    const flush = async () => {
      for (const line of await Promise.all(batch.map((record) => toLine(client, kind, record, signal))))
        await write(line);
      done += batch.length;
      batch = [];
      onProgress(done, Math.max(done, Number(total)));
    };
    for await (const record of listAll(client, kind.list, { limit: 200 }, signal)) {
      if (batch.push(record) === concurrency) await flush();
    }
    if (batch.length > 0) await flush();
    counts[kind.kind] = done;
  }
  for (const [name, { read }] of Object.entries(settings))
    await write({ kind: 'setting', name, value: await read(client) });
  return counts;
}

async function toLine(client: ServiceClient, { kind, notes, history }: Kind, record: Fields, signal: AbortSignal) {
  const collect = async (operation: string | undefined, count: unknown) => {
    const entries: Fields[] = [];
    if (operation !== undefined && count !== 0)
      for await (const entry of listAll(client, operation, { id: record.id, limit: 200 }, signal)) entries.push(entry);
    return entries;
  };
  const [noteList, changes] = await Promise.all([collect(notes, record.work_notes_count), collect(history, undefined)]);
  // A policy has a field of the same name.
  const { kind: own_kind, ...fields } = record;
  const own = own_kind === undefined ? {} : { own_kind };
  return { kind, ...fields, ...own, ...(notes && { notes: noteList }), ...(history && { history: changes }) };
}
