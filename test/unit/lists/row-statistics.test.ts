import { incidentListing } from '../../../lambdas/incidents/incident.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { measureRows } from '../../../lambdas/lists/scan.ts';

const day = (number: number, hour = 12) => Date.UTC(2026, 2, number, hour);
const everything = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' } as const;
const columns = { resolved: 'resolved_at', breached: 'sla_breach_at' };

/** P1 is 1, P2 is 2; no time is 0. */
function buildReplica(rows: readonly { createdMs: number; resolvedMs?: number; breachMs?: number; group?: string }[]) {
  const replica = new Replica(incidentListing);
  for (const [number, { createdMs, resolvedMs = 0, breachMs = 0, group = null }] of rows.entries()) {
    replica.apply({
      number,
      deleted: number === 0,
      times: [createdMs, createdMs, resolvedMs, breachMs, 0],
      enums: [(number % 2) + 1, 1],
      strings: [group, null, null],
      words: new Int32Array(),
    });
  }
  return replica;
}

const replica = buildReplica([
  { createdMs: day(3) },
  { createdMs: day(1, 0) },
  { createdMs: day(1, 23), resolvedMs: day(3, 0), group: 'network' },
  { createdMs: day(2), resolvedMs: day(3, 23), breachMs: day(3, 22), group: 'network' },
  { createdMs: day(0), resolvedMs: day(2), breachMs: 0 },
]);

describe('measureRows', () => {
  it('counts creations and resolutions per UTC day, without other days and deleted rows', () => {
    const request = { groupBy: [], firstDayMs: day(1, 0), days: 3 };
    const { days, total, groups } = measureRows(replica, everything, columns, request);
    expect(days.map(({ count, resolved, breached }) => [count, resolved, breached])).toEqual([
      [2, 0, 0],
      [1, 1, 0],
      [0, 2, 1],
    ]);
    expect(total).toMatchObject({ count: 4, resolved: 3, breached: 1 });
    expect(total.resolutionMs).toBe(day(3, 0) - day(1, 23) + day(3, 23) - day(2) + day(2) - day(0));
    expect(groups).toEqual([]);
  });

  it('groups by an enum and a string, with null for no value', () => {
    const request = { groupBy: ['assignment_group', 'priority'], firstDayMs: 0, days: 0 };
    const { groups, days } = measureRows(replica, everything, columns, request);
    const counts = groups.map(({ values, tally }) => [...values, tally.count]);
    expect(counts.sort()).toEqual([
      [null, 'P1', 1],
      [null, 'P2', 1],
      ['network', 'P1', 1],
      ['network', 'P2', 1],
    ]);
    expect(days).toEqual([]);
  });
});
