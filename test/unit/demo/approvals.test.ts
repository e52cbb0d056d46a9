import { changeCreation, changePatch } from '../../../contract/changes.ts';
import { decision } from '../../../contract/record-operations.ts';
import { requestCreation, requestPatch } from '../../../contract/requests.ts';
import { buildApprovalSteps, demoChanges, demoRequests } from '../../../demo/approvals.ts';

const now = Date.parse('2026-03-15T14:20:00.000Z');
const steps = buildApprovalSteps(now, 90);

function getSchema(record: string, action: string) {
  if (action === 'approve' || action === 'reject') return decision;
  const [creation, patch] = record.startsWith('change')
    ? [changeCreation, changePatch]
    : [requestCreation, requestPatch];
  return action === 'create' ? creation : patch;
}

/** The last thing that happened to each record. */
function ends(given = steps): Map<string, string> {
  return new Map(given.map(({ record, action, body }) => [record, String(body.state ?? action)]));
}

describe('demo changes and requests', () => {
  it('is deterministic, in order and in the past', () => {
    expect(buildApprovalSteps(now, 90)).toEqual(steps);
    const times = steps.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect([times[0]! > now - 91 * 86_400_000, times.at(-1)! < now]).toEqual([true, true]);
  });

  it('sends only valid requests', () => {
    for (const { record, action, body } of steps) {
      expect(getSchema(record, action).safeParse(body).error).toBeUndefined();
    }
  });

  it('creates every record first, and never lets people decide on their own records', () => {
    const requesters = new Map<string, string>();
    for (const { record, action, actor, role } of steps) {
      expect(requesters.has(record)).toBe(action !== 'create');
      if (action === 'create') requesters.set(record, actor);
      if (action === 'approve' || action === 'reject') {
        expect([role, actor === requesters.get(record)]).toEqual(['itsm_manager', false]);
      }
    }
    expect(requesters.size).toBe(demoChanges + demoRequests);
  });

  it.each(['2026-03-15T14:20:00.000Z', '2026-06-20T12:00:00.000Z', '2027-11-14T23:59:59.000Z'])(
    'leaves records in every state on %s, and future windows',
    (day) => {
      const at = Date.parse(day);
      const current = buildApprovalSteps(at, 90);
      const states = new Set(ends(current).values());
      for (const state of ['create', 'approve', 'reject', 'completed', 'fulfilled', 'cancelled']) {
        expect(states).toContain(state);
      }
      const ahead = current.filter(({ body }) => Date.parse(String(body.planned_start)) > at);
      expect(ahead.length).toBeGreaterThan(3);
    },
  );
});
