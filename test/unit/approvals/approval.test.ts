import type { Role } from '../../../contract/roles.ts';
import { applyDecision, type Verdict, validateStateUpdate, verdicts } from '../../../lambdas/approvals/approval.ts';
import { type ChangeDocument, changeRules } from '../../../lambdas/changes/change.ts';
import type { Caller } from '../../../lambdas/platform/caller.ts';
import { requestRules } from '../../../lambdas/requests/request.ts';

const nowMs = Date.UTC(2026, 2, 1);

const submitted = { state: 'submitted', requested_by: 'ada@example.com' } as ChangeDocument;

function caller(email: string, ...roles: Role[]): Caller {
  return { id: email, email, kind: 'user', roles, clientId: 'c', ownerId: email, tokenExpiresAt: 0 };
}

function decideAs(who: Caller, document = submitted, verdict: Verdict = 'approved') {
  return applyDecision(changeRules, document, { verdict, note: null, caller: who, nowMs });
}

describe('applyDecision', () => {
  it.each(verdicts)('stores who %s the record, when and why', (verdict) => {
    const who = caller('boss@example.com', 'itsm_manager');
    expect(applyDecision(changeRules, submitted, { verdict, note: 'because', caller: who, nowMs })).toEqual({
      ...submitted,
      state: verdict,
      decision_by: 'boss@example.com',
      decision_at: '2026-03-01T00:00:00.000Z',
      decision_note: 'because',
    });
  });

  it.each(['ada@example.com', 'ADA@Example.com'])('is rejected for the requester %s', (email) => {
    expect(() => decideAs(caller(email, 'itsm_manager'))).toThrow(expect.objectContaining({ code: 'forbidden' }));
    expect(decideAs(caller(email, 'super_admin')).state).toBe('approved');
  });

  it('rejects the recipient of a request', () => {
    const document = { state: 'submitted', requested_by: 'x@example.com', requested_for: 'ada@example.com' } as never;
    const made = { verdict: 'approved', note: null, caller: caller('ada@example.com', 'itsm_manager'), nowMs } as const;
    expect(() => applyDecision(requestRules, document, made)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  it.each(Object.keys(changeRules.transitions).filter((state) => state !== 'submitted'))(
    'rejects decisions in state %s',
    (state) => {
      const document = { ...submitted, state } as ChangeDocument;
      for (const verdict of verdicts) {
        expect(() => decideAs(caller('boss@example.com', 'itsm_manager'), document, verdict)).toThrow(
          expect.objectContaining({ code: 'invalid_transition' }),
        );
      }
    },
  );
});

describe('validateStateUpdate', () => {
  it('follows the transition table, allows the same state, and never decides', () => {
    for (const rules of [changeRules, requestRules]) {
      const states = Object.keys(rules.transitions) as (keyof typeof rules.transitions)[];
      for (const from of states) {
        for (const to of states) {
          const allowed = rules.transitions[from] as readonly string[];
          const isAllowed = from === to || (allowed.includes(to) && !(verdicts as readonly string[]).includes(to));
          const update = () => validateStateUpdate<string>(rules as typeof changeRules, from, to);
          if (isAllowed) expect(update()).toBe(to);
          else expect(update).toThrow(expect.objectContaining({ code: 'invalid_transition' }));
        }
      }
    }
  });
});
