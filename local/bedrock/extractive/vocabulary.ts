// The words of a service desk, in one table: what people call the kinds of records, the values of fields and what they
// want to see. Names of fields, their values and the names of groups, people and items come from the schemas of the tools.

/** The kind of record by the last part of a tool's name. */
export const kinds: Readonly<Record<string, readonly string[]>> = {
  incidents: ['incident', 'ticket', 'outage', 'problem', 'issue', 'case', 'fault'],
  changes: ['change', 'maintenance', 'release', 'deployment', 'approval'],
  requests: ['request', 'service request', 'order'],
  configuration_items: ['configuration item', 'ci', 'cis', 'asset', 'server', 'machine', 'device', 'system', 'host'],
  knowledge: ['article', 'knowledge', 'guide', 'documentation', 'manual', 'runbook'],
};

export type Meaning = Readonly<Record<string, unknown>>;

/** `open` stands for every state that is not final; a meaning counts only where the tool has the field. */
export const synonyms: readonly [meaning: Meaning, ...phrases: string[]][] = [
  [
    { state: 'open' },
    'open',
    'active',
    'unresolved',
    'ongoing',
    'outstanding',
    'backlog',
    'still open',
    'current',
    'to do',
  ],
  [{ state: ['resolved'] }, 'solved', 'fixed'],
  [
    { state: ['submitted'] },
    'waiting for approval',
    'waiting for my approval',
    'pending approval',
    'awaiting approval',
    'need approval',
    'needs approval',
    'to approve',
    'should i approve',
    'can i approve',
    'approvals waiting',
    'waiting',
    'pending',
  ],
  [{ state: ['implementing'] }, 'being implemented', 'under way', 'in implementation'],
  [{ state: ['completed'] }, 'done', 'finished'],
  [{ state: ['on_hold'] }, 'paused', 'parked'],
  [{ state: ['in_progress'] }, 'being worked on'],
  [{ state: ['cancelled'] }, 'canceled', 'called off'],
  [{ priority: ['P1'] }, 'critical', 'highest priority', 'top priority', 'sev1', 'sev 1', 'major'],
  [{ priority: ['P1', 'P2'] }, 'high priority', 'urgent', 'important'],
  [{ priority: ['P4'] }, 'low priority', 'lowest priority', 'minor'],
  [
    { sla: 'breached' },
    'breached',
    'overdue',
    'late',
    'past due',
    'past their deadline',
    'past the deadline',
    'violated',
    'missed their sla',
    'missed the sla',
    'missed sla',
    'out of sla',
    'sla breach',
    'sla breaches',
    'too late',
  ],
  [
    { sla: 'at_risk' },
    'at risk',
    'about to breach',
    'close to breach',
    'close to breaching',
    'nearly due',
    'risk of missing',
    'going to breach',
    'soon to breach',
  ],
  [
    { assigned_to: null },
    'unassigned',
    'nobody is working on',
    'nobody works on',
    'no one is working on',
    'assigned to nobody',
    'assigned to no one',
    'not assigned',
    'without an assignee',
    'without assignee',
    'no assignee',
    'no owner',
  ],
  [{ assignment_group: null }, 'without a group', 'without group', 'no group', 'without a team', 'no team'],
  [{ category: null }, 'without a category', 'no category', 'uncategorized', 'uncategorised'],
  [{ assignment_group: 'my_team' }, 'my team', 'my teams', 'our team', 'our teams', 'my group', 'our group', 'our'],
  [
    { me: true },
    'assigned to me',
    'my own',
    'mine',
    'my',
    'i have',
    'do i have',
    'am i',
    'i am working on',
    'i requested',
    'i raised',
    'i opened',
    'for me',
    'me',
  ],
  [{ status: ['down'] }, 'offline', 'broken', 'not working', 'failed'],
  [{ environment: 'production' }, 'in production', 'prod'],
  [{ type: ['emergency'] }, 'urgent changes'],
  [
    { sort: 'priority', order: 'asc' },
    'most urgent first',
    'by urgency',
    'sorted by priority',
    'sort by priority',
    'ordered by priority',
    'highest priority first',
  ],
  [{ sort: 'updated_at' }, 'recently updated', 'recently changed', 'last updated', 'latest updates'],
  [{ order: 'asc' }, 'oldest', 'longest open', 'longest waiting', 'oldest first'],
  [{ order: 'desc' }, 'newest', 'latest', 'most recent', 'recent', 'newest first', 'last'],
  [{ planned: 'ahead' }, 'upcoming', 'planned', 'scheduled', 'coming'],
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
    'per sort level risk type category class owner updated ago old missing their'
  ).split(' '),
);
