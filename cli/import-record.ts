import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  type ApiDocument,
  type Incident,
  type IncidentCreation,
  type ServiceClient,
  ServiceProblem,
} from '../client/index.ts';

// One record of an import: the incident, then its notes, then its state. Each step can be repeated without effect, so an
// import that stopped continues where it was.

export interface ImportedNote {
  body: string;
  visibility: 'team' | 'public';
}

export interface ImportedRecord {
  short_description: string;
  state?: string;
  /** The id in the other tool. */
  external_id?: string;
  notes?: readonly ImportedNote[];
  [field: string]: unknown;
}

/** A record and where its columns went. */
export interface Conversion {
  record: ImportedRecord;
  inNotes: readonly string[];
  dropped: readonly string[];
}

export interface Failure {
  line: number;
  error: { detail: string };
  record: ImportedRecord;
}

type State = Incident['state'];

/** The transitions from `new` to each state. */
const paths: Readonly<Record<State, readonly State[]>> = {
  new: [],
  in_progress: ['in_progress'],
  on_hold: ['in_progress', 'on_hold'],
  resolved: ['in_progress', 'resolved'],
  closed: ['in_progress', 'resolved', 'closed'],
  cancelled: ['cancelled'],
  reopened: ['in_progress', 'resolved', 'reopened'],
};

/** Numbers equal records without an id, so that each is imported. */
export function withKeys(records: readonly ImportedRecord[]): { key: string; record: ImportedRecord }[] {
  const seen = new Map<string, number>();
  return records.map((record) => {
    if (record.external_id !== undefined) return { key: `id:${record.external_id}`, record };
    const hash = hashText(JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))));
    const nth = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, nth);
    return { key: `${hash}:${nth}`, record };
  });
}

/** Checks records against the schemas of the service. Returns what is wrong. */
export function createValidator(document: ApiDocument): (record: ImportedRecord) => Failure['error'] | undefined {
  const { components } = JSON.parse(JSON.stringify(document).replaceAll('#/components/schemas/', '#/$defs/'));
  const { IncidentCreation: creation, ...$defs } = components.schemas;
  const notes = { type: 'array', items: { $ref: '#/$defs/WorkNoteCreation' } };
  const schema = z.fromJSONSchema({ ...creation, properties: { ...creation.properties, notes }, $defs });
  return ({ external_id: _, state = 'new', ...fields }) => {
    // The service counts characters, not UTF-16 units.
    const text = JSON.stringify(fields).replace(/[\u{10000}-\u{10ffff}]/gu, '.');
    const issues = schema.safeParse(JSON.parse(text)).error?.issues ?? [];
    const problems = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    if (!Object.hasOwn(paths, state))
      problems.unshift(`state "${state}" is unknown; use ${Object.keys(paths).join(', ')}`);
    return problems.length > 0 ? { detail: problems.join('; ') } : undefined;
  };
}

export type ImportResult = { id: string; isNew: boolean } | { error: Failure['error'] };

export async function importRecord(
  client: ServiceClient,
  key: string,
  record: ImportedRecord,
  signal: AbortSignal,
): Promise<ImportResult> {
  const { external_id: _, state = 'new', notes = [], ...fields } = record;
  const keyFor = (step: string) => ({ idempotencyKey: hashText(`import ${key} ${step}`), signal });
  try {
    const { data, headers } = await client.createIncident.withResponse(fields as IncidentCreation, keyFor('create'));
    const { id } = data as Incident;
    const isNew = headers.get('idempotent-replayed') !== 'true';
    // In their order, because notes are listed by time.
    for (const [index, note] of notes.entries()) await client.createWorkNote({ id }, note, keyFor(`note ${index}`));
    const path = paths[state as State];
    const visited = isNew ? [] : await listVisitedStates(client, id, signal);
    for (const next of path.slice(path.findLastIndex((one) => visited.includes(one)) + 1)) {
      await client.updateIncident({ id }, { state: next }, { signal });
    }
    return { id, isNew };
  } catch (error) {
    if (!(error instanceof ServiceProblem) || error.status === 401) throw error;
    if (error.code !== 'idempotency_key_reused') return { error: { ...error.document, detail: error.message } };
    return { error: { detail: `${record.external_id} was imported with other content. Change the incident instead.` } };
  }
}

/** The states that the incident has had. People may have moved it on since an earlier import. */
async function listVisitedStates(client: ServiceClient, id: string, signal: AbortSignal): Promise<unknown[]> {
  const visited: unknown[] = [];
  for await (const { changes } of client.listIncidentHistory.all({ id, limit: 200 }, { signal })) {
    if (changes.state) visited.push(changes.state.to);
  }
  return visited;
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
