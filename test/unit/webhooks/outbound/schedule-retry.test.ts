import type { Verdict } from '../../../../lambdas/platform/rate-limit/limiter.ts';
import type { Delivery } from '../../../../lambdas/webhooks/outbound/delivery.ts';
import type { RetryExecution } from '../../../../lambdas/webhooks/outbound/retry-machine.ts';
import { createRetryScheduler } from '../../../../lambdas/webhooks/outbound/schedule-retry.ts';
import { aDelivery, startMs } from './a-delivery.ts';

const verdict: Verdict = { admitted: true, limit: 10, remaining: 0, resetAtMs: 0 };

let did: string[];
let started: RetryExecution[];
let take: () => Verdict;
let starts: () => void;

beforeEach(() => {
  did = [];
  started = [];
  take = () => verdict;
  starts = () => {};
});

const schedule = createRetryScheduler({
  queue: { send: async (queue, [message], delay) => void did.push(`${queue} ${delay} ${JSON.stringify(message)}`) },
  queueUrls: { retry: 'https://retry', slow: 'https://slow' },
  start: async (execution) => {
    starts();
    started.push(execution);
  },
  limiter: { take: async () => take() },
  clock: { now: () => startMs },
  log: (level, message) => void did.push(`${level} ${message}`),
});

const failed = (waitSeconds: number, duration_ms = 40): Delivery => {
  const attempt = { attempt: 1, at: new Date(startMs).toISOString(), status: 503, error: 'no', response: '' };
  const next_attempt_at = new Date(startMs + waitSeconds * 1_000).toISOString();
  return aDelivery({ id: 'dlv_1', status: 'retrying', attempts: [{ ...attempt, duration_ms }], next_attempt_at });
};

const message = '{"known":{"webhook_id":"wh_out_1","id":"dlv_1"},"attempt":2}';

describe('a retry', () => {
  it('waits in its queue for up to 15 minutes, so that no start rate delays it', async () => {
    await schedule(failed(30));
    await schedule(failed(900));
    expect(did).toEqual([`retry 30 ${message}`, `retry 900 ${message}`]);
    expect(started).toEqual([]);
  });

  it('waits longer in the state machine', async () => {
    await schedule(failed(901));
    const execution = { webhook_id: 'wh_out_1', delivery_id: 'dlv_1', attempt: 2, wait_seconds: 901 };
    expect(started).toEqual([{ ...execution, queue_url: 'https://retry' }]);
    expect(did).toEqual([]);
  });

  it('waits in its queue when Step Functions throttles the start', async () => {
    starts = () => {
      throw Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    };
    await schedule(failed(1_800));
    expect(did).toEqual([expect.stringMatching(/^warn failed to start a retry execution/), `retry 900 ${message}`]);
  });

  it('uses the slow queue after an attempt that took long', async () => {
    await schedule(failed(30, 10_000));
    await schedule(failed(1_800, 3_000));
    expect(did).toEqual([`slow 30 ${message}`]);
    expect(started).toMatchObject([{ queue_url: 'https://slow' }]);
  });

  it('uses the slow queue when its webhook has too many retries, or they cannot be counted', async () => {
    take = () => ({ ...verdict, admitted: false });
    await schedule(failed(30));
    take = () => {
      throw new Error('no storage');
    };
    await schedule(failed(30));
    expect(did).toEqual([
      `slow 30 ${message}`,
      'warn failed to count a retry; it uses the slow queue',
      `slow 30 ${message}`,
    ]);
  });
});
