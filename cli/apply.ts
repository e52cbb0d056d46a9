import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { ServiceClient } from '../client/index.ts';
import { type Command, type CommandInput, readText, UsageError } from './command.ts';
import { parseDocumentFile } from './import-rows.ts';
import { type Fields, formatKey, getCall, isHidden, type Kind, kinds, listAll, replaceTexts } from './kinds.ts';
import { loadSettings } from './settings.ts';

// Settings of the service as code. The table of kinds names the operations; there is no code for a single kind. Records are
// found by name. `<file>.state.json` has the ids of the records that `itsm apply` created: only those are deleted when they
// leave the file, and all others only with --prune.

const applied = kinds.filter(({ isApplied }) => isApplied);

interface Step {
  action: 'create' | 'update' | 'replace' | 'delete';
  kind: Kind;
  name: string;
  id: string;
  fields: Fields;
}

interface Plan {
  steps: Step[];
  unchanged: number;
  /** Records that are neither in the file nor created by it. */
  unmanaged: string[];
  /** Ids by `<group>/<name>`, for references. */
  ids: Map<string, string>;
}

export const applyCommands: Command[] = [
  {
    name: 'apply',
    summary: 'Make webhooks, schedules, policies, calendars and API keys as a file describes them',
    options: {
      file: { type: 'string', short: 'f', value: 'file', description: 'YAML or JSON file.' },
      'dry-run': { type: 'boolean', description: 'Show the plan and change nothing.' },
      prune: { type: 'boolean', description: 'Also delete records that the file does not have and did not create.' },
    },
    async run(input) {
      const { options, output, environment, signal } = input;
      const file = readText(options, 'file');
      if (file === undefined) throw new UsageError('itsm apply needs -f <file>.');
      const wanted = readWanted(file);
      const client = await input.connect();
      const service = loadSettings(environment)?.baseUrl ?? '';
      const state = readState(`${file}.state.json`);
      const managed = new Set(state[service] ?? []);
      const plan = await makePlan(client, wanted, managed, options.prune === true, signal);
      const isDryRun = options['dry-run'] === true;
      const secrets: Record<string, unknown> = {};
      if (!isDryRun) {
        const save = () => {
          const text = JSON.stringify({ ...state, [service]: [...managed].sort() }, null, 2);
          if (plan.steps.length > 0) writeFileSync(`${file}.state.json`, `${text}\n`);
        };
        for (const step of plan.steps) {
          await runStep(client, step, plan.ids, managed, secrets, signal);
          save();
        }
      }
      report(plan, secrets, isDryRun, output);
    },
  },
];

type Wanted = ReadonlyMap<Kind, readonly Fields[]>;

function readWanted(file: string): Wanted {
  const document = parseDocumentFile(file);
  if (typeof document !== 'object' || document === null) throw new UsageError(`${file} is empty.`);
  const groups = applied.map(({ group }) => group);
  const unknown = Object.keys(document).filter((name) => !groups.includes(name));
  const problems = unknown.map((name) => `${name} is unknown; use ${groups.join(', ')}`);
  const wanted = new Map<Kind, Fields[]>();
  for (const kind of applied) {
    const entries = (document as Record<string, unknown>)[kind.group];
    if (entries === undefined) continue;
    const list = Array.isArray(entries) ? (entries as Fields[]) : [];
    if (!Array.isArray(entries)) problems.push(`${kind.group} must be a list`);
    if (list.some((entry) => typeof entry?.name !== 'string')) problems.push(`${kind.group}: each entry needs a name`);
    else if (new Set(list.map((entry) => formatKey(kind, entry))).size < list.length)
      problems.push(`${kind.group}: two entries have the same name`);
    wanted.set(kind, list);
  }
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `${file}: ${problem}.`).join('\n'));
  return wanted;
}

async function makePlan(
  client: ServiceClient,
  wanted: Wanted,
  managed: ReadonlySet<string>,
  prune: boolean,
  signal: AbortSignal,
): Promise<Plan> {
  const plan: Plan = { steps: [], unchanged: 0, unmanaged: [], ids: new Map() };
  const deletions: Step[] = [];
  for (const kind of applied) {
    const entries = wanted.get(kind);
    if (entries === undefined && !isReferenced(wanted, kind)) continue;
    const existing = await readExisting(client, kind, signal);
    for (const [name, [record]] of existing) plan.ids.set(`${kind.group}/${name}`, String(record?.id));
    if (entries === undefined) continue;
    for (const entry of entries) {
      const name = formatKey(kind, entry);
      const [record, ...twins] = existing.get(name) ?? [];
      if (twins.length > 0) throw new UsageError(`There are ${twins.length + 1} ${kind.group} with the name ${name}.`);
      const changed = record && listChanged(entry, record, plan.ids);
      if (changed?.length === 0) plan.unchanged += 1;
      else {
        const fields =
          changed && kind.update ? Object.fromEntries(changed.map((field) => [field, entry[field]])) : entry;
        const action = !record ? 'create' : kind.update ? 'update' : 'replace';
        plan.steps.push({ action, kind, name, id: String(record?.id), fields });
      }
    }
    const names = new Set(entries.map((entry) => formatKey(kind, entry)));
    for (const [name, records] of existing) {
      if (names.has(name)) continue;
      for (const { id } of records) {
        if (prune || managed.has(String(id)))
          deletions.unshift({ action: 'delete', kind, name, id: String(id), fields: {} });
        else plan.unmanaged.push(`${kind.group}/${name}`);
      }
    }
  }
  // What refers to others goes first.
  plan.steps.push(...deletions);
  return plan;
}

function isReferenced(wanted: Wanted, { group }: Kind): boolean {
  return [...wanted.values()].some((entries) => JSON.stringify(entries).includes(`"${group}/`));
}

async function readExisting(client: ServiceClient, kind: Kind, signal: AbortSignal): Promise<Map<string, Fields[]>> {
  const owner = kind.owner && (await client.getMe()).email;
  const existing = new Map<string, Fields[]>();
  for await (const record of listAll(client, kind.list, { limit: 200 }, signal)) {
    if (kind.owner && record[kind.owner] !== owner) continue;
    const name = formatKey(kind, record);
    existing.set(name, [...(existing.get(name) ?? []), record]);
  }
  return existing;
}

function listChanged(entry: Fields, record: Fields, ids: ReadonlyMap<string, string>): string[] {
  const resolved = replaceTexts(entry, (text) => ids.get(text) ?? text) as Fields;
  return Object.keys(entry).filter((name) => !includes(record[name], resolved[name]));
}

/** Fields that the file leaves out have the service's defaults or the values that somebody set. */
function includes(stored: unknown, given: unknown): boolean {
  if (isHidden(stored) && given !== null) return true;
  if (Array.isArray(given))
    return (
      Array.isArray(stored) && stored.length === given.length && given.every((one, at) => includes(stored[at], one))
    );
  if (typeof given !== 'object' || given === null) return isDeepStrictEqual(stored ?? null, given ?? null);
  if (typeof stored !== 'object' || stored === null) return false;
  return Object.entries(given).every(([name, value]) => includes((stored as Fields)[name], value));
}

async function runStep(
  client: ServiceClient,
  { action, kind, name, id, fields }: Step,
  ids: Map<string, string>,
  managed: Set<string>,
  secrets: Record<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  const body = replaceTexts(fields, (text) => ids.get(text) ?? text);
  if (action === 'update' && kind.update) {
    await getCall(client, kind.update)({ id }, body, { signal });
    return;
  }
  // The new key exists before the old one ends.
  if (action !== 'delete' && kind.create) {
    const created = await getCall(client, kind.create)(body, { signal });
    managed.add(String(created.id));
    ids.set(`${kind.group}/${name}`, String(created.id));
    const secret = created.secret ?? created.key;
    if (secret !== undefined) secrets[`${kind.group}/${name}`] = secret;
  }
  if (action !== 'create' && kind.delete) {
    await getCall(client, kind.delete)({ id }, { signal });
    managed.delete(id);
  }
}

const signs = { create: '+', update: '~', replace: '±', delete: '-' } as const;

function report(plan: Plan, secrets: Record<string, unknown>, isDryRun: boolean, output: CommandInput['output']): void {
  const { steps, unchanged, unmanaged } = plan;
  const lines = steps.map(({ action, kind, name, fields }) => {
    const changed = action === 'update' ? ` (${Object.keys(fields).join(', ')})` : '';
    return `${signs[action]} ${kind.group}/${name}${changed}`;
  });
  const end = steps.length === 0 ? 'Nothing to change.' : isDryRun ? 'Run without --dry-run to apply.' : 'Applied.';
  output.result([...lines, end].join('\n'), {
    steps: steps.map(({ action, kind, name }) => ({ action, record: `${kind.group}/${name}` })),
    unchanged,
    unmanaged,
    ...(isDryRun ? { dry_run: true } : { secrets }),
  });
  for (const [name, secret] of Object.entries(secrets)) output.note(`Secret of ${name}, shown once: ${secret}`);
  if (unmanaged.length > 0)
    output.note(`Kept, because itsm apply did not create it (--prune deletes it): ${unmanaged.join(', ')}`);
}

type State = Readonly<Record<string, readonly string[]>>;

function readState(file: string): State {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
