/** Each capability is a folder in lambdas/, a tag in the API reference and a log group. */
export const capabilities = {
  health: 'Health check.',
  identity: 'Callers, roles, API keys and the audit log.',
  incidents: 'Incidents with work notes, history and SLAs.',
  knowledge: 'Knowledge base articles.',
  cmdb: 'Configuration items and their dependencies.',
  changes: 'Change requests with approval and calendar.',
  requests: 'Service requests with approval.',
  jobs: 'Bulk operations.',
  events: 'Event feed, in order and without gaps.',
  webhooks: 'Outbound and inbound webhooks.',
  ai: 'Answers, analyses, similar incidents and suggestions.',
  notifications: 'Notifications for users.',
} as const;

export type Capability = keyof typeof capabilities;
