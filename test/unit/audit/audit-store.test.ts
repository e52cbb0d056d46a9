import type { AuditEntry, AuditType } from '../../../contract/audit.ts';
import { createAuditEntry, createAuditLog, toAuditWrite } from '../../../lambdas/audit/audit-log.ts';
import type { Item, ItemStore, Range } from '../../../lambdas/records/item-store.ts';

/** Partitions in memory; of filters it knows the expiry, which every query has. */
function aStore(entries: readonly AuditEntry[]) {
  const items = entries.map((entry) => (toAuditWrite(entry) as { put: { Item: Item } }).put.Item);
  const looked: string[] = [];
  const inRange = ({ pk, filter }: Range) => {
    looked.push(pk);
    const now = Number(filter!.values[':now']!.N);
    return items.filter((item) => item.pk!.S === pk && Number(item.expires_at!.N) > now);
  };
  const store: Pick<ItemStore, 'range' | 'count'> = {
    range: async (range, limit) =>
      inRange(range)
        .filter(({ sk }) => range.after === undefined || sk!.S! < range.after)
        .sort((a, b) => (a.sk!.S! < b.sk!.S! ? 1 : -1))
        .slice(0, limit),
    count: async (range) => inRange(range).length,
  };
  return { log: createAuditLog(store), looked };
}

const anEntry = (at: string, type: AuditType = 'record.deleted') =>
  createAuditEntry({ at: `${at}T12:00:00.000Z`, type, actor: 'ada@example.com', target: 'INC1' }, at);

const nowMs = Date.parse('2026-03-31T12:00:00Z');

describe('auditLog', () => {
  const days = ['2026-03-30', '2026-02-10', '2026-02-09', '2025-12-31', '2025-04-02'];

  it('lists entries across months, newest first, without gaps between pages', async () => {
    const { log } = aStore(days.map((day) => anEntry(day)));
    const walked: string[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < days.length; pages++) {
      const [item] = await log.page({}, 1, nowMs, after);
      walked.push(item!.entry.at.slice(0, 10));
      after = item!.sortKey;
    }
    expect(walked).toEqual(days);
    expect(await log.page({}, 1, nowMs, after)).toEqual([]);
    expect(await log.count({}, nowMs)).toBe(days.length);
  });

  it('retains entries for a year', async () => {
    const { log } = aStore([anEntry('2025-04-01'), anEntry('2025-03-30')]);
    expect((await log.page({}, 9, nowMs)).map(({ entry }) => entry.at)).toEqual(['2025-04-01T12:00:00.000Z']);
    expect(await log.count({}, nowMs)).toBe(1);
  });

  it('reads only the requested months', async () => {
    const { log, looked } = aStore([]);
    await log.page({ created_after: '2026-01-15', created_before: '2026-03-01T00:00:00Z' }, 9, nowMs);
    expect(looked).toEqual(['audit#2026-03', 'audit#2026-02', 'audit#2026-01']);
    looked.length = 0;
    await log.page({ created_after: '2027-01-01' }, 9, nowMs);
    await log.page({ created_before: '2020-01-01' }, 9, nowMs);
    expect(looked).toEqual([]);
    await log.page({}, 9, nowMs);
    expect(looked).toHaveLength(13);
  });
});
