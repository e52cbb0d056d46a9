// What the built-in model makes of questions about records, with the very tools of the copilot.
import { toConverseInput } from '../../../../lambdas/ai/model/converse-shapes.ts';
import { queryTools } from '../../../../lambdas/ai/query/tools.ts';
import type { ListSource } from '../../../../lambdas/lists/list-records.ts';
import type { ListingSpec } from '../../../../lambdas/lists/listing.ts';
import { Replica } from '../../../../lambdas/lists/replica.ts';
import { parseConverse, type ToolSpec } from '../../../../local/bedrock/converse.ts';
import { planTools, withoutWords } from '../../../../local/bedrock/extractive/plan-tools.ts';

const known: Record<string, readonly string[]> = {
  assignment_group: ['network', 'service desk', 'database administration', 'identity and access', 'field service'],
  assigned_to: ['ann.lee@example.com', 'bo@example.com'],
  category: ['network', 'hardware', 'database', 'access', 'software'],
  requested_by: ['ann.lee@example.com'],
  class: ['server', 'switch', 'vpn gateway', 'database'],
  environment: ['production', 'staging'],
  owner: ['network', 'cloud platform', 'ann.lee@example.com'],
  location: ['Berlin, data centre', 'Vienna'],
};

let tools: readonly ToolSpec[];
beforeAll(async () => {
  const none = async () => [];
  const list = (spec: ListingSpec) => {
    const replica = new Replica(spec);
    spec.strings.forEach((name, column) => {
      for (const value of known[name] ?? []) replica.dictionaries[column]!.add(value);
    });
    return { replica: { refresh: async () => replica } } as unknown as ListSource;
  };
  const nothing = { passages: [], related: [], articles: [], confidence: 0, tier: 'low' as const };
  const own = await queryTools({ list, read: none, findPassages: async () => nothing })('ann.lee@example.com', nowMs);
  const request = { model: 'model-3-haiku', system: '', messages: [], tools: own, maxTokens: 1 } as const;
  const { modelId: _, ...input } = toConverseInput(request, 'x');
  const message = { role: 'user', content: [{ text: 'x' }] };
  tools = parseConverse(JSON.parse(JSON.stringify({ ...input, messages: [message] }))).tools;
});

/** A Wednesday. */
const nowMs = Date.parse('2026-11-11T10:00:00Z');
const plan = (question: string, ...earlier: string[]) => planTools(question, tools, nowMs, { earlier, lastAnswer: '' });

const open = ['new', 'in_progress', 'on_hold', 'reopened'];
const incidents = 'search_incidents';
const changes = 'search_changes';
const items = 'search_configuration_items';
const monday = '2026-11-08T23:59:59.999Z';
const today = '2026-11-10T23:59:59.999Z';

type Call = readonly [name: string, input: Record<string, unknown>];

describe('a question about records', () => {
  it.each<[string, ...Call]>([
    // One word, one field: the one that is named beside it, otherwise the best.
    [
      'open P1 incidents of the network team since Monday',
      incidents,
      { state: open, priority: ['P1'], assignment_group: 'network', created_after: monday },
    ],
    ['incidents of the network group', incidents, { assignment_group: 'network' }],
    ['my tickets, closest to breach first', incidents, { assigned_to: 'me', sort: 'sla_breach_at', order: 'asc' }],
    ['incidents by time to breach', incidents, { sort: 'sla_breach_at', order: 'asc' }],
    ['hardware incidents of the network team', incidents, { assignment_group: 'network', category: 'hardware' }],
    ['tickets of the identity and access team', incidents, { assignment_group: 'identity and access' }],
    ['tickets assigned to group service desk', incidents, { assignment_group: 'service desk' }],
    ['incidents assigned to bo@example.com', incidents, { assigned_to: 'bo@example.com' }],
    ['incidents assigned to Ann', incidents, { assigned_to: 'ann' }],
    ['changes requested by ann.lee@example.com', changes, { requested_by: 'ann.lee@example.com' }],
    // States and priorities.
    ['incidents on hold', incidents, { state: ['on_hold'] }],
    ['Which incidents are in progress?', incidents, { state: ['in_progress'] }],
    ['resolved or closed incidents', incidents, { state: ['resolved', 'closed'] }],
    ['cancelled incidents', incidents, { state: ['cancelled'] }],
    ['canceled incidents', incidents, { state: ['cancelled'] }],
    ['P1 and P2 incidents', incidents, { priority: ['P1', 'P2'] }],
    ['all P1s', incidents, { priority: ['P1'] }],
    ['incidents with priority 2', incidents, { priority: ['P2'] }],
    ['critical incidents', incidents, { priority: ['P1'] }],
    ['incidents of P2 or higher', incidents, { priority: ['P1', 'P2'] }],
    ['low priority incidents', incidents, { priority: ['P4'] }],
    ['the 5 newest incidents', incidents, { limit: 5 }],
    // Denials.
    ['incidents that are not resolved', incidents, { state: open }],
    ['unresolved P2 incidents', incidents, { state: open, priority: ['P2'] }],
    ['all incidents except P4', incidents, { priority: ['P1', 'P2', 'P3'] }],
    ['unassigned P1 incidents', incidents, { priority: ['P1'], assigned_to: null }],
    ['open incidents that nobody works on', incidents, { state: open, assigned_to: null }],
    ['incidents without a category', incidents, { category: null }],
    ['incidents with no team', incidents, { assignment_group: null }],
    // Time.
    ['incidents of today', incidents, { created_after: today }],
    [
      'incidents created yesterday',
      incidents,
      { created_after: '2026-11-09T23:59:59.999Z', created_before: '2026-11-11T00:00:00.000Z' },
    ],
    ['incidents this week', incidents, { created_after: monday }],
    [
      'incidents last week',
      incidents,
      { created_after: '2026-11-01T23:59:59.999Z', created_before: '2026-11-09T00:00:00.000Z' },
    ],
    ['incidents in the last 3 days', incidents, { created_after: '2026-11-08T09:59:59.999Z' }],
    ['incidents of the past two hours', incidents, { created_after: '2026-11-11T07:59:59.999Z' }],
    ['incidents since 2026-11-01', incidents, { created_after: '2026-10-31T23:59:59.999Z' }],
    ['incidents since October', incidents, { created_after: '2026-09-30T23:59:59.999Z' }],
    ['incidents before Monday', incidents, { created_before: '2026-11-09T00:00:00.000Z' }],
    ['open incidents older than 7 days', incidents, { state: open, created_before: '2026-11-04T10:00:00.000Z' }],
    ['incidents updated today', incidents, { updated_after: today }],
    [
      'incidents between 2026-11-02 and 2026-11-04',
      incidents,
      { created_after: '2026-11-01T23:59:59.999Z', created_before: '2026-11-05T00:00:00.000Z' },
    ],
    // Texts.
    ['incidents about printers', incidents, { text: 'printers' }],
    [
      'open tickets about new laptops since Monday',
      incidents,
      { state: open, created_after: monday, text: 'new laptops' },
    ],
    ['incidents mentioning 0x80070005', incidents, { text: '0x80070005' }],
    // Changes.
    ['changes planned this week', changes, { planned_after: monday, planned_before: '2026-11-16T00:00:00.000Z' }],
    [
      'changes next week',
      changes,
      { planned_after: '2026-11-15T23:59:59.999Z', planned_before: '2026-11-23T00:00:00.000Z' },
    ],
    [
      'emergency changes scheduled for Friday',
      changes,
      { type: ['emergency'], planned_after: '2026-11-12T23:59:59.999Z', planned_before: '2026-11-14T00:00:00.000Z' },
    ],
    ['high risk changes', changes, { risk: ['high'] }],
    ['changes with medium or higher risk', changes, { risk: ['medium', 'high'] }],
    ['approved changes of the network team', changes, { state: ['approved'], assignment_group: 'network' }],
    ['changes that are not standard', changes, { type: ['normal', 'emergency'] }],
    ['changes on CI0000042', changes, { ci: 'CI0000042' }],
    // Configuration items.
    ['configuration items owned by ann.lee@example.com', items, { owner: 'ann.lee@example.com' }],
    ['CIs that are not operational', items, { status: ['degraded', 'down', 'retired'] }],
    ['staging databases', items, { class: 'database', environment: 'staging' }],
    // Counts.
    ['how many incidents are on hold', 'count_incidents', { state: ['on_hold'] }],
    ['how many open incidents by priority', 'count_incidents', { state: open, by: 'priority' }],
    ['incidents of this week per team', 'count_incidents', { created_after: monday, by: 'assignment_group' }],
    ['number of changes by risk', 'count_changes', { by: 'risk' }],
    ['how many CIs are down', 'count_configuration_items', { status: ['down'] }],
    // One record, and what belongs to one.
    ['INC0000001', 'get_record', { id: 'INC0000001' }],
    ['What is the state of inc0000001?', 'get_record', { id: 'INC0000001' }],
    ['Who approved CHG4K2M9X1?', 'get_record', { id: 'CHG4K2M9X1' }],
    ['tell me about CI0000042', 'get_record', { id: 'CI0000042' }],
    ['open incidents of CI0000042', incidents, { state: open, ci: 'CI0000042' }],
    // Knowledge.
    ['articles about VPN errors', 'search_knowledge', { text: 'articles about VPN errors' }],
    ['How do I reset the network card?', 'search_knowledge', { text: 'How do I reset the network card?' }],
    ['What does error 809 mean?', 'search_knowledge', { text: 'What does error 809 mean?' }],
    ['my open incidents', incidents, { state: open, assigned_to: 'me' }],
    ['incidents of the netwrk team', incidents, { assignment_group: 'network' }],
    ['incidents of the zebra team', incidents, { assignment_group: 'zebra' }],
    ['which servers are down?', items, { status: ['down'], class: 'server' }],
    // A filter needs its whole phrase.
    [
      'open incidents nobody touched in over a week',
      incidents,
      { state: open, updated_before: '2026-11-04T10:00:00.000Z' },
    ],
    ['tickets that nobody picked up', incidents, { state: open, assigned_to: null }],
    ['I need the incidents since Monday', incidents, { created_after: monday }],
    ['I just came back from vacation, what is on hold?', incidents, { state: ['on_hold'] }],
    [
      'all incidents except closed ones',
      incidents,
      { state: ['new', 'in_progress', 'on_hold', 'resolved', 'cancelled', 'reopened'] },
    ],
    ['incidents of P3 or lower', incidents, { priority: ['P3', 'P4'] }],
    ['incidents on hold > 7 days', incidents, { state: ['on_hold'], created_before: '2026-11-04T10:00:00.000Z' }],
    [
      'requests submitted since Monday that were rejected',
      'search_requests',
      { state: ['rejected'], created_after: monday },
    ],
    [
      'changes between 20 and 25 November',
      changes,
      { planned_after: '2026-11-19T23:59:59.999Z', planned_before: '2026-11-26T00:00:00.000Z' },
    ],
    ['any news about the VPN', incidents, { text: 'vpn' }],
    ['did anybody open a ticket about printers?', incidents, { text: 'printers' }],
    [
      'what happened yesterday?',
      incidents,
      { created_after: '2026-11-09T23:59:59.999Z', created_before: '2026-11-11T00:00:00.000Z' },
    ],
    [
      'incidents created in 2025',
      incidents,
      { created_after: '2024-12-31T23:59:59.999Z', created_before: '2026-01-01T00:00:00.000Z' },
    ],
    ['tickets for the Leeds office', incidents, { text: 'leeds' }],
    ['changes not yet implemented', changes, { state: ['draft', 'submitted', 'approved'] }],
    [
      'approved changes that start in the next 3 days',
      changes,
      { state: ['approved'], planned_after: '2026-11-11T09:59:59.999Z', planned_before: '2026-11-14T10:00:00.000Z' },
    ],
    // Items without a name.
    ['what depends on the main database', items, { depends_on: 'main database' }],
    ['what breaks if the mail server goes down?', items, { depends_on: 'mail server' }],
    [
      'which production servers depend on db-1',
      items,
      { depends_on: 'db-1', class: 'server', environment: 'production' },
    ],
    ['tickets without an owner in hardware', incidents, { assigned_to: null, category: 'hardware' }],
    ['average time to resolve P2 incidents', incidents, { priority: ['P2'] }],
    ['incidents nobody has categorised', incidents, { category: null }],
    ['the 7 incidents with the highest priority', incidents, { limit: 7 }],
    ['changes rejected by me', changes, { state: ['rejected'] }],
    [
      'closed incidents from Q3',
      incidents,
      { state: ['closed'], updated_after: '2026-06-30T23:59:59.999Z', updated_before: '2026-10-01T00:00:00.000Z' },
    ],
    ['all printers in Vienna', items, { class: 'printer', location: 'Vienna' }],
    // Words in the wrong role set no filter.
    ['when should I put a ticket on hold?', 'search_knowledge', { text: 'when should I put a ticket on hold?' }],
    ['a user lost their phone, what now?', 'search_knowledge', { text: 'a user lost their phone, what now?' }],
    ['submitted changes that have no backout plan', changes, { state: ['submitted'] }],
    ['closed tickets where the first reply took over an hour', incidents, { state: ['closed'] }],
    ['incidents resolved in under 4 hours', incidents, { state: ['resolved'] }],
    ['closed tickets with more than 3 reopens', incidents, { state: ['closed'] }],
    ['tickets not assigned to me', incidents, {}],
    ['open incidents sorted by satisfaction', incidents, { state: open }],
    ['requests above 2000 crowns that need approval', 'search_requests', { state: ['submitted'] }],
    ['SLA in danger but not yet blown, P1 and P2 only', incidents, { sla: 'at_risk', priority: ['P1', 'P2'] }],
    ['incidents except P3, P4', incidents, { priority: ['P1', 'P2'] }],
    ['what does the Order portal rely on?', items, { needed_by: 'order portal' }],
    ['which changes has Mateo Silva asked for?', changes, { requested_by: 'mateo silva' }],
    ['incidents that go red in the next 90 minutes', incidents, { sla_due_within_minutes: 90 }],
    ['incidents due before noon', incidents, { sla_due_within_minutes: 120 }],
    ['incidents since 6pm', incidents, { created_after: '2026-11-10T17:59:59.999Z' }],
    ['which incidents did Emma Johansson open?', incidents, { opened_by: 'emma johansson' }],
    ['incidents since 6am', incidents, { created_after: '2026-11-11T05:59:59.999Z' }],
    [
      'incidents between 2 and 4 weeks old',
      incidents,
      { created_after: '2026-10-14T09:59:59.999Z', created_before: '2026-10-28T10:00:00.000Z' },
    ],
    ['unassigned tickets in field service', incidents, { assigned_to: null, assignment_group: 'field service' }],
    ['resoved incidents', incidents, { state: ['resolved'] }],
  ])('%s', (question, name, input) => {
    const { calls } = plan(question);
    expect(calls).toEqual([{ name, input: expect.objectContaining(input) }]);
    const others = Object.keys(calls[0]!.input).filter((each) => !(each in input) && !/^(order|sort)$/.test(each));
    expect(others).toEqual([]);
  });

  it('keeps the context of a follow-up and says so, and drops it for a question that names a kind', () => {
    const before = 'open incidents of the network team';
    const more = plan('and only P1?', before);
    expect(more.calls).toEqual([
      { name: incidents, input: { state: open, assignment_group: 'network', priority: ['P1'] } },
    ]);
    expect(more.remarks).toEqual(['Continuing with open incidents of the network team.']);
    expect(plan('and unassigned?', before, 'and only P1?').calls).toEqual([
      { name: incidents, input: { state: open, assignment_group: 'network', priority: ['P1'], assigned_to: null } },
    ]);
    expect(plan('how many are unassigned?', before).calls).toEqual([
      { name: 'count_incidents', input: { state: open, assignment_group: 'network', assigned_to: null } },
    ]);
    expect(plan('high risk changes', before)).toEqual({
      calls: [{ name: changes, input: { risk: ['high'] } }],
      remarks: [],
      unknown: [],
    });
  });

  it('names the words that it did not understand, and offers the question without them', () => {
    const { calls, unknown } = plan('open incidents with flibber');
    expect(unknown).toEqual(['flibber']);
    const relaxed = calls.map((call) => withoutWords(call, unknown));
    const remark = 'I did not understand "flibber"; showing open incidents.';
    expect(relaxed).toEqual([{ call: { name: incidents, input: { state: open } }, remark }]);
    const about = plan('incidents about flibber');
    const all = about.calls.map((call) => withoutWords(call, about.unknown)?.remark);
    expect(all).toEqual(['No incidents mention "flibber"; showing all incidents.']);
  });

  it.each([
    ['failed changes', 'failed'],
    ['escalated incidents', 'escalated'],
    ['urgent requests', 'urgent'],
    ['incidents of the network team that are not hardware', 'not hardware'],
    ['average age of open incidents', 'average'],
    ['hardware and software incidents', 'software'],
    ['who opened the most incidents?', 'most'],
    ['incidents of the network team in the next two days', 'in the next two days'],
    ['closed incidents where a reply took over an hour', 'over an hour'],
  ])('says which word of "%s" no filter stands for', (question, word) => {
    expect(plan(question).remarks).toEqual([`I did not understand "${word}".`]);
  });

  it('says that it changes nothing when asked for a change', () => {
    const remarks = ['I can only look up records, not change them.'];
    expect(plan('close all my incidents')).toMatchObject({ calls: [{ input: { assigned_to: 'me' } }], remarks });
    expect(plan('escalate INC0000001')).toMatchObject({ calls: [{ name: 'get_record' }], remarks });
    expect(plan('closed incidents').remarks).toEqual([]);
  });

  it('corrects a typing error and says so, but no word that exists', () => {
    expect(plan('unasigned critcal incidnets')).toMatchObject({
      calls: [{ name: incidents, input: { assigned_to: null, priority: ['P1'] } }],
      remarks: [
        'I read "unasigned" as "unassigned".',
        'I read "critcal" as "critical".',
        'I read "incidnets" as "incident".',
      ],
    });
    expect(plan('incidents about the cloud').remarks).toEqual([]);
  });
});
