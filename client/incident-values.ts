// Generated from the contract by tools/generate/client.ts.

export const incidentStates = ['new', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled', 'reopened'] as const;

export const priorities = ['P1', 'P2', 'P3', 'P4'] as const;

export const eventTypes = ['incident.created', 'incident.updated', 'incident.resolved', 'incident.priority_changed', 'change.submitted', 'change.approved', 'change.rejected', 'request.submitted', 'request.approved', 'sla.breach_warning', 'sla.breached', 'ci.discovered', 'incident.acknowledged', 'incident.escalated'] as const;

/** The states that may follow each state. */
export const incidentTransitions = {
  new: ['in_progress', 'cancelled'],
  in_progress: ['on_hold', 'resolved'],
  on_hold: ['in_progress'],
  resolved: ['closed', 'reopened'],
  closed: [],
  cancelled: [],
  reopened: ['in_progress'],
} as const satisfies Record<(typeof incidentStates)[number], readonly string[]>;

/** The fields that callers may set. */
export const incidentFields = ['short_description', 'priority', 'state', 'description', 'category', 'subcategory', 'impact', 'urgency', 'assignment_group', 'assigned_to', 'ci_id', 'parent_problem_id', 'change_id', 'resolution'] as const;
