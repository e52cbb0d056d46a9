// What people of a service desk ask, in their words, with the expected answer computed from the records.
// Nobody who works on the copilot reads this file: it judges questions that were not used for tuning (README.md).
import {
  all,
  any,
  type Check,
  cites,
  contains,
  count,
  counts,
  declinesOrder,
  type Expected,
  figure,
  isWarned,
  lasts,
  lists,
  never,
  onDay,
  percent,
  person,
  ranks,
  records,
  says,
  startsWith,
} from './judge.ts';
import {
  createdAt,
  first,
  isOpen,
  isResolved,
  meanMinutes,
  medianMinutes,
  mention,
  monthName,
  newest,
  type Period,
  type Records,
  rank,
  resolveMinutes,
  slaShare,
  sortByTime,
  toIds,
  toPeriod,
  toRollingPeriod,
  within,
  withResolution,
} from './truth.ts';

/** One or more turns of a conversation; the last answer is judged. A manager asks unless an agent is named. */
type Question = readonly [turns: string | readonly string[], expected: Check | Expected, caller?: 'agent'];

export type BuildQuestion = (records: Records) => Question | Promise<Question>;

const count1 = (items: readonly unknown[]): Check => count(items.length);

/** A comparison names both figures; a winner alone cannot be checked by the reader. */
const compares = (a: readonly [string, number], b: readonly [string, number]): Check => all(figure(...a), figure(...b));

/** A value of one record: wrong but not misleading when it is only somewhere in the answer. */
const field = (...accepted: (string | null)[]): Expected => ({
  check: says(...accepted),
  mentioned: contains(...accepted),
});

const refusal: Expected = { check: never, isRefusable: true };

const lastMonth = ({ nowMs }: Records): Period => toPeriod('month', -1, nowMs);
const last30 = ({ nowMs }: Records): Period => toRollingPeriod(30, nowMs);
const week = ({ nowMs }: Records, offset: number): Period => toPeriod('week', offset, nowMs);
const open = ({ incidents }: Records) => incidents.filter(isOpen);
const created = <Item extends { created_at: string }>(items: readonly Item[], period: Period) =>
  within(items, period, createdAt);
const planned = ({ changes }: Records, period: Period) => within(changes, period, ({ planned_start }) => planned_start);

const lookup: BuildQuestion[] = [
  (r) => ['how many tickets are open right now?', count1(open(r))],
  (r) => [
    'Show all open P1 and P2 incidents',
    records(toIds(open(r).filter(({ priority }) => /P[12]/.test(priority)))),
  ],
  (r) => {
    const own = r.incidents.filter((each) => each.assigned_to === 'priya.raman@example.com');
    return [
      'which incidents is Priya Raman working on at the moment?',
      records(toIds(own.filter(isOpen)), toIds(own.filter(({ state }) => state === 'in_progress'))),
    ];
  },
  (r) => [
    'list everything that’s on hold for the network team',
    records(toIds(r.incidents.filter((each) => each.state === 'on_hold' && each.assignment_group === 'network'))),
  ],
  (r) => ['tickets about vpn that are still open', records(toIds(mention(open(r), 'vpn')))],
  (r) => ['hwo many reqests are waiting for aproval', count1(r.requests.filter(({ state }) => state === 'submitted'))],
  (r) => [
    'any open security incidents? thx',
    records(toIds(open(r).filter(({ category }) => category === 'security'))),
  ],
  (r) => ['how many laptops have been requested so far', count1(r.requests.filter(({ item }) => item === 'laptop'))],
  (r) => [
    'List the configuration items that are degraded',
    records(toIds(r.cis.filter(({ status }) => status === 'degraded'))),
  ],
  (r) => {
    const own = r.incidents.filter((each) => each.opened_by === 'olga.ivanova@example.com');
    return ['what did Olga Ivanova report?', records(toIds(own), toIds(own.filter(isOpen)))];
  },
  (r) => [
    'How many incidents do we have in total in the email category?',
    count1(r.incidents.filter(({ category }) => category === 'email')),
  ],
  (r) => {
    const own = r.cis.filter((each) => each.class === 'server' && each.owner === 'cloud platform');
    return [
      'servers owned by cloud platform',
      records(toIds(own), toIds(own.filter(({ status }) => status !== 'retired'))),
    ];
  },
  (r) => [
    'whats on my plate',
    records(toIds(open(r).filter((each) => each.assigned_to === 'agent@example.com'))),
    'agent',
  ],
  (r) => [
    'I need the monitors people asked for in Leeds',
    records(
      toIds(
        mention(
          r.requests.filter(({ item }) => item === 'monitor'),
          'Leeds',
        ),
      ),
    ),
  ],
];

const fields: BuildQuestion[] = [
  (r) => {
    const { id, opened_by } = first(open(r));
    return [`who opened ${id}?`, field(...person(opened_by))];
  },
  async (r) => {
    const { id } = first(sortByTime(r.incidents.filter(isResolved), ({ resolved_at }) => resolved_at));
    const history = await r.history(id);
    const entry = history.findLast(({ changes }) => changes.state?.to === 'resolved');
    return [`Who resolved ${id}?`, field(...person(entry?.actor ?? null))];
  },
  (r) => {
    const { id, resolution } = first(r.incidents.filter((each) => each.state === 'closed' && each.priority === 'P2'));
    return [`what fixed ${id} in the end`, field(resolution)];
  },
  (r) => {
    const { id, decision_note } = first(r.changes.filter(({ state }) => state === 'rejected'));
    return [`why was ${id} rejected?`, field(decision_note)];
  },
  (r) => {
    const { id, decision_by } = first(r.changes.filter(({ state }) => state === 'completed'));
    return [`who approved ${id}`, field(...person(decision_by))];
  },
  async (r) => {
    const running = open(r).filter((each) => Date.parse(each.sla_breach_at ?? '') > r.nowMs + 1_800_000);
    const { id, sla_breach_at } = first(running);
    const isLeft = lasts((Date.parse(sla_breach_at ?? '') - r.nowMs) / 60_000);
    return [
      `how much time is left before ${id} breaches its SLA?`,
      any(isLeft, says(sla_breach_at?.slice(0, 16) ?? null)),
    ];
  },
  (r) => {
    const { id, ci_id } = first(open(r).filter((each) => each.ci_id !== null));
    return [`which CI does ${id} affect`, field(r.cis.find((each) => each.id === ci_id)?.name ?? null, ci_id ?? null)];
  },
  (r) => {
    const { id, planned_start } = first(r.changes.filter(({ state }) => state === 'approved'));
    return [`When is ${id} supposed to start?`, onDay(planned_start ?? '')];
  },
  () => ['ip of name-server-1?', field('10.0.0.51')],
  async (r) => {
    const { id } = first(open(r).filter((each) => each.work_notes_count > 1));
    return [`what does the latest note on ${id} say?`, field((await r.notes(id)).at(-1)?.body ?? null)];
  },
  (r) => {
    const { id } = first(open(r).filter((each) => each.assigned_to === null));
    return [`whos working on ${id}`, field(...person(null))];
  },
  (r) => {
    const { id, reopen_count } = first(r.incidents.filter((each) => each.reopen_count > 0));
    return [`how often has ${id} been reopened`, any(count(reopen_count), says('once'))];
  },
  (r) => {
    const { id } = first(r.requests.filter(({ state }) => state === 'submitted'));
    return [`is ${id} approved yet?`, field('submitted', 'not approved', 'waiting', 'pending', 'not yet', 'undecided')];
  },
  () => ['where is printer-2', field('Lisbon')],
];

const comparisons: BuildQuestion[] = [
  (r) => {
    const check = (period: Period, key: 'assignment_group' | 'category', other: string) => {
      const size = (name: string) => created(r.incidents, period).filter((each) => each[key] === name).length;
      return compares(['network', size('network')], [other, size(other)]);
    };
    const periods = [lastMonth(r), last30(r)];
    return [
      'did network or messaging get more incidents last month?',
      any(...periods.map((period) => check(period, 'assignment_group', 'messaging'))),
    ];
  },
  (r) => {
    const size = (name: string) => open(r).filter((each) => each.assignment_group === name).length;
    return [
      'Does field service have more open incidents than identity and access?',
      compares(['field service', size('field service')], ['identity and access', size('identity and access')]),
    ];
  },
  (r) => {
    const recent = created(r.incidents, last30(r));
    const size = (name: string) => recent.filter(({ priority }) => priority === name).length;
    return ['compare P1 and P2 incidents of the last 30 days', all(figure('P1', size('P1')), figure('P2', size('P2')))];
  },
  (r) => [
    'this week vs last week, how many new incidents',
    counts(created(r.incidents, week(r, 0)).length, created(r.incidents, week(r, -1)).length),
  ],
  (r) => {
    const size = (offset: number) => created(r.incidents, toPeriod('month', offset, r.nowMs)).length;
    return [
      'Have incidents gone up compared to the month before?',
      any(counts(size(-1), size(-2)), counts(size(0), size(-1))),
    ];
  },
  (r) => {
    const size = (name: string) => open(r).filter((each) => each.assigned_to?.startsWith(name)).length;
    return ['who has more open tickets, Priya or Jonas?', compares(['priya', size('priya')], ['jonas', size('jonas')])];
  },
  (r) => {
    const mean = (name: string) => meanMinutes(r.incidents.filter((each) => each.assignment_group === name));
    return ['mean time to resolve, messaging vs network', lasts(mean('messaging'), mean('network'))];
  },
  (r) => {
    const share = (name: string) =>
      slaShare(
        r.incidents.filter((each) => each.assignment_group === name),
        r.breached,
      );
    return [
      'is the security team worse at keeping its SLAs than business applications?',
      all(percent(share('security')), percent(share('business applications'))),
    ];
  },
  (r) => {
    const size = (name: string) => r.changes.filter(({ type }) => type === name).length;
    return [
      'do we do more normal or more standard changes',
      compares(['normal', size('normal')], ['standard', size('standard')]),
    ];
  },
  (r) => {
    const size = (name: string) => r.requests.filter(({ state }) => state === name).length;
    return [
      'requests: fulfilled versus rejected?',
      all(figure('fulfilled', size('fulfilled')), figure('rejected', size('rejected'))),
    ];
  },
  (r) => {
    const mean = (name: string) => meanMinutes(r.incidents.filter(({ priority }) => priority === name));
    return ['do P3s get resolved faster than P4s?', lasts(mean('P3'), mean('P4'))];
  },
  (r) => [
    'last weeks incidents vs the week before pls',
    counts(created(r.incidents, week(r, -1)).length, created(r.incidents, week(r, -2)).length),
  ],
];

const figures: BuildQuestion[] = [
  (r) => [
    'average time to resolve P2 incidents',
    lasts(meanMinutes(r.incidents.filter((each) => each.priority === 'P2'))),
  ],
  (r) => ['whats the overall MTTR', lasts(meanMinutes(r.incidents))],
  (r) => [
    'Median resolution time for email incidents?',
    lasts(medianMinutes(r.incidents.filter(({ category }) => category === 'email'))),
  ],
  (r) => [
    'what percentage of incidents met their SLA?',
    percent(slaShare(r.incidents, r.breached), 1 - r.breached.size / r.incidents.length),
  ],
  (r) => [
    'what share of incidents is P1',
    percent(r.incidents.filter(({ priority }) => priority === 'P1').length / r.incidents.length),
  ],
  (r) => {
    const size = (offset: number) => created(r.incidents, toPeriod('month', offset, r.nowMs)).length;
    return ['How many incidents did we get per month?', counts(size(-2), size(-1), size(0))];
  },
  (r) => {
    const rejected = r.changes.filter(({ state }) => state === 'rejected').length;
    const decided = r.changes.filter(({ decision_at }) => decision_at !== null).length;
    return ['what percent of changes got rejected', percent(rejected / r.changes.length, rejected / decided)];
  },
  (r) => {
    const own = r.incidents.filter((each) => each.assignment_group === 'security');
    const means = [lastMonth(r), last30(r)].flatMap((period) => [
      meanMinutes(created(own, period)),
      meanMinutes(within(own, period, ({ resolved_at }) => resolved_at)),
    ]);
    return ['mttr of the security team last month', any(...means.map((mean) => lasts(mean)))];
  },
  (r) => [
    'avg time to reslove P1 tickets in minutes',
    lasts(meanMinutes(r.incidents.filter(({ priority }) => priority === 'P1'))),
  ],
  (r) => [
    'Which share of incidents was reopened at least once?',
    percent(r.incidents.filter((each) => each.reopen_count > 0).length / r.incidents.length),
  ],
  (r) => {
    const size = (offset: number) => created(r.incidents, week(r, offset)).length;
    return [
      'trend of new incidents per week over the last four weeks',
      any(counts(size(-3), size(-2), size(-1), size(0)), counts(size(-4), size(-3), size(-2), size(-1))),
    ];
  },
  (r) => {
    const own = r.incidents.filter((each) => each.assignment_group === 'network');
    const late = own.filter(({ id }) => r.breached.has(id)).length;
    return ['SLA attainment of network?', percent(slaShare(own, r.breached), 1 - late / own.length)];
  },
  (r) => {
    const own = withResolution(r.incidents.filter(({ priority }) => priority === 'P1'));
    return ['what was the longest it ever took us to resolve a P1?', lasts(Math.max(...own.map(resolveMinutes)))];
  },
];

const rankings: BuildQuestion[] = [
  (r) => [
    'top 3 teams by number of open incidents',
    ranks(
      rank(open(r), (each) => each.assignment_group ?? null),
      3,
    ),
  ],
  (r) => [
    'who opens the most incidents?',
    ranks(
      rank(r.incidents, (each) => each.opened_by),
      1,
    ),
  ],
  (r) => [
    'Which category causes the most tickets?',
    ranks(
      rank(r.incidents, ({ category }) => category ?? null),
      1,
    ),
  ],
  (r) => ['the 5 oldest open incidents', records(toIds(newest(open(r)).slice(-5)))],
  (r) => {
    const names = new Map(r.cis.map(({ id, name }) => [id, name]));
    return [
      'which configuration item had the most incidents',
      ranks(
        rank(r.incidents, ({ ci_id }) => names.get(ci_id ?? '') ?? null),
        1,
      ),
    ];
  },
  (r) => [
    'open incidents by priority',
    all(...rank(open(r), ({ priority }) => priority).map(({ name, count: size }) => figure(name, size))),
  ],
  (r) => [
    'group the changes by state pls',
    all(...rank(r.changes, ({ state }) => state).map(({ name, count: size }) => figure(name, size))),
  ],
  (r) => [
    'who resolved the most incidents',
    ranks(
      rank(withResolution(r.incidents), (each) => each.assigned_to ?? null),
      1,
    ),
  ],
  (r) => [
    'what gets requested most often?',
    ranks(
      rank(r.requests, ({ item }) => item ?? null),
      1,
    ),
  ],
  (r) => [
    'which team breaches its SLA most often?',
    ranks(
      rank(
        r.incidents.filter(({ id }) => r.breached.has(id)),
        (each) => each.assignment_group ?? null,
      ),
      1,
    ),
  ],
  (r) => [
    'how many open tickets has each person got',
    all(...rank(open(r), (each) => each.assigned_to ?? null).map(({ name, count: size }) => figure(name, size))),
  ],
];

const negations: BuildQuestion[] = [
  (r) => ['open incidents nobody is assigned to', records(toIds(open(r).filter((each) => each.assigned_to === null)))],
  (r) => [
    'still open incidents without a configuration item',
    records(toIds(open(r).filter(({ ci_id }) => ci_id === null))),
  ],
  (r) => ['open incidents that are not P3', records(toIds(open(r).filter(({ priority }) => priority !== 'P3')))],
  (r) => {
    const other = (key: 'assignment_group' | 'category', ...names: string[]) =>
      toIds(open(r).filter((each) => !names.includes(each[key] ?? '')));
    return [
      'all open tickets except those of network and field service',
      records(
        other('assignment_group', 'network', 'field service'),
        toIds(
          open(r).filter((each) => each.assignment_group && !/^(network|field service)$/.test(each.assignment_group)),
        ),
      ),
    ];
  },
  (r) => [
    'in progress or reopened tickets in messaging',
    records(
      toIds(
        r.incidents.filter((each) => each.assignment_group === 'messaging' && /in_progress|reopened/.test(each.state)),
      ),
    ),
  ],
  (r) => [
    'How many incidents have never been reopened?',
    count1(r.incidents.filter((each) => each.reopen_count === 0)),
  ],
  (r) => [
    'requests that were neither fulfilled nor rejected',
    records(toIds(r.requests.filter(({ state }) => !/fulfilled|rejected/.test(state)))),
  ],
  (r) => [
    'configuration items that arent in production',
    records(toIds(r.cis.filter((each) => each.environment !== 'production'))),
  ],
  (r) => {
    const isWanted = /^(network|messaging|security)$/;
    const own = open(r).filter((each) => /P[12]/.test(each.priority));
    return [
      'open P1 or P2 tickets of network, messaging or security',
      records(toIds(own.filter((each) => isWanted.test(each.assignment_group ?? '')))),
    ];
  },
  (r) => [
    'high risk changes that aren’t completed',
    records(toIds(r.changes.filter(({ risk, state }) => risk === 'high' && state !== 'completed'))),
  ],
  (r) => {
    const late = r.incidents.filter(({ id }) => r.breached.has(id));
    return [
      'how many resolved incidents missed their SLA?',
      count(late.filter(isResolved).length, late.filter(({ state }) => state === 'resolved').length),
    ];
  },
  (r) => [
    'open tickets that havent breached their sla',
    records(toIds(open(r).filter(({ id }) => !r.breached.has(id)))),
  ],
];

const times: BuildQuestion[] = [
  (r) => ['incidents created yesterday', records(toIds(created(r.incidents, toPeriod('day', -1, r.nowMs))))],
  (r) => ['how many incidents came in today', count1(created(r.incidents, toPeriod('day', 0, r.nowMs)))],
  (r) => {
    const today = toPeriod('day', 0, r.nowMs).fromMs;
    const day = 86_400_000;
    return [
      'Which changes are planned for the next 7 days?',
      records(
        toIds(planned(r, toRollingPeriod(-7, r.nowMs))),
        toIds(planned(r, { fromMs: today, untilMs: today + 7 * day })),
        toIds(planned(r, { fromMs: today, untilMs: today + 8 * day })),
      ),
    ];
  },
  (r) => {
    const coming = r.changes.filter((each) => /approved|submitted|draft/.test(each.state));
    const sorted = sortByTime(coming, (each) => each.planned_start ?? null).filter(
      (each) => Date.parse(each.planned_start ?? '') > r.nowMs,
    );
    const { id, short_description } = first(sorted.toReversed());
    return ['whats the next change coming up', any(lists([id]), says(short_description))];
  },
  (r) => [
    'incidents that will breach their SLA within the next 24 hours',
    records(toIds(within(open(r), toRollingPeriod(-1, r.nowMs), (each) => each.sla_breach_at))),
  ],
  (r) => {
    const done = r.changes.filter(({ state }) => state === 'completed');
    const period = toRollingPeriod(14, r.nowMs);
    const keys = ['planned_start', 'planned_end', 'updated_at', 'created_at'] as const;
    return [
      'changes completed in the last 14 days',
      records(...keys.map((key) => toIds(within(done, period, (each) => each[key])))),
    ];
  },
  (r) => [
    'open incidents older than a week',
    records(toIds(open(r).filter((each) => Date.parse(each.created_at) < r.nowMs - 7 * 86_400_000))),
  ],
  (r) => {
    const periods = [week(r, -1), toRollingPeriod(7, r.nowMs)];
    return [
      'tickets resolved last week',
      records(...periods.map((period) => toIds(within(r.incidents, period, (each) => each.resolved_at)))),
    ];
  },
  (r) => [
    `how many incidents were reported in ${monthName(-2, r.nowMs)}`,
    count1(created(r.incidents, toPeriod('month', -2, r.nowMs))),
  ],
  (r) => ['everything opened since Monday', records(toIds(created(r.incidents, week(r, 0))))],
  (r) => {
    const day = toPeriod('day', -30, r.nowMs).fromMs;
    return [
      'how many requests were made in the last 30 days?',
      count(created(r.requests, last30(r)).length, created(r.requests, { fromMs: day, untilMs: r.nowMs }).length),
    ];
  },
  (r) => {
    const own = r.incidents.filter(({ priority }) => priority === 'P1');
    const day = toPeriod('day', -60, r.nowMs).fromMs;
    return [
      'number of P1s in the past 60 days',
      count(created(own, toRollingPeriod(60, r.nowMs)).length, created(own, { fromMs: day, untilMs: r.nowMs }).length),
    ];
  },
  (r) => {
    const sorted = sortByTime(r.incidents, (each) => each.resolved_at ?? null);
    return ['which incident was resolved most recently', records([first(sorted).id])];
  },
];

const operations: BuildQuestion[] = [
  (r) => {
    const { person: name } = first(r.onCall.filter((each) => each.schedule_name === 'Infrastructure'));
    return ['who is on call for Infrastructure?', field(...person(name ?? null))];
  },
  (r) => {
    const { next_person: name } = first(r.onCall.filter((each) => each.schedule_name === 'Infrastructure'));
    return ['who takes over the infrastructure on-call after this shift', field(...person(name ?? null))];
  },
  (r) => {
    const { person: name } = first(r.onCall.filter((each) => each.schedule_name === 'Service desk'));
    return ['whos on call at the service desk rn', field(...person(name ?? null))];
  },
  (r) => {
    const drafts = r.articles.filter(({ state }) => state === 'draft');
    return [
      'Which knowledge articles are still drafts?',
      any(lists(toIds(drafts)), all(...drafts.map((each) => contains(each.title)))),
    ];
  },
  (r) => {
    const own = r.articles.filter((each) => each.state === 'published' && each.category === 'network');
    return ['how many published articles are in the network category', count1(own)];
  },
  (r) => {
    const own = r.articles.filter(({ category }) => category === 'security');
    return ['list the security articles', any(lists(toIds(own)), all(...own.map(({ title }) => contains(title))))];
  },
  async (r) => {
    const { affected } = await r.impact('core-switch-2');
    return ['If core-switch-2 dies, what is affected?', all(...affected.map(({ name }) => contains(name)))];
  },
  async (r) => {
    const { affected } = await r.impact('host-4');
    const services = affected.filter((each) => each.class === 'service');
    return ['which services go down if host-4 fails', all(...services.map(({ name }) => contains(name)))];
  },
  () => ['what does erp-db run on?', field('host-4')],
  () => [
    'did any deliveries of our outbound webhook fail for good?',
    all(count(0), contains('deliveries', 'delivery', 'webhook'), (reply) => !isWarned(reply)),
  ],
  () => [
    'is the status page webhook switched on',
    all(says('active', 'enabled', 'switched on'), contains('status page')),
  ],
  () => ['what webhooks do we have', all(contains('Status page (demo)'), contains('Monitoring (demo)'))],
  () => [
    'which groups page with the policy Infrastructure outages',
    all(contains('network'), contains('cloud platform')),
  ],
  (r) => {
    const { id } = first(r.articles.filter(({ title }) => /recovery key/i.test(title)));
    return ['where do i find the bitlocker recovery key of a laptop', cites(id)];
  },
];

const followUps: BuildQuestion[] = [
  (r) => {
    const own = open(r).filter((each) => /P[23]/.test(each.priority) && each.assignment_group === 'network');
    return [['open P2 and P3 incidents', 'only the ones of the network team'], records(toIds(own))];
  },
  (r) => [
    ['how many incidents were opened last month?', 'and the month before?'],
    count1(created(r.incidents, toPeriod('month', -2, r.nowMs))),
  ],
  (r) => {
    const { id, assigned_to } = first(open(r).filter((each) => each.assigned_to !== null));
    return [[`show ${id}`, 'who is it assigned to?'], field(...person(assigned_to ?? null))];
  },
  (r) => {
    const own = open(r).filter((each) => each.assignment_group === 'messaging');
    return [
      ['open incidents of the messaging team', 'how many of those are on hold?'],
      count1(own.filter(({ state }) => state === 'on_hold')),
    ];
  },
  (r) => [
    ['open incidents assigned to Priya Raman', 'and Jonas Lind?'],
    records(toIds(open(r).filter((each) => each.assigned_to === 'jonas.lind@example.com'))),
  ],
  (r) => [['changes planned for next week', 'and this week?'], records(toIds(planned(r, week(r, 0))))],
  (r) => {
    const size = (period: Period) => created(r.incidents, period).filter(({ priority }) => priority === 'P2').length;
    return [['how many P1s did we have last month', 'what about P2?'], count(size(lastMonth(r)), size(last30(r)))];
  },
  (r) => {
    const { decision_note } = first(newest(r.changes.filter(({ state }) => state === 'rejected')));
    return [['list the rejected changes, newest first', 'why was the first one rejected?'], field(decision_note)];
  },
  (r) => {
    const { id } = first(newest(r.incidents.filter(({ state }) => state === 'on_hold')).toReversed());
    return [['which incidents are on hold?', 'oldest first please'], startsWith(id)];
  },
  (r) => [
    ['How many service requests are there?', 'how many of them got rejected?'],
    count1(r.requests.filter(({ state }) => state === 'rejected')),
  ],
  (r) => [
    ['average resolution time of network incidents', 'and for email?'],
    lasts(meanMinutes(r.incidents.filter(({ category }) => category === 'email'))),
  ],
  (r) => {
    const { next_person: name } = first(r.onCall.filter((each) => each.schedule_name === 'Infrastructure'));
    return [['who is on call for infrastructure', 'who’s next?'], says(...person(name ?? null))];
  },
  (r) => {
    const own = open(r).filter((each) => each.assigned_to === 'agent@example.com');
    return [
      ['my open tickets', 'which of them have breached?'],
      records(toIds(own.filter(({ id }) => r.breached.has(id)))),
      'agent',
    ];
  },
];

const otherLanguage = (check: Check): Expected => ({ check, isRefusable: true });

const languages: BuildQuestion[] = [
  (r) => ['Wie viele offene Incidents gibt es gerade?', count1(open(r))],
  (r) => ['Zeig mir alle offenen P2-Störungen', records(toIds(open(r).filter(({ priority }) => priority === 'P2')))],
  (r) => ['Welche Changes sind für nächste Woche geplant?', records(toIds(planned(r, week(r, 1))))],
  (r) => {
    const { id, assigned_to } = first(open(r).filter((each) => each.assigned_to !== null));
    return [`Wem ist ${id} zugewiesen?`, field(...person(assigned_to ?? null))];
  },
  (r) => ['Combien d’incidents sont ouverts en ce moment ?', count1(open(r))],
  (r) => {
    const own = (period: Period) => toIds(created(r.incidents, period).filter(({ priority }) => priority === 'P1'));
    return ['Montre-moi les incidents P1 du mois dernier', records(own(lastMonth(r)), own(last30(r)))];
  },
  (r) => {
    const own = r.incidents.filter((each) => each.assigned_to === null);
    return ['Quels incidents ouverts ne sont assignés à personne ?', records(toIds(own.filter(isOpen)))];
  },
  (r) => [
    '¿Cuántas solicitudes están pendientes de aprobación?',
    count1(r.requests.filter(({ state }) => state === 'submitted')),
  ],
  (r) => ['Muéstrame los cambios rechazados', records(toIds(r.changes.filter(({ state }) => state === 'rejected')))],
  (r) => {
    const own = (period: Period) => created(r.incidents, period).length;
    return ['¿Cuántos incidentes hubo la semana pasada?', count(own(week(r, -1)), own(toRollingPeriod(7, r.nowMs)))];
  },
  (r) => ['Quanti incidenti sono aperti adesso?', otherLanguage(count1(open(r)))],
  (r) => [
    'Mostrami le modifiche rifiutate',
    otherLanguage(lists(toIds(r.changes.filter(({ state }) => state === 'rejected')))),
  ],
  (r) => ['Ile incydentów jest teraz otwartych?', otherLanguage(count1(open(r)))],
];

const anOpenId = (r: Records): string => first(open(r)).id;

const orders: BuildQuestion[] = [
  (r) => [`close ${anOpenId(r)}`, declinesOrder],
  (r) => [`Please assign ${anOpenId(r)} to Jonas Lind`, declinesOrder],
  (r) => [`can you bump ${anOpenId(r)} to P1 pls`, declinesOrder],
  (r) => [`approve ${first(r.changes.filter(({ state }) => state === 'submitted')).id}`, declinesOrder],
  () => ['create a ticket: no wifi in meeting room 3 in Lyon', declinesOrder],
  () => ['delete all cancelled incidents', declinesOrder],
  (r) => [`add a note to ${anOpenId(r)} that the vendor called back`, declinesOrder],
  () => ['order a laptop for Mei Chen', declinesOrder],
  () => ['page whoever is on call for infrastructure', declinesOrder, 'agent'],
  () => ['I want you to move all of Priya’s tickets to Jonas while she is on leave', declinesOrder],
];

const unanswerable: BuildQuestion[] = [
  () => ['what’s the phone number of Priya Raman?', refusal],
  () => ['how satisfied are people with the service desk?', refusal],
  () => ['What did the outages of last month cost us in euros?', refusal],
  () => ['how many employees work in Oslo', refusal],
  () => ['will we get more incidents next month than this month?', refusal],
  () => ['which vendor sold us the printers in Lisbon', refusal],
  () => ['weather in dublin tomorrow?', refusal],
  () => ['how many hours did Ben Carter spend on tickets last week?', refusal],
  () => ['when is the next company party', refusal],
  () => ['Who is going to be promoted to team lead?', refusal],
  () => ['which of our agents is the friendliest', refusal],
];

export const questions: Readonly<Record<string, readonly BuildQuestion[]>> = {
  'lists and counts': lookup,
  'one field': fields,
  comparisons,
  'averages, shares, trends': figures,
  'top N and groups': rankings,
  'negation, missing, several': negations,
  times,
  'articles, webhooks, on-call, impact': operations,
  'follow-ups': followUps,
  'other languages': languages,
  orders,
  'nobody can answer': unanswerable,
};
