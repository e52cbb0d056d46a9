// Generated from the contract by tools/generate/client.ts.

export const incidentStates = ['new', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled', 'reopened'] as const;

export const problemStates = ['new', 'assessed', 'root_cause_known', 'fix_in_progress', 'resolved', 'closed', 'cancelled'] as const;

export const linkTypes = ['duplicate_of', 'caused_by', 'related_to'] as const;

export const priorities = ['P1', 'P2', 'P3', 'P4'] as const;

export const eventTypes = ['incident.created', 'incident.updated', 'incident.resolved', 'incident.priority_changed', 'change.submitted', 'change.approved', 'change.rejected', 'request.submitted', 'request.approved', 'sla.breach_warning', 'sla.breached', 'ci.discovered', 'incident.acknowledged', 'incident.escalated', 'problem.created', 'problem.updated', 'problem.resolved'] as const;

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

/** The media types of files that can be attached, with their extensions. */
export const attachmentTypes = {
  'text/plain': ['txt', 'log', 'conf', 'ini', 'yaml', 'yml', 'diff', 'patch', 'sql', 'out', 'err'],
  'text/csv': ['csv'],
  'text/markdown': ['md'],
  'application/json': ['json', 'jsonl', 'har'],
  'message/rfc822': ['eml'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'video/mp4': ['mp4'],
  'video/webm': ['webm'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'application/gzip': ['gz', 'tgz'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
} as const;

/** The fields that callers may set. */
export const incidentFields = ['short_description', 'priority', 'state', 'description', 'category', 'subcategory', 'impact', 'urgency', 'assignment_group', 'assigned_to', 'ci_id', 'parent_problem_id', 'change_id', 'resolution'] as const;
