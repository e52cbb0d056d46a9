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
