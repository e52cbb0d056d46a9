import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { operationTable, type ServiceClient } from '../client/index.ts';
import type { Losses, Row } from './convert-row.ts';
import { hashText } from './import-rows.ts';
import {
  type Fields,
  formatKey,
  getCall,
  isHidden,
  type Kind,
  kinds,
  listAll,
  replaceTexts,
  settings,
} from './kinds.ts';

// Creates the records of an export that have no import operation. Ordinary operations choose new ids: references follow.
// `<file>.imported.ndjson` maps old ids to new ones, so that an import that stopped continues.

export interface OtherOutcome {
  /** Old ids and the new ones. */
  ids: ReadonlyMap<string, string>;
  created: number;
  alreadyThere: number;
  failures: { line: number; error: { detail: string }; record: Row }[];
}

export interface OtherTools {
  client: ServiceClient;
  losses: Losses;
  signal: AbortSignal;
  /** Tells services apart in the journal. */
  service: string;
  journal: string;
  /** Only counts, also what would be lost. */
  isDryRun: boolean;
}

interface Pending {
  kind: Kind;
  id: string;
  fields: Record<string, unknown>;
}

export async function importOthers(rows: readonly Row[], tools: OtherTools): Promise<OtherOutcome> {
  const { client, losses, signal, service, journal, isDryRun } = tools;
  const schemas = await readSchemas(client);
  const ids = new Map<string, string>();
  const outcome = { ids, created: 0, alreadyThere: 0, failures: [] as OtherOutcome['failures'] };
  const lines: Fields[] = existsSync(journal) ? parseLines(readFileSync(journal, 'utf8')) : [];
  const known = new Map(lines.filter((line) => line.service === service).map(({ key, id }) => [key, String(id)]));
  const oldIds = new Set(rows.map(({ id }) => id));
  const isWaiting = (value: unknown) => {
    let waits = false;
    replaceTexts(value, (text) => {
      if (oldIds.has(text) && !ids.has(text)) waits = true;
      return text;
    });
    return waits;
  };
  const follow = (value: unknown) => replaceTexts(value, (text) => ids.get(text) ?? text);
  const pending: Pending[] = [];
  const fail = (line: number, error: unknown, record: Row) =>
    outcome.failures.push({ line, error: { detail: error instanceof Error ? error.message : String(error) }, record });
  for (const kind of kinds) {
    const some = [...rows.entries()].filter(([, row]) => row.kind === kind.kind);
    if (some.length === 0 || kind.import || !kind.create) continue;
    const existing = kind.key ? await readExisting(client, kind, signal) : new Map<string, string>();
    for (const [index, row] of some) {
      const oldId = String(row.id);
      const found = known.get(`${kind.kind} ${oldId}`) ?? (kind.key && existing.get(formatKey(kind, row)));
      if (found !== undefined) {
        ids.set(oldId, found);
        outcome.alreadyThere += 1;
        continue;
      }
      // A key without its secret is of no use.
      if (kind.owner) {
        losses.add('left out', kind.group);
        continue;
      }
      const taken = takeFields(kind, row, schemas, losses);
      if (isDryRun) {
        outcome.created += 1;
        continue;
      }
      const deferred = Object.entries(taken).filter(([, value]) => isWaiting(value));
      for (const [name] of deferred) delete taken[name];
      try {
        const idempotencyKey = hashText(`import ${kind.kind} ${oldId}`);
        const { id } = await getCall(client, kind.create)(follow(taken), { idempotencyKey, signal });
        ids.set(oldId, String(id));
        if (deferred.length > 0) pending.push({ kind, id: String(id), fields: Object.fromEntries(deferred) });
        outcome.created += 1;
        const line = { service, key: `${kind.kind} ${oldId}`, id };
        appendFileSync(journal, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      } catch (error) {
        if (signal.aborted) throw error;
        fail(index + 1, error, row);
      }
    }
  }
  for (const { kind, id, fields } of pending) {
    if (kind.update) await getCall(client, kind.update)({ id }, follow(fields), { signal });
  }
  for (const [index, row] of rows.entries()) {
    const setting = row.kind === 'setting' && !isDryRun ? settings[String(row.name)] : undefined;
    if (setting)
      await setting.write(client, follow(row.value) as never).catch((error: unknown) => fail(index + 1, error, row));
  }
  return outcome;
}

async function readExisting(client: ServiceClient, kind: Kind, signal: AbortSignal): Promise<Map<string, string>> {
  const existing = new Map<string, string>();
  for await (const record of listAll(client, kind.list, { limit: 200 }, signal))
    existing.set(formatKey(kind, record), String(record.id));
  return existing;
}

/** Fields that every service sets itself. */
const chosen = ['id', 'created_at', 'updated_at', 'created_by'];
const computed = ['own_kind', 'number', 'deleted', ...chosen];

/** The fields that the operation takes, with values that it takes. */
function takeFields({ kind, create = '' }: Kind, row: Row, schemas: Schemas, losses: Losses): Record<string, unknown> {
  const properties = schemas(create);
  const fields = Object.entries({ ...row, kind: row.own_kind ?? null });
  const given = fields.filter(([name, value]) => value !== null && !computed.includes(name));
  const isTaken = ([name, value]: [string, unknown]) => {
    const property = properties[name];
    const allowed = property && (property.const === undefined ? property.enum : [property.const]);
    return property !== undefined && (allowed?.includes(value) ?? true) && !hasHidden(value);
  };
  const isEmpty = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  for (const name of chosen) if (row[name] !== undefined) losses.add('set', `${kind}.${name}`);
  for (const [name, value] of given.filter((entry) => !isTaken(entry)))
    if (!isEmpty(value)) losses.add('left out', `${kind}.${name}`);
  return Object.fromEntries(given.filter(isTaken));
}

function hasHidden(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.values(value).some(hasHidden) : isHidden(value);
}

type Schemas = (operation: string) => Readonly<Record<string, { const?: unknown; enum?: unknown[] }>>;

/** The fields of request bodies, from the API document. */
async function readSchemas(client: ServiceClient): Promise<Schemas> {
  const document = (await client.getApiDocument()) as unknown as ApiDocument;
  return (operation) => {
    const { method, path } = operationTable[operation as keyof typeof operationTable];
    const { schema } = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'] ?? {};
    const name = schema?.$ref?.split('/').at(-1) ?? '';
    return (document.components.schemas[name] ?? schema)?.properties ?? {};
  };
}

interface Schema {
  $ref?: string;
  properties?: ReturnType<Schemas>;
}

interface ApiDocument {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema?: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

function parseLines(text: string): Fields[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
