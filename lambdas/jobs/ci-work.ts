import { ciId } from '../../contract/ci-id.ts';
import { type CiPatch, ciCreation, ciDiscovery } from '../../contract/cis.ts';
import { changeCi } from '../cmdb/change-ci.ts';
import type { CiDocument } from '../cmdb/ci.ts';
import { discoverCi } from '../cmdb/discover-ci.ts';
import { draftCi } from '../cmdb/draft-ci.ts';
import type { Clock } from '../platform/clock.ts';
import type { Changer } from '../records/change-record.ts';
import { notFound } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { writeOnce } from '../records/write-once.ts';
import { type BulkWork, parseRecord, resultRefused } from './job-item.ts';

export interface CiWorkTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  change: Changer<CiDocument>;
  clock: Clock;
}

export function ciWork({ store, change, clock }: CiWorkTools): BulkWork {
  return {
    async create(given, { author, result }) {
      const creation = parseRecord(ciCreation, given);
      const nowMs = clock.now();
      await writeOnce(store, undefined, nowMs, async () => {
        const { record, writes } = await draftCi(store, creation, author, nowMs);
        const answer = { status: 201, body: null };
        return { writes: [result(record.id), ...writes], answer, refused: resultRefused };
      });
    },
    async update(id, fields, { author, result }) {
      if (!ciId.safeParse(id).success) throw notFound(id);
      const patch = fields as CiPatch;
      await changeCi(store, change, { id, author, patch, alongside: [result(id)], refused: resultRefused });
    },
    async discover(given, { author, result }) {
      const discovery = parseRecord(ciDiscovery, given);
      await discoverCi({ store, change, clock }, discovery, { author, result, refused: resultRefused });
    },
  };
}
