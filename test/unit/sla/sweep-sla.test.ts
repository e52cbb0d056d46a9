import { createIncidentRules, type IncidentDocument } from '../../../lambdas/incidents/incident.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import type { Changer } from '../../../lambdas/records/change-record.ts';
import { type Sla, startSla } from '../../../lambdas/sla/sla.ts';
import { type SweepTools, sweepSla } from '../../../lambdas/sla/sla-operations.ts';

const policy = { P1: 240, P2: 480, P3: 1_440, P4: 4_320 };
const start = Date.parse('2026-03-01T08:00:00.000Z');
const hour = 3_600_000;

/** Incidents in memory; the index is as far behind as `listed` says. */
function ground(slas: Record<string, Sla>, listed: string[] = Object.keys(slas), pageSize = 2) {
  const writes: string[] = [];
  const change: Changer<IncidentDocument> = async ({ id, author, apply }) => {
    const sla = slas[id];
    if (!sla) throw new ServiceError('not_found', `${id} does not exist.`);
    if (id === 'broken') throw new Error('damaged');
    const before = { id, document: { sla } } as Parameters<typeof apply>[0];
    const { document } = apply(before, now);
    if (document.sla !== sla) writes.push(`${id} by ${author.origin.kind}`);
    slas[id] = document.sla;
    return before;
  };
  let now = start;
  const tools: SweepTools = {
    change,
    rules: createIncidentRules(policy),
    clock: { now: () => now },
    log: () => {},
    async *due(partition) {
      if (partition !== 'sla#0') return;
      for (let first = 0; first < listed.length; first += pageSize) yield listed.slice(first, first + pageSize);
    },
  };
  return {
    slas,
    writes,
    sweepAt(atMs: number) {
      now = atMs;
      return sweepSla(tools);
    },
  };
}

describe('sweepSla', () => {
  it('marks only due incidents, on every page', async () => {
    const slas = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, startSla('P1', start)]));
    const { writes, sweepAt } = ground({ ...slas, later: startSla('P4', start) });
    await sweepAt(start + 3 * hour);
    expect(writes.sort()).toEqual(['a', 'b', 'c', 'd', 'e'].map((id) => `${id} by sla`));
  });

  it('marks each incident once, even with a stale index', async () => {
    const { writes, slas, sweepAt } = ground({ a: startSla('P1', start) });
    for (const minutes of [180, 181, 182, 240, 241, 500]) await sweepAt(start + minutes * 60_000);
    expect(writes).toHaveLength(2);
    expect(slas.a!.marks.P1).toEqual({ warned_at: start + 3 * hour, breached_at: start + 4 * hour });
  });

  it('catches up on all missed marks', async () => {
    const { slas, writes, sweepAt } = ground({ a: startSla('P1', start) });
    await sweepAt(start + 100 * hour);
    expect(slas.a!.marks.P1).toEqual({ warned_at: start + 100 * hour, breached_at: start + 100 * hour });
    expect(writes).toHaveLength(1);
  });

  it('skips incidents that were deleted in between', async () => {
    const { sweepAt } = ground({}, ['gone']);
    await expect(sweepAt(start)).resolves.toEqual({ checked: 1, failed: 0 });
  });

  it('marks the others when one fails, and then fails for the alarm', async () => {
    const { writes, sweepAt } = ground({ broken: startSla('P1', start), a: startSla('P1', start) });
    await expect(sweepAt(start + 3 * hour)).rejects.toThrow('1 of 2');
    expect(writes).toEqual(['a by sla']);
  });
});
