import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, countCalls, getApi, startTestService } from '../support/incidents.ts';
import { aReceiver, aWebhook, type Receiver } from '../support/receivers.ts';

let manager: Api;
let agent: Api;
let receiver: Receiver;

const { service } = await startTestService();
beforeEach(async () => {
  [manager, agent] = await Promise.all([getApi(service, 'manager'), getApi(service, 'agent')]);
  receiver = await aReceiver();
});
afterEach(() => receiver.stop());

interface Entry {
  sequence: number;
  event: string;
  version: number;
  timestamp: string;
  data: { id: string } & Record<string, unknown>;
}

/** All events of a record, after the feed has settled. */
async function listEvents(id: string): Promise<Entry[]> {
  await service.advance('0s');
  const viewer = await getApi(service, 'viewer');
  const { body } = await viewer.get('/events?limit=200');
  return body.data.filter(({ data }: Entry) => data.id === id);
}

const toNames = (entries: readonly { event: string }[]) => entries.map(({ event }) => event);

describe('events', () => {
  it('are filtered by type and record up to the end of the feed', async () => {
    const [{ body: first }, { body: second }] = await Promise.all([anIncident(agent), anIncident(agent)]);
    await agent.patch(`/incidents/${first.id}`, { priority: 'P1' });
    await service.advance('0s');
    const read = async (query: string) => (await agent.get(`/events?${query}`)).body;
    const ofFirst = await read(`record_id=${first.id}&limit=200`);
    expect(toNames(ofFirst.data)).toEqual(['incident.created', 'incident.updated', 'incident.priority_changed']);
    expect(ofFirst.next_after).toBe(ofFirst.latest);
    const typed = await read(`record_id=${first.id}&type=incident.created,incident.priority_changed`);
    expect(toNames(typed.data)).toEqual(['incident.created', 'incident.priority_changed']);
    const one = await read(`record_id=${first.id}&limit=1`);
    expect(one.data).toHaveLength(1);
    const rest = await read(`record_id=${first.id}&after=${one.next_after}`);
    expect(toNames(rest.data)).toEqual(['incident.updated', 'incident.priority_changed']);
    expect(await read(`record_id=${second.id}&type=ci.discovered`)).toMatchObject({
      data: [],
      next_after: ofFirst.latest,
    });
    const newest = await read(`record_id=${first.id}&order=desc&limit=2`);
    expect(toNames(newest.data)).toEqual(['incident.priority_changed', 'incident.updated']);
    expect(newest.next_after).toBe(ofFirst.latest);
    const last = await read(`record_id=${first.id}&order=desc&limit=2&before=${newest.next_before}`);
    expect(toNames(last.data)).toEqual(['incident.created']);
    expect(last).not.toHaveProperty('next_before');
    expectProblem(await agent.get('/events?type=incident.exploded'), 400, 'invalid_input');
    expectProblem(await agent.get('/events?order=desc&after=1'), 400, 'invalid_input', ['after', 'order']);
    expectProblem(await agent.get('/events?before=1'), 400, 'invalid_input', ['before']);
  });

  it('describe the whole life of an incident, in order and without gaps', async () => {
    const { body: incident } = await anIncident(agent, { priority: 'P3' });
    const path = `/incidents/${incident.id}`;
    await agent.patch(path, { state: 'in_progress' });
    await agent.patch(path, { priority: 'P1', category: 'mail' });
    await agent.patch(path, { state: 'resolved', resolution: 'Restarted.' });
    await manager.delete(path);
    const entries = await listEvents(incident.id);
    expect(entries.map(({ version, event }) => `${version} ${event}`)).toEqual([
      '1 incident.created',
      '2 incident.updated',
      '3 incident.updated',
      '3 incident.priority_changed',
      '4 incident.updated',
      '4 incident.resolved',
      '5 incident.updated',
    ]);
    const { body: all } = await agent.get('/events?limit=200');
    expect(all.data.map(({ sequence }: Entry) => sequence)).toEqual(all.data.map((_: Entry, at: number) => at + 1));
    expect(all).toMatchObject({ next_after: all.data.length, latest: all.data.length });
  });

  it('withhold the fields of deleted records from callers who may not read them, without gaps', async () => {
    const secret = 'Salary list was mailed to everybody';
    const { body: incident } = await anIncident(agent, { short_description: secret });
    await agent.patch(`/incidents/${incident.id}`, { description: secret, priority: 'P1' });
    const { body: request } = await agent.post('/requests', { short_description: secret });
    const { body: change } = await agent.post('/changes', { short_description: secret });
    const { body: kept } = await anIncident(agent, { short_description: 'Stays' });
    await manager.delete(`/incidents/${incident.id}`);
    await manager.delete(`/requests/${request.id}`);
    await manager.delete(`/changes/${change.id}`);
    await service.advance('0s');
    const everything = (await manager.get('/events?limit=200')).body;
    const deleted = new Set([incident.id, request.id, change.id]);
    for (const role of ['viewer', 'agent'] as const) {
      const { body } = await (await getApi(service, role)).get('/events?limit=200');
      expect(JSON.stringify(body)).not.toContain(secret);
      const expected = everything.data.map((entry: Entry) =>
        deleted.has(entry.data.id)
          ? {
              ...entry,
              data: { id: entry.data.id, url: entry.data.url, api_url: entry.data.api_url, withheld: 'record_deleted' },
            }
          : entry,
      );
      expect(body.data.filter(({ data }: Entry) => deleted.has(data.id) || data.id === kept.id)).toEqual(
        expected.filter(({ data }: Entry) => deleted.has(data.id) || data.id === kept.id),
      );
      expect(body.data.map(({ sequence }: Entry) => sequence)).toEqual(
        everything.data.map(({ sequence }: Entry) => sequence),
      );
    }
    expect(JSON.stringify(everything)).toContain(secret);
  });

  it('look up deletions in one call for a whole page, and not at all for managers', async () => {
    await anIncident(agent);
    await service.advance('2s');
    const reading = (api: Api) => countCalls(service, 'list-events', () => api.get('/events?limit=100'));
    expect(await reading(agent)).toMatchObject({ 'dynamodb.BatchGetItem': 1 });
    expect(await reading(manager)).not.toHaveProperty('dynamodb.BatchGetItem');
  });

  it('contain exactly the payload that webhooks deliver', async () => {
    await aWebhook(manager, receiver, { events: ['incident.updated'] });
    const { body: incident } = await anIncident(agent, { priority: 'P2' });
    const { body: changed } = await agent.patch(`/incidents/${incident.id}`, { category: 'mail' });
    const [request] = await receiver.until(1);
    const payload = {
      event: 'incident.updated',
      timestamp: changed.updated_at,
      service_instance: 'local',
      data: {
        id: incident.id,
        short_description: incident.short_description,
        priority: 'P2',
        state: 'new',
        url: `${service.baseUrl}/console/incidents/${incident.id}`,
        api_url: `${service.baseUrl}/prod/api/v1/incidents/${incident.id}`,
        changes: { category: { from: null, to: 'mail' } },
      },
    };
    expect(request!.body).toEqual(payload);
    const entry = (await listEvents(incident.id)).at(-1);
    expect(entry).toEqual({
      sequence: expect.any(Number),
      id: request!.headers['webhook-id'],
      version: 2,
      ...payload,
    });
    const page = await fetch(payload.data.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect((await fetch(payload.data.api_url)).status).toBe(401);
  });

  it('are delivered with every character, also those that a queue rejects', async () => {
    await aWebhook(manager, receiver, { events: ['incident.created'] });
    const short_description = 'Odd \ufffe text \uffff';
    await anIncident(agent, { short_description });
    const [request] = await receiver.until(1);
    expect(request!.body.data.short_description).toBe(short_description);
  });

  it('are not emitted without a field change', async () => {
    const { body: incident } = await anIncident(agent);
    await agent.patch(`/incidents/${incident.id}`, { priority: incident.priority });
    await agent.post(`/incidents/${incident.id}/notes`, { body: 'A note is not a field.' });
    expect(toNames(await listEvents(incident.id))).toEqual(['incident.created']);
  });

  it('can be read from any sequence number', async () => {
    await anIncident(agent);
    await anIncident(agent);
    await service.advance('0s');
    const { body: all } = await agent.get('/events?limit=200');
    const { body: some } = await agent.get(`/events?after=${all.latest - 2}&limit=1`);
    expect(some.data).toEqual([all.data.at(-2)]);
    expect(some).toMatchObject({ next_after: all.latest - 1, latest: all.latest });
    const { body: none } = await agent.get(`/events?after=${all.latest}`);
    expect(none).toEqual({ data: [], next_after: all.latest, latest: all.latest });
  });
});

describe('webhook filters', () => {
  it('select by event type, incident fields and changed fields', async () => {
    const resolved = await aReceiver();
    await aWebhook(manager, receiver, {
      events: ['incident.created', 'incident.updated'],
      filters: [{ field: 'incident.priority', operator: 'eq', value: 'P1' }],
    });
    await aWebhook(manager, resolved, {
      events: ['incident.updated'],
      filters: [
        { field: 'changes.state.to', operator: 'eq', value: 'in_progress' },
        { field: 'data.priority', operator: 'in', value: ['P1', 'P4'] },
      ],
    });
    const { body: urgent } = await anIncident(agent, { priority: 'P1' });
    const { body: calm } = await anIncident(agent, { priority: 'P3' });
    for (const { id } of [urgent, calm]) {
      await agent.patch(`/incidents/${id}`, { state: 'in_progress' });
      await agent.patch(`/incidents/${id}`, { category: 'mail' });
    }
    await service.advance('1s');
    const listReceived = (one: Receiver) => one.received.map(({ body }) => `${body.event} ${body.data.id}`);
    expect(listReceived(receiver).sort()).toEqual(
      [`incident.created ${urgent.id}`, `incident.updated ${urgent.id}`, `incident.updated ${urgent.id}`].sort(),
    );
    expect(listReceived(resolved)).toEqual([`incident.updated ${urgent.id}`]);
    await resolved.stop();
  });
});

describe('a webhook of a client', () => {
  const writes = async (api: Api) => {
    const { body } = await anIncident(api);
    const { body: job } = await api.post('/incidents/bulk', {
      operation: 'update',
      ids: [body.id],
      fields: { category: 'mail' },
    });
    expect(job.status).toBe('queued');
  };

  it('receives no changes of its own client, single or bulk, unless include_own is set', async () => {
    const { body: me } = await agent.get('/me');
    const settings = { events: ['incident.created', 'incident.updated'], client_id: me.id };
    const webhook = await aWebhook(manager, receiver, settings);
    await writes(agent);
    await service.advance('1s');
    expect(receiver.received).toHaveLength(0);
    await writes(manager);
    await receiver.until(2);
    await manager.patch(`/webhooks/outbound/${webhook.id}`, { include_own: true });
    await writes(agent);
    await receiver.until(4);
  });
});

describe('notify_stakeholders', () => {
  it('reaches the assignment group and the topic, once, from the committed write', async () => {
    const fields = { assignment_group: 'mail', short_description: 'Grüße kommen nicht an', notify_stakeholders: true };
    const { body: grouped } = await anIncident(agent, fields);
    const { body: open } = await anIncident(agent, { priority: 'P1', notify_stakeholders: true });
    const { body: quiet } = await anIncident(agent, { assignment_group: 'mail' });
    await service.advance('1s');
    const about = (id: string) => published.filter(({ subject }) => subject.includes(id));
    const published = await service.published();
    expect(about(grouped.id)).toMatchObject([{ subject: `New incident ${grouped.id} (P3)` }]);
    expect(about(grouped.id)[0]!.message).toContain(`${grouped.id} (P3, for mail): Grüße kommen nicht an`);
    expect(about(open.id)).toMatchObject([{ subject: `New incident ${open.id} (P1)` }]);
    expect(about(quiet.id)).toEqual([]);
    const { body } = await agent.get('/notifications?group=mail');
    expect(body).toMatchObject({ data: [{ incident_id: grouped.id }], total: 1 });
  });
});

describe('a webhook', () => {
  it('receives nothing while it is inactive, not even earlier deliveries', async () => {
    receiver.answer(500);
    const webhook = await aWebhook(manager, receiver);
    const path = `/webhooks/outbound/${webhook.id}`;
    await anIncident(agent);
    await receiver.until(1);
    await service.advance('1s');
    const { body: stopped } = await manager.patch(path, { active: false });
    const { body: at } = await manager.get(`${path}/deliveries?status=cancelled`);
    expect(at).toMatchObject({
      data: [{ status: 'cancelled', attempts_made: 1, next_attempt_at: null, finished_at: stopped.updated_at }],
      total: 1,
    });
    expect((await manager.get(`${path}/deliveries?status=retrying`)).body).toMatchObject({ data: [], total: 0 });
    await anIncident(agent);
    await manager.patch(path, { active: true });
    expect((await manager.get(`${path}/deliveries?status=retrying`)).body.total).toBe(0);
    await service.advance('45m', ['redrive-deliveries']);
    expect(receiver.received).toHaveLength(1);
    manager = await getApi(service, 'manager');
    const { body } = await manager.get(`${path}/deliveries`);
    expect(body.data).toEqual(at.data);
    receiver.answer(200);
    await anIncident(await getApi(service, 'agent'));
    await receiver.until(2);
  });

  it('receives nothing after it is deleted', async () => {
    receiver.answer(500);
    const webhook = await aWebhook(manager, receiver);
    await anIncident(agent);
    await receiver.until(1);
    expect((await manager.delete(`/webhooks/outbound/${webhook.id}`)).status).toBe(204);
    await service.advance('45m', ['redrive-deliveries']);
    expect(receiver.received).toHaveLength(1);
  });

  it('is deactivated when its receiver returns 410, and its owner is notified', async () => {
    receiver.answer(410);
    const webhook = await aWebhook(manager, receiver);
    await anIncident(agent);
    await receiver.until(1);
    await service.advance('45m', ['redrive-deliveries']);
    expect(receiver.received).toHaveLength(1);
    manager = await getApi(service, 'manager');
    const { body } = await manager.get(`/webhooks/outbound/${webhook.id}`);
    expect(body).toMatchObject({ active: false, disabled_reason: 'the receiver responded with 410 Gone' });
    const { body: notifications } = await manager.get('/notifications');
    const own = notifications.data.filter((one: { webhook_id: string }) => one.webhook_id === webhook.id);
    expect(toNames(own)).toEqual(['webhook.disabled']);
  });

  it('waits longer if the receiver requests it, but never shorter', async () => {
    receiver.answer((_request, number, response) => {
      response.setHeader('Retry-After', number === 1 ? '100' : '1');
      return 503;
    });
    await aWebhook(manager, receiver);
    await service.hold(true);
    await anIncident(agent);
    await receiver.until(1);
    await service.advance('99s');
    expect(receiver.received).toHaveLength(1);
    await service.advance('1s');
    expect(receiver.received).toHaveLength(2);
    await service.advance('119s');
    expect(receiver.received).toHaveLength(2);
    await service.advance('1s');
    expect(receiver.received).toHaveLength(3);
    await service.hold(false);
  });

  it('does not follow redirects', async () => {
    const elsewhere = await aReceiver();
    receiver.answer((_request, _number, response) => {
      response.setHeader('Location', elsewhere.url);
      return 307;
    });
    const webhook = await aWebhook(manager, receiver);
    await anIncident(agent);
    await receiver.until(1);
    await service.advance('1s');
    const { body } = await manager.get(`/webhooks/outbound/${webhook.id}/deliveries`);
    expect(body.data[0]).toMatchObject({ status: 'retrying', last_status: 307 });
    expect(elsewhere.received).toHaveLength(0);
    await elsewhere.stop();
  });
});
