import { type IncidentPatch, incidentCreation, incidentId } from '../../contract/incidents.ts';
import { draftIncident } from '../incidents/draft-incident.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { incidentChange } from '../incidents/incident-change.ts';
import type { Clock } from '../platform/clock.ts';
import type { Changer } from '../records/change-record.ts';
import { notFound } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { writeOnce } from '../records/write-once.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import { type BulkWork, parseRecord, resultRefused } from './job-item.ts';

export interface IncidentWorkTools {
  store: Pick<ItemStore, 'transact'>;
  change: Changer<IncidentDocument>;
  policy: SlaPolicy;
  clock: Clock;
}

export function incidentWork({ store, change, policy, clock }: IncidentWorkTools): BulkWork {
  return {
    async create(given, { author, result }) {
      const creation = parseRecord(incidentCreation, given);
      const nowMs = clock.now();
      await writeOnce(store, undefined, nowMs, () => {
        const { record, writes } = draftIncident(creation, author, nowMs, policy);
        const answer = { status: 201, body: null };
        return { writes: [result(record.id), ...writes], answer, refused: resultRefused };
      });
    },
    async update(id, fields, { author, result }) {
      if (!incidentId.safeParse(id).success) throw notFound(id);
      await change({
        id,
        author,
        apply: (before, nowMs) => {
          const changed = incidentChange(before, fields as IncidentPatch, author.actor, nowMs, policy);
          return { ...changed, alongside: [...(changed.alongside ?? []), result(id)] };
        },
        refused: (by) => {
          resultRefused(by);
          throw new Error(`the condition of "${by}" did not hold in a change of ${id}`);
        },
      });
    },
  };
}
