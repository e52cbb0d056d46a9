import type * as z from 'zod';
import { ciId } from '../../contract/ci-relations.ts';
import { type CiPatch, ciCreation, ciDiscovery } from '../../contract/cis.ts';
import { type IdKind, idPatterns } from '../../contract/ids.ts';
import type { Past } from '../../contract/record-imports.ts';
import type { CiDocument } from '../cmdb/ci.ts';
import { changeCi, discoverCi, newCi } from '../cmdb/ci-operations.ts';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { type Change, type Changer, notFound } from '../records/change-record.ts';
import { gatherReads, gatherTransactions } from '../records/gather-calls.ts';
import { writeOnce } from '../records/idempotency.ts';
import { buildImport, findImported, findTimeProblems, type ImportRules } from '../records/import-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { Author, StoredRecord } from '../records/record.ts';
import type { NewRecord } from '../records/record-operations.ts';
import { writeWithRetry } from '../records/write-items.ts';
import { type BulkWork, parseRecord, throwIfProcessed } from './process-record.ts';

export interface RecordWorkTools<Document, Creation extends z.ZodType> {
  store: Pick<ItemStore, 'transact'>;
  change: Changer<Document>;
  clock: Clock;
  kind: IdKind;
  creation: Creation;
  draft(
    creation: z.output<Creation>,
    author: Author,
    nowMs: number,
  ): NewRecord<Document> | Promise<NewRecord<Document>>;
  apply(before: StoredRecord<Document>, fields: never, actor: string, nowMs: number): Change<Document>;
  resolve?(before: StoredRecord<Document>, fields: never, actor: string, nowMs: number): Change<Document>;
}

/** The work on records whose rules need nothing but the record itself. */
export function createRecordWork<Document, Creation extends z.ZodType>(
  tools: RecordWorkTools<Document, Creation>,
): BulkWork {
  const { store, change, clock, kind, creation, draft, apply, resolve } = tools;
  const changeBy =
    (rule: typeof apply): BulkWork['update'] =>
    async (id, fields, { author, ifMatch, result }) => {
      if (!idPatterns[kind].test(id)) throw notFound(id);
      await change({
        id,
        author,
        ifMatch,
        apply: (before, nowMs) => {
          const changed = rule(before, fields as never, author.actor, nowMs);
          return { ...changed, additionalWrites: [...(changed.additionalWrites ?? []), result(id)] };
        },
        onConditionFailed: (by) => {
          throwIfProcessed(by);
          throw new Error(`the condition of "${by}" did not hold in a change of ${id}`);
        },
      });
    };
  return {
    async create(given, { author, result }) {
      const parsed = parseRecord(creation, given);
      const nowMs = clock.now();
      await writeOnce(store, undefined, nowMs, async () => {
        const { record, writes } = await draft(parsed, author, nowMs);
        const response = { status: 201, body: null };
        return { writes: [result(record.id), ...writes], response, onConditionFailed: throwIfProcessed };
      });
    },
    update: changeBy(apply),
    ...(resolve && { resolve: changeBy(resolve) }),
  };
}

export interface ImportTools<Schema extends z.ZodType<Past>, Document> {
  store: Pick<ItemStore, 'getMany' | 'transact'>;
  schema: Schema;
  rules: ImportRules<z.output<Schema>, Document>;
  clock: Clock;
}

/** The records of a chunk share their reads and transactions. */
export function createImport<Schema extends z.ZodType<Past>, Document>(
  tools: ImportTools<Schema, Document>,
): NonNullable<BulkWork['import']> {
  const { rules, schema, clock } = tools;
  const store = { ...gatherReads(tools.store), ...gatherTransactions(tools.store) };
  return async (given, { author: caller, result }, { dry_run, emit_events }) => {
    const nowMs = clock.now();
    const parsed = parseRecord(schema, given, findTimeProblems(given, nowMs));
    const author = { ...caller, origin: { ...caller.origin, kind: 'import' as const } };
    const response = { status: 201, body: null };
    await writeOnce(store, undefined, nowMs, async () => {
      const known = await findImported(store, rules.kind, parsed);
      const details = known === undefined ? {} : { already_exists: true };
      if (dry_run) return { writes: [result(known ?? null, details)], response, onConditionFailed: throwIfProcessed };
      const id = known ?? parsed.id ?? newId(rules.kind);
      const batches = await buildImport(rules, parsed, { id, author, nowMs, isSilent: !emit_events });
      const [first = [], ...rest] = batches;
      if (rest.length > 0 && known === undefined && !(await writeWithRetry(store, first)))
        throw new Error(`the id ${id} was taken meanwhile`);
      for (const batch of rest) await writeWithRetry(store, batch);
      const record = rest.length > 0 || known !== undefined ? [] : first;
      return { writes: [result(id, details), ...record], response, onConditionFailed: throwIfProcessed };
    });
  };
}

export interface CiWorkTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  change: Changer<CiDocument>;
  clock: Clock;
}

export function createCiWork({ store, change, clock }: CiWorkTools): BulkWork {
  return {
    async create(given, { author, result }) {
      const creation = parseRecord(ciCreation, given);
      const nowMs = clock.now();
      await writeOnce(store, undefined, nowMs, async () => {
        const { record, writes } = await newCi(store, creation, author, nowMs);
        const response = { status: 201, body: null };
        return { writes: [result(record.id), ...writes], response, onConditionFailed: throwIfProcessed };
      });
    },
    async update(id, fields, { author, ifMatch, result }) {
      if (!ciId.safeParse(id).success) throw notFound(id);
      const patch = fields as CiPatch;
      await changeCi(store, change, {
        id,
        author,
        ifMatch,
        patch,
        additionalWrites: [result(id)],
        onConditionFailed: throwIfProcessed,
      });
    },
    async discover(given, { author, result }) {
      const discovery = parseRecord(ciDiscovery, given);
      await discoverCi({ store, change, clock }, discovery, { author, result, onConditionFailed: throwIfProcessed });
    },
  };
}
