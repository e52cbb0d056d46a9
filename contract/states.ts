// State machines and other enums. Free of zod, so that the browser can import them.

/** Most urgent first. Each priority has its own SLA target. */
export const priorities = ['P1', 'P2', 'P3', 'P4'] as const;

export type Priority = (typeof priorities)[number];

/** The states that may follow each state. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

export const incidentStates = ['new', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled', 'reopened'] as const;

export type IncidentState = (typeof incidentStates)[number];

export const incidentTransitions: Transitions<IncidentState> = {
  new: ['in_progress', 'cancelled'],
  in_progress: ['on_hold', 'resolved'],
  on_hold: ['in_progress'],
  resolved: ['closed', 'reopened'],
  closed: [],
  cancelled: [],
  reopened: ['in_progress'],
};

/** States of incidents that still need work. */
export const openIncidentStates: readonly IncidentState[] = ['new', 'in_progress', 'on_hold', 'reopened'];

export const changeStates = [
  'draft',
  'submitted',
  'approved',
  'rejected',
  'implementing',
  'completed',
  'cancelled',
] as const;

export type ChangeState = (typeof changeStates)[number];

/** A change can be cancelled until its implementation starts. */
export const changeTransitions: Transitions<ChangeState> = {
  draft: ['submitted', 'cancelled'],
  submitted: ['approved', 'rejected', 'cancelled'],
  approved: ['implementing', 'cancelled'],
  rejected: [],
  implementing: ['completed'],
  completed: [],
  cancelled: [],
};

export const requestStates = ['submitted', 'approved', 'rejected', 'fulfilled', 'cancelled'] as const;

export type RequestState = (typeof requestStates)[number];

/** A request can be cancelled until it is fulfilled. */
export const requestTransitions: Transitions<RequestState> = {
  submitted: ['approved', 'rejected', 'cancelled'],
  approved: ['fulfilled', 'cancelled'],
  rejected: [],
  fulfilled: [],
  cancelled: [],
};

export const problemStates = [
  'new',
  'assessed',
  'root_cause_known',
  'fix_in_progress',
  'resolved',
  'closed',
  'cancelled',
] as const;

export type ProblemState = (typeof problemStates)[number];

/** A problem can be resolved without a fix, and taken up again until it is closed. */
export const problemTransitions: Transitions<ProblemState> = {
  new: ['assessed', 'cancelled'],
  assessed: ['root_cause_known', 'fix_in_progress', 'resolved', 'cancelled'],
  root_cause_known: ['fix_in_progress', 'resolved', 'cancelled'],
  fix_in_progress: ['resolved', 'root_cause_known'],
  resolved: ['closed', 'fix_in_progress'],
  closed: [],
  cancelled: [],
};

/** States of problems that still need work. */
export const openProblemStates: readonly ProblemState[] = ['new', 'assessed', 'root_cause_known', 'fix_in_progress'];

export const linkTypes = ['duplicate_of', 'caused_by', 'related_to'] as const;

export type LinkType = (typeof linkTypes)[number];

/** The names that the other record gives to a link. */
export const linkInverses = {
  duplicate_of: 'duplicated_by',
  caused_by: 'causes',
  related_to: 'related_to',
} as const satisfies Record<LinkType, string>;

export type LinkSide = LinkType | (typeof linkInverses)[LinkType];

export const linkedKinds = ['incident', 'problem', 'change'] as const;

export type LinkedKind = (typeof linkedKinds)[number];

/** Changes of records that somebody else approves. */
export const proposableOperations = ['createIncident', 'updateIncident', 'createCi', 'updateCi'] as const;

export type ProposableOperation = (typeof proposableOperations)[number];

export const proposalStates = ['pending', 'approved', 'rejected', 'applied', 'failed'] as const;

export type ProposalState = (typeof proposalStates)[number];

/** An approved proposal is applied at once; it stays `approved` only if the service stopped in between. */
export const proposalTransitions: Transitions<ProposalState> = {
  pending: ['approved', 'rejected'],
  approved: ['applied', 'failed'],
  rejected: [],
  applied: [],
  failed: [],
};

/** Fields that cannot be changed after approval (docs/decisions/0024-approvals.md). */
export const approvedChangeFields = ['type', 'risk', 'planned_start', 'planned_end', 'ci_ids'] as const;

export const approvedRequestFields = ['item', 'quantity', 'requested_for'] as const;

/**
 * `held`: a change in progress explains the alert, so nobody is paged. `exhausted`: nobody acknowledged after the last
 * step. `unreachable`: no step has anybody to page. `ended`: it is no longer needed.
 */
export const pageStates = ['paging', 'acknowledged', 'ended', 'exhausted', 'unreachable', 'held'] as const;

export type PageState = (typeof pageStates)[number];

export const pageTriggers = [
  'created',
  'priority_raised',
  'reassigned',
  'reopened',
  'acknowledgement_expired',
  'manual',
] as const;

export type PageTrigger = (typeof pageTriggers)[number];

export const changeTypes = ['standard', 'normal', 'emergency'] as const;
export const changeRisks = ['low', 'medium', 'high'] as const;
export const ciStatuses = ['operational', 'degraded', 'down', 'retired'] as const;
export const articleStates = ['draft', 'published'] as const;

/** Records that can have SLA targets. */
export const slaKinds = ['incident', 'request', 'change'] as const;

export type SlaKind = (typeof slaKinds)[number];

/** States in which the work is done and the SLA clock has ended. */
export const endedStates: Readonly<Record<SlaKind, readonly string[]>> = {
  incident: ['resolved', 'closed', 'cancelled'],
  request: ['fulfilled', 'rejected', 'cancelled'],
  change: ['completed', 'rejected', 'cancelled'],
};

/** States in which a policy can pause the SLA clock. */
export const pausableStates: Readonly<Record<SlaKind, readonly string[]>> = {
  incident: incidentStates.filter((state) => !endedStates.incident.includes(state)),
  request: requestStates.filter((state) => !endedStates.request.includes(state)),
  change: changeStates.filter((state) => !endedStates.change.includes(state)),
};
