// Seeded rounds: incidents page and people answer while the server is killed. Every due message is sent, nothing is sent after
// an answer was acknowledged, and what is sent twice has the same id. More rounds: npm run test:crash -- --rounds 20
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, getApi } from '../support/incidents.ts';
import { readOutbox } from '../support/outbox.ts';
import { aPagingGroup, aPolicy, listPages, toPerson } from '../support/paging.ts';
import { createPerson } from '../support/people.ts';
import { random } from '../support/random.ts';
import { type Service, startService } from '../support/service.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 2);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const dice = random(seed);

/** The outbox has at most 1,000 messages, and each incident may send four. */
const maxIncidents = Math.floor(200 / rounds);
const maxWritingMs = 1_500;
const [ada, grace] = ['ada.crash@example.com', 'grace.crash@example.com'];

let service: Service;
afterAll(() => service?.stop());

interface Known {
  created: string[];
  /** The time of the service when it had confirmed the acknowledgement. */
  answered: Map<string, string>;
}

describe(`${rounds} crashes with pages in flight and the seed ${seed}`, () => {
  it(
    'lose no message, send none after an answer, and mark repetitions with the same id',
    async () => {
      service = await startService();
      for (const email of [ada, grace]) await createPerson(service, email, 'itsm_agent');
      const manager = await getApi(service, 'manager');
      const group = await aPagingGroup(manager, await aPolicy(manager, [[toPerson(ada)], [toPerson(grace)]]));
      const known: Known = { created: [], answered: new Map() };
      for (let round = 0; round < rounds; round++) {
        await crash(group, known);
        service = await startService({ dataFolder: service.dataFolder });
        process.stderr.write(`round ${round + 1}: ${known.created.length} pages, ${known.answered.size} answers\n`);
      }
      // Messages in flight become visible again, and the sweep finds lost ones.
      await service.advance('40m', ['sweep-pages']);
      await expectMessages(await getApi(service, 'manager'), known);
    },
    120_000 + rounds * 30_000,
  );
});

async function crash(group: string, { created, answered }: Known): Promise<void> {
  const writing = new AbortController();
  const agent = await getApi(service, 'agent');
  const before = created.length;
  const work = Array.from({ length: 4 }, async () => {
    while (!writing.signal.aborted && created.length - before < maxIncidents) {
      try {
        const fields = { short_description: 'A page in flight', priority: 'P1', assignment_group: group };
        const { status, body } = await agent.post('/incidents', fields);
        if (status !== 201) await pause(20);
        else created.push(body.id);
        const id = created.at(-1 - dice.below(5));
        if (id && dice.next() < 0.3 && !answered.has(id)) await answer(agent, id, answered);
      } catch {
        // The server is gone.
        await pause(5);
      }
    }
  });
  for (let waits = 0; created.length - before < 5 && waits < 300; waits++) await pause(50);
  await pause(dice.below(maxWritingMs));
  await service.kill();
  writing.abort();
  await Promise.all(work);
}

async function answer(agent: Api, id: string, answered: Known['answered']): Promise<void> {
  const { status, headers } = await agent.post(`/incidents/${id}/acknowledge`, undefined);
  if (status === 200) answered.set(id, new Date(headers.get('date') ?? '').toISOString());
}

/** The header `date` has seconds, and a provider may accept a message at the moment of the answer. */
const toleranceMs = 2_000;

async function expectMessages(manager: Api, { created, answered }: Known): Promise<void> {
  const sent = [...(await readOutbox(service, ada)), ...(await readOutbox(service, grace))];
  const counts = new Map<string, number>();
  for (const { headers } of sent) {
    const id = headers['X-Message-Id'] ?? 'none';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  expect(counts.has('none')).toBe(false);
  for (const count of counts.values()) expect(count).toBeLessThanOrEqual(1 + rounds);
  for (const [place, id] of created.entries()) {
    // The rate limit starts over.
    if (place % 50 === 0) await service.advance('1m', []);
    const [page] = await listPages(manager, id);
    const about = sent.filter(({ text }) => text.includes(id));
    const answeredAt = answered.get(id);
    if (page.state !== 'acknowledged') {
      // Nobody answered, so both steps were due.
      expect({ id, state: page.state, to: [...new Set(about.map(({ to }) => to))].sort() }).toEqual({
        id,
        state: 'exhausted',
        to: [ada, grace],
      });
    }
    if (answeredAt !== undefined) {
      expect(page.state).toBe('acknowledged');
      const late = about.filter(({ at }) => Date.parse(at) > Date.parse(answeredAt) + toleranceMs);
      expect({ id, answeredAt, late }).toEqual({ id, answeredAt, late: [] });
    }
  }
}
