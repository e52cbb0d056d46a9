/** The parts of the service: a folder each in lambdas/, a tag in the documentation, a log group. */
export const capabilities = {
  health: 'Whether the service works.',
  identity: 'Who calls, and what they may do.',
  incidents: 'Incidents, their work notes, their history and their service levels.',
  jobs: 'Work on many records at once.',
} as const;

export type Capability = keyof typeof capabilities;
