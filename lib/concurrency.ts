// Limits the concurrent executions of workers, so that the account's quota leaves some for requests. SQS starts at least
// two workers per queue, so a new account with a quota of 10 has none left while all queues are busy; docs/deploy.md names the quota to request.

const minWorkers = 2;

/** A share of the account's concurrent executions, at least the minimum of SQS and at most `maxWorkers`. */
export function limitWorkers(accountConcurrency: number, share: number, maxWorkers: number): number {
  return Math.max(minWorkers, Math.min(maxWorkers, Math.floor(accountConcurrency * share)));
}
