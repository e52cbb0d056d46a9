// Plans of the copilot: the filters and figures for labelled words, and how well the trained planner labels held-out
// questions.
import { readFileSync } from 'node:fs';
import { describeFilters } from '../../../model/built-in/describe-call.ts';
import { planQuestion } from '../../../model/built-in/plan-question.ts';
import { createTagger } from '../../../model/built-in/tag-question.ts';
import { judgeCopilot, listQuestions, nowMs, parseLabelled, webhooks } from '../../eval/copilot.ts';

const tools = [webhooks];
const open = ['new', 'in_progress', 'on_hold', 'reopened'];
const monday = '2026-11-08T23:59:59.999Z';
const tuesday = '2026-11-10T00:00:00.000Z';

const noTalk: { earlier: readonly string[]; lastAnswer: string } = { earlier: [], lastAnswer: '' };

/** Uses the labels of the lines instead of the trained planner. */
function planLabelled(...lines: string[]) {
  const parsed = lines.map(parseLabelled);
  const tag = async (question: string) =>
    parsed.find((each) => each.question === question)?.tagged ?? { kind: 'incidents', spans: [], unknown: [] };
  const questions = parsed.map(({ question }) => question);
  return planQuestion(questions.at(-1) ?? '', { tag, tools, nowMs }, { ...noTalk, earlier: questions.slice(0, -1) });
}

const tag = createTagger();
const plan = (question: string, talk = noTalk) => planQuestion(question, { tag, tools, nowMs }, talk);

const search = (kind: string, input: object) => ({ name: 'search', input: { kind, ...input } });
const measure = (kind: string, input: object) => ({ name: 'statistics', input: { kind, filters: {}, ...input } });

describe('questions that are not understood in full', () => {
  it.each([
    ['record | did anyone look at [INC7Q2M4KX](id)', 'I do not know which field you mean; this is the record.'],
    ['incidents | [more](vs) [printer](category) tickets', 'I did not understand what to compare.'],
  ])('says so: %s', async (line, remark) => {
    expect((await planLabelled(line)).remarks).toEqual([remark]);
  });

  it('computes a share of the records that the question names', async () => {
    const { calls } = await planLabelled(
      'incidents | [share of](share) [P1](priority=P1) among [open](state=open) tickets',
    );
    expect(calls.map(({ input }) => input.filters)).toEqual([{ priority: ['P1'], state: open }, { state: open }]);
  });

  it('continues a question for people on call', async () => {
    const { calls } = await planLabelled(
      'oncall | who is on call for [network](assignment_group)',
      'incidents | and [security](assignment_group)?',
    );
    expect(calls).toEqual([{ name: 'on_call', input: { team: 'security' } }]);
  });

  it('continues a question for webhooks', async () => {
    const { calls } = await planLabelled(
      'webhooks | [failed](failing) webhook deliveries',
      'incidents | and [last week](created)?',
    );
    expect(calls).toEqual([{ name: 'list_webhooks', input: { days: 10 } }]);
  });

  it('assumes all records, and says so, if there is nothing to continue', async () => {
    const { remarks } = await planLabelled('incidents | only the [open](state=open) ones');
    expect(remarks).toEqual(['There is no earlier list to continue, so I assume that you mean all incidents.']);
  });

  it('finds articles by their author', async () => {
    const { calls, remarks } = await planLabelled('articles | [draft](state=draft) articles by [priya](author)');
    expect(calls).toEqual([search('articles', { state: ['draft'], created_by: ['priya'] })]);
    expect(remarks).toEqual([]);
  });

  it.each([
    ['who reopened the most tickets', 'I did not understand "most".'],
    ['average age of open tickets', 'I did not understand "average age".'],
    ['how many P1 incidents did we open and fix in September', 'I did not understand "open".'],
  ])('names a word that the plan does not express: %s', async (question, remark) => {
    expect((await plan(question)).remarks).toEqual([remark]);
  });

  it('does not compute a share of nothing', async () => {
    const { calls, remarks } = await planLabelled(
      'incidents | tickets [per team](by=assignment_group)',
      'incidents | [as a percentage](share)?',
    );
    expect(calls).toEqual([measure('incidents', { group_by: ['assignment_group'] })]);
    expect(remarks).toEqual(['I cannot show groups as percentages; these are their numbers.']);
  });
});

describe('labelled words', () => {
  it.each<[line: string, call: { name: string; input: object }]>([
    // Fixed values.
    ['incidents | [open](state=open) tickets', search('incidents', { state: open })],
    ['changes | [open](state=open)', search('changes', { state: ['submitted', 'approved', 'implementing'] })],
    ['incidents | [closed](state=closed) or [new](state=new)', search('incidents', { state: ['new', 'closed'] })],
    ['incidents | [open](state=open) but [on hold](state=on_hold)', search('incidents', { state: ['on_hold'] })],
    ['incidents | [P1 or P2](priority=P1,P2)', search('incidents', { priority: ['P1', 'P2'] })],
    [
      'incidents | tickets [that are](not) [not P4](priority=P1,P2,P3)',
      search('incidents', { priority: ['P1', 'P2', 'P3'] }),
    ],
    ['incidents | tickets not [P4](priority=P4)', search('incidents', { priority: ['P1', 'P2', 'P3'] })],
    ['incidents | did [not](sla=ok) [breach](sla=breached)', search('incidents', { sla: ['ok'] })],
    ['incidents | [nobody](assigned_to=null)', search('incidents', { missing: ['assigned_to'] })],
    ['incidents | [my team](assignment_group=my_team)', search('incidents', { assignment_group: ['my_team'] })],
    ['incidents | [our](assignment_group=my_team) tickets', search('incidents', { assignment_group: ['our'] })],
    ['changes | [upcoming](planned=future)', search('changes', { planned_after: '2026-11-11T10:00:00.000Z' })],
    ['incidents | [came back](reopened)', search('incidents', { reopened: true })],
    // Values that are compared, and the whole of a share.
    [
      'changes | [more](vs) [emergency or](type=emergency) [emergency or standard](type=normal)?',
      measure('changes', { filters: { type: ['emergency'] }, compare: { type: ['standard'] } }),
    ],
    [
      'articles | more [drafts than published](state=draft) articles',
      measure('articles', { filters: { state: ['draft'] }, compare: { state: ['published'] } }),
    ],
    [
      'incidents | compare [P1 and P2](priority=P1,P2)',
      measure('incidents', { filters: { priority: ['P1'] }, compare: { priority: ['P2'] } }),
    ],
    [
      'incidents | [on hold or reopened](state=on_hold,reopened)',
      search('incidents', { state: ['on_hold', 'reopened'] }),
    ],
    ["incidents | [aren't resolved or closed](state=open)", search('incidents', { state: open })],
    // Counts, order and figures.
    ['incidents | [how many](count) [P1](priority=P1)', search('incidents', { priority: ['P1'], limit: 1 })],
    ['incidents | [three](limit) [oldest](order=asc)', search('incidents', { order: 'asc', limit: 3 })],
    ['incidents | [by priority](sort=priority)', search('incidents', { sort: 'priority', order: 'asc' })],
    ['incidents | [per team](by=assignment_group)', measure('incidents', { group_by: ['assignment_group'] })],
    [
      'incidents | top [3](limit) [teams](by=assignment_group) [and state](by=state)',
      measure('incidents', { group_by: ['assignment_group', 'state'], top: 3 }),
    ],
    [
      'items | in [production](environment) [environment](by=environment)',
      search('configuration_items', { environment: ['production'] }),
    ],
    ['incidents | [MTTR](measure=resolve)', measure('incidents', {})],
    ['incidents | [median](median) [fix time](measure=resolve)', measure('incidents', { median: true })],
    [
      'incidents | [fastest team](by=assignment_group) [to resolve](measure=resolve)',
      measure('incidents', { group_by: ['assignment_group'], sort: 'mean_time_to_resolve_minutes', order: 'asc' }),
    ],
    ['requests | [per month](by=month)', measure('requests', { interval: 'month' })],
    [
      'incidents | [trend](trend) of [P1](priority=P1)',
      measure('incidents', { filters: { priority: ['P1'] }, interval: 'week' }),
    ],
    // Comparisons.
    [
      'incidents | [network](assignment_group) [vs](vs) [messaging](assignment_group)',
      measure('incidents', {
        filters: { assignment_group: ['network'] },
        compare: { assignment_group: ['messaging'] },
      }),
    ],
    [
      'incidents | more [than](vs) [yesterday](created)',
      measure('incidents', {
        filters: { created_after: '2026-11-10T23:59:59.999Z' },
        compare: { created_after: '2026-11-09T23:59:59.999Z', created_before: '2026-11-11T00:00:00.000Z' },
      }),
    ],
    // Denials.
    [
      'incidents | [not](not) [network](assignment_group)',
      search('incidents', { not: { assignment_group: ['network'] } }),
    ],
    ['incidents | [except](not) [P4](priority=P4)', search('incidents', { priority: ['P1', 'P2', 'P3'] })],
    // Names.
    ['incidents | of [the Network team](assignment_group)', search('incidents', { assignment_group: ['network'] })],
    [
      'incidents | of [Ann Lee](assigned_to) or [Bo](assigned_to)',
      search('incidents', { assigned_to: ['ann lee', 'bo'] }),
    ],
    ['incidents | on [ci0000042](ci)', search('incidents', { ci: ['CI0000042'] })],
    [
      'items | what needs [the mail server](depends_on)',
      search('configuration_items', { depends_on: ['mail server'], transitive: true }),
    ],
    ['incidents | [wifi in the lobby](text)', search('incidents', { text: 'wifi lobby' })],
    ["incidents | who [can't log in](text)", search('incidents', { text: "can't log in" })],
    // Times.
    ['incidents | [since Monday](created)', search('incidents', { created_after: monday })],
    ['incidents | [older than 7 days](created)', search('incidents', { created_before: '2026-11-04T10:00:00.000Z' })],
    [
      'incidents | [not touched in 3 days](updated)',
      search('incidents', { updated_before: '2026-11-08T10:00:00.000Z' }),
    ],
    ['changes | [in the past](planned)', search('changes', { planned_before: '2026-11-11T10:00:00.000Z' })],
    [
      'incidents | due [in 2 hours](sla_breach)',
      search('incidents', {
        sla_breach_after: '2026-11-11T09:59:59.999Z',
        sla_breach_before: '2026-11-11T12:00:00.000Z',
      }),
    ],
    [
      'incidents | [on Monday](sla_breach) [breached](sla=breached)',
      search('incidents', { sla: ['breached'], sla_breach_after: monday, sla_breach_before: tuesday }),
    ],
    // Resolved incidents close after a while.
    [
      'incidents | [resolved](state=resolved) [since Monday](resolved)',
      search('incidents', { state: ['resolved', 'closed'], resolved_after: monday }),
    ],
    [
      'knowledge | how do I reset my password?',
      { name: 'search_knowledge', input: { text: 'how do I reset my password?' } },
    ],
    ['record | [who has](field=assigned_to) [inc7q2m4kx](id)', { name: 'get_record', input: { id: 'INC7Q2M4KX' } }],
    [
      'record | [notes](field=notes) of [INC7Q2M4KX](id)',
      { name: 'get_record', input: { id: 'INC7Q2M4KX', include: ['notes'] } },
    ],
    ['oncall | on call for [network](assignment_group)', { name: 'on_call', input: { team: 'network' } }],
    ['webhooks | [failing](failing)', { name: 'list_webhooks', input: {} }],
  ])('%s', async (line, call) => {
    expect((await planLabelled(line)).calls).toEqual([call]);
  });

  it('measures a part and the whole for a share', async () => {
    const { calls } = await planLabelled(
      'incidents | [what share of](share) tickets is [P1](priority=P1) [since Monday](created)',
    );
    expect(calls).toEqual([
      measure('incidents', { filters: { priority: ['P1'], created_after: monday } }),
      measure('incidents', { filters: { created_after: monday } }),
    ]);
  });

  it.each([
    ['yesterday', 'on 2026-11-10'],
    ['last week', 'from 2026-11-02 to 2026-11-08'],
    ['yesterday evening', 'from 2026-11-10 18:00 UTC to 2026-11-11 00:00 UTC'],
    ['since monday', 'since 2026-11-09'],
  ])('show the time for %s', async (said, shown) => {
    const { reading } = await planLabelled(`incidents | [${said}](created)`);
    expect(describeFilters('incidents', reading.filters)).toBe(`incidents created ${shown}`);
  });

  it('names the words that no filter can express', async () => {
    const line = 'incidents | [open](state=open) tickets [with attachments](unsupported) [since the move](created)';
    const { calls, remarks } = await planLabelled(line);
    expect(calls).toEqual([search('incidents', { state: open })]);
    expect(remarks).toEqual(['I did not understand "with attachments", "since the move".']);
    const other = await planLabelled('requests | [urgent](priority=P1) [rejected](state=rejected) ones');
    expect(other.remarks).toEqual(['I did not understand "urgent".']);
  });

  it('lists nothing if only the kind of record was understood', async () => {
    const { calls, reply } = await planLabelled('incidents | tickets [caused by human error](unsupported)');
    expect(calls).toEqual([]);
    expect(reply).toMatch(/^I did not understand "caused by human error"\. I can look up/);
  });

  it('continues with the filters and figures of the questions before', async () => {
    const first = 'incidents | [MTTR](measure=resolve) of [network](assignment_group) [last month](resolved)';
    const { calls } = await planLabelled(first, 'incidents | and [the month before](previous)?');
    expect(calls).toEqual([
      measure('incidents', {
        filters: {
          assignment_group: ['network'],
          resolved_after: '2026-08-31T23:59:59.999Z',
          resolved_before: '2026-10-01T00:00:00.000Z',
        },
      }),
    ]);
    const changes = await planLabelled('incidents | [open](state=open) tickets', 'changes | and changes?');
    expect(changes.calls).toEqual([search('changes', { state: ['submitted', 'approved', 'implementing'] })]);
  });

  it('leaves out the values that a question denies, whatever their labels are', async () => {
    const neither = await planLabelled('incidents | tickets [neither P1](priority=P1) nor [P2](priority=P2)');
    expect(neither.calls).toEqual([search('incidents', { priority: ['P3', 'P4'] })]);
    const except = await planLabelled('changes | all changes except [drafts](state=draft)');
    expect(except.calls[0]?.input.state).not.toContain('draft');
    const never = await planLabelled('incidents | tickets [nobody acknowledged](acknowledged)');
    expect(never.calls).toEqual([search('incidents', { acknowledged: false })]);
  });

  it('reads a field of one record where a question names the newest one', async () => {
    const { calls, reading } = await planLabelled('incidents | [who reported](by=opened_by) the newest incident');
    expect(calls).toEqual([search('incidents', { limit: 1 })]);
    expect(reading.fields).toEqual(['opened_by']);
  });

  it('compares two values where a question asks which has more', async () => {
    const { calls } = await planLabelled(
      'requests | more requests [fulfilled](state=fulfilled) or [rejected](state=rejected)?',
    );
    expect(calls[0]?.input).toMatchObject({ filters: { state: ['fulfilled'] }, compare: { state: ['rejected'] } });
  });
});

describe('the trained planner', () => {
  it('is not trained with the questions that are held out', () => {
    const plain = (text: string) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}' ]/gu, '')
        .trim();
    const source = readFileSync(new URL('../../eval/practice/held-out.ts', import.meta.url), 'utf8');
    const asked = [...source.matchAll(/=> \[\s*'([^']+)'/g)].map(([, text = '']) => plain(text));
    expect(asked.length).toBeGreaterThan(40);
    const folder = new URL('../../../model/questions/', import.meta.url);
    const trained = new Set(listQuestions(folder).map((line) => plain(parseLabelled(line).question)));
    expect(asked.filter((text) => trained.has(text))).toEqual([]);
  });

  it('plans more than 90 % of the held-out questions correctly', async () => {
    const judged = await judgeCopilot(listQuestions(new URL('../../eval/copilot/', import.meta.url)));
    const right = judged.filter(({ isRight }) => isRight).length;
    expect(judged.length).toBeGreaterThanOrEqual(490);
    expect(right / judged.length).toBeGreaterThan(0.9);
    expect(judged.filter(({ couldHideRecords }) => couldHideRecords).length / judged.length).toBeLessThan(0.03);
  });

  it('names words that it does not know instead of ignoring them', async () => {
    const { calls, remarks } = await plan('open P1 incidents that smell');
    expect(calls).toEqual([search('incidents', { state: open, priority: ['P1'] })]);
    expect(remarks.join()).toContain('smell');
  });

  it.each(['which vendor has the most incidents', 'which floor has the most printer problems', 'tickets per customer'])(
    'takes "%s" for no grouping that it knows',
    async (question) => {
      const { calls, reply = '', remarks } = await plan(question);
      expect(calls.flatMap(({ input }) => input.group_by ?? [])).toEqual([]);
      expect([reply, ...remarks].join()).toMatch(/did not understand|cannot answer/);
    },
  );

  it('reads "it" as the item of the question before', async () => {
    const earlier = ['tell me about vpn-gateway-1'];
    const { calls } = await plan('any open incidents on it?', { ...noTalk, earlier });
    expect(calls).toEqual([search('incidents', { state: open, ci: ['vpn-gateway-1'] })]);
    const { calls: more } = await plan('and changes?', {
      ...noTalk,
      earlier: [...earlier, 'any open incidents on it?'],
    });
    expect(more[0]?.input).toMatchObject({ kind: 'changes', ci: ['vpn-gateway-1'] });
  });

  it('keeps the kind of time in a follow-up with another period', async () => {
    const { calls } = await plan('and in september?', { ...noTalk, earlier: ['mean time to resolve in october'] });
    expect(calls[0]?.input.filters).toEqual({
      resolved_after: '2026-08-31T23:59:59.999Z',
      resolved_before: '2026-10-01T00:00:00.000Z',
    });
  });

  it('keeps the filters for a follow-up, and drops them for a question that names a kind', async () => {
    const earlier = ['open incidents of the network team'];
    const more = await plan('and only P1?', { ...noTalk, earlier });
    const filters = { state: open, assignment_group: ['network'] };
    expect(more.calls).toEqual([search('incidents', { ...filters, priority: ['P1'] })]);
    const counted = await plan('how many are unassigned?', { ...noTalk, earlier });
    expect(counted.calls).toEqual([search('incidents', { ...filters, missing: ['assigned_to'], limit: 1 })]);
    const other = await plan('high risk changes', { ...noTalk, earlier });
    expect(other.calls).toEqual([search('changes', { risk: ['high'] })]);
  });

  it('keeps the context across a question for an article', async () => {
    const earlier = ['open incidents of the network team', 'how do I reset my password?', 'thanks!'];
    const { calls } = await plan('only P1', { ...noTalk, earlier });
    expect(calls).toEqual([search('incidents', { state: open, assignment_group: ['network'], priority: ['P1'] })]);
  });

  it('reads "it" as the record of the last answer', async () => {
    const { calls } = await plan('who is working on it?', { earlier: [], lastAnswer: 'It is **INC7Q2M4KX**.' });
    expect(calls).toEqual([{ name: 'get_record', input: { id: 'INC7Q2M4KX' } }]);
    expect((await plan('who is working on it?')).reply).toContain('which record');
  });

  it.each([
    ['close INC0000001', 'nothing was changed'],
    ['please approve CHG4M8K2TX', '/approve'],
    ['what will the weather be tomorrow', 'I cannot answer that'],
    ['hi there', 'I can look up'],
  ])('answers "%s" without a lookup', async (question, words) => {
    expect(await plan(question)).toMatchObject({ calls: [], reply: expect.stringContaining(words) });
  });

  it('plans a call or a reply for any text', async () => {
    for (const question of ['', '?', '🔥🔥', 'a'.repeat(5_000), 'tickets '.repeat(600), '[x](state=open)', '\u0000']) {
      const { calls, reply } = await plan(question);
      expect(calls.length > 0 || reply).toBeTruthy();
    }
  });
});

describe('labelled questions', () => {
  const trained = listQuestions(new URL('../../../model/questions/', import.meta.url));
  const heldOut = listQuestions(new URL('../../eval/copilot/', import.meta.url));

  // A label that only one question has is a typing error.
  it('use only the kinds of the training, and each label more than once', () => {
    const kinds = /^KINDS = \[(.*)\]$/m.exec(readFileSync('model/train_planner.py', 'utf8'))?.[1] ?? '';
    const parsed = [...trained, ...heldOut].map((line) => ({ line, ...parseLabelled(line) }));
    const labels = parsed.flatMap(({ tagged }) => [...new Set(tagged.spans.map(({ label }) => label))]);
    const once = new Set(labels.filter((label) => labels.indexOf(label) === labels.lastIndexOf(label)));
    const unknown = parsed.filter(({ question, tagged }) => {
      const isKnown = kinds.includes(`'${tagged.kind}'`) && !tagged.spans.some(({ label }) => once.has(label));
      return !isKnown || /[[\]]/.test(question) || tagged.spans.some(({ text }) => text.trim() === '');
    });
    expect(unknown.map(({ line }) => line)).toEqual([]);
  });

  it('are not used for training if they are held out', () => {
    const normalize = (line: string) =>
      parseLabelled(line)
        .question.toLowerCase()
        .replace(/[?.! ]+/g, ' ')
        .trim();
    const known = new Set(trained.map(normalize));
    expect(heldOut.filter((line) => known.has(normalize(line)))).toEqual([]);
  });
});
