import { ciId } from '../../contract/ci-relations.ts';
import { type CiPatch, ciCreation, ciDiscovery } from '../../contract/cis.ts';
import { type IncidentPatch, incidentCreation, incidentId } from '../../contract/incidents.ts';
import type { CiDocument } from '../cmdb/ci.ts';
import { changeCi, discoverCi, newCi } from '../cmdb/ci-operations.ts';
import type { IncidentDocument, IncidentRules } from '../incidents/incident.ts';
import type { Clock } from '../platform/clock.ts';
import { type Changer, notFound } from '../records/change-record.ts';
import { writeOnce } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type BulkWork, parseRecord, throwIfProcessed } from './process-record.ts';

export interface IncidentWorkTools {
  store: Pick<ItemStore, 'transact'>;
  change: Changer<IncidentDocument>;
  rules: Pick<IncidentRules, 'create' | 'change'>;
  clock: Clock;
}

export function createIncidentWork({ store, change, rules, clock }: IncidentWorkTools): BulkWork {
  return {
    async create(given, { author, result }) {
      const creation = parseRecord(incidentCreation, given);
      const nowMs = clock.now();
      await writeOnce(store, undefined, nowMs, () => {
        const { record, writes } = rules.create(creation, author, nowMs);
        const response = { status: 201, body: null };
        return { writes: [result(record.id), ...writes], response, onConditionFailed: throwIfProcessed };
      });
    },
    async update(id, fields, { author, ifMatch, result }) {
      if (!incidentId.safeParse(id).success) throw notFound(id);
      await change({
        id,
        author,
        ifMatch,
        apply: (before, nowMs) => {
          const changed = rules.change(before, fields as IncidentPatch, author.actor, nowMs);
          return { ...changed, additionalWrites: [...(changed.additionalWrites ?? []), result(id)] };
        },
        onConditionFailed: (by) => {
          throwIfProcessed(by);
          throw new Error(`the condition of "${by}" did not hold in a change of ${id}`);
        },
      });
    },
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
