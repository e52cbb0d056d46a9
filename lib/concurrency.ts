// How many executions workers may take from the account's quota, so that requests find some left. SQS starts at least two
// workers per queue, so a new account with a quota of 10 keeps two for requests; docs/deploy.md names the quota to request.

const minWorkers = 2;

/** A share of the account's concurrent executions, within what AWS and the service need. */
export function limitWorkers(accountConcurrency: number, share: number, maxWorkers: number): number {
  return Math.max(minWorkers, Math.min(maxWorkers, Math.floor(accountConcurrency * share)));
}
