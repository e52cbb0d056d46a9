/** The parts of the service: a folder each in lambdas/, a tag in the documentation, a log group. */
export const capabilities = {
  health: 'Whether the service works.',
  identity: 'Who calls, and what they may do.',
  incidents: 'Incidents, their work notes, their history and their service levels.',
  knowledge: 'Articles that help to solve incidents.',
  cmdb: 'Configuration items, and what depends on what.',
  changes: 'Changes to what runs: planned, approved, carried out.',
  requests: 'What people ask for, and whether they get it.',
  jobs: 'Work on many records at once.',
  events: 'What happened, in order and without gaps.',
  webhooks: 'Telling other systems what happens, and being told by them.',
  ai: 'Answers, analyses, similar cases and suggestions from what the service knows.',
  notifications: 'What the service has to tell people.',
} as const;

export type Capability = keyof typeof capabilities;
