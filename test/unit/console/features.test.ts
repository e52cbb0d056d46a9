import { timeZone } from '../../../console/base/time-zone.ts';
import { findFigures, formatCost, listOtherRecords } from '../../../console/features/assistant/answer-words.ts';
import {
  getDay,
  getEnd,
  lengths,
  moveRange,
  parseRange,
  toPosition,
} from '../../../console/features/changes/calendar-range.ts';
import { listSearches, rankByHits } from '../../../console/features/incidents/article-searches.ts';
import { emptyDraft, toCreation, toDraft, toPatch } from '../../../console/records/record-draft.ts';
import { formatFieldName, formatValue } from '../../../console/records/record-words.ts';
import { changeWords } from '../../../console/resources/change-words.ts';
import { describeImpact } from '../../../console/resources/ci-words.ts';
import { incidentFields, incidentWords, priorities, states } from '../../../console/resources/incident-words.ts';
import { describeNotification } from '../../../console/resources/notification-words.ts';
import { getSlaCountdown } from '../../../console/resources/sla.ts';
import { nameAddresses } from '../../../console/ui/person.ts';
import {
  formatAge,
  formatDuration,
  formatTime,
  fromLocalMoment,
  toDayStart,
  toLocalMoment,
} from '../../../console/ui/time.ts';
import { maxCalendarDays } from '../../../contract/change-calendar.ts';
import { incidentCreation, incidentExample, incidentPatch } from '../../../contract/incidents.ts';
import {
  priorities as contractPriorities,
  type IncidentState,
  incidentStates,
  incidentTransitions,
} from '../../../contract/states.ts';
import { transition } from '../../../lambdas/incidents/incident.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('the words of the console', () => {
  it('shows people by name, in texts of the service and as values', () => {
    expect(nameAddresses('Step 1 of 2: ada.lovelace@example.com, bob@acme.org (schedule Network).')).toBe(
      'Step 1 of 2: Ada Lovelace, Bob (schedule Network).',
    );
    expect(formatValue(changeWords, 'assigned_to', 'ada.lovelace@example.com')).toBe('Ada Lovelace');
    expect(formatValue(changeWords, 'short_description', 'Mail to ada@example.com')).toBe('Mail to ada@example.com');
  });

  it('cover every state, priority and transition of the service', () => {
    expect([...states].sort()).toEqual([...incidentStates].sort());
    expect(priorities).toEqual([...contractPriorities]);
    for (const from of states) expect([...incidentTransitions[from]].sort()).toEqual(allowedFrom(from).sort());
  });

  it('cover the fields that only the history has', () => {
    const names = ['sla_warned_at', 'sla_breached_at'].map((field) => formatFieldName(incidentWords, field));
    expect(names).toEqual(['SLA warning at', 'SLA breached at']);
  });

  it('count the items that depend on another', () => {
    const ci = { id: 'CI0000001', name: 'host-1', class: 'host', status: 'operational' as const, environment: null };
    const describe = (affected_total: number, affected = false) =>
      describeImpact({
        ci,
        affected: [],
        affected_total,
        open_incidents: [],
        truncated: { affected, open_incidents: false },
      });
    expect(describe(0)).toBe('No item depends on host-1.');
    expect(describe(1)).toBe('1 item depends on host-1 directly or indirectly.');
    expect(describe(79)).toBe('79 items depend on host-1 directly or indirectly.');
    expect(describe(1200, true)).toBe('At least 1,200 items depend on host-1 directly or indirectly.');
  });

  it('no longer say that a decided change awaits approval', () => {
    const submitted = {
      id: 'ntf_1',
      event: 'change.submitted',
      read: false,
      created_at: '2026-03-01T10:00:00.000Z',
      record_id: 'CHG0000001',
    };
    const texts = [submitted, { ...submitted, done: true as const }].map((one) => describeNotification(one).text);
    expect(texts).toEqual(['CHG0000001 is awaiting approval', 'CHG0000001 was submitted for approval']);
  });
});

function allowedFrom(state: IncidentState): IncidentState[] {
  const fields = { state, resolved_at: null, closed_at: null, reopen_count: 0 };
  const isAllowed = (to: IncidentState) => {
    try {
      return transition(fields, to, 0).state === to;
    } catch {
      return false;
    }
  };
  return incidentStates.filter((to) => to !== state && isAllowed(to));
}

describe('the draft of an incident', () => {
  it('becomes a creation with the filled fields', () => {
    const draft = {
      ...emptyDraft(incidentFields),
      short_description: ' Mail is down ',
      category: 'email',
      ci_id: '  ',
    };
    const creation = toCreation(draft, incidentFields);
    expect(creation).toEqual({ short_description: 'Mail is down', priority: 'P3', category: 'email' });
    expect(incidentCreation.safeParse(creation).success).toBe(true);
  });

  it('changes only different fields and clears emptied ones', () => {
    const draft = { ...toDraft(incidentExample, incidentFields), category: '', urgency: 'high' };
    const patch = toPatch(draft, incidentExample, incidentFields);
    expect(patch).toEqual({ category: null, urgency: 'high' });
    expect(incidentPatch.safeParse(patch).success).toBe(true);
    expect(toPatch(toDraft(incidentExample, incidentFields), incidentExample, incidentFields)).toEqual({});
  });
});

describe('getSlaCountdown', () => {
  const created = Date.parse('2026-03-01T08:00:00.000Z');
  const incident = {
    state: 'new',
    created_at: new Date(created).toISOString(),
    sla_breach_at: new Date(created + 4 * hour).toISOString(),
  } as const;

  it.each([
    [0, 'running', 4 * hour],
    [3 * hour - 1, 'running', hour + 1],
    [3 * hour, 'warning', hour],
    [4 * hour, 'breached', 0],
    [6 * hour + 5 * minute, 'breached', -2 * hour - 5 * minute],
  ])('after %d ms is %s with %d ms left', (elapsed, status, remainingMs) => {
    expect(getSlaCountdown(incident, created + elapsed)).toEqual({ status, remainingMs });
  });

  it('is paused on hold and ended without a breach to come', () => {
    expect(getSlaCountdown({ ...incident, state: 'on_hold', sla_breach_at: null }, created).status).toBe('paused');
    expect(getSlaCountdown({ ...incident, state: 'resolved', sla_breach_at: null }, created).status).toBe('ended');
  });
});

describe('time texts', () => {
  it('are in the time zone of the user, also where its offset changes', () => {
    timeZone.set('America/New_York');
    expect(formatTime('2026-03-08T21:00:00.000Z')).toBe('Mar 8, 2026, 17:00:00 EDT');
    expect(toLocalMoment('2026-03-08T04:30:00.000Z')).toBe('2026-03-07T23:30');
    for (const at of ['2026-03-08T06:59:00.000Z', '2026-03-08T07:00:00.000Z', '2026-11-01T12:00:00.000Z'])
      expect(fromLocalMoment(toLocalMoment(at))).toBe(at);
    expect(toDayStart('2026-03-07', 2).toISOString()).toBe('2026-03-09T04:00:00.000Z');
    expect(fromLocalMoment('2026-03-0')).toBeUndefined();
    timeZone.set('UTC');
  });

  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [minute, '1 min'],
    [hour + minute, '1 h 1 min'],
    [24 * hour, '1 d'],
    [49 * hour + minute, '2 d 1 h'],
    [-2 * hour, '2 h'],
  ])('%d ms is %s', (length, text) => expect(formatDuration(length)).toBe(text));

  it('formats recent times as an age and older ones as a date', () => {
    const now = Date.parse('2026-03-01T12:00:00.000Z');
    expect(formatAge('2026-03-01T11:59:30.000Z', now)).toBe('just now');
    expect(formatAge('2026-03-01T10:30:00.000Z', now)).toBe('1 h ago');
    expect(formatAge('2026-03-01T12:00:30.000Z', now)).toBe('just now');
    expect(formatAge('2026-03-01T12:05:00.000Z', now)).toBe('in 5 min');
    expect(formatAge('2025-12-24T18:00:00.000Z', now)).toBe('Dec 24, 2025');
  });
});

describe('articles for the text of an incident', () => {
  it('are searched by a short text, or by the first line and the longest words of a long one', () => {
    expect(listSearches('VPN error 809')).toEqual(['VPN error 809']);
    const long = 'VPN error 809\nSince this morning the client rejects every user, also those of the north office';
    expect(listSearches(long)).toEqual(['VPN error 809', 'morning', 'rejects', 'client', 'office', 'error']);
  });

  it('are ranked by hits, and need more than one', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id }));
    if (!a || !b || !c) throw new Error('missing');
    expect(rankByHits([[a, b], [b], [c, a, b]])).toEqual([b, a]);
    expect(rankByHits([[c, a]])).toEqual([c, a]);
  });

  it('that fit the first line come before those with two of the other words', () => {
    const [byTitle, byWords] = [{ id: 'title' }, { id: 'words' }];
    expect(rankByHits([[byTitle], [byWords], [byWords, byTitle]])).toEqual([byTitle, byWords]);
    expect(rankByHits([[byTitle], [], []])).toEqual([byTitle]);
  });
});

const at = (text: string) => new Date(text).getTime();

describe('the range of the calendar', () => {
  it('starts today on a Sunday, so that the coming week is visible', () => {
    const range = parseRange('days=7', at('2026-03-08T12:00:00'));
    expect(range).toEqual({ from: '2026-03-08', days: 7 });
    expect(getEnd(range).getTime()).toBe(at('2026-03-15T00:00:00'));
  });

  it('follows the URL, and ignores invalid days', () => {
    const now = at('2026-03-08T12:00:00');
    expect(parseRange('from=2026-02-01&days=31', now)).toEqual({ from: '2026-02-01', days: 31 });
    expect(parseRange('from=2026-02-99&days=8', now)).toEqual({ from: '2026-03-08', days: 14 });
  });

  it('moves by its own length across months', () => {
    expect(moveRange({ from: '2026-02-22', days: 14 }, 1).from).toBe('2026-03-08');
    expect(moveRange({ from: '2026-03-08', days: 14 }, -1).from).toBe('2026-02-22');
  });

  it('is accepted by the service even with a day of 25 hours', () => {
    expect(Math.max(...lengths) * 24 + 1).toBeLessThanOrEqual(maxCalendarDays * 24);
  });

  it('clips windows to its ends', () => {
    const range = { from: '2026-03-08', days: 7 } as const;
    const position = (from: Date, to: Date) =>
      toPosition({ planned_start: from.toISOString(), planned_end: to.toISOString() }, range);
    expect(position(getDay(range, -3), getDay(range, 20))).toEqual({ left: 0, width: 100 });
    expect(position(getDay(range, 20), getDay(range, 21))).toEqual({ left: 100, width: 0 });
  });
});

describe('an answer about records', () => {
  const answered = {
    question: 'Which P1 incidents are open?',
    answer: '1 open P1 incident:\n- **INC0000001** Mail is down',
    citations: [],
    model_used: 'm',
    tokens_used: 10,
    latency_ms: 20,
    cache_hit: false,
  };

  it('lists only records that its text does not name', () => {
    const records = ['INC0000001', 'INC0000002'].map((id) => ({ type: 'incident', id, title: id }));
    expect(listOtherRecords({ ...answered, records })).toEqual([records[1]]);
    expect(listOtherRecords(answered)).toEqual([]);
  });

  it('draws numbers and durations of a table, and no other table', () => {
    const table = (rows: string) => findFigures(`40 open.\n\n| team | incidents |\n| --- | --- |\n${rows}`);
    expect(table('| network | 1,003 |\n| no team | 4 |')).toMatchObject({
      title: 'incidents by team',
      labels: ['network', 'no team'],
      values: [1003, 4],
    });
    expect(table('| a | 41 h 21 min | 3 |\n| b | 5 min | 2 |')).toMatchObject({
      values: [2481, 5],
      areDurations: true,
    });
    expect(table('| a | P1 |\n| b | P2 |')).toBeUndefined();
    expect(findFigures('No table.')).toBeUndefined();
  });

  it('shows its cost, the age of a cached answer, and the confidence unless the tier shows it', () => {
    expect(formatCost(answered)).toBe('m, 10 tokens, 20 ms');
    const cache = { similarity: 1, age_seconds: 1671 };
    expect(formatCost({ ...answered, confidence: 0.4, cache })).toBe(
      'Confidence 40%, m, 10 tokens, 20 ms; cached answer, 27 min old',
    );
    const citations = [{ article_id: 'KB1', title: 'VPN', relevance: 1 }];
    expect(formatCost({ ...answered, confidence: 0.9, citations })).toBe('m, 10 tokens, 20 ms');
  });
});
