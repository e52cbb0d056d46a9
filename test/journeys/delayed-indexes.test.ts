import { alert, aWebhook, send } from '../support/inbound-webhooks.ts';
import { type Api, anIncident, getApi } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';
import { type Service, startService } from '../support/service.ts';

// DynamoDB updates global indexes and streams after it acknowledges a write. Here they are late by a set time of the
// service's clock, which is held, so that nothing depends on the speed of the machine.

let service: Service;
let agent: Api;
let manager: Api;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  await connect();
});
beforeEach(() => service.hold(true));
afterEach(async () => {
  await faults('DELETE');
  await service.hold(false);
});
afterAll(() => service.stop());

async function connect(): Promise<void> {
  agent = await getApi(service, 'agent');
  manager = await getApi(service, 'manager');
  admin = await getApi(service, 'admin');
}

async function faults(method: 'POST' | 'DELETE', body?: object) {
  const headers = { 'content-type': 'application/json' };
  const init = body ? { method, headers, body: JSON.stringify(body) } : { method };
  const response = await fetch(`${service.baseUrl}/_local/faults`, init);
  return { status: response.status, body: (await response.json()) as object };
}

const delay = async (seconds: number) =>
  expect((await faults('POST', { service: 'dynamodb', delay_ms: seconds * 1000 })).status).toBe(200);

const count = async (query: string) => (await agent.get(`/incidents?${query}`)).body.total;

async function listEvents(id: string): Promise<string[]> {
  const { body } = await admin.get(`/events?record_id=${id}&type=sla.breach_warning,sla.breached`);
  return body.data.map(({ event }: { event: string }) => event);
}

describe('with delayed indexes and streams', () => {
  it.each([1, 10, 100])('returns a record by id immediately, and in lists after a delay of %d s', async (seconds) => {
    const category = `late by ${seconds}`;
    await delay(seconds);
    expect(await count(`category=${category}`)).toBe(0);
    const { id } = (await anIncident(agent, { category })).body;
    expect((await agent.get(`/incidents/${id}`)).status).toBe(200);
    expect(await count(`category=${category}`)).toBe(0);
    await service.advance(`${seconds}s`);
    expect(await count(`category=${category}`)).toBe(1);
  });

  it('keeps every update, and never lists a record twice or permanently in an old state', async () => {
    const { id } = (await anIncident(agent, { category: 'updates' })).body;
    expect(await count('category=updates&state=new')).toBe(1);
    await delay(5);
    await Promise.all([
      agent.patch(`/incidents/${id}`, { subcategory: 'kept' }),
      agent.patch(`/incidents/${id}`, { description: 'kept, too' }),
      agent.patch(`/incidents/${id}`, { state: 'in_progress' }),
    ]);
    const expected = { subcategory: 'kept', description: 'kept, too', state: 'in_progress' };
    expect((await agent.get(`/incidents/${id}`)).body).toMatchObject(expected);
    // The list is as old as the index, and complete.
    expect(await count('category=updates')).toBe(1);
    await service.advance('5s');
    expect([await count('category=updates&state=new'), await count('category=updates')]).toEqual([0, 1]);
    expect((await agent.get(`/incidents/${id}/history`)).body.total).toBe(4);
    expect((await manager.delete(`/incidents/${id}`)).status).toBe(204);
    expect((await agent.get(`/incidents/${id}`)).status).toBe(404);
    await service.advance('5s');
    expect(await count('category=updates')).toBe(0);
  });

  it('creates records once: idempotency keys, deduplication keys and discovered names need no index', async () => {
    await delay(300);
    const key = { 'idempotency-key': 'late-index' };
    const [first, second] = [0, 1].map(() => agent.post('/incidents', { short_description: 'Once' }, key));
    expect((await first)?.body.id).toBe((await second)?.body.id);

    const { id } = (await aWebhook(manager, { dedup_key: '{{alert.host}}' })).body;
    const events = [await send(service, id, alert()), await send(service, id, alert({ severity: 'warning' }))];
    expect(events.map(({ body }) => body.status)).toEqual(['created', 'deduplicated']);
    expect(events[1]?.body.incident_id).toBe(events[0]?.body.incident_id);

    await service.hold(false);
    const found: (string | null)[] = [];
    for (let run = 0; run < 2; run++) {
      const records = [{ name: 'late-host', class: 'server' }];
      const { body } = await manager.post('/cmdb/cis/bulk', { operation: 'discover', records });
      const job = await waitForJob(service, manager, body.job_id);
      found.push(job.results[0].id);
    }
    expect(found[0]).toMatch(/^CI/);
    expect(found[1]).toBe(found[0]);
  });

  it('lists all records when the delay ends, and rejects an invalid delay', async () => {
    await delay(600);
    await anIncident(agent, { category: 'ended' });
    expect(await count('category=ended')).toBe(0);
    await faults('DELETE');
    expect(await count('category=ended')).toBe(1);
    for (const delay_ms of [-1, 1.5, 600_001, '5'])
      expect((await faults('POST', { service: 'dynamodb', delay_ms })).status).toBe(400);
    expect((await faults('POST', { service: 'sqs', delay_ms: 5 })).status).toBe(400);
  });

  it('records an SLA breach once, even if the index returns the incident several times', async () => {
    const { id } = (await anIncident(agent, { priority: 'P1' })).body;
    await delay(150);
    // The warning is due after three hours, the breach after four; the sweeps after each see an old index.
    await service.advanceThenRun(182, ['sweep-sla']);
    await service.advanceThenRun(60, ['sweep-sla']);
    await service.advance('8m', ['sweep-sla']);
    // Tokens expire after an hour.
    await connect();
    const { body } = await agent.get(`/incidents/${id}/history`);
    expect(body.data.filter(({ actor }: { actor: string }) => actor === 'sla')).toHaveLength(2);
    expect(await listEvents(id)).toEqual(['sla.breach_warning', 'sla.breached']);
  });

  it('loses no index entry when the service is killed', async () => {
    await delay(600);
    await anIncident(agent, { category: 'killed' });
    await service.kill();
    service = await startService({ dataFolder: service.dataFolder });
    await connect();
    expect(await count('category=killed')).toBe(1);
  });
});
