// Plans of the copilot with its real tools: the filters for labelled words, and how well the trained planner labels
// held-out questions.
import { readFileSync } from 'node:fs';
import type { ToolSpec } from '../../../local/bedrock/converse.ts';
import { describeCall } from '../../../model/built-in/describe-call.ts';
import { planTools, relaxCall } from '../../../model/built-in/plan-tools.ts';
import { createTagger } from '../../../model/built-in/tag-question.ts';
import { judgeCopilot, listQuestions, nowMs, parseLabelled, toolSpecs } from '../../eval/copilot.ts';

let tools: readonly ToolSpec[];
beforeAll(async () => {
  tools = await toolSpecs({
    assignment_group: ['network', 'service desk', 'database administration', 'messaging'],
    category: ['network', 'hardware', 'email'],
    class: ['server', 'switch', 'database'],
    environment: ['production', 'staging'],
    owner: ['network'],
    location: ['Berlin, data centre', 'Vienna'],
  });
});

const open = ['new', 'in_progress', 'on_hold', 'reopened'];
const incidents = 'search_incidents';
const changes = 'search_changes';
const items = 'search_configuration_items';
const monday = '2026-11-08T23:59:59.999Z';

const noWords = { kind: 'incidents', spans: [] };

const noTalk: { earlier: readonly string[]; lastAnswer: string } = { earlier: [], lastAnswer: '' };

/** Uses the labels of the line instead of the trained planner. */
function planLabelled(line: string) {
  const { question, tagged } = parseLabelled(line);
  return planTools(question, { tag: async () => tagged, tools, nowMs }, noTalk);
}

const tag = createTagger();
const plan = (question: string, talk = noTalk) => planTools(question, { tag, tools, nowMs }, talk);

describe('labelled words', () => {
  it.each<[line: string, name: string, input: Record<string, unknown>]>([
    // Fixed values.
    ['incidents | [open](state=open) tickets', incidents, { state: open }],
    ['changes | [open](state=open)', changes, { state: ['submitted', 'approved', 'implementing'] }],
    ['incidents | [closed](state=closed) or [new](state=new)', incidents, { state: ['new', 'closed'] }],
    ['incidents | [open](state=open) but [on hold](state=on_hold)', incidents, { state: ['on_hold'] }],
    ['incidents | [new](state=new) and [reopened](state=reopened)', incidents, { state: ['new', 'reopened'] }],
    ['incidents | [P1 or P2](priority=P1,P2)', incidents, { priority: ['P1', 'P2'] }],
    ['incidents | [nobody](assigned_to=null)', incidents, { assigned_to: null }],
    ['incidents | [ours](assignment_group=my_team)', incidents, { assignment_group: 'my_team' }],
    ['changes | [upcoming](planned=future)', changes, { planned_after: '2026-11-11T10:00:00.000Z' }],
    // Counts and order.
    ['incidents | [how many](count) [P1](priority=P1)', 'count_incidents', { priority: ['P1'] }],
    ['incidents | [open](state=open) [by state](by=state)', 'count_incidents', { state: open, by: 'state' }],
    ['incidents | [per team](by=assignment_group)', 'count_incidents', { by: 'assignment_group' }],
    [
      'incidents | top [3](limit) [teams](by=assignment_group)',
      'count_incidents',
      { by: 'assignment_group', limit: 3 },
    ],
    [
      'incidents | [which team](by=assignment_group) has [the most](limit=1)',
      'count_incidents',
      { by: 'assignment_group' },
    ],
    [
      'incidents | [by team](by=assignment_group) and [state](by=state)',
      'count_incidents',
      { by: 'assignment_group', then_by: 'state' },
    ],
    ['items | in the [production](environment) [environment](by=environment)', items, { environment: 'production' }],
    [
      'incidents | top [5](limit) [by priority](sort=priority)',
      incidents,
      { limit: 5, sort: 'priority', order: 'asc' },
    ],
    ['incidents | [three](limit) [oldest](order=asc)', incidents, { limit: 3, order: 'asc' }],
    ['incidents | [how many](count) [oldest](order=asc)', 'count_incidents', {}],
    // Names as the records spell them.
    ['incidents | of [the Network team](assignment_group)', incidents, { assignment_group: 'network' }],
    ['incidents | [mail](category) problems', incidents, { category: 'email' }],
    ['incidents | [messaging](category) tickets', incidents, { assignment_group: 'messaging' }],
    ['incidents | [dba](assignment_group)', incidents, { assignment_group: 'database administration' }],
    ['items | [switches](class) in [vienna](location)', items, { class: 'switch', location: 'Vienna' }],
    ['items | [the data centre](location) in [Berlin](location)', items, { location: 'data centre', text: 'berlin' }],
    ['incidents | of [Ann Lee](assigned_to)', incidents, { assigned_to: 'ann lee' }],
    ['incidents | on [ci0000042](ci)', incidents, { ci: 'CI0000042' }],
    ['items | what needs [the mail server](depends_on)', items, { depends_on: 'mail server' }],
    ['incidents | about ["disk full"](text)', incidents, { text: 'disk full' }],
    ['incidents | [wifi in the lobby](text)', incidents, { text: 'wifi lobby' }],
    ["incidents | who [can't log in](text)", incidents, { text: "can't log in" }],
    // Times.
    ['incidents | [since Monday](created)', incidents, { created_after: monday }],
    ['incidents | [older than 7 days](created)', incidents, { created_before: '2026-11-04T10:00:00.000Z' }],
    ['incidents | [not touched in 3 days](updated)', incidents, { updated_before: '2026-11-08T10:00:00.000Z' }],
    ['incidents | [unchanged since Monday](updated)', incidents, { updated_before: '2026-11-09T00:00:00.000Z' }],
    ['incidents | [this week](created)', incidents, { created_after: monday }],
    ['changes | [in the past](planned)', changes, { planned_before: '2026-11-11T10:00:00.000Z' }],
    ['incidents | due [in 2 hours](sla_breach)', incidents, { sla_due_within_minutes: 120 }],
    ['incidents | due [between now and 18:00](sla_breach)', incidents, { sla_due_within_minutes: 480 }],
    [
      'incidents | due [tomorrow](sla_breach)',
      incidents,
      { sla_breach_after: '2026-11-11T23:59:59.999Z', sla_breach_before: '2026-11-13T00:00:00.000Z' },
    ],
    [
      'incidents | [on Monday](sla_breach) [breached](sla=breached)',
      incidents,
      { sla: 'breached', sla_breach_after: monday, sla_breach_before: '2026-11-10T00:00:00.000Z' },
    ],
    [
      'incidents | [breached](sla=breached) [yesterday](sla_breach)',
      incidents,
      {
        sla: 'breached',
        sla_breach_after: '2026-11-09T23:59:59.999Z',
        sla_breach_before: '2026-11-11T00:00:00.000Z',
      },
    ],
    [
      'changes | [between 20 and 25 November](planned)',
      changes,
      { planned_after: '2026-11-19T23:59:59.999Z', planned_before: '2026-11-26T00:00:00.000Z' },
    ],
    // Resolved incidents close after a while.
    [
      'incidents | [resolved](state=resolved) [since Monday](resolved)',
      incidents,
      { state: ['resolved', 'closed'], resolved_after: monday },
    ],
    // A longer span explains the words inside it.
    ['incidents | [not assigned to my team](unsupported)', incidents, {}],
    ['knowledge | how do I reset my password?', 'search_knowledge', { text: 'how do I reset my password?' }],
    ['record | who has [inc7q2m4kx](id)', 'get_record', { id: 'INC7Q2M4KX' }],
  ])('%s', async (line, name, input) => {
    expect((await planLabelled(line)).calls).toEqual([{ name, input }]);
  });

  it.each([
    ['yesterday', 'on 2026-11-10'],
    ['last week', 'from 2026-11-02 to 2026-11-08'],
    ['yesterday evening', 'from 2026-11-10 18:00 UTC to 2026-11-11 00:00 UTC'],
    ['monday before 10', 'from 2026-11-09 00:00 UTC to 2026-11-09 10:00 UTC'],
    ['since monday', 'since 2026-11-09'],
  ])('show the time for %s', async (said, shown) => {
    const { calls } = await planLabelled(`incidents | [${said}](created)`);
    expect(calls.map(({ name, input }) => describeCall(name, input))).toEqual([`incidents created ${shown}`]);
  });

  it('describes where the records are before what is true of them', () => {
    const filters = { sla: 'breached', sla_breach_after: '2026-11-08T23:59:59.999Z', assignment_group: 'network' };
    expect(describeCall('search_incidents', filters)).toBe(
      'incidents of the network team that breached their SLA since 2026-11-09',
    );
  });

  it('names the words that no filter can express', async () => {
    const line = 'incidents | [open](state=open) tickets [with attachments](unsupported) [since the move](created)';
    const { calls, remarks } = await planLabelled(line);
    expect(calls).toEqual([{ name: incidents, input: { state: open } }]);
    expect(remarks).toEqual(['I did not understand "with attachments", "since the move".']);
  });

  it('includes the next word with a lone labelled preposition', async () => {
    expect((await planLabelled('incidents | tickets [in](unsupported) Lisbon')).remarks).toEqual([
      'I did not understand "in Lisbon".',
    ]);
    const named = await planLabelled('incidents | tickets on [the](ci) [tape drives](text)');
    expect(named).toEqual({ calls: [{ name: incidents, input: { text: 'tape drives' } }], remarks: [] });
  });

  it('names a second, contradicting time and a creation time in the future', async () => {
    const line = 'incidents | [today](created) [yesterday](created) [tomorrow](created)';
    const { calls, remarks } = await planLabelled(line);
    expect(calls).toEqual([{ name: incidents, input: { created_after: '2026-11-10T23:59:59.999Z' } }]);
    expect(remarks).toEqual(['I did not understand "yesterday", "tomorrow".']);
  });

  it('names words that the tool has no filter for', async () => {
    const { calls, remarks } = await planLabelled('requests | [urgent](priority=P1) [resolved](state=resolved) ones');
    expect(calls).toEqual([{ name: 'search_requests', input: {} }]);
    expect(remarks).toEqual(['I did not understand "urgent", "resolved".']);
  });

  it('names words of a follow-up that the tool has no filter for', async () => {
    const [first, second, third] = [
      'changes | [how many](count) changes',
      'changes | the [riskiest](sort=risk)',
      'incidents | [in the next hour](sla_breach)',
    ].map(parseLabelled);
    const all = [first, second, third];
    const tag = async (question: string) => all.find((each) => each?.question === question)?.tagged ?? noWords;
    const follow = (question = '') =>
      planTools(question, { tag, tools, nowMs }, { earlier: [first?.question ?? ''], lastAnswer: '' });
    expect((await follow(second?.question)).calls).toEqual([{ name: 'count_changes', input: {} }]);
    expect(await follow(third?.question)).toEqual({
      calls: [{ name: 'count_changes', input: {} }],
      remarks: ['Continuing with changes.', 'I did not understand "in the next hour".'],
    });
  });

  it('drops words that no record contains, with a remark', async () => {
    const { calls } = await planLabelled('incidents | [open](state=open) about [flibber](text)');
    expect(calls.map(relaxCall)).toEqual([
      {
        call: { name: incidents, input: { state: open } },
        remark: 'No incidents mention "flibber"; showing open incidents.',
      },
    ]);
  });
});

describe('the trained planner', () => {
  it('plans more than 90 % of the held-out questions correctly', async () => {
    const judged = await judgeCopilot(listQuestions(new URL('../../eval/copilot/', import.meta.url)));
    const right = judged.filter(({ isRight }) => isRight).length;
    expect(judged.length).toBeGreaterThanOrEqual(400);
    expect(right / judged.length).toBeGreaterThan(0.9);
    expect(judged.filter(({ couldHideRecords }) => couldHideRecords).length / judged.length).toBeLessThan(0.05);
  });

  it('keeps the filters for a follow-up, and drops them for a question that names a kind', async () => {
    const earlier = ['open incidents of the network team'];
    const more = await plan('and only P1?', { ...noTalk, earlier });
    expect(more.calls).toEqual([
      { name: incidents, input: { state: open, assignment_group: 'network', priority: ['P1'] } },
    ]);
    expect(more.remarks).toEqual(['Continuing with open incidents of the network team.']);
    const third = await plan('and unassigned?', { ...noTalk, earlier: [...earlier, 'and only P1?'] });
    expect(third.calls[0]?.input).toEqual({ ...more.calls[0]?.input, assigned_to: null });
    const counted = await plan('how many are unassigned?', { ...noTalk, earlier });
    expect(counted.calls).toEqual([
      { name: 'count_incidents', input: { state: open, assignment_group: 'network', assigned_to: null } },
    ]);
    expect(await plan('high risk changes', { ...noTalk, earlier })).toEqual({
      calls: [{ name: changes, input: { risk: ['high'] } }],
      remarks: [],
    });
  });

  it('adapts kept filters to another kind of record', async () => {
    const earlier = ['open incidents of the network team', 'sort by sla'];
    const { calls, remarks } = await plan('and changes?', { ...noTalk, earlier });
    expect(calls).toEqual([
      { name: changes, input: { state: ['submitted', 'approved', 'implementing'], assignment_group: 'network' } },
    ]);
    expect(remarks).toEqual(['Continuing with open changes of the network team.']);
  });

  it('keeps the context across a question for an article', async () => {
    const earlier = ['open incidents of the network team', 'how do I reset my password?', 'thanks!'];
    const { calls } = await plan('only P1', { ...noTalk, earlier });
    expect(calls).toEqual([{ name: incidents, input: { state: open, assignment_group: 'network', priority: ['P1'] } }]);
  });

  it('reads "it" as the record of the last answer', async () => {
    const { calls } = await plan('who is working on it?', { earlier: [], lastAnswer: 'It is **INC7Q2M4KX**.' });
    expect(calls).toEqual([{ name: 'get_record', input: { id: 'INC7Q2M4KX' } }]);
    const department = await plan('IT tickets', { earlier: [], lastAnswer: 'It is **INC7Q2M4KX**.' });
    expect(department.calls[0]?.name).toBe(incidents);
  });

  it('searches for an article if the question has no filter and no kind', async () => {
    const input = { text: 'hi there', min_confidence: 0.5 };
    expect((await plan('hi there')).calls).toEqual([{ name: 'search_knowledge', input }]);
    expect((await plan('tickets')).calls).toEqual([{ name: incidents, input: {} }]);
  });

  it('says that it cannot change records', async () => {
    const remarks = ['I can only look up records, not change them.'];
    expect(await plan('close all my incidents')).toMatchObject({ calls: [{ input: { assigned_to: 'me' } }], remarks });
    expect(await plan('escalate INC0000001')).toMatchObject({ calls: [{ name: 'get_record' }], remarks });
    expect((await plan('closed incidents')).remarks).toEqual([]);
  });

  it('plans a call for any text', async () => {
    for (const question of ['', '?', '🔥🔥', 'a'.repeat(5_000), 'tickets '.repeat(600), '[x](state=open)', '\u0000'])
      expect((await plan(question)).calls).toHaveLength(1);
  });
});

describe('labelled questions', () => {
  const trained = listQuestions(new URL('../../../model/questions/', import.meta.url));
  const heldOut = listQuestions(new URL('../../eval/copilot/', import.meta.url));

  // Training would treat an unknown label as no label.
  it('use only the kinds and labels of the planner', () => {
    const { kinds, labels } = JSON.parse(readFileSync('model/planner.json', 'utf8')) as Record<string, string[]>;
    const unknown = [...trained, ...heldOut].filter((line) => {
      const { question, tagged } = parseLabelled(line);
      const isKnown = kinds?.includes(tagged.kind) && tagged.spans.every(({ label }) => labels?.includes(label));
      return !isKnown || /[[\]]/.test(question) || tagged.spans.some(({ text }) => text.trim() === '');
    });
    expect(unknown).toEqual([]);
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
