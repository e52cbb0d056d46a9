// Seeded rounds of random writes, each ended by kill -9 at a random moment, against receivers of which one fails at
// random. More rounds: CRASH_ROUNDS=200 CRASH_SEED=… npm run jest -- webhook-crash
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expectEveryChange, type FeedEvent, readCommitted, readFeed } from '../support/committed.ts';
import { type Api, getApi } from '../support/incidents.ts';
import { type Random, random } from '../support/random.ts';
import { aReceiver, aWebhook, type Receiver } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 4);
const seed = Number(process.env.CRASH_SEED ?? 20261115);

/** Writers at once, and the longest that a round may write. */
const writers = 4;
const maxRoundMs = 500;

let service: Service;
let steady: Receiver;
let shaky: Receiver;
const dice = random(seed);

beforeAll(async () => {
  steady = await aReceiver();
  const responses = random(seed + 1);
  shaky = await aReceiver(() => (responses.next() < 0.3 ? 500 : 200));
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([steady?.stop(), shaky?.stop()]);
});

describe(`kill -9 in ${rounds} rounds with the seed ${seed}`, () => {
  it(
    'loses no event, numbers them without gaps and delivers them to every webhook',
    async () => {
      service = await startService();
      await createWebhooks(await getApi(service, 'manager'));
      let warmRounds = 0;
      for (let round = 0; round < rounds; round++) {
        const writing = new AbortController();
        const api = await getApi(service, 'agent');
        const warm = new AbortController();
        const work = Array.from({ length: writers }, () => write(api, dice, writing.signal, warm));
        // Most rounds begin when the functions are warm, or little would be written; the others end in the cold start.
        if (dice.next() < 0.8) {
          await once(warm.signal, 'abort');
          warmRounds += 1;
        }
        await pause(dice.below(maxRoundMs));
        await service.kill();
        writing.abort();
        await Promise.all(work);
        service = await startService({ dataFolder: service.dataFolder });
      }
      // Messages in flight come back, lost ones are sent again, and the last of the five attempts is made.
      await service.advance('90m', ['redrive-deliveries']);
      const manager = await getApi(service, 'manager');
      const [events, records] = [await readFeed(manager), await readCommitted(manager)];
      expect(records.length).toBeGreaterThanOrEqual(Math.max(1, warmRounds));
      expectEveryChange(events, records);
      expectDelivered(events);
    },
    60_000 + rounds * 20_000,
  );
});

const everything = ['incident.created', 'incident.updated', 'incident.resolved', 'incident.priority_changed'];

async function createWebhooks(api: Api): Promise<void> {
  await aWebhook(api, steady, { events: everything });
  const urgent = [{ field: 'incident.priority', operator: 'in', value: ['P1', 'P2'] }];
  await aWebhook(api, shaky, { events: everything, filters: urgent, sign_payloads: true });
}

const priorities = ['P1', 'P2', 'P3', 'P4'];
const next: Record<string, string[]> = {
  new: ['in_progress', 'cancelled'],
  in_progress: ['resolved', 'on_hold'],
  on_hold: ['in_progress'],
  resolved: ['closed', 'reopened'],
  reopened: ['in_progress'],
};
const known: { id: string; state: string }[] = [];

/** One request after the other until the server is gone. */
async function write(
  api: Api,
  { pick, next: chance }: Random,
  signal: AbortSignal,
  warm: AbortController,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const body = { short_description: 'A write among many', priority: pick(priorities) };
      const old = known.length > 5 && chance() < 0.6 ? pick(known) : undefined;
      if (!old) {
        const { status, body: made } = await api.post('/incidents', body);
        if (status === 201) known.push({ id: made.id, state: 'new' });
        if (status === 201) warm.abort();
      } else if (chance() < 0.5) {
        await api.patch(`/incidents/${old.id}`, { priority: body.priority, category: pick(['mail', 'network']) });
      } else {
        const { status, body: changed } = await api.patch(`/incidents/${old.id}`, {
          state: pick(next[old.state] ?? ['new']),
        });
        if (status === 200) old.state = changed.state;
      }
    } catch {
      // The server is gone, or about to be.
      await pause(1);
    }
  }
}

function expectDelivered(events: readonly FeedEvent[]): void {
  const got = ({ received }: Receiver) => new Set(received.map(({ headers }) => headers['webhook-id']));
  const missed = (receiver: Receiver, some: readonly FeedEvent[]) => {
    const ids = got(receiver);
    return some.filter(({ id }) => !ids.has(id)).map(({ id, event }) => `${id} ${event}`);
  };
  expect(missed(steady, events)).toEqual([]);
  const urgent = events.filter(({ data }) => data.priority === 'P1' || data.priority === 'P2');
  expect(missed(shaky, urgent)).toEqual([]);
  expect(got(shaky).size).toBe(urgent.length);
  const sent = steady.received.length + shaky.received.length;
  console.log(`${events.length} events, ${sent} requests, ${rounds} rounds, seed ${seed}`);
}
