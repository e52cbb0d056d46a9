import type { SQSEvent } from 'aws-lambda';
import type { Write } from '../../../../lambdas/records/write-items.ts';
import { attemptDeliveries, type WorkerTools } from '../../../../lambdas/webhooks/outbound/attempt-deliveries.ts';
import { applyAttempt, type Delivery } from '../../../../lambdas/webhooks/outbound/delivery.ts';
import { createDeliveryLimiter } from '../../../../lambdas/webhooks/outbound/delivery-limiter.ts';
import { assignQueues } from '../../../../lambdas/webhooks/outbound/delivery-queue.ts';
import { redriveDeliveries } from '../../../../lambdas/webhooks/outbound/manage-deliveries.ts';
import type { PostResult } from '../../../../lambdas/webhooks/outbound/receiver.ts';
import { createSlowReceiverWatch } from '../../../../lambdas/webhooks/outbound/slow-receivers.ts';
import type { OutboundRecord } from '../../../../lambdas/webhooks/outbound/webhook.ts';
import { createOutboundWebhookList } from '../../../../lambdas/webhooks/outbound/webhook-list.ts';
import { hideMetrics } from '../../../support/captured-lines.ts';
import { memoryItems } from '../../events/memory-items.ts';
import { aDelivery, aWebhookRecord, startMs } from './a-delivery.ts';

hideMetrics();

/** A valid id, because messages are validated. */
const webhookId = `wh_out_${'0'.repeat(26)}`;
const ok: PostResult = { kind: 'responded', status: 200, text: 'ok', retryAfter: undefined };
const down: PostResult = { kind: 'responded', status: 503, text: '', retryAfter: undefined };

let nowMs: number;
let stored: Map<string, Delivery>;
let webhook: OutboundRecord | undefined;
let answers: PostResult[];
let did: string[];

beforeEach(() => {
  nowMs = startMs;
  stored = new Map();
  webhook = aWebhookRecord({}, webhookId);
  answers = [];
  did = [];
});

const known = (fields: Partial<Delivery> = {}): Delivery => {
  const delivery = aDelivery({ webhook_id: webhookId, ...fields });
  stored.set(delivery.id, delivery);
  return delivery;
};

function tools(): WorkerTools {
  return {
    deliveries: {
      find: async ({ deliveryId }) => stored.get(deliveryId),
      async record(before, after) {
        const current = stored.get(before.id);
        if (current?.status !== before.status || current.attempts.length !== before.attempts.length) return false;
        stored.set(after.id, after);
        did.push(`stored ${after.status}`);
        return true;
      },
    },
    findWebhook: async () => webhook,
    post: async () => {
      did.push('posted');
      return answers.shift() ?? ok;
    },
    watch: (_id, answer) => answer,
    box: { open: async (_id, sealed) => sealed },
    alert: async () => void did.push('alerted'),
    disable: async () => void did.push('disabled'),
    limit: createDeliveryLimiter(),
    scheduleRetry: async ({ attempts }) => void did.push(`scheduled ${attempts.length + 1}`),
    clock: { now: () => nowMs },
    log: () => {},
    version: '0',
  };
}

interface Sent {
  receives?: number;
  how?: 'fresh' | 'known';
  /** The number in the message of a retry. */
  attempt?: number;
}

const batch = (delivery: Delivery, { receives = 1, how = 'fresh', attempt }: Sent = {}): SQSEvent => {
  const { webhook_id, id } = delivery;
  const body = how === 'fresh' ? { fresh: delivery } : { known: { webhook_id, id }, attempt };
  const record = {
    messageId: 'm1',
    body: JSON.stringify(body),
    attributes: { ApproximateReceiveCount: String(receives) },
  };
  return { Records: [record] } as unknown as SQSEvent;
};

describe('first attempts', () => {
  it('schedule no retry when they succeed', async () => {
    expect(await attemptDeliveries(batch(known()), tools())).toEqual({ batchItemFailures: [] });
    expect(did).toEqual(['posted', 'stored delivered']);
  });

  it('schedule a retry after a failure is stored', async () => {
    answers = [down];
    await attemptDeliveries(batch(known()), tools());
    expect(did).toEqual(['posted', 'stored retrying', 'scheduled 2']);
  });

  it('are not repeated for a duplicate message', async () => {
    const delivery = known();
    stored.set(delivery.id, { ...delivery, status: 'delivered' });
    await attemptDeliveries(batch(delivery, { receives: 2 }), tools());
    expect(did).toEqual([]);
  });

  it('schedule the retry when the message returns after a crash', async () => {
    const delivery = known();
    stored.set(delivery.id, failedOnce(delivery));
    await attemptDeliveries(batch(delivery, { receives: 2 }), tools());
    expect(did).toEqual(['scheduled 2']);
  });

  it('schedule no second retry for another message', async () => {
    const delivery = known();
    stored.set(delivery.id, failedOnce(delivery));
    await attemptDeliveries(batch(delivery, { how: 'known' }), tools());
    expect(did).toEqual([]);
  });

  it('are skipped for a deactivated or deleted webhook', async () => {
    webhook = aWebhookRecord({ active: false }, webhookId);
    await attemptDeliveries(batch(known()), tools());
    stored.clear();
    webhook = { ...aWebhookRecord({}, webhookId), deleted: true };
    await attemptDeliveries(batch(known()), tools());
    stored.clear();
    webhook = undefined;
    await attemptDeliveries(batch(known()), tools());
    expect(did).toEqual(['stored cancelled', 'stored cancelled', 'stored cancelled']);
  });

  it('send pings to an inactive webhook without alerts', async () => {
    webhook = aWebhookRecord({ active: false }, webhookId);
    answers = [down];
    await attemptDeliveries(batch(known({ event: 'ping' })), tools());
    expect(did).toEqual(['posted', 'stored failed']);
  });

  it('disable a webhook after 410 Gone, and notify its owner', async () => {
    answers = [{ kind: 'responded', status: 410, text: '', retryAfter: undefined }];
    await attemptDeliveries(batch(known()), tools());
    expect(did).toEqual(['posted', 'disabled', 'alerted', 'stored failed']);
  });

  it('return only messages that failed because of the service', async () => {
    const [bad, good] = [known({ id: `dlv_${'1'.repeat(26)}` }), known({ id: `dlv_${'2'.repeat(26)}` })];
    const both = { Records: [batch(bad).Records[0]!, { ...batch(good).Records[0]!, messageId: 'm2' }] };
    const base = tools();
    const deliveries = {
      ...base.deliveries,
      record: async (before: Delivery, after: Delivery, now: number) => {
        if (before.id === bad.id) throw new Error('no storage');
        return base.deliveries.record(before, after, now);
      },
    };
    const answer = await attemptDeliveries(both, { ...base, deliveries });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(stored.get(good.id)!.status).toBe('delivered');
  });
});

const failedOnce = (delivery: Delivery): Delivery =>
  applyAttempt(delivery, {
    at: new Date(startMs).toISOString(),
    status: 503,
    duration_ms: 0,
    error: 'no',
    response: '',
    retryAfterSeconds: null,
  });

describe('later attempts', () => {
  const retry = async (attempt: number) => {
    const [delivery] = stored.values();
    await attemptDeliveries(batch(delivery!, { how: 'known', attempt }), tools());
  };

  beforeEach(() => {
    const delivery = known();
    stored.set(delivery.id, failedOnce(delivery));
    nowMs += 30_000;
  });

  it('schedule the next attempt at its due time', async () => {
    answers = [down];
    await retry(2);
    expect(did).toEqual(['posted', 'stored retrying', 'scheduled 3']);
    const [{ next_attempt_at } = { next_attempt_at: null }] = stored.values();
    expect(Date.parse(next_attempt_at!)).toBe(nowMs + 120_000);
  });

  it('end with a success', async () => {
    await retry(2);
    expect(did).toEqual(['posted', 'stored delivered']);
  });

  it('are made once for duplicate messages', async () => {
    answers = [down];
    await retry(2);
    await retry(2);
    expect(did).toEqual(['posted', 'stored retrying', 'scheduled 3']);
  });

  it('are scheduled again when their message arrives early', async () => {
    nowMs -= 2_000;
    await retry(2);
    expect(did).toEqual(['scheduled 2']);
  });

  it('alert the owner before the failure is stored, so that a crash does not hide it', async () => {
    for (let attempt = 2; attempt <= 5; attempt++) {
      answers = [down];
      await retry(attempt);
      nowMs += 30 * 60_000;
    }
    expect(did.slice(-3)).toEqual(['posted', 'alerted', 'stored failed']);
  });
});

describe('the redrive', () => {
  const redriven = async (...deliveries: Delivery[]) => {
    const items = deliveries.map(({ id }) => ({ pk: { S: `${webhookId}#0` }, sk: { S: `delivery#${id}` } }));
    const readPages = async function* () {
      yield items;
    };
    await redriveDeliveries({
      deliveries: {
        due: () => [readPages()],
        find: async ({ deliveryId }) => stored.get(deliveryId),
        postpone: async () => void did.push('postponed'),
      },
      queue: { send: async (queue, [message]) => void did.push(`${queue} ${Object.entries(message!)[1]}`) },
      clock: { now: () => nowMs },
      log: () => {},
    });
  };

  it('resends the message of a delivery that was never attempted, by id', async () => {
    await redriven(known());
    expect(did).toEqual(['slow attempt,1', 'postponed']);
  });

  it('resends the message of an overdue retry', async () => {
    const delivery = known(failedOnce(known()));
    await redriven(delivery);
    expect(did).toEqual(['slow attempt,2', 'postponed']);
  });

  it('ignores finished deliveries', async () => {
    await redriven(known({ status: 'delivered' }), known({ id: 'other', status: 'cancelled' }));
    expect(did).toEqual([]);
  });
});

describe('assignQueues', () => {
  const many = (webhook_id: string, count: number) => Array.from({ length: count }, () => aDelivery({ webhook_id }));
  const count = (queued: readonly { webhook_id: string }[], id: string) =>
    queued.filter(({ webhook_id }) => webhook_id === id).length;

  it('separate slow receivers and floods from other deliveries', () => {
    const all = [...many('slow', 3), ...many('flooded', 230), ...many('calm', 5)];
    const { quick, slow } = assignQueues(all, new Set(['slow']));
    const counts = ['slow', 'flooded', 'calm'].map((id) => [count(quick, id), count(slow, id)]);
    expect(counts).toEqual([
      [0, 3],
      [200, 30],
      [5, 0],
    ]);
  });
});

describe('a slow receiver', () => {
  let nowMs = startMs;
  const clock = { now: () => nowMs };
  const ignore = () => {};

  it('is marked while it is slow, and counts as slow for a minute', async () => {
    const items = memoryItems();
    const watch = createSlowReceiverWatch(items, clock, ignore, 1);
    // The receiver responds when the watch writes its mark.
    const slow = new Promise<string>((resolve) => {
      items.before = () => void resolve('at last');
    });
    expect(await watch('wh_out_1', slow)).toBe('at last');
    const list = createOutboundWebhookList(items);
    expect(await list.all()).toEqual([]);
    expect(await list.withSlow(nowMs + 59_999)).toEqual({ webhooks: [], slow: new Set(['wh_out_1']) });
    expect((await list.withSlow(nowMs + 60_000)).slow).toEqual(new Set());
  });

  it('is marked again only after an interval, and failures are ignored', async () => {
    const items = memoryItems();
    const logged: string[] = [];
    const watch = createSlowReceiverWatch(items, clock, (_level, message) => void logged.push(message), 1);
    const answered = (seen: (writes: readonly Write[]) => undefined) =>
      watch(
        'wh_out_1',
        new Promise<void>((resolve) => {
          items.before = (writes) => {
            resolve();
            return seen(writes);
          };
        }),
      );
    await answered(() => {
      throw new Error('no storage');
    });
    expect(logged).toEqual(['failed to mark a slow receiver']);
    await answered(() => undefined);
    expect(items.transactions).toBe(2);
    nowMs += 15_000;
    await answered(() => undefined);
    expect(items.transactions).toBe(3);
  });
});
