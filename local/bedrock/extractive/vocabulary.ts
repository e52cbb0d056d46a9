// The words of a service desk, in one table: what people call the kinds of records, the values of fields and what they
// want to see. Names of fields, their values and the names of groups, people and items come from the schemas of the tools.

/** The kind of record by the last part of a tool's name. */
export const kinds: Readonly<Record<string, readonly string[]>> = {
  incidents: ['incident', 'disruption', 'failure', 'trouble', 'ticket', 'outage', 'problem', 'issue', 'case', 'fault'],
  changes: [
    'change',
    'maintenance',
    'rollout',
    'roll-out',
    'rolled out',
    'go-live',
    'going live',
    'upgrade',
    'migration',
    'sign-off',
    'release',
    'deployment',
    'approval',
  ],
  requests: ['request', 'purchase', 'service request', 'order'],
  configuration_items: [
    'configuration item',
    'component',
    'infrastructure',
    'equipment',
    'environment',
    'ci',
    'cis',
    'asset',
    'server',
    'machine',
    'device',
    'system',
    'host',
  ],
  knowledge: [
    'article',
    'knowledge',
    'knowledge base',
    'instructions',
    'how-to',
    'faq',
    'policy',
    'procedure',
    'tutorial',
    'guideline',
    'guide',
    'documentation',
    'manual',
    'runbook',
  ],
};

export type Meaning = Readonly<Record<string, unknown>>;

/** `open` stands for every state that is not final; a meaning counts only where the tool has the field. Phrases are separated by commas. */
export const synonyms: readonly [meaning: Meaning, phrases: string][] = [
  [
    { state: 'open' },
    'open, active, unresolved, ongoing, outstanding, backlog, still open, going on, happening, to fix, ' +
      'still has to fix, not done, not finished, unfinished, in the queue, current, to do',
  ],
  [{ state: ['resolved'] }, 'solved, solve, fix, resolve, sorted out, fixed'],
  [
    { state: ['submitted'] },
    'waiting for approval, waiting for my approval, pending approval, awaiting approval, need approval, ' +
      'needs approval, to approve, should i approve, can i approve, approvals waiting, sign-off, sign off, ' +
      'awaiting sign-off, to be approved, to be signed off, not yet approved, unapproved, need a decision, ' +
      'needs a decision, awaiting a decision, decision, for approval, to decide, awaiting, for sign-off, ' +
      'up for approval, waiting, pending',
  ],
  [{ state: ['closed'] }, 'close'],
  [{ state: ['rejected'] }, 'declined, denied, turned down, refused, reject, not approved'],
  [{ state: ['fulfilled'] }, 'delivered, done, completed, fulfil, fulfill, handed out'],
  [{ state: ['approved'] }, 'signed off, accepted'],
  [{ state: ['draft'] }, 'not submitted, unsubmitted, being drafted'],
  [
    { state: ['implementing'] },
    'running, in flight, being rolled out, in the middle of, in progress, being implemented, under way, ' +
      'in implementation',
  ],
  [{ state: ['completed'] }, 'complete, finish, successful, implemented, rolled out, done, finished'],
  [
    { state: ['on_hold'] },
    'waiting on, waiting for, waiting, pending, suspended, on ice, halted, waiting on someone, ' +
      'someone else, paused, parked',
  ],
  [{ state: ['in_progress'] }, 'worked on, under investigation, being handled, in work, being worked on'],
  [{ state: ['cancelled'] }, 'cancel, withdrawn, abandoned, aborted, canceled, called off'],
  [{ priority: ['P1'] }, 'critical, highest priority, top priority, sev1, most severe, showstopper, sev 1, major'],
  [{ priority: ['P1', 'P2'] }, 'high priority, high prio, pressing, severe, urgent, important'],
  [{ priority: ['P4'] }, 'low prio, trivial, least urgent, low priority, lowest priority, minor'],
  [
    { sla: 'breached' },
    'breached, sla violation, violation, miss sla, misses sla, breach their sla, broke the sla, broken sla, missed target, missed deadline, over target, ' +
      'running late, behind schedule, past sla, over sla, exceeded sla, outside sla, over time, overdue, ' +
      'late, past due, past their deadline, past the deadline, violated, missed their sla, missed the sla, ' +
      'missed sla, out of sla, sla breach, sla breaches, too late',
  ],
  [
    { sla: 'at_risk' },
    'at risk, close to deadline, near deadline, nearing deadline, approaching deadline, ' +
      'approaching breach, due soon, almost due, almost late, nearly late, likely to breach, might breach, ' +
      'may breach, will breach, could breach, running out of time, almost breached, nearly breached, ' +
      'about to breach, close to breach, close to breaching, nearly due, risk of missing, going to breach, ' +
      'soon to breach',
  ],
  [
    { assigned_to: null },
    'unassigned, unowned, ownerless, unclaimed, up for grabs, without owner, nobody, no one, noone, ' +
      'nobody owns, nobody picked up, no one picked up, not picked up, nobody took, no one took, not taken, ' +
      'not claimed, orphaned, nobody looks at, nobody looking at, nobody looked at, nobody assigned, ' +
      'no one assigned, waiting for someone, nobody is working on, nobody works on, no one is working on, ' +
      'assigned to nobody, assigned to no one, not assigned, without an assignee, without assignee, ' +
      'no assignee, no owner',
  ],
  [{ assignment_group: null }, 'without a group, without group, no group, without a team, no team'],
  [{ category: null }, 'without a category, no category, uncategorized, uncategorised'],
  [{ assignment_group: 'my_team' }, 'my team, my teams, our team, our teams, my group, our group, our'],
  [
    { me: true },
    'assigned to me, i made, i created, i submitted, i ordered, i filed, i own, i work on, i working on, ' +
      'on my plate, on my desk, on my list, in my queue, my queue, belong to me, with me, by me, myself, ' +
      'i must, i need to, i should, my own, mine, my, i have, do i have, am i, i am working on, i requested, ' +
      'i raised, i opened, for me, me',
  ],
  [
    { status: ['down'] },
    'unavailable, unreachable, crashed, not running, not up, out of service, offline, broken, not working, ' + 'failed',
  ],
  [{ status: ['degraded'] }, 'slow, impaired, struggling, unhealthy'],
  [{ status: ['operational'] }, 'up, healthy, working, running, fine'],
  [{ risk: ['high'] }, 'risky, dangerous, high-risk, riskiest'],
  [{ risk: ['low'] }, 'low-risk, safe, harmless'],
  [{ environment: 'production' }, 'in production, prod'],
  [{ type: ['emergency'] }, 'urgent changes'],
  [
    { sort: 'priority', order: 'asc' },
    'most urgent first, by urgency, sorted by priority, sort by priority, ordered by priority, ' +
      'highest priority first',
  ],
  [{ sort: 'updated_at' }, 'recently updated, recently changed, last updated, latest updates'],
  [{ order: 'asc' }, 'oldest, longest open, longest waiting, oldest first'],
  [{ order: 'desc' }, 'newest, latest, most recent, recent, newest first, last'],
  [
    { planned: 'ahead' },
    'upcoming, going live, go live, coming up, ahead, to be rolled out, future, planned, scheduled, ' + 'coming',
  ],
];

/** Words for fields that results can be grouped or filtered by. */
export const fieldWords: Readonly<Record<string, readonly string[]>> = {
  assignment_group: ['team', 'group', 'assignment group', 'queue', 'squad'],
  assigned_to: ['assignee', 'person', 'agent', 'assigned to'],
  state: ['state', 'status'],
  status: ['status', 'state'],
  priority: ['priority', 'prio', 'severity', 'urgency'],
  requested_by: ['requester', 'requested by'],
  requested_for: ['requested for'],
  class: ['class', 'type', 'kind'],
};

/** Words that carry no filter. */
export const fillers = new Set(
  (
    'a about actually all also an and any anything are at be been being by can count currently did do does each ever every ' +
    'everything find for from get give had has have how i if in is it its just kindly know let list look many me more much ' +
    'now number of on one only open or our out overall over please right see should show some still tell than that the ' +
    'their them there these they this those to total until up us was we were what whats when where which who why will ' +
    'with within work working would you your ones came come got need needs affecting affected touching regarding concerning ' +
    'mentioning wrong broken problems deal handle today assigned group team sla state status priority service first sorted ' +
    'records record between approve breach breaches deadline having not yet new waiting time long hours days weeks month ' +
    'most urgent opened created raised reported planned scheduled happening depend depends dependencies need cis tickets ' +
    'per sort level risk type category class owner updated ago old missing their go goes going gone live rolled roll rollout ' +
    'break down breakdown split overview summary summarize display view report reports reporting pick picked take taken took ' +
    'make made done doing run runs running happen happens happened stuff thing things item items moment left anyone anybody ' +
    'somebody someone people person else due next last past month year week weekend tonight morning currently already ' +
    'own owns owned logged filed registered linked tied attached associated connected distributed spread sitting hanging looking looked care fail fails failed impacted miss misses there been ' +
    'keep keeps kept hold held concern concerns involve involves involving hit hits suffer suffers rely relies relying sits built really quickly again back per cent most least fewest across distribution compared compare vs versus against text words ' +
    'word title called named contain contains containing include includes including related relating belonging belong belongs ' +
    'desk queue list lists entries entry result results want wants like could may might must shall need needed let lets ok ' +
    'hey hi hello thanks thank pls am were isnt arent hasnt havent dont doesnt didnt cant target deadline hour minute ' +
    'minutes day environment category priority prio severity high low medium decision everyone we i my mine'
  ).split(' '),
);
